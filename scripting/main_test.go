package scripting

import (
	"log/slog"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	ChildMain()
	escapeMain()
	os.Exit(m.Run())
}

// testPool is an engine that is stopped when the test ends. What it logs, the last
// words of its processes among it, is the test's.
func testPool(t testing.TB, config Config) *Pool {
	t.Helper()
	if config.Log == nil {
		config.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	p := New(config)
	t.Cleanup(p.Stop)
	return p
}
