package priority

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// worker starts a process that works until the test ends.
func worker(t *testing.T) int {
	t.Helper()
	child := exec.Command("/bin/sh", "-c", "while :; do :; done")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		child.Process.Kill() //nolint:errcheck // it is there
		child.Wait()         //nolint:errcheck // it was killed
	})
	return child.Process.Pid
}

// state is what the kernel says that a process does.
func state(t *testing.T, pid int) byte {
	t.Helper()
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		t.Fatal(err)
	}
	return stat[bytes.LastIndexByte(stat, ')')+2]
}

// becomes waits until a process stands still, or does not.
func becomes(t *testing.T, pid int, still bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if (state(t, pid) == 'T') == still {
			return
		}
	}
	t.Fatalf("process %d is %c; want it to stand still: %v", pid, state(t, pid), still)
}

func crowded() float64 { return 2 }
func alone() float64   { return 1 }

func TestWhoStandsStill(t *testing.T) {
	page := Task{Owner: "honest", Claim: modest + time.Second, Waited: true}
	for _, test := range []struct {
		name   string
		before Task // what is done when the other begins
		begins Task
		crowd  func() float64
		want   bool // whether what was done before stands still
	}{
		{"what takes long", Task{Owner: "a", Claim: page.Claim, Waited: true, Long: true}, page, crowded, true},
		{"where there is a processor for each", Task{Owner: "a", Claim: page.Claim, Waited: true, Long: true}, page, alone, false},
		{"what nobody waits for", Task{Owner: "a", Claim: page.Claim}, page, crowded, true},
		{"who claims much more", Task{Owner: "a", Claim: 3 * page.Claim, Waited: true}, page, crowded, true},
		{"who claims a little more", Task{Owner: "a", Claim: 2 * page.Claim, Waited: true}, page, crowded, false},
		{"who claims much more, and still little", Task{Owner: "a", Claim: modest, Waited: true}, Task{Owner: "b", Waited: true}, crowded, false},
		{"what takes long, for who claims much more", Task{Owner: "a", Claim: time.Second, Waited: true, Long: true}, page, crowded, false},
		{"what nobody waits for, for who claims much more", Task{Owner: "a", Claim: time.Second}, page, crowded, false},
		{"who claims less", Task{Owner: "a", Waited: true}, page, crowded, false},
		{"the owner's own", Task{Owner: "honest", Waited: true, Long: true}, page, crowded, false},
		{"for what takes long itself", Task{Owner: "a", Waited: true, Long: true}, Task{Owner: "b", Waited: true, Long: true}, crowded, false},
		{"for what nobody waits for", Task{Owner: "a", Waited: true, Long: true}, Task{Owner: "b"}, crowded, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &Moments{Crowd: test.crowd}
			pid := worker(t)
			before := m.Begin(pid, test.before)
			begun := m.Begin(worker(t), test.begins)
			if before.Stands() != test.want {
				t.Errorf("it stands still: %v", before.Stands())
			}
			if test.want {
				becomes(t, pid, true)
			}
			begun.End()
			if before.Stands() {
				t.Error("it stands still when the other is done")
			}
			becomes(t, pid, false)
			before.End()
		})
	}
}

// TestNobodyStandsStillForLong: at most half of the time, however many pages are
// printed one after the other, and what has ended goes on at once. The clock is the
// test's own: on a busy machine the moments between two pages last for any time.
func TestNobodyStandsStillForLong(t *testing.T) {
	pid := worker(t)
	synctest.Test(t, func(t *testing.T) {
		m := &Moments{Crowd: crowded}
		long := m.Begin(pid, Task{Owner: "a", Waited: true})
		long.TakesLong()
		began := time.Now()
		for time.Since(began) < 5*longestStand {
			page := m.Begin(0, Task{Owner: "b", Waited: true})
			time.Sleep(30 * time.Millisecond)
			page.End()
		}
		passed, stood := time.Since(began), long.Stood()
		if stood < passed/3 || stood > passed/2 {
			t.Errorf("of %v it stood still for %v", passed, stood)
		}
		last := m.Begin(0, Task{Owner: "b", Waited: true})
		for end := time.Now().Add(2 * longestStand); !long.Stands() && time.Now().Before(end); {
			time.Sleep(momentLook)
		}
		if !long.Stands() {
			t.Error("it goes on beside the last page")
		}
		if lasted, worked := long.End(); worked <= 0 || worked > lasted {
			t.Errorf("it lasted for %v and worked for %v", lasted, worked)
		}
		last.End()
	})
	becomes(t, pid, false)
}

// TestProcessesThatAreGone: nothing is signalled that has the number of one.
func TestProcessesThatAreGone(t *testing.T) {
	m := &Moments{Crowd: crowded}
	gone := m.Begin(1<<22+1, Task{Owner: "a", Long: true}) // nobody has this number
	page := m.Begin(0, Task{Owner: "b", Waited: true})
	if gone.Stands() {
		t.Error("what is gone stands still")
	}
	page.End()
	gone.End()
}
