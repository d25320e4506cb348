package accounts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/store"
)

// People are the accounts that are followed. *store.Store is one.
type People interface {
	ClaimSync(ctx context.Context, provider string, every time.Duration) (bool, error)
	EndSync(ctx context.Context, provider string, went store.DirectorySync, again time.Duration) error
	IdentitiesOf(ctx context.Context, issuer string) ([]store.KnownIdentity, error)
	Follow(ctx context.Context, id store.Identity, rules store.IdentityRules, asOf time.Time, try bool) (store.Followed, error)
	ShutOut(ctx context.Context, id store.Identity, rules store.IdentityRules, asOf time.Time, try bool) (store.Followed, error)
}

// Follower looks the people of directories up, again and again: those who are
// gone or disabled there are shut out, and roles follow the groups.
type Follower struct {
	Directories []*sso.Directory
	People      People
	Clock       func() time.Time
	Log         *slog.Logger
}

const (
	looksEvery   = 5 * time.Second  // whether it is time
	triesAgain   = time.Minute      // after a directory could not be asked
	longestSync  = 15 * time.Minute // of one directory
	fewLost      = 2                // so many may lose something whatever the share
	mostProblem  = 300
	tellsProblem = "the people of a directory were not looked up"
)

// Run follows until ctx ends. Of several services one does so at a time.
func (f *Follower) Run(ctx context.Context) {
	tick := time.NewTicker(looksEvery)
	defer tick.Stop()
	for {
		for _, d := range f.Directories {
			f.Turn(ctx, d)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Turn looks the people of a directory up if it is time.
func (f *Follower) Turn(ctx context.Context, d *sso.Directory) {
	if !d.Enabled || d.SyncEvery <= 0 {
		return
	}
	mine, err := f.People.ClaimSync(ctx, d.Name, d.SyncEvery)
	if err == nil && mine {
		_, err = f.Sync(ctx, d)
	}
	if err != nil && ctx.Err() == nil {
		f.Log.WarnContext(ctx, tellsProblem, "provider", d.Name, "error", err)
	}
}

// Sync looks the people of a directory up now. What keeps it from changing
// anything is in the answer, and kept; an error is one of our own.
func (f *Follower) Sync(ctx context.Context, d *sso.Directory) (store.DirectorySync, error) {
	ctx, stop := context.WithTimeout(store.WithActor(ctx, store.Actor{Kind: store.BySystem, Name: d.Name}), longestSync)
	defer stop()
	went, err := f.sync(ctx, d)
	again := d.SyncEvery
	var refusal *sso.Refusal
	if errors.As(err, &refusal) {
		went.Problem, again = refusal.Error(), min(triesAgain, max(d.SyncEvery, time.Second))
	}
	if went.Problem != "" {
		if runes := []rune(went.Problem); len(runes) > mostProblem {
			went.Problem = string(runes[:mostProblem]) + "…"
		}
		f.Log.WarnContext(ctx, tellsProblem, "provider", d.Name, "reason", went.Problem)
		err = nil
	} else if err == nil && went.Changed > 0 {
		f.Log.InfoContext(ctx, "roles follow a directory", "provider", d.Name, "people", went.People, "changed", went.Changed, "lost", went.Lost)
	}
	if err == nil {
		went.Ended = f.Clock()
		err = f.People.EndSync(context.WithoutCancel(ctx), d.Name, went, again)
	}
	return went, err
}

// step is what is to be done about one person.
type step struct {
	who   store.Identity
	rules store.IdentityRules
	out   bool
}

func (f *Follower) sync(ctx context.Context, d *sso.Directory) (went store.DirectorySync, err error) {
	known, err := f.People.IdentitiesOf(ctx, d.Issuer())
	if err != nil {
		return went, err
	}
	asOf, present := f.Clock(), 0
	var subjects []string
	for _, k := range known {
		subjects = append(subjects, k.Subject)
		if !k.Gone {
			present++
		}
	}
	went.People = len(known)
	found, err := d.Look(ctx, subjects)
	if err != nil {
		return went, err
	}
	steps := plan(d, known, found)
	tried, err := f.do(ctx, steps, asOf, true)
	if err != nil {
		return went, err
	}
	if most := max(fewLost, present*d.MostLost/100); tried.Lost > most || tried.Lost > 1 && tried.Lost == present && d.MostLost < 100 {
		went.Problem = fmt.Sprintf("%d of %d people would lose a role or their account, which is more than is done at once (%d, or all): nothing was changed", tried.Lost, present, most)
		return went, nil
	}
	done, err := f.do(ctx, steps, asOf, false)
	done.People = went.People
	return done, err
}

// plan says what follows for everybody. Whether somebody may come in is asked as
// when they sign in; the address of the account does where there is none now.
func plan(d *sso.Directory, known []store.KnownIdentity, found map[string]*sso.Found) (steps []step) {
	for _, k := range known {
		next := step{who: store.Identity{Issuer: d.Issuer(), Subject: k.Subject}, rules: Rules(&d.Terms, nil), out: true}
		if person := found[k.Subject]; person != nil && person.Disabled == "" {
			now := *person.Identity
			if now.Email == "" {
				now.Email = k.Email
			}
			next.who.Groups, next.rules, next.out = now.Told(), Rules(&d.Terms, now.Groups), d.Check(&now) != nil
		}
		steps = append(steps, next)
	}
	return steps
}

func (f *Follower) do(ctx context.Context, steps []step, asOf time.Time, try bool) (went store.DirectorySync, err error) {
	for _, s := range steps {
		do := f.People.Follow
		if s.out {
			do = f.People.ShutOut
		}
		done, err := do(ctx, s.who, s.rules, asOf, try)
		if err != nil {
			return went, err
		}
		if done.Changed {
			went.Changed++
		}
		if done.Lost {
			went.Lost++
		}
	}
	return went, nil
}
