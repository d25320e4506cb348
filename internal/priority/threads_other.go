//go:build !linux

package priority

func threads(pid int) []int { return []int{pid} }
