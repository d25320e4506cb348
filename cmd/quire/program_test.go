package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is the built binary with a data folder of its own. It logs errors to the
// test's output, or what the environment asks for to log.
type program struct {
	binary, dir, token string
	log                io.Writer
}

// running is a started program.
type running struct {
	program *program
	process *exec.Cmd
	url     string
}

// newProgram builds the binary.
func newProgram(t testing.TB, tags ...string) *program {
	t.Helper()
	p := &program{binary: filepath.Join(t.TempDir(), "quire"), dir: t.TempDir()}
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-tags="+strings.Join(tags, ","), "-o", p.binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

// start runs quire serve and waits until it answers.
func (p *program) start(t testing.TB, env ...string) *running {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	cmd := exec.Command(p.binary, "serve", "--addr", address, "--data", p.dir)
	cmd.Env = append(append(os.Environ(), "Log__Level=error"), env...)
	cmd.Stderr = os.Stderr
	if p.log != nil {
		cmd.Stderr = p.log
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &running{program: p, process: cmd, url: "http://" + address}
	t.Cleanup(r.stop)
	waitForAnswer(t, r.url)
	if p.token == "" {
		token := exec.Command(p.binary, "token", "create", "--data", p.dir, "--user", "root@localhost", "--name", "test")
		token.Env = cmd.Env
		out, err := token.Output()
		if err != nil {
			t.Fatal(err)
		}
		p.token = strings.TrimSpace(string(out))
	}
	return r
}

// waitForAnswer waits until a service answers. A connection is not enough: before the
// first start it tries its address for a moment, when it has no users yet.
func waitForAnswer(t testing.TB, url string) {
	t.Helper()
	client := http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for end := time.Now().Add(client.Timeout); ; time.Sleep(2 * time.Millisecond) {
		resp, err := client.Get(url + "/healthz")
		if err == nil {
			resp.Body.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the service does not answer: %v", err)
		}
	}
}

// worker runs quire worker.
func (p *program) worker(t testing.TB, env ...string) *running {
	t.Helper()
	cmd := exec.Command(p.binary, "worker", "--data", p.dir)
	cmd.Env = append(os.Environ(), append(env, "Log__Level=error")...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &running{program: p, process: cmd}
	t.Cleanup(r.stop)
	return r
}

// kill ends the program as a power cut does.
func (r *running) kill(t testing.TB) {
	t.Helper()
	if err := r.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = r.process.Wait()
}

// stop ends the program as an operator does; it may be called twice.
func (r *running) stop() {
	if r.process.ProcessState == nil {
		_ = r.process.Process.Signal(syscall.SIGTERM)
		_ = r.process.Wait()
	}
}

// export makes the demo invoice.
func (r *running) export(t testing.TB) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, r.url+"/api/v1/ws/demo/reports/invoice/pdf", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.program.token)
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %.200s %v", resp.StatusCode, body, err)
	}
}

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// residentKB is the resident memory of a process.
func residentKB(t testing.TB, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("needs /proc")
	}
	m := residentLine.FindSubmatch(status)
	if m == nil {
		t.Fatal("the process has no memory")
	}
	kb, _ := strconv.Atoi(string(m[1]))
	return kb
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
