package data

import "testing"

func TestLineInMessage(t *testing.T) {
	for message, want := range map[string]int{
		"You have an error in your SQL syntax; check the manual for the right syntax to use near 'form orders' at line 12": 12,
		"Unknown column 'at line 3' in 'field list'": 0,
		"": 0,
	} {
		if got := lineInMessage(message); got != want {
			t.Errorf("%q: line %d, want %d", message, got, want)
		}
	}
}
