//go:build unix

// Package storetest starts the real servers that tests run against:
// PostgreSQL and Redis from Debian's packages, each private to one test, and
// an S3 server inside the process. A test whose server is not installed is
// skipped with a sentence that says what is missing.
package storetest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// program is a server of another author as a child of the test.
type program struct {
	stopWith string // signal
	as       *syscall.Credential
	dir      string
	command  []string
}

// start runs the program until the test ends. A shell stands between: it
// waits on its input, which closes when this process ends in whatever way, and
// then stops the server, so that a killed test leaves none behind.
func (p program) start(t testing.TB) {
	t.Helper()
	script := fmt.Sprintf(`"$@" & pid=$!; cat >/dev/null; kill -%s $pid; wait $pid`, p.stopWith)
	cmd := exec.Command("sh", append([]string{"-c", script, "sh"}, p.command...)...)
	cmd.Dir = p.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as, Setpgid: true}
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(p.dir, "server.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		_ = cmd.Wait() // its status is the signal's
		_ = log.Close()
	})
}

// await asks a server until it answers.
func await(t testing.TB, dir string, ask func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		err := ask(ctx)
		if err == nil {
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(dir, "server.log"))
			t.Fatalf("the server did not start: %v\n%s", err, log)
		}
	}
}

// folder makes a folder that other users may enter, unlike t.TempDir.
func folder(t testing.TB, pattern string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// freePort finds a port that nobody listens on.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}
