package priority

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
)

// TestLower lowers a child that has several threads: this program again.
func TestLower(t *testing.T) {
	if os.Getenv("PRIORITY_CHILD") != "" {
		_, _ = os.Stdin.Read(make([]byte, 1)) // until the test ends it
		os.Exit(0)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self, "-test.run=TestLower")
	child.Env = append(os.Environ(), "PRIORITY_CHILD=1")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait() //nolint:errcheck // it ends with its input
	defer in.Close()
	before, err := syscall.Getpriority(syscall.PRIO_PROCESS, child.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	Lower(child.Process.Pid, Work)
	all := threads(child.Process.Pid)
	for _, thread := range all {
		after, err := syscall.Getpriority(syscall.PRIO_PROCESS, thread)
		if runtime.GOOS == "linux" { // which counts downwards here
			before, after = -before, -after
		}
		if err != nil || after-before != Work && after < 19 {
			t.Errorf("thread %d: from %d to %d, %v", thread, before, after, err)
		}
		if runtime.GOOS == "linux" {
			before = -before
		}
	}
	Lower(1<<22+1, Work) // nobody has this number
}
