package judges

import "testing"

// watched notes how a test ends.
type watched struct {
	testing.TB
	ended string
}

func (w *watched) Helper()      {}
func (w *watched) Skip(...any)  { w.ended = "skipped" }
func (w *watched) Fatal(...any) { w.ended = "failed"; panic(w) }

func TestMissing(t *testing.T) {
	for value, want := range map[string]string{"": "skipped", "0": "skipped", "1": "failed"} {
		t.Setenv("QUIRE_ALL", value)
		w := &watched{TB: t}
		func() {
			defer func() { _ = recover() }()
			Missing(w, "needs qpdf")
		}()
		if w.ended != want {
			t.Errorf("QUIRE_ALL=%s: %s; want %s", value, w.ended, want)
		}
	}
}
