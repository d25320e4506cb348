package cldr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sample() *Data {
	return &Data{
		Locales: map[string]*Locale{
			"und": {Fields: map[Field]string{Symbols: "." + Sep + ",", Digits: ""}},
			"de":  {Parent: "und", Fields: map[Field]string{Symbols: "," + Sep + ".", GMT: "GMT{0}"}},
		},
		Globals: map[string]string{"currency": "DE" + Sub + "EUR"},
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	file, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sample(), got); d != "" {
		t.Error(d)
	}
}

func TestTheFileIsTheSameEachTime(t *testing.T) {
	a, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	b, err := Encode(sample())
	if err != nil || string(a) != string(b) {
		t.Errorf("two files differ: %v", err)
	}
}

func TestBrokenFilesAreRefused(t *testing.T) {
	file, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	for i := range file {
		if _, err := Decode(file[:i]); err == nil {
			t.Errorf("a file cut at %d is read", i)
		}
	}
	for _, raw := range []string{"", "\x02\x01", "\x01\x05ab", "\x00\x01\x07", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"} {
		broken, err := deflate([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(broken); err == nil {
			t.Errorf("%q is read", raw)
		}
	}
}
