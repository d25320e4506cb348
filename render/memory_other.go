//go:build !linux

package render

// tabProcesses finds none: only Linux tells of them in files.
func tabProcesses(int, []int) map[int]tabProcess { return nil }
