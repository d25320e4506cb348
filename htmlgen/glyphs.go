package htmlgen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/report"
)

// Glyphs tells what fonts have; package export is behind it.
type Glyphs interface {
	// Face tells whether the font of a face has a character.
	Face(f *FontFace, r rune) bool
	// System tells whether any installed font has it. The printing browser finds
	// such a font by itself, but not for characters of private use: they mean
	// something else in each (CSS Fonts 4, 5.3).
	System(r rune) bool
	// Family is how such a font writes the name of its family; empty for none.
	Family(name string) string
	Families() []string
}

// Letters is what the letters of a document ask for.
type Letters struct {
	// Foreign says that some are not surely in the document's own fonts, or are
	// made of several glyphs: then the printed pages have to be looked at.
	Foreign bool
	// Lacking are the characters that no font has.
	Lacking string
}

// Place is where an element stands: in the definition, and for people.
type Place struct{ Path, Label string }

// letters looks at the characters of a document and at the fonts it may use. It
// leaves out the faces of fallback families of which nothing is needed.
func (c *Context) letters(s *runeSet, used []FontFace) (Letters, []FontFace) {
	if c.in.Glyphs == nil {
		return Letters{}, used
	}
	own, behind := byFamily(used)
	has := func(family []FontFace, r rune) bool {
		return slices.ContainsFunc(family, func(f FontFace) bool { return inRanges(f.UnicodeRange, r) && c.in.Glyphs.Face(&f, r) })
	}
	found := Letters{Foreign: c.elsewhere}
	var lacking []rune
	needed := make([]bool, len(behind))
	s.each(func(r rune) {
		if !IsPrinted(r) {
			return
		}
		with := 0
		for _, family := range own {
			if has(family, r) {
				with++
			}
		}
		every, some := len(own) > 0 && with == len(own), with > 0
		if !every || c.elsewhere {
			for i, family := range behind {
				if has(family, r) {
					needed[i], every, some = true, true, true
				}
			}
		}
		found.Foreign = found.Foreign || !every || isJoined(r)
		if !some && (unicode.Is(unicode.Co, r) && !c.installed || !c.in.Glyphs.System(r)) {
			lacking = append(lacking, r)
		}
	})
	found.Lacking = string(lacking)
	return found, slices.DeleteFunc(used, func(f FontFace) bool {
		i := slices.IndexFunc(behind, func(family []FontFace) bool { return family[0].Family == f.Family })
		return i >= 0 && !needed[i]
	})
}

// byFamily sorts faces by their families: those that a document names, and those
// that stand behind them.
func byFamily(faces []FontFace) (own, behind [][]FontFace) {
	for _, f := range faces {
		list := &own
		if isFallback(f.Family) {
			list = &behind
		}
		i := slices.IndexFunc(*list, func(family []FontFace) bool { return family[0].Family == f.Family })
		if i < 0 {
			i = len(*list)
			*list = append(*list, nil)
		}
		(*list)[i] = append((*list)[i], f)
	}
	return own, behind
}

// IsPrinted says whether a character is shown by a glyph of its own.
func IsPrinted(r rune) bool {
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isJoined says whether a character belongs to a script whose letters are made
// of several glyphs or are read from right to left.
func isJoined(r rune) bool { return r >= 0x0590 && r < 0x1e00 && !unicode.Is(unicode.Georgian, r) }

// lacking warns of characters that no font has, by the elements that they stand
// in. What the pages show is known only when they are printed; a document that
// is not goes by this.
func (c *Context) lacking(body []byte, sought string) {
	if sought == "" {
		return
	}
	var order []string
	found := map[string][]rune{}
	walkTexts(body, func(id string, text []byte) {
		for _, r := range string(text) {
			if r < 0x80 || !strings.ContainsRune(sought, r) || slices.Contains(found[id], r) {
				continue
			}
			if len(found[id]) == 0 {
				order = append(order, id)
			}
			found[id] = append(found[id], r)
		}
	})
	for _, id := range order {
		p := LackingProblem(c.places[id], string(found[id]), "boxes are printed in their place")
		c.warnings = append(c.warnings, p)
	}
}

// LackingProblem warns of characters that no font has.
func LackingProblem(at Place, characters, effect string) *report.Problem {
	if at.Label != "" {
		at.Label += ": "
	}
	return report.Problemf(at.Path, "%sno font has %s; %s", at.Label, Describe(characters), effect)
}

// mostDescribed is how many characters a warning names.
const mostDescribed = 8

// Describe names characters with their code points and scripts.
func Describe(characters string) string {
	all := []rune(characters)
	var letters, codes, scripts []string
	for _, r := range all[:min(len(all), mostDescribed)] {
		if !unicode.Is(unicode.Co, r) { // of which only their number tells anything
			letters = append(letters, string(r))
		}
		codes = append(codes, fmt.Sprintf("U+%04X", r))
	}
	for _, r := range all {
		if name := scriptOf(r); name != "" && !slices.Contains(scripts, name) {
			scripts = append(scripts, name)
		}
	}
	about := []string{strings.Join(codes, ", ")}
	if more := len(all) - len(codes); more > 0 {
		about[0] += fmt.Sprintf(" and %d more", more)
	}
	if len(letters) == 0 {
		letters, about = about, nil
	}
	if len(scripts) > 0 {
		about = append(about, strings.Join(scripts, ", "))
	}
	if len(about) == 0 {
		return letters[0]
	}
	return strings.Join(letters, " ") + " (" + strings.Join(about, "; ") + ")"
}

// scriptOf is the name of the script that a character belongs to.
func scriptOf(r rune) string {
	if unicode.Is(unicode.Co, r) {
		return "private use"
	}
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && unicode.Is(table, r) {
			return strings.ReplaceAll(name, "_", " ")
		}
	}
	return ""
}

// walkTexts visits the texts of a document with the elements that they stand in.
func walkTexts(body []byte, visit func(id string, text []byte)) {
	type open struct{ tag, id string }
	stack := []open{{}}
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			visit(stack[len(stack)-1].id, z.Text())
		case html.StartTagToken:
			name, more := z.TagName()
			o := open{string(name), stack[len(stack)-1].id}
			for more {
				var key, value []byte
				if key, value, more = z.TagAttr(); string(key) == "data-id" {
					o.id = string(value)
				}
			}
			if !isVoid(o.tag) {
				stack = append(stack, o)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			for i := len(stack) - 1; i > 0; i-- {
				if stack[i].tag == string(name) {
					stack = stack[:i]
					break
				}
			}
		}
	}
}

// isVoid says whether an element has no end tag.
func isVoid(tag string) bool {
	switch tag {
	case "img", "br", "hr", "col", "wbr", "meta", "link", "input", "area", "base", "embed", "source", "track":
		return true
	}
	return false
}
