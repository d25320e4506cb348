//go:build !linux

package main

// powerMain is for Linux only.
func powerMain() {}
