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
	want := min(priorityOf(t, child.Process.Pid)+Work, 19) // there is no lower one
	Lower(child.Process.Pid, Work)
	for _, thread := range threads(child.Process.Pid) {
		if got := priorityOf(t, thread); got != want {
			t.Errorf("thread %d has %d, want %d", thread, got, want)
		}
	}
	Lower(1<<22+1, Work) // nobody has this number
}

// priorityOf is how nice a process or thread is.
func priorityOf(t *testing.T, id int) int {
	t.Helper()
	nice, err := syscall.Getpriority(syscall.PRIO_PROCESS, id)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" {
		nice = 20 - nice // the kernel's own way of counting
	}
	return nice
}
