package render

import "testing"

// TestTooHeavy: four tabs may take 400 together and one of them 250; processes of a
// second browser count as well.
func TestTooHeavy(t *testing.T) {
	c := Config{Tabs: 4, TabMemory: 250, TabsMemory: 400}
	for _, test := range []struct {
		name          string
		memory, other []int64 // of the processes 1, 2, … of this browser, and of another
		want          int
		above         string
	}{
		{"nothing", nil, nil, 0, ""},
		{"all light", []int64{30, 30, 30, 30}, []int64{30}, 0, ""},
		{"one above the limit", []int64{30, 251}, nil, 2, "of one document"},
		{"one at the limit", []int64{30, 250}, nil, 0, ""},
		{"alone with half of everything", []int64{200}, nil, 0, ""},
		{"together too much", []int64{190, 211}, nil, 2, "of all documents"},
		{"together as much as they may", []int64{190, 210}, nil, 0, ""},
		{"too much with the other browser", []int64{211}, []int64{190}, 1, "of all documents"},
		{"too much, but the other browser has the heaviest", []int64{190}, []int64{211}, 0, ""},
		{"many that take their share and no more", []int64{100, 100, 100}, []int64{100, 100}, 0, ""},
	} {
		all := &burden{}
		all.tooHeavy(&Config{Tabs: 4, TabMemory: 1000}, &browser{}, tabsTaking(test.other))
		pid, above := all.tooHeavy(&c, &browser{}, tabsTaking(test.memory))
		if pid != test.want || above.name != test.above {
			t.Errorf("%s: process %d, above what may take %q", test.name, pid, above.name)
		}
	}
}

// TestTheHeaviestIsEndedOnce: while its process ends, no other one is ended in its
// place; a browser without documents weighs nothing.
func TestTheHeaviestIsEndedOnce(t *testing.T) {
	c := Config{Tabs: 4, TabMemory: 250, TabsMemory: 400}
	one, other := &browser{}, &browser{}
	all := &burden{}
	all.tooHeavy(&c, one, tabsTaking([]int64{190}))
	if pid, _ := all.tooHeavy(&c, other, tabsTaking([]int64{211})); pid != 1 {
		t.Fatalf("the heaviest of 401 goes on: %d", pid)
	}
	if pid, _ := all.tooHeavy(&c, one, tabsTaking([]int64{190})); pid != 0 {
		t.Error("a second one is ended although one of 211 ends")
	}
	all.forget(one)
	if pid, _ := all.tooHeavy(&c, other, tabsTaking([]int64{240})); pid != 0 {
		t.Error("what was forgotten is counted")
	}
}

func tabsTaking(memory []int64) map[int]tabProcess {
	processes := map[int]tabProcess{}
	for i, m := range memory {
		processes[i+1] = tabProcess{memory: m}
	}
	return processes
}
