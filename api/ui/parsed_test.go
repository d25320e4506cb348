package ui

import (
	"testing"
	"testing/fstest"
)

// Pages are parsed when they are first shown; that all of them can be is found here.
func TestEveryPageCanBeParsed(t *testing.T) {
	p := newPages("", allTexts(), fstest.MapFS{})
	if len(p.named) < 40 {
		t.Errorf("only %d pages were found", len(p.named))
	}
	for name, sheet := range p.named {
		if sheet.pristine().Lookup("layout.html") == nil {
			t.Errorf("%s has no layout", name)
		}
	}
}
