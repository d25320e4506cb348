package picture

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"
)

var (
	fontFace   = regexp.MustCompile(`(?is)@font-face\s*\{[^}]*\}`)
	fontFamily = regexp.MustCompile(`(?i)font-family\s*(?:=\s*("[^"]*"|'[^']*')|:\s*([^;}<>]+))`)
)

// generic families are what every browser has a font for (CSS Fonts 4, 2.1).
var generic = []string{"serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "inherit", "initial", "unset", "revert"}

// Fonts are the font families that the texts of an SVG drawing ask for first and
// that it does not bring along. As a picture it has none of a document's fonts:
// only what is inside of it, and what is installed where it is drawn (SVG
// Integration, secure static mode).
func Fonts(content []byte) []string {
	if !bytes.Contains(content, []byte("<text")) && !bytes.Contains(content, []byte(":text")) {
		return nil
	}
	text := html.UnescapeString(string(content))
	var inside, asked []string
	for _, face := range fontFace.FindAllString(text, -1) {
		inside = append(inside, families(face)...)
	}
	for _, name := range families(fontFace.ReplaceAllString(text, "")) {
		known := func(other string) bool { return strings.EqualFold(name, other) }
		if !slices.ContainsFunc(generic, known) && !slices.ContainsFunc(inside, known) && !slices.ContainsFunc(asked, known) {
			asked = append(asked, name)
		}
	}
	return asked
}

var (
	drawnText = regexp.MustCompile(`(?is)<(?:\w+:)?text\b.*?</(?:\w+:)?text\s*>`)
	anyTag    = regexp.MustCompile(`<[^>]*>`)
)

// Letters are those that an SVG drawing writes, but of one that brings fonts, which
// may have any.
func Letters(content []byte) string {
	if fontFace.Match(content) {
		return ""
	}
	var b strings.Builder
	for _, found := range drawnText.FindAll(content, -1) {
		b.WriteString(html.UnescapeString(anyTag.ReplaceAllString(string(found), "")))
	}
	return b.String()
}

// families are the first ones of all lists in a text.
func families(text string) (names []string) {
	for _, m := range fontFamily.FindAllStringSubmatch(text, -1) {
		list := m[2]
		if m[1] != "" {
			list = m[1][1 : len(m[1])-1]
		}
		first, _, _ := strings.Cut(list, ",")
		if name := strings.Trim(strings.TrimSpace(first), `"' `); name != "" {
			names = append(names, name)
		}
	}
	return names
}
