package report

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestReadingDoubledNames(t *testing.T) {
	t.Parallel()
	const doc = `[{"a":1,"b":2,"a":3},{"a":4,"b":5,"a":6}]`
	if _, err := ReadValue(strings.NewReader(doc)); err == nil {
		t.Error("doubled names are let through")
	}
	v, err := Reading{Doubled: true}.Value(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`{"a":3,"b":2}`, `{"a":6,"b":5}`} {
		if got, _ := v.([]any)[i].(*Object).MarshalJSON(); string(got) != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}

// TestReadingSpends: who pays for the memory can end the reading long before
// all is read.
func TestReadingSpends(t *testing.T) {
	t.Parallel()
	var keys strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&keys, `"k%d":0,`, i)
	}
	poor := errors.New("too poor")
	for name, doc := range map[string]string{
		"zeros":  "[" + strings.Repeat("0,", 1_000_000) + "0]",
		"keys":   "{" + keys.String() + `"k":0}`,
		"nested": "[" + strings.Repeat(strings.Repeat("[", 190)+strings.Repeat("]", 190)+",", 5_000) + "0]",
		"text":   `["` + strings.Repeat("a", 10_000_000) + `"]`,
	} {
		spent, calls := int64(0), 0
		_, err := Reading{Spend: func(n int64) error {
			if spent += n; spent > 1<<20 {
				calls++
				return poor
			}
			return nil
		}}.Value(strings.NewReader(doc))
		if !errors.Is(err, poor) || calls != 1 {
			t.Errorf("%s: %v after %d bytes", name, err, spent)
		}
	}
}
