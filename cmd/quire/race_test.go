//go:build race

package main

import "testing"

// ofDocuments skips a test that judges documents, from pixels to structure,
// under the race detector, with which that takes ten times as long;
// scripts/test.sh runs them without. What runs side by side has its own tests.
func ofDocuments(t *testing.T) {
	t.Helper()
	t.Skip("judges documents, and runs without the race detector")
}
