package render

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var rounds = flag.Int("rounds", 12, "how often TestHelpersOfTheBrowserDie kills")

// standstill is after how long a crowd counts as hanging. It is far more than
// the crowd takes, because a slow machine is no fault.
const standstill = 3 * time.Minute

// crowd prints fifty documents at the same time, with a fault in the midst of
// them, and checks that each ends with a file or a clear error before long,
// and that the next document is printed.
func crowd(t *testing.T, p *Pool, fault func()) (failed int) {
	t.Helper()
	const jobs = 50
	mustPrint(t, p, Job{HTML: page("before"), Paginate: true})
	var wg sync.WaitGroup
	errs := make([]error, jobs)
	began := time.Now()
	for i := range jobs {
		wg.Go(func() {
			res, err := p.Print(context.Background(), Job{HTML: table(400, 10), Paginate: true, Key: fmt.Sprint(i % 3)})
			if err == nil && (len(res.Parts) == 0 || res.Size() < 1000) {
				err = errors.New("an empty result")
			}
			res.Close()
			errs[i] = err
		})
	}
	time.Sleep(150 * time.Millisecond)
	fault()
	wg.Wait()
	if took := time.Since(began); took > standstill {
		t.Errorf("it took %v", took)
	}
	for _, err := range errs {
		switch {
		case err == nil:
		case errors.Is(err, ErrCrashed), errors.Is(err, ErrTimeout), errors.Is(err, ErrUnavailable):
			failed++
		default:
			t.Errorf("an unclear error: %v", err)
		}
	}
	mustPrint(t, p, Job{HTML: page("after"), Paginate: true})
	if h := p.Health(); h.State != Ready {
		t.Errorf("health is %+v", h)
	}
	return failed
}

func browserPID(t *testing.T, p *Pool) int {
	t.Helper()
	pid := p.Health().Browsers[0].PID
	if pid == 0 {
		t.Fatal("there is no browser")
	}
	return pid
}

func TestBrowserIsKilled(t *testing.T) {
	p := newPool(t, nil)
	if n := crowd(t, p, func() { syscall.Kill(browserPID(t, p), syscall.SIGKILL) }); n > 0 {
		t.Errorf("%d documents failed although they could be printed again", n)
	}
	if s := p.Stats(); s.BrowserLost != 1 || s.Retried == 0 {
		t.Errorf("%+v", s)
	}
}

func TestBrowserIsKilledAgainAndAgain(t *testing.T) {
	p := newPool(t, nil)
	crowd(t, p, func() {
		for range 4 {
			killGroup(p.Health().Browsers[0].PID)
			time.Sleep(300 * time.Millisecond)
		}
	})
}

func TestBrowserIsStopped(t *testing.T) {
	p := newPool(t, func(c *Config) { c.HangTimeout = time.Second })
	stop := func() { syscall.Kill(-browserPID(t, p), syscall.SIGSTOP) }
	if n := crowd(t, p, stop); n > 0 {
		t.Errorf("%d documents failed although they could be printed again", n)
	}
}

// A browser that stands still, with a watch that is slower than the job's
// limit: the time-out of the job ends the process.
func TestTimeoutEndsAStoppedBrowser(t *testing.T) {
	p := newPool(t, func(c *Config) { c.Tabs = 1; c.HangTimeout = time.Minute })
	mustPrint(t, p, Job{HTML: page("before")})
	syscall.Kill(-browserPID(t, p), syscall.SIGSTOP)
	began := time.Now()
	_, err := p.Print(context.Background(), Job{HTML: page("x"), Timeout: 500 * time.Millisecond})
	if !errors.Is(err, ErrTimeout) || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	mustPrint(t, p, Job{HTML: page("after"), Timeout: 15 * time.Second})
}

func renderers(t *testing.T, p *Pool) []int {
	t.Helper()
	return processesOf(browserPID(t, p), "renderer")
}

// processesOf are a browser's processes of one kind.
func processesOf(browser int, kind string) (pids []int) {
	for _, pid := range groupOf(browser) {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if bytes.Contains(b, []byte("--type="+kind)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func needProc(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
}

func TestTabsCrash(t *testing.T) {
	needProc(t)
	p := newPool(t, nil)
	if n := crowd(t, p, func() {
		for _, pid := range renderers(t, p) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}); n > 2 {
		t.Errorf("%d documents failed", n)
	}
	if s := p.Stats(); s.BrowserLost != 0 || s.TabsDropped == 0 {
		t.Errorf("%+v", s)
	}
}

// A browser without its zygote cannot tell how a tab's process ended, and makes
// no new one: the documents are printed by another browser.
func TestTabsCrashWithoutZygote(t *testing.T) {
	needProc(t)
	p := newPool(t, nil)
	if n := crowd(t, p, func() {
		for _, kind := range []string{"zygote", "renderer"} {
			for _, pid := range processesOf(browserPID(t, p), kind) {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}); n > 2 {
		t.Errorf("%d documents failed", n)
	}
}

// Tabs that never answer: their processes are stopped, the browser is well.
func TestTabsNeverAnswer(t *testing.T) {
	needProc(t)
	p := newPool(t, func(c *Config) { c.Timeout = 10 * time.Second })
	if n := crowd(t, p, func() {
		for _, pid := range renderers(t, p) {
			syscall.Kill(pid, syscall.SIGSTOP)
		}
	}); n == 0 || n > 3 {
		t.Errorf("%d documents failed; two tabs and perhaps the spare one were stopped", n)
	}
}

func TestBrowserComesLater(t *testing.T) {
	needBrowser(t)
	real, err := FindBrowser(testBrowser())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "browser")
	p := newPool(t, func(c *Config) { c.Path = path; c.StartTimeout = time.Second })
	_, err = p.Print(context.Background(), Job{HTML: page("x")})
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), path) {
		t.Errorf("without a browser: %v", err)
	}
	if h := p.Health(); h.State != Recovering || !strings.Contains(h.Browsers[0].LastError, "there is no program") {
		t.Errorf("health is %+v", h)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexec "+real+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	waitReady(t, p)
	mustPrint(t, p, Job{HTML: page("x")})
}

func waitReady(t *testing.T, p *Pool) {
	t.Helper()
	for deadline := time.Now().Add(15 * time.Second); p.Health().State != Ready; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not ready: %+v", p.Health())
		}
	}
}

// Programs that are no browser: one that ends at once, one that never answers.
func TestStartsThatFail(t *testing.T) {
	for name, script := range map[string]string{
		"ends":    "#!/bin/sh\necho cannot open display >&2\nexit 3\n",
		"hangs":   "#!/bin/sh\nexec sleep 1000\n",
		"babbles": "#!/bin/sh\nexec yes\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "browser")
			if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			p := newPool(t, func(c *Config) { c.Path = path; c.StartTimeout = 500 * time.Millisecond })
			began := time.Now()
			_, err := p.Print(context.Background(), Job{HTML: page("x")})
			if !errors.Is(err, ErrUnavailable) || time.Since(began) > 5*time.Second {
				t.Errorf("%v after %v", err, time.Since(began))
			}
			if h := p.Health(); h.State == Ready || h.State == Starting || h.Browsers[0].Failures == 0 {
				t.Errorf("health is %+v", h)
			}
			if name == "ends" && !strings.Contains(err.Error(), "cannot open display") {
				t.Errorf("the reason is missing: %v", err)
			}
		})
	}
}

// A disk that is full when the browser starts, and then is not.
func TestDiskIsFull(t *testing.T) {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("needs to be root on Linux, to mount a small disk")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("cannot mount a small disk: ", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	filler := filepath.Join(dir, "filler")
	os.WriteFile(filler, make([]byte, 4<<20), 0o600) // fails when the disk is full, as it should
	p := newPool(t, func(c *Config) {
		c.Dir = dir
		c.StartTimeout = 3 * time.Second
		c.Timeout = 5 * time.Second
		c.MemoryPart = 1
	})
	began := time.Now()
	res, err := p.Print(context.Background(), Job{HTML: page("x"), Paginate: true})
	if !errors.Is(err, ErrStorage) && !errors.Is(err, ErrUnavailable) || time.Since(began) > 20*time.Second {
		t.Errorf("with a full disk: %v after %v", err, time.Since(began))
	}
	res.Close()
	os.Remove(filler)
	waitReady(t, p)
	mustPrint(t, p, Job{HTML: page("x"), Paginate: true}).Close()
	p.Stop()
}

// serviceVariable makes the test binary a service that prints until it is
// killed; its value is the folder to work in.
const serviceVariable = "QUIRE_RENDER_TEST_SERVICE"

func service(dir string) {
	script, _ := os.ReadFile("testdata/paginate.js")
	p := New(Config{Path: testBrowser(), Script: script, Tabs: 2, Dir: dir})
	if _, err := p.Print(context.Background(), Job{HTML: table(400, 10), Paginate: true}); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Printf("pid %d\n", p.Health().Browsers[0].PID)
	select {}
}

// A service that is killed leaves no browser, even one that stands still, and
// the next service removes its folder.
func TestServiceIsKilled(t *testing.T) {
	needProc(t)
	needBrowser(t)
	dir := t.TempDir()
	for _, stopped := range []bool{false, true} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), serviceVariable+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var pgid int
		if _, err := fmt.Fscanf(out, "pid %d\n", &pgid); err != nil {
			t.Fatal(err)
		}
		if stopped {
			syscall.Kill(-pgid, syscall.SIGSTOP)
		}
		cmd.Process.Kill()
		cmd.Wait() //nolint:errcheck // it was killed
		if left := livingAfter(pgid, 5*time.Second); len(left) > 0 {
			killGroup(pgid)
			t.Errorf("stopped %t: processes are left: %v", stopped, left)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, dirPrefix+"*")); len(left) == 0 {
		t.Error("there is no folder to clean up: the test tests nothing")
	}
	p := newPool(t, func(c *Config) { c.Dir = dir })
	mustPrint(t, p, Job{HTML: page("x")})
	if left, _ := filepath.Glob(filepath.Join(dir, dirPrefix+"*")); len(left) != 1 {
		t.Errorf("folders of the dead are left: %v", left)
	}
}

// livingAfter are the processes of a group that still live when the time is up.
// Zombies do not count: their parent was killed, and it is not ours to collect
// them.
func livingAfter(pgid int, limit time.Duration) (pids []int) {
	for deadline := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		pids = nil
		for _, pid := range groupOf(pgid) {
			if b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); len(b) > 0 {
				pids = append(pids, pid)
			}
		}
		if len(pids) == 0 || time.Now().After(deadline) {
			return pids
		}
	}
}

// Whichever of its processes a browser loses, and whenever, the document is
// not to blame: it is printed again, and the answer is never that it cannot be.
func TestHelpersOfTheBrowserDie(t *testing.T) {
	needProc(t)
	p := newPool(t, nil)
	job := Job{HTML: table(400, 10), Paginate: true}
	began := time.Now()
	mustPrint(t, p, job)
	took := time.Since(began)
	kinds := []string{"zygote", "gpu-process", "utility", "renderer"}
	var killed atomic.Int32
	for round := range *rounds {
		kind := kinds[round%len(kinds)]
		kill := time.AfterFunc(took*time.Duration(round)/time.Duration(*rounds), func() {
			for _, pid := range processesOf(p.Health().Browsers[0].PID, kind) { // of no browser when there is none
				syscall.Kill(pid, syscall.SIGKILL)
				killed.Add(1)
			}
		})
		res, err := p.Print(context.Background(), job)
		kill.Stop()
		if err != nil {
			t.Errorf("round %d, %s: %v", round, kind, err)
		}
		res.Close()
	}
	t.Logf("%d processes killed", killed.Load())
}
