package htmlgen

import "testing"

// The widest marker of a list may be any of them.
func TestRoomOfMarkers(t *testing.T) {
	for _, c := range []struct {
		kind     string
		start, n int
		want     string
	}{
		{"upper-roman", 1, 5, ""},
		{"upper-roman", 1, 3999, "9em"},
		{"upper-roman", 1, 9000, "9em"},
		{"decimal", 1, 9000, "3.1em"},
		{"decimal", -2000, 2001, "3.7em"},
		{"disc", 1, 9000, ""},
	} {
		p := listProps{BulletType: c.kind, StartValue: c.start, ListIndent: usualIndent}
		if got := p.roomOfMarkers(c.n); got != c.want {
			t.Errorf("%s from %d, %d items: %q; want %q", c.kind, c.start, c.n, got, c.want)
		}
	}
}
