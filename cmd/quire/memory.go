package main

import (
	"bytes"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report/budget"
)

// memory is what this process may take. The browsers have the other half of the
// container, and a collected heap is up to twice as large as what is in use.
type memory struct {
	container int64 // limit of the container, in bytes; 0 without one
	machine   int64
}

// findMemory asks the kernel; root is / but in tests.
func findMemory(root string) memory {
	return memory{container: containerLimit(root), machine: machineMemory(root)}
}

// containerLimit is the lowest limit of the control groups that the process is
// in. Inside of a container its own is the root of what it sees.
func containerLimit(root string) int64 {
	least := int64(math.MaxInt64)
	take := func(folder, name string) {
		for dir := folder; strings.HasPrefix(dir, filepath.Join(root, "sys/fs/cgroup")); dir = filepath.Dir(dir) {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if n, fault := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && fault == nil && n > 0 {
				least = min(least, n)
			}
		}
	}
	groups, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for line := range bytes.Lines(append(groups, "0::/\n0:memory:/\n"...)) {
		parts := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		switch {
		case len(parts) < 3:
		case parts[1] == "":
			take(filepath.Join(root, "sys/fs/cgroup", parts[2]), "memory.max")
		case strings.Contains(","+parts[1]+",", ",memory,"):
			take(filepath.Join(root, "sys/fs/cgroup/memory", parts[2]), "memory.limit_in_bytes")
		}
	}
	if least > 1<<50 { // version 1 writes no limit as one that no machine has
		return 0
	}
	return least
}

func machineMemory(root string) int64 {
	text, _ := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) > 1 && fields[0] == "MemTotal:" {
			kB, _ := strconv.ParseInt(fields[1], 10, 64)
			return kB << 10
		}
	}
	return 8 << 30 // the system does not tell
}

// limit has the collector of garbage work harder before half of the container
// is in use. GOMEMLIMIT in the environment wins.
func (m memory) limit(log *slog.Logger) {
	if set := os.Getenv("GOMEMLIMIT"); set != "" {
		log.Info("memory is limited by GOMEMLIMIT", "limit", set)
		return
	}
	if m.container == 0 {
		return
	}
	debug.SetMemoryLimit(m.container / 2)
	log.Info("memory is limited by the container", "container", megabytes(m.container), "limit", megabytes(m.container/2))
}

func megabytes(bytes int64) string { return strconv.FormatInt(bytes>>20, 10) + " MB" }

// budget is what work may take.
func (m memory) budget(s *settings) *budget.Budget {
	most, share := int64(s.MemoryMB)<<20, int64(s.WorkspaceMemoryMB)<<20
	if most == 0 {
		most = m.machine / 4
		if m.container > 0 {
			most = min(most, m.container/4)
		}
	}
	if share == 0 {
		share = most * 6 / 10
	}
	return budget.New(most, share)
}

// tabs is what the browsers may take for all documents together.
func (m memory) tabs() int64 {
	if m.container > 0 {
		return min(m.container, m.machine) / 4 * 3
	}
	return m.machine / 4 * 3
}

// tab is what the browser may take for one document.
func (m memory) tab(s *settings) int64 {
	most := int64(s.BrowserMemoryMB) << 20
	if most == 0 {
		most = 4 << 30
		if m.container > 0 {
			most = min(most, m.container/2)
		}
	}
	return most
}
