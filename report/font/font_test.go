package font

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func embedded(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../assets/fonts", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWOFF2TellsItsNameAndCharacters(t *testing.T) {
	for file, want := range map[string]Font{
		"inter/inter-latin-700-italic.woff2":                               {Family: "Inter", Weight: 700, Italic: true},
		"source-serif-4/source-serif-4-cyrillic-400-normal.woff2":          {Family: "Source Serif 4", Weight: 400},
		"noto-sans-symbols-2/noto-sans-symbols-2-symbols-400-normal.woff2": {Family: "Noto Sans Symbols 2", Weight: 400},
	} {
		f, err := Parse(embedded(t, file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if !strings.HasPrefix(f.Family, want.Family) || f.Weight != want.Weight || f.Italic != want.Italic {
			t.Errorf("%s: %q %d %v", file, f.Family, f.Weight, f.Italic)
		}
	}
	f, _ := Parse(embedded(t, "inter/inter-latin-400-normal.woff2"))
	for r, want := range map[rune]bool{'A': true, 'é': true, '€': true, '‰': false, 'Ж': false, '한': false} {
		if f.Chars.Has(r) != want {
			t.Errorf("%c: %v", r, !want)
		}
	}
}

// Whatever is cut off or changed in a file gives an error or a font, and no
// panic: it comes from people.
func TestBrokenFontsAreRefusedWithAReason(t *testing.T) {
	whole := embedded(t, "noto-sans-hebrew/noto-sans-hebrew-hebrew-400-normal.woff2")
	for n := 0; n < len(whole); n += 1 + n/50 {
		if _, err := Parse(whole[:n]); err == nil {
			t.Fatalf("%d of %d bytes are taken for a font", n, len(whole))
		}
	}
	for at := 0; at < 400; at++ {
		b := append([]byte(nil), whole...)
		b[at] ^= 0xff
		_, _ = Parse(b)
	}
	for _, text := range []string{"", "a text that is no font at all", "wOFF and so on ......", "ttcf............"} {
		if _, err := Parse([]byte(text)); err == nil || err.Error() == "" {
			t.Errorf("%q is taken for a font", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(embedded(f, "noto-sans-hebrew/noto-sans-hebrew-hebrew-400-normal.woff2"))
	f.Add(sample())
	f.Fuzz(func(t *testing.T, b []byte) {
		if font, err := Parse(b); err == nil && font.Chars.Len() == 0 {
			t.Error("a font without characters")
		}
	})
}

// sample is a small TrueType font with the letters A to C, of which B has no
// glyph.
func sample() []byte {
	utf16 := func(s string) (b []byte) {
		for _, r := range s {
			b = append(b, byte(r>>8), byte(r))
		}
		return b
	}
	name := append([]byte{0, 0, 0, 1, 0, 18, 0, 3, 0, 1, 4, 9, 0, 1, 0, 12, 0, 0}, utf16("Sample")...)
	cmap := []byte{
		0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 12,
		0, 4, 0, 38, 0, 0, 0, 4, 0, 4, 0, 1, 0, 0,
		0, 'C', 0xff, 0xff, 0, 0, 0, 'A', 0xff, 0xff, 0, 0, 0, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0,
	}
	copy(cmap[44:], []byte{0, 4, 0, 0, 0, 1, 0, 0, 0, 2})
	cmap = append(cmap[:44], []byte{0, 4, 0, 0, 0, 1, 0, 0, 0, 2}...)
	head := make([]byte, 54)
	copy(head[12:], []byte{0x5f, 0x0f, 0x3c, 0xf5})
	return assemble([][2]any{{"cmap", cmap}, {"glyf", []byte{0}}, {"head", head}, {"hhea", make([]byte, 36)}, {"hmtx", make([]byte, 4)}, {"maxp", make([]byte, 6)}, {"name", name}})
}

func assemble(tables [][2]any) []byte {
	out := []byte{0, 1, 0, 0, 0, byte(len(tables)), 0, 0, 0, 0, 0, 0}
	at := 12 + 16*len(tables)
	var bodies []byte
	for _, t := range tables {
		body := t[1].([]byte)
		entry := append([]byte(t[0].(string)), 0, 0, 0, 0, 0, 0, byte(at>>8), byte(at), 0, 0, byte(len(body)>>8), byte(len(body)))
		out, bodies, at = append(out, entry...), append(bodies, body...), at+len(body)
	}
	return append(out, bodies...)
}

func TestTrueTypeTellsItsCharacters(t *testing.T) {
	f, err := Parse(sample())
	if err != nil {
		t.Fatal(err)
	}
	if f.Family != "Sample" || !f.Chars.Has('A') || f.Chars.Has('B') || !f.Chars.Has('C') || f.Chars.Len() != 2 {
		t.Errorf("%+v", f)
	}
}

func TestALibraryKnowsTheFontsOfItsFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "below"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"below/a.ttf": sample(), "b.ttf": []byte("no font"), "c.txt": sample()} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := &Library{Dirs: []string{dir, filepath.Join(dir, "nowhere")}}
	if !l.Has('A') || l.Has('B') || l.Family("sample") != "Sample" || len(l.Families()) != 1 {
		t.Errorf("%v", l.Families())
	}
	var none *Library
	if none.Has('A') || none.Family("x") != "" {
		t.Error("no library has fonts")
	}
}
