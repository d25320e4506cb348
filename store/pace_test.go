package store

import (
	"testing"
	"time"
)

// What changes many rows takes the share of them that fits, on a slow machine, too, and
// grows no faster than twofold.
func TestAsManyRowsAsFit(t *testing.T) {
	var p pace
	for _, step := range []struct {
		each time.Duration // that a row takes
		want int
	}{
		{100 * time.Microsecond, 500},
		{100 * time.Microsecond, 200},
		{100 * time.Microsecond, 200},
		{10 * time.Millisecond, 200}, // the disk is busy
		{10 * time.Millisecond, fewestRows},
		{time.Microsecond, fewestRows},
		{time.Microsecond, 20},
		{time.Microsecond, 40},
	} {
		n := p.next(500)
		if n != step.want {
			t.Fatalf("%d rows; want %d", n, step.want)
		}
		p.took(n, time.Duration(n)*step.each)
	}
	for range 10 {
		p.took(p.next(500), time.Millisecond)
	}
	if n := p.next(500); n != 500 {
		t.Errorf("%d rows, though all fit", n)
	}
}
