package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
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

// TestReadingLongLists: lists are whole whatever the pieces that they grow in, and
// one without items is a list.
func TestReadingLongLists(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, listPiece - 1, listPiece, listPiece + 1, 3 * listPiece, 3*listPiece + 5} {
		var doc strings.Builder
		for i := range n {
			fmt.Fprintf(&doc, ",%d", i)
		}
		v, err := ReadValue(strings.NewReader("[" + strings.TrimPrefix(doc.String(), ",") + "]"))
		if err != nil {
			t.Fatal(err)
		}
		items := v.([]any)
		if items == nil || len(items) != n {
			t.Errorf("%d of %d items", len(items), n)
		}
		for i, item := range items {
			if item != json.Number(strconv.Itoa(i)) {
				t.Fatalf("item %d of %d is %v", i, n, item)
			}
		}
	}
}

func BenchmarkReadLongList(b *testing.B) {
	doc := "[" + strings.Repeat("0,", 4_000_000) + "0]"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadValue(strings.NewReader(doc)); err != nil {
			b.Fatal(err)
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
