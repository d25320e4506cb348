package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		done, total int
		elapsed     time.Duration
		note, want  string
	}{
		{0, 0, 3 * time.Second, "", "0:03"},
		{0, 1000, 2 * time.Second, "", "[------------------------------] 0/1000 · 0:02"},
		{250, 1000, 30 * time.Second, "2 failed", "[#######-----------------------] 250/1000 · 2 failed · 1:30 left"},
		{1000, 1000, 2*time.Hour + 5*time.Second, "", "[##############################] 1000/1000 · 2:00:05"},
	} {
		if got := progressLine(c.done, c.total, c.elapsed, c.note); got != c.want {
			t.Errorf("got %q; want %q", got, c.want)
		}
	}
}

// On a terminal a shorter line wipes the longer one before it.
func TestProgressBarWipes(t *testing.T) {
	var out bytes.Buffer
	b := &progressBar{to: &out, terminal: true, began: time.Now()}
	b.show(b.began, 0, 0, "a long note")
	b.show(b.began, 0, 0, "short")
	b.end()
	if got, want := out.String(), "\ra long note · 0:00\rshort · 0:00      \r            \r"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}

// TestCommandsFollowTheService starts work beside a running service.
func TestCommandsFollowTheService(t *testing.T) {
	startService(t) // skips without a browser
	p := newProgram(t)
	r := p.start(t)
	job := `{"name":"Letters","code":"letters","active":true,"repeat":"people","dataSources":[{"name":"people","type":"json","settings":{"content":[{"n":1},{"n":2}]}}],
		"reports":[{"report":"letter","condition":"{$record.n} / {$params.zero} > 0"},{"report":"letter"}],"parameters":[{"name":"zero","type":"number"}]}`
	if status, answer, err := (asker{r.url, p.token}).do(http.MethodPost, "/jobs", job); status != http.StatusCreated {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	quire := func(args ...string) (string, error) {
		out, err := exec.Command(p.binary, append(args, "--data", p.dir)...).CombinedOutput()
		return string(out), err
	}
	if out, err := quire("job", "run", "demo", "letters", "--param", "zero=1"); err != nil || !strings.Contains(out, "2 entries: 2 completed, 0 in review, 0 failed") {
		t.Errorf("%s %v", out, err)
	}
	if out, err := quire("job", "watch", "demo", "letters", "1"); err != nil || !strings.Contains(out, "2 completed") {
		t.Errorf("%s %v", out, err)
	}
	for name, args := range map[string][]string{
		`job "none" does not exist`:     {"job", "run", "demo", "none"},
		"accepted is name=value":        {"job", "run", "demo", "letters", "--param", "zero"},
		`"x" is no number of a run`:     {"job", "watch", "demo", "letters", "x"},
		"-o is required":                {"export", "demo", "invoice"},
		`no report type "none"`:         {"export", "demo", "none", "-o", "-"},
		"workspace none does not exist": {"export", "none", "invoice", "-o", "-"},
	} {
		if out, err := quire(args...); err == nil || !strings.Contains(out, name) {
			t.Errorf("quire %s: %s %v", strings.Join(args, " "), out, err)
		}
	}
	file := filepath.Join(t.TempDir(), "invoice.pdf")
	if out, err := quire("export", "demo", "invoice", "-o", file); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	if content, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(content, []byte("%PDF-")) {
		t.Errorf("%.20q %v", content, err)
	}
}
