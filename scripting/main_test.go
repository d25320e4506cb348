package scripting

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	ChildMain()
	escapeMain()
	os.Exit(m.Run())
}

// testPool is an engine that is stopped when the test ends.
func testPool(t testing.TB, config Config) *Pool {
	t.Helper()
	p := New(config)
	t.Cleanup(p.Stop)
	return p
}
