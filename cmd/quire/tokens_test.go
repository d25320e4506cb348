package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
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

// TestTokensBesideAService: a token that a command revokes is refused by the
// service at its next request.
func TestTokensBesideAService(t *testing.T) {
	startService(t) // skips without a browser
	p := newProgram(t)
	r := p.start(t)
	quire := func(args ...string) (string, error) {
		out, err := exec.Command(p.binary, append(args, "--data", p.dir)...).CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	asks := func(token string) int {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/api/v1/workspaces", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	night, err := quire("token", "create", "--user", "root@localhost", "--name", "night run", "--scope", "read", "--days", "30")
	if err != nil || asks(night) != http.StatusOK {
		t.Fatalf("%s %v", night, err)
	}
	var list []struct {
		ID                  int
		Owner, Name, Ending string
		Scopes              []string
		Expires, LastUsed   *string
	}
	out, err := quire("token", "list", "--json", "--user", "ROOT@localhost")
	if err == nil {
		err = json.Unmarshal([]byte(out), &list)
	}
	if err != nil || len(list) < 2 {
		t.Fatalf("%s %v", out, err)
	}
	one := list[0]
	if one.Name != "night run" || one.Owner != "root@localhost" || one.Ending != night[len(night)-4:] || len(one.Scopes) != 1 || one.Expires == nil || one.LastUsed == nil {
		t.Errorf("%+v", one)
	}
	if out, err := quire("token", "list"); err != nil || !strings.Contains(out, "night run") || !strings.Contains(out, "read") || strings.Contains(out, night) {
		t.Errorf("%s %v", out, err)
	}
	if out, err := quire("token", "revoke", strconv.Itoa(one.ID)); err != nil || !strings.Contains(out, "is revoked") || asks(night) != http.StatusUnauthorized {
		t.Errorf("%s %v, and then %d", out, err, asks(night))
	}
	for want, args := range map[string][]string{
		"does not exist":            {"token", "revoke", strconv.Itoa(one.ID)},
		`"x" is no number`:          {"token", "revoke", "x"},
		"give the numbers":          {"token", "revoke"},
		"--user with --all":         {"token", "revoke", "--all"},
		"there is no user with the": {"token", "list", "--user", "nobody@localhost"},
	} {
		if out, err := quire(args...); err == nil || !strings.Contains(out, want) {
			t.Errorf("quire %v: %s %v", args, out, err)
		}
	}
	if out, err := quire("token", "revoke", "--user", "root@localhost", "--all"); err != nil || asks(p.token) != http.StatusUnauthorized {
		t.Errorf("%s %v", out, err)
	}
}
