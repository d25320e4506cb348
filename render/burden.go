package render

import "sync"

// burden is what the processes of the tabs of all browsers take together. The zero
// value is ready.
type burden struct {
	mu sync.Mutex
	of map[*browser]map[int]int64 // bytes, by process
}

// limit is what a process takes too much of.
type limit struct {
	name  string
	bytes int64
}

// tooHeavy takes down what the processes of a browser take, and tells which of them
// is to be ended, 0 when none is: the heaviest, when it takes more than one may; or
// when all of the pool take more than they may, it is the heaviest of the pool, and
// it takes more than an equal share. What is shared is counted for each of them.
func (u *burden) tooHeavy(c *Config, b *browser, processes map[int]tabProcess) (pid int, above limit) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of == nil {
		u.of = map[*browser]map[int]int64{}
	}
	own := make(map[int]int64, len(processes))
	for one, p := range processes {
		own[one] = p.memory
		if pid == 0 || p.memory > own[pid] {
			pid = one
		}
	}
	u.of[b] = own
	all, most := u.sum()
	switch {
	case own[pid] > c.TabMemory:
		above = limit{"of one document", c.TabMemory}
	case c.TabsMemory > 0 && all > c.TabsMemory && own[pid] == most && most > c.TabsMemory/int64(c.Tabs):
		above = limit{"of all documents", c.TabsMemory}
	default:
		return 0, limit{}
	}
	delete(own, pid) // it must not weigh on the next one while it ends
	return pid, above
}

// sum is what all take, and what the heaviest takes.
func (u *burden) sum() (all, most int64) {
	for _, processes := range u.of {
		for _, memory := range processes {
			all += memory
			most = max(most, memory)
		}
	}
	return all, most
}

// forget is for a browser that has no documents, or is gone.
func (u *burden) forget(b *browser) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.of, b)
}
