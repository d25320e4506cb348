package assets

import (
	"encoding/json"
	"io/fs"
	"slices"
	"sync"
)

// A FontFace is one embedded font file: a family in one weight and style, for
// the characters of one group of languages. It has what an @font-face rule
// needs; browsers load only the files whose characters a document holds.
type FontFace struct {
	Family string `json:"family"`
	Style  string `json:"style"`  // normal or italic
	Weight string `json:"weight"` // 400 to 700
	// UnicodeRange is the value of the CSS descriptor unicode-range.
	UnicodeRange string `json:"unicodeRange"`
	// File is the path in Fonts, such as inter/inter-latin-400-normal.woff2.
	File string `json:"file"`
}

// Fonts holds the font files and, beside them, their licences.
func Fonts() fs.FS { return sub("fonts") }

// FontFaces lists the embedded fonts, families in the order they are offered.
// The last ones are those of FallbackFamilies and MathFamily.
func FontFaces() []FontFace { return slices.Clone(faces()) }

var faces = sync.OnceValue(func() []FontFace {
	var list []FontFace
	if err := json.Unmarshal([]byte(read("fonts/fonts.json")), &list); err != nil {
		panic("assets: fonts.json: " + err.Error())
	}
	return list
})

// FontFamilies lists the embedded families that a theme may name.
func FontFamilies() []string {
	var names []string
	for _, f := range faces() {
		if !slices.Contains(names, f.Family) && !slices.Contains(FallbackFamilies(), f.Family) && f.Family != MathFamily {
			names = append(names, f.Family)
		}
	}
	return names
}

// FallbackFamilies are families to put behind any other, so that Arabic, Hebrew
// and signs like ✓ or → look the same on every machine.
func FallbackFamilies() []string {
	return []string{"Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Symbols 2"}
}

// MathFamily is what formulas are set in; it has what stretches and stacks.
const MathFamily = "STIX Two Math"
