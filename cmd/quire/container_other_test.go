//go:build !linux

package main

// containerMain is for Linux, where containers run.
func containerMain() {}
