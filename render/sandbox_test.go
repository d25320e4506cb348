package render

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// fussy is a browser that ends at once when its command line has, or lacks, the
// flag that switches the sandbox off.
func fussy(t *testing.T, refuses string) string {
	t.Helper()
	real, err := FindBrowser(testBrowser())
	if err != nil {
		t.Fatal(err)
	}
	has, lacks := "no", "no"
	if refuses == "bare" {
		has = "yes"
	} else {
		lacks = "yes"
	}
	script := fmt.Sprintf("#!/bin/sh\ncase \" $* \" in *' --no-sandbox '*) no=%s;; *) no=%s;; esac\n"+
		"if [ $no = yes ]; then echo 'No usable sandbox! (%s)' >&2; exit 1; fi\nexec %s \"$@\"\n", has, lacks, refuses, real)
	path := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSandboxInForce(t *testing.T) {
	needBrowser(t)
	for _, test := range []struct {
		name    string
		mode    Sandbox
		refuses string // how the browser does not start: boxed or bare
		state   Sandbox
		log     string
		fails   bool
	}{
		{name: "auto, where it can be had", refuses: "bare", state: SandboxOn, log: "level=INFO"},
		{name: "auto, where it cannot", refuses: "boxed", state: SandboxOff, log: "level=WARN"},
		{name: "on, where it can be had", mode: SandboxOn, refuses: "bare", state: SandboxOn, log: "level=INFO"},
		{name: "on, where it cannot", mode: SandboxOn, refuses: "boxed", fails: true},
		{name: "off", mode: SandboxOff, refuses: "boxed", state: SandboxOff, log: "level=WARN"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			path := fussy(t, test.refuses)
			p := newPool(t, func(c *Config) {
				c.Path, c.Sandbox, c.Log = path, test.mode, slog.New(slog.NewTextHandler(&log, nil))
				if test.fails {
					c.StartTimeout = 2 * time.Second // it never comes
				}
			})
			res, err := p.Print(t.Context(), Job{HTML: page("x")})
			if (err != nil) != test.fails {
				t.Fatalf("printing: %v", err)
			}
			res.Close()
			h := p.Health()
			if h.Sandbox != test.state || (h.SandboxReason != "") != (test.state == SandboxOff) {
				t.Errorf("in force is %q, because %q", h.Sandbox, h.SandboxReason)
			}
			p.Stop() // nobody writes the log any more
			told := 1
			if test.fails {
				told = 0
			}
			if n := strings.Count(log.String(), "its sandbox"); n != told || !strings.Contains(log.String(), test.log) {
				t.Errorf("the log says %d times:\n%s", n, &log)
			}
		})
	}
}

func TestCheckSandbox(t *testing.T) {
	c := testConfig(t)
	for refuses, want := range map[string]string{"bare": "", "boxed": "No usable sandbox! (boxed)"} {
		c.Path = fussy(t, refuses)
		err := CheckSandbox(t.Context(), c)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("a browser that refuses %s: %v", refuses, err)
		}
	}
	c.Path = filepath.Join(t.TempDir(), "missing")
	if err := CheckSandbox(context.Background(), c); err != nil {
		t.Errorf("without a browser: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(c.Dir, dirPrefix+"*")); len(left) > 0 {
		t.Errorf("folders are left: %v", left)
	}
}

// The processes that read documents have a filter of system calls, and a user
// namespace that is not ours, also when root runs the program.
func TestRenderersAreConfined(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	p := newPool(t, nil)
	mustPrint(t, p, Job{HTML: page("x")})
	if h := p.Health(); h.Sandbox != SandboxOn {
		t.Skip("the sandbox cannot be opened here: ", h.SandboxReason)
	}
	ours, err := os.Readlink("/proc/self/ns/user")
	if err != nil {
		t.Fatal(err)
	}
	pids := processesOf(browserPID(t, p), "renderer")
	if len(pids) == 0 {
		t.Fatal("there is no renderer")
	}
	for _, pid := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue // it has ended
		}
		for _, want := range []string{"Seccomp:\t2", "NoNewPrivs:\t1", "CapEff:\t0000000000000000"} {
			if !slices.Contains(strings.Split(string(status), "\n"), want) {
				t.Errorf("renderer %d has not %q", pid, want)
			}
		}
		if theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/user", pid)); err == nil && theirs == ours {
			t.Errorf("renderer %d is in our user namespace", pid)
		}
	}
}
