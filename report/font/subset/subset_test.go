package subset_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/report/font"
	"github.com/quire-reports/quire/report/font/subset"
)

const inter = "inter/inter-latin-400-normal.woff2"

func contentOf(name string) func() ([]byte, error) {
	return func() ([]byte, error) { return fs.ReadFile(assets.Fonts(), name) }
}

func TestWOFF2(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := subset.New(assets.HarfBuzz, t.TempDir())
	defer s.Close()
	whole, err := contentOf(inter)()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := s.WOFF2(inter, contentOf(inter), subset.Wish{Chars: []rune("Invoice 4711 é\u4e00")})
	if err != nil {
		t.Fatal(err)
	}
	read, err := font.Parse(append(bytes.Clone(plain), 0)[:len(plain)])
	if err == nil || !strings.Contains(err.Error(), "name of its family") { // a style sheet gives it
		t.Errorf("%v %v", read, err)
	}
	if len(plain)*4 > len(whole) {
		t.Errorf("%d of %d bytes are left", len(plain), len(whole))
	}
	variants, err := s.WOFF2(inter, contentOf(inter), subset.Wish{Chars: []rune("Invoice 4711 é\u4e00"), Variants: true})
	if err != nil || len(variants) <= len(plain) {
		t.Errorf("%d bytes with all variants, %d without: %v", len(variants), len(plain), err)
	}
	// What was made is kept, and HarfBuzz starts again after it was let go.
	s.Close()
	again, err := s.WOFF2(inter, func() ([]byte, error) { return nil, errors.New("asked for again") }, subset.Wish{Chars: []rune("Invoice 4711 é\u4e00")})
	if err != nil || !bytes.Equal(again, plain) {
		t.Errorf("not kept: %v", err)
	}
	if other, err := s.WOFF2(inter, contentOf(inter), subset.Wish{Chars: []rune("x")}); err != nil || len(other) >= len(plain) {
		t.Errorf("%d bytes: %v", len(other), err)
	}
}

func TestWOFF2OfDamagedFonts(t *testing.T) {
	s := subset.New(assets.HarfBuzz, "")
	defer s.Close()
	whole, err := contentOf(inter)()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"empty": {}, "cut off": whole[:len(whole)/2], "other bytes": bytes.Repeat([]byte("wOF2"), 100), "text": []byte("no font at all, but some text"),
	} {
		if made, err := s.WOFF2(name, func() ([]byte, error) { return content, nil }, subset.Wish{Chars: []rune("abc")}); err == nil {
			t.Errorf("%s: %d bytes", name, len(made))
		}
	}
	if _, err := s.WOFF2(inter, contentOf(inter), subset.Wish{Chars: []rune("abc")}); err != nil {
		t.Errorf("a sound one after them: %v", err)
	}
}

// TestWOFF2OfADamagedFolder: what lies in the folder of what was compiled, or that there
// can be none, is in nobody's way.
func TestWOFF2OfADamagedFolder(t *testing.T) {
	folder := t.TempDir()
	ask := func(folder string) {
		t.Helper()
		s := subset.New(assets.HarfBuzz, folder)
		defer s.Close()
		if _, err := s.WOFF2(inter, contentOf(inter), subset.Wish{Chars: []rune("abc")}); err != nil {
			t.Error(err)
		}
	}
	ask(folder)
	damaged := 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		damaged++
		return os.WriteFile(path, []byte("damaged"), 0o600)
	})
	if err != nil || damaged == 0 {
		t.Errorf("%d files: %v", damaged, err)
	}
	ask(folder)
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ask(file)
}

// BenchmarkWOFF2 makes subsets of one font, each of other characters.
func BenchmarkWOFF2(b *testing.B) {
	s := subset.New(assets.HarfBuzz, "")
	defer s.Close()
	chars := []rune("Invoice number date amount due VAT total 0123456789 €,.-")
	i := rune(0)
	if _, err := s.WOFF2(inter, contentOf(inter), subset.Wish{Chars: chars}); err != nil { // it is compiled
		b.Fatal(err)
	}
	for b.Loop() {
		i++
		if _, err := s.WOFF2(inter, contentOf(inter), subset.Wish{Chars: append(chars, 'ā'+i)}); err != nil {
			b.Fatal(err)
		}
	}
}
