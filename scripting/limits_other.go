//go:build !linux

package scripting

import "os"

// limitProcess does nothing here: the watchdog of a run and the Go memory
// limit remain, which the documentation of the setting says.
func limitProcess(int64) {}

func executable() (string, error) { return os.Executable() }
