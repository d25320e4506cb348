//go:build !linux

package scripting

// confine does nothing here: the limits of time and memory remain.
func confine() (lacks string, err error) { return "this system has neither seccomp nor Landlock", nil }
