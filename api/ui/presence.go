package ui

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// present is a page that has something open to change it, as the others there are told.
type present struct {
	Tab      string   `json:"tab"`
	UserID   int      `json:"userId"`
	Name     string   `json:"name"`
	Picture  string   `json:"picture,omitempty"` // its address
	Selected []string `json:"selected,omitempty"`
}

func (u *UI) presence(ctx context.Context, o store.Opened) ([]present, error) {
	found, err := u.Store.Presence(ctx, o)
	told := make([]present, len(found))
	for i, p := range found {
		told[i] = present{Tab: p.Tab, UserID: p.UserID, Name: p.Name, Picture: u.pictureAddress(p.Picture), Selected: p.Selected}
	}
	return told, err
}

// bePresent says that a page is there, and what is selected in it. Only who may
// change a thing is told of there, and hears of others.
func (u *UI) bePresent(find follow) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f, err := find(r)
		if err == nil {
			err = f.refuse
		}
		var body struct {
			Tab      string   `json:"tab"`
			Selected []string `json:"selected"`
		}
		if err == nil {
			err = u.readBody(r, &body)
		}
		if err == nil {
			err = u.Store.BePresent(r.Context(), f.opened, store.Present{Tab: body.Tab, UserID: access.Of(r.Context()).User.ID, Selected: body.Selected})
		}
		if err != nil {
			u.refuse(w, r, err)
			return
		}
		u.wake(f.name)
		w.WriteHeader(http.StatusNoContent)
	}
}

// leaving is how long noting that a page is gone may take.
const leaving = 5 * time.Second

// streams counts the streams of pages in this process: one that begins before
// the last has ended keeps its page there.
type streams struct {
	mu   sync.Mutex
	open map[string]int
}

func (s *streams) enter(page string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[string]int{}
	}
	s.open[page]++
}

// leave tells whether it was the last of its page.
func (s *streams) leave(page string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[page]--
	if s.open[page] > 0 {
		return false
	}
	delete(s.open, page)
	return true
}

// whilePresent serves the stream of a page; when the browser lets it go, the page
// is gone. A stream that ends by itself is taken up again.
func (u *UI) whilePresent(r *http.Request, f *followed, serve func() error) error {
	tab, user := queryText(r, "tab"), access.Of(r.Context()).User.ID
	if tab == "" {
		return serve()
	}
	page := itoa(user) + " " + f.name + " " + tab
	u.streams.enter(page)
	err := serve()
	if !u.streams.leave(page) || r.Context().Err() == nil {
		return err
	}
	ctx, end := context.WithTimeout(context.WithoutCancel(r.Context()), leaving)
	defer end()
	if u.Store.EndPresence(ctx, f.opened, user, tab) == nil { // else it is gone when it has not been heard of for long
		u.wake(f.name)
	}
	return err
}
