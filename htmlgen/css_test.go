package htmlgen

import (
	"math/rand/v2"
	"testing"
)

// TestShortcutsAgreeWithTheirRules: the quick answers for plain values and sizes are
// those of the lexer and of the pattern.
func TestShortcutsAgreeWithTheirRules(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"12pt", "0", "50%", "1fr", "10", "pt", "", "12.5mm", "-3px", "12 pt", "1e3", "12ptx", "١٢pt"} {
		if isSize(s) && !lengthPattern.MatchString(s) {
			t.Errorf("%q is taken for a size", s)
		}
	}
	const letters = "az09 #%,-._AZ>/()@u\"\\"
	random := rand.New(rand.NewPCG(1, 2))
	plain := 0
	for range 20_000 {
		b := make([]byte, random.IntN(8))
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		if s := string(b); plainValue(s) {
			plain++
			if !lexedSafely(s) {
				t.Errorf("%q is taken for a plain value", s)
			}
		}
	}
	if plain < 1000 {
		t.Errorf("only %d plain values were tried", plain)
	}
}
