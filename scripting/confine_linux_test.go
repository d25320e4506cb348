package scripting

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestLandlockRulesHoldAllThatAVersionKnows: each version of Landlock is handed all
// rights that landlock(7) has for it and no other, which it would refuse. Kernels
// without Landlock cannot show more than this; on others TestEscapes does.
func TestLandlockRulesHoldAllThatAVersionKnows(t *testing.T) {
	const files = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_READ_FILE |
		unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	const refer, truncate, devices = unix.LANDLOCK_ACCESS_FS_REFER, unix.LANDLOCK_ACCESS_FS_TRUNCATE, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	const network = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	const scopes = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	for version, want := range map[int]struct {
		rules landlockAttr
		size  uintptr
	}{
		1: {landlockAttr{files: files}, 8},
		2: {landlockAttr{files: files | refer}, 8},
		3: {landlockAttr{files: files | refer | truncate}, 8},
		4: {landlockAttr{files: files | refer | truncate, network: network}, 16},
		5: {landlockAttr{files: files | refer | truncate | devices, network: network}, 16},
		6: {landlockAttr{files | refer | truncate | devices, network, scopes}, 24},
		9: {landlockAttr{files | refer | truncate | devices, network, scopes}, 24}, // later ones take what earlier ones had
	} {
		if rules, size := landlockRules(version); rules != want.rules || size != want.size {
			t.Errorf("version %d: %+v, %d bytes", version, rules, size)
		}
	}
}
