package ui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/live"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/store"
)

// stream sends what a request may hear of, until it would find something else or
// be refused: rights end while pages are open.
func (u *UI) stream(w http.ResponseWriter, r *http.Request, find func(*http.Request) (live.Subject, error)) error {
	s, err := find(r)
	if err != nil {
		return err
	}
	s.Listener = access.Of(r.Context()).User.ID
	s.Still = func() error {
		again, err := access.Again(r)
		if err != nil {
			return err
		}
		now, err := find(again)
		if err == nil && now.Key != s.Key {
			err = errors.New("it hears something else now")
		}
		return err
	}
	return u.live.Serve(w, r, s)
}

// runEvents tells the browser how a run goes on.
func (u *UI) runEvents(w http.ResponseWriter, r *http.Request) {
	err := u.stream(w, r, func(r *http.Request) (live.Subject, error) {
		run, _, err := u.runOf(r)
		if err != nil {
			return live.Subject{}, err
		}
		return u.watchedRun(access.Of(r.Context()).Workspace.ID, pathVar(r, "job"), run.ID, sinceIn(r)), nil
	})
	if err != nil {
		u.Error(w, r, err)
	}
}

// sinceIn is from when on a browser wants to know: from where it lost its
// stream, or from when its page was made.
func sinceIn(r *http.Request) time.Time {
	for _, text := range []string{r.Header.Get("Last-Event-ID"), queryText(r, "since")} {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
			return time.UnixMilli(n)
		}
	}
	return time.Time{}
}

// runEvent is how far a run is, and which entries have changed.
type runEvent struct {
	Finished   bool   `json:"finished"`
	Entries    int    `json:"entries"`
	Queued     int    `json:"queued"`
	Delivering int    `json:"delivering"`
	Review     int    `json:"review"`
	Completed  int    `json:"completed"`
	Errors     int    `json:"errors"`
	Done       int    `json:"done"` // share of entries that are through, in percent
	Error      string `json:"error,omitempty"`
	// Changed are IDs of entries; when More is set there are others.
	Changed []int `json:"changed,omitempty"`
	More    bool  `json:"more,omitempty"`
}

func (u *UI) watchedRun(workspace int, job string, run int, since time.Time) live.Subject {
	return live.Subject{
		Key:   "run " + itoa(run),
		First: (&runWatch{ui: u, workspace: workspace, job: job, run: run, since: since}).next,
		Source: func() live.Source {
			return (&runWatch{ui: u, workspace: workspace, job: job, run: run, since: u.Clock()}).next
		},
	}
}

// runWatch asks for a run again and again.
type runWatch struct {
	ui        *UI
	workspace int
	job       string
	run       int
	since     time.Time
	told      map[int]time.Time // entries changed of late, and when
	last      string            // how far the run was
}

const (
	// mostChanges bounds the entries that an event names.
	mostChanges = 500
	// looksBack is how far clocks of processes may be apart.
	looksBack = 2 * time.Second
)

// next is what happened since the last time.
func (w *runWatch) next(ctx context.Context) (live.Event, error) {
	status, err := w.ui.Jobs.Status(ctx, w.workspace, w.job, w.run)
	if err != nil {
		return live.Event{}, err
	}
	changes, err := w.ui.Store.EntryChanges(ctx, w.run, w.since.Add(-looksBack), mostChanges)
	if err != nil {
		return live.Event{}, err
	}
	e := eventOf(status)
	state, err := json.Marshal(e)
	if err != nil {
		return live.Event{}, err
	}
	e.Changed, e.More = w.fresh(changes), len(changes) == mostChanges
	if len(e.Changed) == 0 && string(state) == w.last {
		return live.Event{}, nil
	}
	w.last = string(state)
	data, err := json.Marshal(e)
	return live.Event{ID: strconv.FormatInt(w.since.UnixMilli(), 10), Data: data, Last: e.Finished}, err
}

// fresh are the changes that were not told yet.
func (w *runWatch) fresh(changes []store.EntryChange) []int {
	var ids []int
	seen := make(map[int]time.Time, len(changes))
	for _, c := range changes {
		if !w.told[c.ID].Equal(c.Changed) {
			ids = append(ids, c.ID)
		}
		seen[c.ID] = c.Changed
		if c.Changed.After(w.since) {
			w.since = c.Changed
		}
	}
	w.told = seen
	return ids
}

func eventOf(s *jobs.RunStatus) runEvent {
	return runEvent{
		Finished: s.Finished, Entries: s.Entries, Queued: s.Queued, Delivering: s.Delivering, Review: s.Review, Completed: s.Completed, Errors: s.Errors,
		Done: doneShare(s), Error: s.Error,
	}
}

// doneShare is how many of the entries are through, in percent.
func doneShare(s *jobs.RunStatus) int {
	if s.Entries == 0 {
		return 0
	}
	return 100 * (s.Entries - s.Queued - s.Delivering) / s.Entries
}

// liveCount is a number that a page keeps up to date, with the text around it.
type liveCount struct{ Name, Text, One, Filled string }

// countOf is the function pair of templates: the text has {0} where the number
// goes; one is the text of one alone, where that is another.
func countOf(name string, n int, text any, one ...any) liveCount {
	c := liveCount{Name: name, Text: fmt.Sprint(text), One: fmt.Sprint(one...)}
	if c.Filled = c.One; n != 1 || c.One == "" {
		c.Filled = strings.ReplaceAll(c.Text, "{0}", itoa(n))
	}
	return c
}
