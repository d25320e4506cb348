package render

import (
	"context"
	"errors"
)

// Nobody sees the windows of tabs, and drawing them takes a quarter of what a document
// costs. Tabs are therefore windowless: the browser leaves the drawing of their windows to
// HeadlessExperimental.beginFrame, and it is never asked for it. What needs a window,
// a picture, goes to a tab that draws like any other, opened when it is needed.

// windowKept is after how many documents without use for it a tab that draws its window
// is replaced by one that does not.
const windowKept = 20

// errOnlyWindow is of a document that is read in a windowless tab and has a drawing that
// the reader cannot paint. Few have: it is read again in a tab that draws.
var errOnlyWindow = errors.New("only a window shows a drawing")

// needsWindow tells whether pictures are made of the document's window.
func (it *item) needsWindow() bool {
	return it.draw != "" || it.picture != nil || it.onlyWindow
}

// hasUseForWindow tells whether the tab draws its window and has needed that lately.
func (t *tab) hasUseForWindow() bool {
	return !t.windowless && t.undrawn < windowKept
}

// toDrawn puts a tab that draws its window into the place of one that does not.
func (s *slot) toDrawn(ctx context.Context) error {
	if !s.tab.windowless {
		return nil
	}
	b := s.tab.b
	if s.next != nil {
		s.discard(s.next)
	}
	s.open(b, true)
	wait(ctx, s.next.done, s.tab.ctx.Done())
	s.takeOpened(b)
	if s.tab.windowless { // the browser is lost, or the time of the job is over
		return translate(ctx, errTabCrashed)
	}
	return nil
}
