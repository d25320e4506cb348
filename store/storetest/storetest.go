//go:build unix

// Package storetest starts the real servers that tests run against:
// PostgreSQL and Redis from Debian's packages and an S3 server of the module
// proxy, each private to one test; and, for tests that need no more, an S3
// server inside the process. A test whose server is not installed is skipped
// with a sentence that says what is missing.
package storetest

import (
	"context"
	"fmt"
	"io"
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
	env      []string // besides that of this process
	command  []string
}

// child is a program that runs.
type child struct {
	program
	input io.Closer
	cmd   *exec.Cmd
	log   *os.File
}

// start runs the program until the test ends.
func (p program) start(t testing.TB) *child {
	t.Helper()
	c := &child{program: p}
	c.start(t)
	t.Cleanup(c.stop)
	return c
}

// start runs the program. A shell stands between: it waits on its input, which
// closes when this process ends in whatever way, and then stops the server, so
// that a killed test leaves none behind.
func (c *child) start(t testing.TB) {
	t.Helper()
	script := fmt.Sprintf(`"$@" & pid=$!; cat >/dev/null; kill -%s $pid; wait $pid`, c.stopWith)
	c.cmd = exec.Command("sh", append([]string{"-c", script, "sh"}, c.command...)...)
	c.cmd.Dir = c.dir
	c.cmd.Env = append(os.Environ(), c.env...)
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as, Setpgid: true}
	var err error
	if c.input, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if c.log, err = os.OpenFile(filepath.Join(c.dir, "server.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		t.Fatal(err)
	}
	c.cmd.Stdout, c.cmd.Stderr = c.log, c.log
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

// stop ends the program and waits for its end.
func (c *child) stop() {
	_ = c.input.Close()
	_ = c.cmd.Wait() // its status is the signal's
	_ = c.log.Close()
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
