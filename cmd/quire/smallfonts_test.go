package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/report"
)

var fontFaceRules = regexp.MustCompile(`<style>(?:@font-face\{[^}]*\}\s*)+</style>`)

// withWholeFonts is an HTML file with all fonts of its families as they are, in place
// of what it needs of them.
func withWholeFonts(t testing.TB, document []byte) []byte {
	t.Helper()
	at := fontFaceRules.FindIndex(document)
	if at == nil {
		return document
	}
	var rules strings.Builder
	rules.WriteString("<style>")
	for _, f := range assets.FontFaces() {
		if !bytes.Contains(document[at[0]:at[1]], []byte(`"`+f.Family+`"`)) {
			continue
		}
		content, err := fs.ReadFile(assets.Fonts(), f.File)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&rules, `@font-face{font-family:"%s";font-weight:%s;font-style:%s;src:url(data:font/woff2;base64,%s);unicode-range:%s}`, f.Family, f.Weight, f.Style, base64.StdEncoding.EncodeToString(content), f.UnicodeRange)
	}
	rules.WriteString("</style>")
	own := document[at[0]:at[1]]
	for _, rule := range regexp.MustCompile(`@font-face\{[^}]*\}`).FindAll(own, -1) {
		if !bytes.Contains([]byte(rules.String()), rule[:bytes.IndexByte(rule, ';')]) { // one of the workspace
			rules.WriteString("<style>" + string(rule) + "</style>")
		}
	}
	return bytes.Replace(document, own, []byte(rules.String()), 1)
}

// TestSmallFontsShowTheSame: what an HTML file shows in the parts of fonts that it has
// inside is pixel for pixel what it would show in the whole ones: of every fourth
// report, and with -every-page of all.
func TestSmallFontsShowTheSame(t *testing.T) {
	ofDocuments(t)
	t.Run("random", func(t *testing.T) {
		t.Parallel()
		ws := &report.Workspace{Languages: []report.Language{{Name: "English", Code: "en", Culture: "en-GB"}, {Name: "العربية", Code: "ar", Culture: "ar-AE"}}}
		c := newPageCheck(t, ws)
		for seed := uint64(*firstSeed); seed < uint64(*firstSeed+*generated/4); seed++ {
			ws.Reports = []report.NamedReport{{Code: "random", Report: *randomReport(seed)}}
			c.sameInWholeFonts(t, "random", fmt.Sprint("seed ", seed))
		}
	})
	for _, folder := range []string{"../../examples/gallery", "../../assets/demo"} {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			ws := bundleIn(t, folder)
			c := newPageCheck(t, ws)
			for i, r := range ws.Reports {
				if !r.Report.Subreport && (*everyPage || i%4 == 1) {
					c.sameInWholeFonts(t, r.Code, r.Code)
				}
			}
		})
	}
}

// mostShots are the pages of a report that are looked at.
const mostShots = 5

func (c *pageCheck) sameInWholeFonts(t *testing.T, code, name string) {
	t.Helper()
	small, _, err := c.file(code, "html")
	if err != nil {
		t.Fatal(name, err)
	}
	var shots [2][][]byte
	for i, document := range [][]byte{small, withWholeFonts(t, small)} {
		seen, err := c.see(document)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, box := range seen.Boxes[:min(mostShots, len(seen.Boxes))] {
			shot, err := c.shot(box.X, box.Y, box.Width, box.Height, 1)
			if err != nil {
				t.Fatal(name, err)
			}
			shots[i] = append(shots[i], shot)
		}
	}
	for page := range max(len(shots[0]), len(shots[1])) {
		if page >= len(shots[0]) || page >= len(shots[1]) || !bytes.Equal(shots[0][page], shots[1][page]) {
			for i := range shots {
				if page < len(shots[i]) {
					_ = os.WriteFile(filepath.Join(os.TempDir(), fmt.Sprintf("quire-fonts-%s-%d-%d.png", strings.ReplaceAll(name, " ", ""), page+1, i)), shots[i][page], 0o600)
				}
			}
			t.Errorf("%s, page %d: it is not the same in whole fonts", name, page+1)
		}
	}
}
