package jobs

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/store"
)

// announcedFor is for how many leases an announced process counts as alive; it
// announces itself once in each lease.
const announcedFor = 4

// announce tells the fleet that this process takes tasks, until ctx ends, and
// looks for work that no process does.
func (w *worker) announce(ctx context.Context) {
	me := store.Process{Name: w.owner, Host: w.cfg.Host, Role: w.cfg.Role, Version: w.cfg.Version, Work: w.cfg.Work, Places: w.cfg.Workers}
	say := func(ctx context.Context) error {
		return w.cfg.Store.Announce(ctx, me, announcedFor*w.cfg.Lease)
	}
	if err := say(ctx); err != nil && ctx.Err() == nil {
		w.cfg.Log.Info("the other processes were not told that this one works; it is tried again", "error", err)
	}
	w.watchFleet(ctx, say)
	gone, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer cancel()
	_ = w.cfg.Store.Depart(gone, w.owner) // else it is forgotten
}

// WatchFleet looks for work that no process does, until ctx ends, in a process
// that does none itself.
func (s *Service) WatchFleet(ctx context.Context) {
	s.watchFleet(ctx, func(context.Context) error { return nil })
}

// watchFleet looks once in each lease, after calling before. Work that nobody
// does counts only when it is seen twice: the first time a process may just be
// starting.
func (s *Service) watchFleet(ctx context.Context, before func(context.Context) error) {
	tick := time.NewTicker(s.cfg.Lease)
	defer tick.Stop()
	var seen []store.Work // that nobody did when it last looked
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if before(ctx) != nil {
			continue // the queue does not answer, which is logged elsewhere
		}
		if left, err := s.cfg.Store.LeftUndone(ctx); err == nil {
			s.noteLeft(slices.DeleteFunc(slices.Clone(left), func(w store.Work) bool { return !slices.Contains(seen, w) }))
			seen = left
		}
	}
}

// noteLeft logs that there is work that no process does, and that there is no
// more of it: once each.
func (s *Service) noteLeft(left []store.Work) {
	before := s.left.Swap(&left)
	switch {
	case before == nil && len(left) == 0, before != nil && slices.Equal(*before, left):
	case len(left) == 0:
		s.cfg.Log.Info("everything that is queued is done again")
	default:
		s.cfg.Log.Warn("no process does some of what is queued, which waits until one does; see Worker.Kinds and Exports.InService", "kinds", left)
	}
}

// LeftUndone is the work that no process of the fleet did when this one last
// looked.
func (s *Service) LeftUndone() []store.Work {
	if left := s.left.Load(); left != nil {
		return *left
	}
	return nil
}

// Details returns a function that says which kinds of queued work this process
// does, if it works, and which no process does.
func (s *Service) Details(works bool) func() map[string]string {
	does := "nothing; it is left to others"
	if works {
		does = cmp.Or(string(s.cfg.Work), joined(store.Works()))
	}
	return func() map[string]string {
		fleet := "complete"
		if left := s.LeftUndone(); len(left) > 0 {
			fleet = "no process does: " + joined(left)
		}
		return map[string]string{"work": does, "fleet": fleet}
	}
}

func joined(works []store.Work) string {
	var words []string
	for _, w := range works {
		words = append(words, string(w))
	}
	return strings.Join(words, ", ")
}
