package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/store/storetest"
)

// TestTutorials does what the tutorials in docs say, word for word, in an empty
// folder; only the addresses are free ones.
func TestTutorials(t *testing.T) {
	t.Parallel()
	judges.Slow(t)
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	program := newProgram(t)
	for _, tutorial := range []struct {
		page  string
		files map[string]string // what is there at the end, and what it begins with
		says  []string          // what the commands print
	}{
		{"first-report", map[string]string{"roastery/orders.pdf": "%PDF", "roastery/december.pdf": "%PDF", "roastery/december.xlsx": "PK", "roastery/by-http.pdf": "%PDF"}, []string{"password:"}},
		{"first-embed", map[string]string{"shop/invoice.pdf": "%PDF", "shop/preview.html": "<!doctype html>"}, []string{"401\n"}},
		{"first-job", map[string]string{"billing/out/B-1/Invoice B-1.pdf": "%PDF", "billing/out/B-2/Invoice B-2.pdf": "%PDF", "billing/out/without a number/Invoice.pdf": "%PDF"}, []string{"not all of them are there", `"problems":[]`}},
		{"first-cluster", map[string]string{"cluster/invoice.pdf": "%PDF"}, []string{`"finished":true`, `"errors":0`}},
	} {
		t.Run(tutorial.page, func(t *testing.T) {
			t.Parallel()
			commands := tutorialCommands(t, tutorial.page)
			if tutorial.page == "first-cluster" {
				commands = replaceOnce(t, commands, "postgres://quire:secret@localhost/quire", storetest.Postgres(t).Database(t))
				commands = replaceOnce(t, commands, "127.0.0.1:8081", freeAddress(t))
				commands = replaceOnce(t, commands, "127.0.0.1:8082", freeAddress(t))
			}
			dir := t.TempDir()
			said := runCommands(t, program, dir, commands)
			for name, begins := range tutorial.files {
				if content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || !strings.HasPrefix(string(content), begins) {
					t.Errorf("%s: %v, %.100q", name, err, content)
				}
			}
			for _, want := range tutorial.says {
				if !strings.Contains(said, want) {
					t.Errorf("nothing says %q", want)
				}
			}
			if t.Failed() {
				t.Log(said)
			}
		})
	}
}

// tutorialCommands are all commands of a tutorial.
func tutorialCommands(t *testing.T, page string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "docs", "tutorials", page+".md"))
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(content), -1) {
		commands = append(commands, block[1])
	}
	if len(commands) < 3 {
		t.Fatalf("%s has only %d blocks of commands", page, len(commands))
	}
	return strings.Join(commands, "\n")
}

func replaceOnce(t *testing.T, text, old, by string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is there %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, by, 1)
}

// runCommands runs commands in a folder, until the first that fails, and gives what
// they print. What they leave in the background ends with them.
func runCommands(t *testing.T, p *program, dir, commands string) string {
	t.Helper()
	address, shop := freeAddress(t), freeAddress(t)
	_, port, _ := net.SplitHostPort(shop)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-eu", "-o", "pipefail", "-c", "trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n"+
		strings.ReplaceAll(commands, "http://localhost:8080", "http://"+address))
	shell.Dir = dir
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	shell.WaitDelay = 20 * time.Second
	shell.Env = append(os.Environ(), "PATH="+filepath.Dir(p.binary)+":"+os.Getenv("PATH"), "Address="+address, "PORT="+port, "Log__Level=error")
	said, err := shell.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	return string(said)
}
