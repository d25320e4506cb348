package store

import (
	"time"

	"github.com/quire-reports/quire/report"
)

func testPostedSignIns(f *fixture) {
	t := f.t
	until := f.clock.Now().Add(10 * time.Minute)
	f.must(f.BeginPosted(t.Context(), "state", "company", "_request", until))
	gone := func(what string, err error) {
		t.Helper()
		if !IsNotFound(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	take := func(state, provider string) error {
		_, err := f.TakePosted(t.Context(), state, provider)
		return err
	}
	fetch := func(state, provider string) error {
		_, err := f.FetchPosted(t.Context(), state, provider)
		return err
	}
	gone("another state", take("other", "company"))
	gone("another provider", take("state", "twin"))
	f.must(f.KeepPosted(t.Context(), "state", "early"))
	gone("an answer before there is one", fetch("state", "company"))
	if request := ok[string](t)(f.TakePosted(t.Context(), "state", "company")); request != "_request" {
		t.Errorf("the request is %s", request)
	}
	gone("once more", take("state", "company"))
	f.must(f.KeepPosted(t.Context(), "state", "who it is"))
	gone("at another provider", fetch("state", "twin"))
	if answer := ok[report.Secret](t)(f.FetchPosted(t.Context(), "state", "company")); answer.Reveal() != "who it is" {
		t.Errorf("the answer is %s", answer.Reveal())
	}
	gone("once more", fetch("state", "company"))
	f.must(f.BeginPosted(t.Context(), "late", "company", "_late", until))
	f.clock.Advance(11 * time.Minute)
	gone("too late", take("late", "company"))
	if n := ok[Swept](t)(f.Sweep(t.Context())).Rows; n != 1 {
		t.Errorf("%d rows were swept", n)
	}
}

func testProviderKeyIsMadeOnce(f *fixture) {
	t := f.t
	made := 0
	fresh := func() (string, error) { made++; return "a key", nil }
	for range 2 {
		if key := ok[string](t)(f.ProviderKey(t.Context(), "company", fresh)); key != "a key" || made != 1 {
			t.Errorf("%q after %d", key, made)
		}
	}
	late := func() (string, error) {
		ok[string](t)(f.ProviderKey(t.Context(), "twin", func() (string, error) { return "of the first", nil }))
		return "of the second", nil
	}
	if key := ok[string](t)(f.ProviderKey(t.Context(), "twin", late)); key != "of the first" {
		t.Errorf("the key is %q", key)
	}
}
