//go:build unix && !linux

package render

import (
	"os"
	"syscall"
)

// processAttributes puts the browser in a group of its own. It ends by itself
// when its pipes close, also when this program is killed.
func processAttributes(bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

func adoptOrphans() {}

func strays(string) []int { return nil }

func enlargePipe(*os.File) {}

func smallSharedMemory() bool { return false }

// renouncePriority is for Linux, where browsers of root's raise their priority.
func renouncePriority() {}
