package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
)

// A name for each of many customers is a way to write data that people have. It
// once took memory by the square of the names: 280 GB for these.
func TestAnObjectMayHaveManyMembers(t *testing.T) {
	const many = 100_000
	var doc strings.Builder
	doc.WriteByte('{')
	for i := range many {
		if i > 0 {
			doc.WriteByte(',')
		}
		fmt.Fprintf(&doc, `"k%d":%d`, i, i)
	}
	doc.WriteByte('}')
	built := ObjectOf()
	took := allocated(func() {
		v, err := ParseValue([]byte(doc.String()))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range v.(*Object).All() {
			built.Set(name, value)
		}
	})
	if took > 200<<20 {
		t.Errorf("took %d MB", took>>20)
	}
	again, err := json.Marshal(built)
	if err != nil || string(again) != doc.String() {
		t.Errorf("it changed on the way: %v", err)
	}
}

func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Copies of a large object are written apart from each other.
func TestACopyOfALargeObjectIsItsOwn(t *testing.T) {
	o := ObjectOf()
	for i := range 2 * maxShared {
		o.Set(fmt.Sprint("k", i), i)
	}
	c := o.Clone()
	o.Set("mine", 1)
	c.Set("yours", 2)
	o.Set("k0", "changed")
	if o.Shape() == c.Shape() {
		t.Error("one has places that the other lacks")
	}
	for _, want := range []struct {
		o    *Object
		name string
		v    any
	}{{o, "mine", 1}, {o, "yours", nil}, {c, "mine", nil}, {c, "yours", 2}, {o, "k0", "changed"}, {c, "k0", 0}, {c, "k127", 127}} {
		if v, _ := want.o.Get(want.name); v != want.v {
			t.Errorf("%s is %v; want %v", want.name, v, want.v)
		}
	}
	if o.Len() != c.Len() || o.Len() != 2*maxShared+1 {
		t.Errorf("%d and %d members", o.Len(), c.Len())
	}
}

// Names with any character are told apart.
func TestNamesOfRowsAreWhole(t *testing.T) {
	const doc = `[{"a\u0000b":1},{"a":1,"b":2},{"1:a":1},{"a1:b":2}]`
	v, err := ParseValue([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(v); err != nil || string(again) != doc {
		t.Errorf("%s, %v", again, err)
	}
}

// Rows share the list of their names, also when some lack one.
func TestRowsShareTheirNames(t *testing.T) {
	v, err := ParseValue([]byte(`[{"a":1,"b":2},{"a":3,"b":4},{"a":5},{"a":6,"b":7},{"b":8,"a":9},{"a":5},{}]`))
	if err != nil {
		t.Fatal(err)
	}
	rows := v.([]any)
	shape := func(i int) *Shape { return rows[i].(*Object).Shape() }
	if shape(0) != shape(1) || shape(1) != shape(3) || shape(2) != shape(5) || shape(0) == shape(4) {
		t.Error("equal names, different shapes")
	}
	again, err := json.Marshal(v)
	if want := `[{"a":1,"b":2},{"a":3,"b":4},{"a":5},{"a":6,"b":7},{"b":8,"a":9},{"a":5},{}]`; err != nil || string(again) != want {
		t.Errorf("%s, %v", again, err)
	}
}

// What is written by hand is what the package's encoder writes.
func TestValuesAreWrittenAsTheEncoderDoes(t *testing.T) {
	for _, v := range []any{
		"", "Ana", "a \"b\" \\ \n <&>", "Ђорђе", "\u2028", "\x7f", "\xff", true, nil, 7, -7, int64(math.MinInt64), int64(math.MaxInt64), 1.5,
		json.Number("0"), json.Number("-12.50"), json.Number("1e3"), json.Number(""), json.Number("01"), json.Number("1."), json.Number("-"), json.Number("x"),
	} {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		wrong := enc.Encode(map[string]any{"v": v})
		got, err := ObjectOf("v", v).MarshalJSON()
		if (err == nil) != (wrong == nil) || err == nil && string(got) != strings.TrimSpace(want.String()) {
			t.Errorf("%q: %s, %v; want %s, %v", v, got, err, want.String(), wrong)
		}
	}
}
