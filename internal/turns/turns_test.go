package turns

import (
	"slices"
	"strings"
	"testing"
)

func TestOrder(t *testing.T) {
	for _, test := range []struct {
		name, waits, want string
		holds             Held
	}{
		{"one owner", "a1 a2 a3", "a1 a2 a3", Held{}},
		{"owners take turns", "a1 a2 a3 b1 b2 c1", "a1 b1 c1 a2 b2 a3", Held{}},
		{"who holds less goes first", "a1 a2 b1 b2", "b1 b2 a1 a2", Held{"a": 2}},
	} {
		var l Lanes[string]
		for _, one := range strings.Fields(test.waits) {
			l.Add(one[:1], one)
		}
		var got []string
		for one, ok := l.Pop(test.holds.Of); ok; one, ok = l.Pop(test.holds.Of) {
			got = append(got, one)
			test.holds.Take(one[:1])
		}
		if strings.Join(got, " ") != test.want || l.Len() != 0 {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
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
	h := Held{}
	h.Take("a")
	h.Release("a")
	if len(h) != 0 {
		t.Errorf("held: %v", h)
	}
}
