package pdf

import (
	"errors"
	"strings"
	"testing"
)

func TestLexer(t *testing.T) {
	tests := []struct{ in, want string }{
		{"null", "null"},
		{"true", "true"},
		{" %comment\n 12", "12"},
		{"-3", "-3"},
		{"+3.50", "+3.50"},
		{"12 0 R", "12 0 R"},
		{"12 0 Rx", "12"},
		{"[1 2 0 R 3]", "[1 2 0 R 3]"},
		{"[1 2 3 R]", "[1 2 0 R]"},
		{"/Name#20with#23x", "/Name#20with#23x"},
		{"/A#", "/A#23"},
		{"(plain)", "(plain)"},
		{`(a\(b\)c(d)\\)`, `(a\(b\)c\(d\)\\)`},
		{`(\101\60\7x\n\r\t\
z)`, "(A0\ax\\n\\r\tz)"},
		{"<48 65 6C6c6F7>", "(Hellop)"},
		{"<</A 1/B[/C]/D(x)/E<</F null>>>>", "<</A 1/B[/C]/D(x)/E<</F null>>>>"},
	}
	for _, tt := range tests {
		l := &lexer{b: []byte(tt.in)}
		v, err := l.value()
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if got := string((&appender{}).value(nil, v)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestLexerRefuses(t *testing.T) {
	for _, in := range []string{"", "  ", "nul", "1.2.3", "--1", "(", "(a\\", "<41", "[1", "<<", "<</A", "<</A 1", "<</A 1 2>>", "<<1 2>>", ">>", "R", strings.Repeat("[", 200)} {
		l := &lexer{b: []byte(in)}
		if v, err := l.value(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%.20q: %v, %v", in, v, err)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, s := range []string{"", "plain", "Größe", "日本 🙂", "a\nb"} {
		if got := textOf(s).String(); got != s {
			t.Errorf("%q came back as %q", s, got)
		}
	}
	if got := text("\xef\xbb\xbfGröße").String(); got != "Größe" {
		t.Errorf("UTF-8: %q", got)
	}
	if got := text("Gr\xf6\xdfe").String(); got != "Größe" {
		t.Errorf("Latin: %q", got)
	}
}

func TestUnpredict(t *testing.T) {
	s := stream{dict: dict{{"DecodeParms", dict{{"Predictor", 12}, {"Columns", 3}}}}}
	in := []byte{0, 1, 2, 3, 2, 1, 1, 1, 1, 5, 1, 1, 3, 2, 2, 2, 4, 1, 0, 0}
	out, err := s.unpredict(in)
	want := []byte{1, 2, 3, 2, 3, 4, 5, 6, 7, 4, 7, 9, 5, 7, 9}
	if err != nil || string(out) != string(want) {
		t.Errorf("%v, %v", out, err)
	}
	s.dict[0].value = dict{{"Predictor", 2}}
	if _, err := s.unpredict(in); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
}
