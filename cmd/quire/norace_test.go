//go:build !race

package main

import "testing"

// ofDocuments marks a test that judges documents: each with an engine of its own, so that
// one makes files while another waits for a judge.
func ofDocuments(t *testing.T) { t.Parallel() }
