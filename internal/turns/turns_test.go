package turns

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestOrder(t *testing.T) {
	for _, test := range []struct {
		name, waits, want string
		holds             string
	}{
		{"one owner", "a1 a2 a3", "a1 a2 a3", ""},
		{"owners take turns", "a1 a2 a3 b1 b2 b3", "a1 b1 a2 b2 a3 b3", ""},
		{"who asks for less goes first", "a1 a2 a3 b1 b2 c1", "c1 b1 a1 b2 a2 a3", ""},
		{"who holds less goes first", "a1 a2 b1 b2", "b1 b2 a1 a2", "a a"},
	} {
		var l Lanes[string]
		for _, one := range strings.Fields(test.waits) {
			l.Add(one[:1], one)
		}
		var shares Shares
		for _, owner := range strings.Fields(test.holds) {
			shares.Take(owner)
		}
		var got []string
		for one, ok := l.Pop(&shares); ok; one, ok = l.Pop(&shares) {
			got = append(got, one)
			shares.Take(one[:1])
		}
		if strings.Join(got, " ") != test.want || l.Len() != 0 {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestPassedOver: an owner whose first does not fit does not hold up the others.
func TestPassedOver(t *testing.T) {
	var l Lanes[string]
	var shares Shares
	for _, one := range []string{"a-large", "b1", "b2"} {
		l.Add(one[:1], one)
	}
	small := func(_ string, one string) bool { return !strings.HasSuffix(one, "large") }
	if owner, one, ok := l.NextThat(&shares, small); owner != "b" || one != "b1" || !ok {
		t.Errorf("next is %q of %q", one, owner)
	}
	for _, want := range []string{"b1", "b2", ""} {
		if one, ok := l.PopThat(&shares, small); one != want || ok != (want != "") {
			t.Errorf("%q is taken, want %q", one, want)
		}
	}
	if l.Waiting("a") != 1 {
		t.Error("what did not fit is gone")
	}
}

func TestLanes(t *testing.T) {
	var l Lanes[string]
	l.Add("a", "a1")
	l.Add("b", "b1")
	l.Add("b", "b2")
	l.AddFront("b", "b0")
	if owner, n := l.Longest(); owner != "b" || n != 3 || l.Waiting("b") != 3 || l.Len() != 4 {
		t.Errorf("longest is %s with %d", owner, n)
	}
	if !l.Remove("b", "b1") || l.Remove("b", "b1") || l.Remove("c", "x") {
		t.Error("one can be taken out once")
	}
	if !slices.Equal(l.Lane("b"), []string{"b0", "b2"}) || !slices.Equal(l.All(), []string{"a1", "b0", "b2"}) {
		t.Errorf("left: %q", l.All())
	}
}

// An owner that had places for long comes after one that had them for a moment,
// until that is forgotten.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Shares
		s.Take("a")
		time.Sleep(4 * time.Second)
		s.Take("b")
		time.Sleep(time.Second)
		asks := func(n int) func(string) int { return func(string) int { return n } }
		if s.LeastOf("b", asks(1)) || !s.LeastOf("c", asks(1)) {
			t.Error("who holds nothing and had nothing has least")
		}
		s.Release("b")
		if !s.LeastOf("b", asks(1)) || s.LeastOf("b", func(owner string) int { return len(owner) * 100 * strings.Count(owner, "b") }) || s.Claim("b", 0) >= s.Claim("a", 0) || s.Claim("c", 0) >= s.Claim("b", 0) {
			t.Errorf("a had %v, b %v", s.Used("a"), s.Used("b"))
		}
		s.Release("a")
		if s.Claim("b", 0) >= s.Claim("a", 0) {
			t.Error("who had more lately comes later")
		}
		if s.Claim("b", 2) <= s.Claim("b", 1) || s.Claim("b", 1000) != s.Claim("b", 50) {
			t.Error("what waits counts, up to a bound")
		}
		if had := s.Used("a").Round(100 * time.Millisecond); had != 4200*time.Millisecond {
			t.Errorf("a had %v of five seconds, of which half is forgotten after ten", had)
		}
		time.Sleep(3 * time.Minute)
		s.Take("c")
		s.Release("c")
		if len(s.by) != 0 {
			t.Errorf("%v are known still", s.by)
		}
	})
}

// An owner with little beside owners with much is told apart, whatever it holds; where
// nobody else holds anything there is nobody to have less than.
func TestMuchLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Shares
		waiting := map[string]int{}
		waits := func(owner string) int { return waiting[owner] }
		s.Take("a")
		time.Sleep(4 * time.Second)
		s.Take("b")
		if !s.MuchLess("b", waits) || s.MuchLess("a", waits) || s.MuchLess("c", waits) {
			t.Errorf("a had %v, b %v", s.Used("a"), s.Used("b"))
		}
		if waiting["b"] = 20; s.MuchLess("b", waits) {
			t.Error("what waits counts")
		}
		s.Release("b")
		if !s.MuchLess("c", waits) {
			t.Error("who holds nothing has less, too")
		}
		s.Release("a")
		if s.MuchLess("c", waits) {
			t.Error("nobody holds anything")
		}
	})
}
