//go:build !race

package main

import "testing"

func ofDocuments(*testing.T) {}
