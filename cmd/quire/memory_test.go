package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quire-reports/quire/report/budget"
)

func TestContainersLimitIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"version 2 in a container": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "2147483648\n"}, 2 << 30},
		"version 2 in a service": {map[string]string{
			"proc/self/cgroup": "0::/system.slice/quire.service\n", "sys/fs/cgroup/system.slice/memory.max": "1073741824\n",
			"sys/fs/cgroup/system.slice/quire.service/memory.max": "max\n",
		}, 1 << 30},
		"version 1 in a container":     {map[string]string{"proc/self/cgroup": "5:cpu:/x\n4:memory:/docker/abc\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "536870912\n"}, 512 << 20},
		"version 1 without a limit":    {map[string]string{"proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
		"no control groups, no limits": {nil, 0},
	} {
		root := t.TempDir()
		for path, content := range c.files {
			path = filepath.Join(root, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := containerLimit(root); got != c.want {
			t.Errorf("%s: %d; want %d", name, got, c.want)
		}
	}
}

func TestBudgetFollowsMemory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		memory   memory
		settings settings
		fits     int64 // in MB
	}{
		"a container":     {memory{container: 1000 << 20, machine: 64 << 30}, settings{}, 150},
		"a machine":       {memory{machine: 2000 << 20}, settings{}, 300},
		"settings":        {memory{machine: 2000 << 20}, settings{MemoryMB: 100, WorkspaceMemoryMB: 50}, 50},
		"one of settings": {memory{machine: 2000 << 20}, settings{MemoryMB: 100}, 60},
	} {
		ctx, leave := c.memory.budget(&c.settings).Enter(t.Context(), 1)
		defer leave()
		if budget.Spend(ctx, c.fits<<20) != nil || budget.Spend(ctx, 1) == nil {
			t.Errorf("%s: a workspace has not %d MB", name, c.fits)
		}
	}
	for _, c := range []struct {
		memory memory
		want   int64
	}{{memory{machine: 8 << 30}, 6 << 30}, {memory{machine: 8 << 30, container: 1 << 30}, 768 << 20}, {memory{machine: 4 << 30, container: 8 << 30}, 3 << 30}} {
		if got := c.memory.tabs(); got != c.want {
			t.Errorf("%+v: all documents have %d", c.memory, got)
		}
	}
	for _, c := range []struct {
		memory memory
		given  int
		want   int64
	}{{memory{}, 0, 4 << 30}, {memory{container: 1 << 30}, 0, 512 << 20}, {memory{container: 1 << 30}, 700, 700 << 20}} {
		if got := c.memory.tab(&settings{BrowserMemoryMB: c.given}); got != c.want {
			t.Errorf("%+v with %d MB: a document has %d", c.memory, c.given, got)
		}
	}
}
