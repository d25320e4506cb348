// Command fonts copies the font files that documents use out of npm packages
// into assets/fonts and writes their list, fonts.json. It is run by hand when a
// version in assets/web/package.json changes:
//
//	cd assets/web && npm ci && cd .. && go run ./build/fonts web/node_modules fonts
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A family is one npm package and what is taken of it. The files hold one
// weight each: the browser can embed those into a PDF as fonts, while variable
// fonts end there as drawings of each letter.
type family struct {
	name, id string
	subsets  string
	faces    string
	chars    string // that its files have, where the package does not tell
}

const european = "latin latin-ext cyrillic cyrillic-ext greek greek-ext vietnamese"

func families() []family {
	return []family{
		{"Inter", "inter", european, "400 500 600 700 400i 700i", ""},
		{"Source Sans 3", "source-sans-3", european, "400 600 700 400i 700i", ""},
		{"Source Serif 4", "source-serif-4", european, "400 600 700 400i 700i", ""},
		{"JetBrains Mono", "jetbrains-mono", european, "400 700 400i", ""},
		{"Noto Sans Arabic", "noto-sans-arabic", "arabic", "400 700", ""},
		{"Noto Sans Hebrew", "noto-sans-hebrew", "hebrew", "400 700", ""},
		{"Noto Sans Symbols 2", "noto-sans-symbols-2", "symbols", "400", ""},
		{"STIX Two Math", "stix-two-math", "latin", "400", "U+0000-10FFFF"},
	}
}

// face is an entry of fonts.json.
type face struct {
	Family       string `json:"family"`
	Style        string `json:"style"`
	Weight       string `json:"weight"`
	UnicodeRange string `json:"unicodeRange"`
	File         string `json:"file"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: fonts {node_modules} {folder of fonts}")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(modules, out string) error {
	var list []face
	for _, f := range families() {
		faces, err := f.take(filepath.Join(modules, "@fontsource", f.id), out)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		list = append(list, faces...)
	}
	text, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "fonts.json"), append(text, '\n'), 0o644)
}

// take copies the files of a family and its licence.
func (f family) take(pkg, out string) ([]face, error) {
	ranges, err := readRanges(filepath.Join(pkg, "unicode.json"))
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(out, f.id)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := copyFile(filepath.Join(pkg, "LICENSE"), filepath.Join(dir, "LICENSE")); err != nil {
		return nil, err
	}
	var list []face
	for _, spec := range strings.Fields(f.faces) {
		for _, subset := range strings.Fields(f.subsets) {
			if ranges[subset] == "" {
				continue
			}
			one := f.face(spec, subset, cmp.Or(f.chars, ranges[subset]))
			if err := copyFile(filepath.Join(pkg, "files", filepath.Base(one.File)), filepath.Join(out, filepath.FromSlash(one.File))); err != nil {
				return nil, err
			}
			list = append(list, one)
		}
	}
	return list, nil
}

func (f family) face(spec, subset, chars string) face {
	weight, italic := strings.CutSuffix(spec, "i")
	style := "normal"
	if italic {
		style = "italic"
	}
	file := fmt.Sprintf("%s/%s-%s-%s-%s.woff2", f.id, f.id, subset, weight, style)
	return face{Family: f.name, Style: style, Weight: weight, UnicodeRange: chars, File: file}
}

func readRanges(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	ranges := map[string]string{}
	return ranges, json.Unmarshal(text, &ranges)
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}
