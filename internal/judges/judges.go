// Package judges is for tests that ask a program whether something is right.
package judges

import (
	"os"
	"testing"
)

// Missing ends a test whose program is not there. On a developer's machine the
// test is skipped; where everything is to be judged, it fails.
func Missing(t testing.TB, reason ...any) {
	t.Helper()
	if All() {
		t.Fatal(append([]any{"QUIRE_ALL is set, and a judge is missing: "}, reason...)...)
	}
	t.Skip(reason...)
}

// Slow leaves a test that looks for no races, and takes minutes under their
// detector, to the run without it: scripts/test.sh.
func Slow(t testing.TB) {
	t.Helper()
	if UnderRace {
		t.Skip("runs without the race detector")
	}
}

// All tells whether everything is to be judged: QUIRE_ALL=1, as .ci/run sets it.
func All() bool { return os.Getenv("QUIRE_ALL") == "1" }
