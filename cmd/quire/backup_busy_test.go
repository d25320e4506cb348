package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

var backupRounds = flag.Int("backup-rounds", 2, "how often a working service is backed up, thrown away and restored elsewhere")

// written is what a service has acknowledged, and when.
type written struct {
	id   int
	text string
	at   time.Time
}

// TestBackupWhileWriting writes at full speed, backs up meanwhile, kills the
// service and throws its folder away, and restores elsewhere. Everything that was
// acknowledged before the moment of the backup is there, what was queued is
// done, and a PDF is the same. Each round goes on from what the last restored.
func TestBackupWhileWriting(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	startService(t) // skips without a browser
	p := newProgram(t)
	for _, c := range []struct {
		name string
		env  func(t *testing.T, dir string) []string
		at   func(t *testing.T) string
	}{
		{"SQLite and a folder", func(*testing.T, string) []string { return nil }, func(t *testing.T) string { return t.TempDir() }},
		{"PostgreSQL, and backups on S3", postgresEnv(storetest.Postgres(t)), func(t *testing.T) string { return storetest.S3(t) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, scratch := c.at(t), t.TempDir()
			p.token, p.dir = "", filepath.Join(scratch, "0")
			env := c.env(t, p.dir)
			r := p.start(t, env...)
			invoice := invoicePDF(t, r)
			for round := range max(1, *backupRounds/2) {
				w := &writer{t: t, service: asker{r.url, p.token}, stop: make(chan struct{})}
				w.begin(p.dir, env)
				time.Sleep(500 * time.Millisecond)
				keys := filepath.Join(scratch, fmt.Sprint("keys", round))
				out := p.tool(t, env, "backup", "--data", p.dir, "--keys", keys, "--keep", "3", at)
				copied := regexp.MustCompile(`, (\d+) of them copied`).FindStringSubmatch(out)[1]
				id, taken := takenOf(t, out)
				time.Sleep(200 * time.Millisecond)
				r.kill(t)
				w.end()
				if err := os.RemoveAll(p.dir); err != nil {
					t.Fatal(err)
				}

				p.dir = filepath.Join(scratch, fmt.Sprint(round+1))
				env = c.env(t, p.dir)
				p.tool(t, env, "restore", "--data", p.dir, "--keys", keys, "--id", id, at)
				uploads, files := w.check(p.dir, env, taken)
				r = p.start(t, env...)
				exports := w.checkExports(asker{r.url, p.token}, taken)
				if got := invoicePDF(t, r); !bytes.Equal(got, invoice) {
					t.Errorf("round %d: the PDF is another: %s", round, firstDifference(got, invoice))
				}
				t.Logf("round %d: %d uploads, %d files replaced, %d exports acknowledged before the backup of %s are there; %s contents copied", round, uploads, files, exports, taken.Format("15:04:05.000"), copied)
				if uploads == 0 || files == 0 || exports == 0 {
					t.Error("nothing was written before the backup: it tests nothing")
				}
			}
			r.stop()
		})
	}
}

// postgresEnv gives each installation a database of its own.
func postgresEnv(server *storetest.PostgresServer) func(*testing.T, string) []string {
	return func(t *testing.T, _ string) []string {
		return []string{"ConnectionStrings__Database=" + server.Database(t)}
	}
}

// tool runs a command of the program.
func (p *program) tool(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(p.binary, args...)
	cmd.Env = append(os.Environ(), env...)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("quire %s: %v: %s", args[0], err, failed.String())
	}
	return string(out)
}

var asOf = regexp.MustCompile(`^(\d{8}T\d{6}\.\d{3}Z)  as of `)

// takenOf is which backup was made, and the moment that it is of.
func takenOf(t *testing.T, out string) (id string, taken time.Time) {
	t.Helper()
	m := asOf.FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("the backup says %q", out)
	}
	taken, err := time.Parse("20060102T150405.000Z", m[1])
	if err != nil {
		t.Fatal(err)
	}
	return m[1], taken
}

// writer writes to a service until it is killed.
type writer struct {
	t       *testing.T
	service asker
	stop    chan struct{}
	done    sync.WaitGroup

	mu                      sync.Mutex
	uploads, files, exports []written
}

func (w *writer) begin(dir string, env []string) {
	again := func(pause time.Duration, do func(n int) bool) {
		w.done.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-w.stop:
					return
				case <-time.After(pause):
				}
				if !do(n) {
					return
				}
			}
		})
	}
	for range 3 {
		again(0, func(n int) bool {
			text := fmt.Sprintf(`{"n":%d}`, n)
			return w.ask(&w.uploads, http.MethodPost, "/temporary-data", `{"content": `+text+`}`, "tempDataId", text)
		})
	}
	again(60*time.Millisecond, func(int) bool {
		return w.ask(&w.exports, http.MethodPost, "/reports/invoice/export", "{}", "temporaryFileId", "")
	})
	// Replacing a file deletes the content before.
	s, err := loadSettings("", append([]string{"DataDir=" + dir}, env...), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	st, err := openStore(w.t.Context(), s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		w.t.Fatal(err)
	}
	demo, err := st.WorkspaceByCode(w.t.Context(), "demo")
	if err != nil {
		w.t.Fatal(err)
	}
	w.done.Go(func() {
		defer st.Close()
		for n := 0; ; n++ {
			select {
			case <-w.stop:
				return
			default:
			}
			text := fmt.Sprint(n)
			if _, err := st.PutFile(w.t.Context(), demo.ID, "counter.txt", "text/plain", strings.NewReader(text)); err == nil {
				w.note(&w.files, written{n, text, time.Now()})
			}
		}
	})
}

// ask asks the service for something; false when it is no more.
func (w *writer) ask(list *[]written, method, path, body, member, text string) bool {
	status, answer, err := w.service.do(method, path, body)
	at := time.Now()
	if err != nil {
		return false
	}
	if status/100 != 2 { // refused: nothing was promised
		return true
	}
	var members map[string]any
	if err := json.Unmarshal(answer, &members); err != nil {
		w.t.Errorf("%s: %v: %s", path, err, answer)
		return false
	}
	id, _ := members[member].(float64)
	w.note(list, written{int(id), text, at})
	return true
}

func (w *writer) note(list *[]written, one written) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*list = append(*list, one)
}

func (w *writer) end() {
	close(w.stop)
	w.done.Wait()
}

// check looks for the uploads and the file in what was restored.
func (w *writer) check(dir string, env []string, taken time.Time) (uploads, files int) {
	t := w.t
	s, err := loadSettings("", append([]string{"DataDir=" + dir}, env...), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := openStore(t.Context(), s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	demo, err := st.WorkspaceByCode(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	root, err := st.UserByEmail(t.Context(), "root@localhost")
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range w.uploads {
		if !u.at.Before(taken) {
			continue
		}
		uploads++
		content, err := st.TempData(t.Context(), demo.ID, root.ID, u.id)
		if err != nil {
			t.Errorf("upload %d, acknowledged %s before the backup: %v", u.id, taken.Sub(u.at), err)
			continue
		}
		if got, err := io.ReadAll(content); err != nil || !strings.Contains(string(got), u.text) {
			t.Errorf("upload %d is %q and was %q: %v", u.id, got, u.text, err)
		}
		content.Close()
	}
	last := -1
	for _, f := range w.files {
		if f.at.Before(taken) {
			files, last = files+1, f.id
		}
	}
	if got := fileText(t, st, demo.ID); got < last {
		t.Errorf("the file is of the time %d, and %d was acknowledged", got, last)
	}
	return uploads, files
}

func fileText(t *testing.T, st *store.Store, workspace int) int {
	_, content, err := st.OpenFile(t.Context(), workspace, "counter.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	text, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// checkExports waits until those that were queued are done.
func (w *writer) checkExports(a asker, taken time.Time) (exports int) {
	for _, e := range w.exports {
		if !e.at.Before(taken) {
			continue
		}
		exports++
		for end := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
			status := a.status(w.t, e.id)
			if status.Status == "Completed" {
				break
			}
			if status.Status != "InProgress" || time.Now().After(end) {
				w.t.Errorf("export %d: %+v", e.id, status)
				break
			}
		}
	}
	return exports
}

var printedAt = regexp.MustCompile(`/ID \[[^]]*\]|D:\d{14}[^)]*|\d{4}-\d\d-\d\dT[0-9:]{8}[^<]*`)

// invoicePDF is the demo's invoice as a PDF, without its number and when it was printed.
func invoicePDF(t *testing.T, r *running) []byte {
	t.Helper()
	status, file, err := asker{r.url, r.program.token}.do(http.MethodPost, "/reports/invoice/pdf", "{}")
	if err != nil || status != http.StatusOK {
		t.Fatalf("status %d: %.200s %v", status, file, err)
	}
	plain := output(t, "qpdf", "--qdf", "--object-streams=disable", "--static-id", "--no-original-object-ids", keepFile(t, file), "-")
	return printedAt.ReplaceAll([]byte(plain), nil)
}

// firstDifference is the first line of two texts that is not the same.
func firstDifference(a, b []byte) string {
	as, bs := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(as), len(bs)) {
		if !bytes.Equal(as[i], bs[i]) {
			return fmt.Sprintf("line %d is %.200q and was %.200q", i+1, as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d lines, and were %d", len(as), len(bs))
}
