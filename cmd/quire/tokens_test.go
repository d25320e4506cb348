package main

import (
	"log/slog"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// Tokens of the command line are bound and limited as those of the page.
func TestTokenCommand(t *testing.T) {
	dir := t.TempDir()
	s, st := openedStore(t, slog.New(slog.DiscardHandler), "DataDir="+dir)
	if err := firstStart(t.Context(), s, st); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"--name", "n"}, exitUsage},
		{[]string{"--user", "root@localhost", "--name", "n", "--scope", "write"}, exitUsage},
		{[]string{"--user", "root@localhost", "--name", "n", "--days", "-1"}, exitUsage},
		{[]string{"--user", "root@localhost", "--name", "n", "--workspace", "none"}, exitFailed},
		{[]string{"--user", "nobody@localhost", "--name", "n"}, exitFailed},
		{[]string{"--user", "root@localhost", "--name", "all"}, 0},
		{[]string{"--user", "root@localhost", "--name", "night", "--workspace", "demo", "--scope", "export,jobs", "--days", "90"}, 0},
	} {
		if got := run(append([]string{"token", "create", "--data", dir}, c.args...)); got != c.want {
			t.Errorf("quire token create %v: exit status %d, want %d", c.args, got, c.want)
		}
	}
	_, st = openedStore(t, slog.New(slog.DiscardHandler), "DataDir="+dir)
	tokens, err := st.AllTokens(t.Context(), "")
	if err != nil || len(tokens) != 2 {
		t.Fatalf("%+v, %v", tokens, err)
	}
	if all := tokens[1]; all.Reach.Limited() || all.Expires != nil {
		t.Errorf("%+v", all)
	}
	night := tokens[0]
	if night.Workspace == "" || night.Reach.WorkspaceID == 0 || night.Reach.Scopes != store.ScopeExport|store.ScopeJobs {
		t.Errorf("%+v", night)
	}
	if lasts := night.Expires.Sub(night.Created); lasts < 88*24*time.Hour || lasts > 92*24*time.Hour {
		t.Errorf("lasts %v", lasts)
	}
}
