package assets_test

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/quire-reports/quire/assets"
)

func TestFontFaces(t *testing.T) {
	total := int64(0)
	for _, f := range assets.FontFaces() {
		info, err := fs.Stat(assets.Fonts(), f.File)
		if err != nil {
			t.Errorf("%s %s: %v", f.Family, f.Weight, err)
			continue
		}
		total += info.Size()
		if !strings.HasPrefix(f.UnicodeRange, "U+") {
			t.Errorf("%s: range %q", f.File, f.UnicodeRange)
		}
		licence, err := fs.ReadFile(assets.Fonts(), path.Dir(f.File)+"/LICENSE")
		if err != nil || !strings.Contains(string(licence), "SIL Open Font License") {
			t.Errorf("%s: no open licence beside it: %v", f.File, err)
		}
	}
	if limit := int64(2_500_000); total > limit {
		t.Errorf("%d bytes of fonts, more than %d", total, limit)
	}
	t.Logf("%d faces, %d bytes", len(assets.FontFaces()), total)
}

func TestFontFamilies(t *testing.T) {
	families := assets.FontFamilies()
	if len(families) == 0 || families[0] != "Inter" {
		t.Fatalf("families: %v", families)
	}
	for _, fallback := range assets.FallbackFamilies() {
		if !hasFamily(fallback) {
			t.Errorf("there is no file for %s", fallback)
		}
	}
}

func hasFamily(name string) bool {
	for _, f := range assets.FontFaces() {
		if f.Family == name {
			return true
		}
	}
	return false
}

// TestNoOrphanFonts fails for files that no face names.
func TestNoOrphanFonts(t *testing.T) {
	named := map[string]bool{}
	for _, f := range assets.FontFaces() {
		named[f.File] = true
	}
	must(t, fs.WalkDir(assets.Fonts(), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".woff2") && !named[p] {
			t.Errorf("%s is not in fonts.json", p)
		}
		return err
	}))
}
