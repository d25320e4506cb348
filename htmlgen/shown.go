package htmlgen

import (
	"bytes"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"

	"github.com/quire-reports/quire/htmlgen/formula"
)

// Shown is what a document may show in a font.
type Shown struct {
	Chars []rune // in their order
	// Variants says that styles ask for other forms of glyphs than those that text
	// has by itself, and figures of one width.
	Variants bool
}

// alwaysShown are characters that browsers and the paginator write by themselves:
// numbers in any language, hyphens, what was left out.
const alwaysShown = "0123456789 .,:;-+/()%'’\u00a0\u00ad\u202f‐‑–−…" + "٠١٢٣٤٥٦٧٨٩٫٬۰۱۲۳۴۵۶۷۸۹"

// tagsShow are what browsers write at elements.
var tagsShow = map[string]string{"q": "“”‘’„‚«»‹›\"", "li": "•◦▪", "summary": "▸▾", "msqrt": "√", "mroot": "√", "mo": "−"}

// numerals are the letters that numbers may be written with.
const numerals = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// counters and cases are words of styles and attributes by which text is shown in
// letters other than its own.
var (
	counters = []string{"roman", "alpha", "latin"}
	cases    = []string{"uppercase", "lowercase", "capitalize", "small-caps", "petite-caps", "unicase"}
)

// unshown are marks whose values are never written out.
var unshown = []string{"data-id", "data-of", "data-width", "data-height", "data-margin", "data-background", "data-break", "data-outline", "data-count", "data-picture"}

var (
	// generated is what a style sheet has written before and after elements.
	generated = regexp.MustCompile(`[;{\s]content:[^;}]*`)
	// variants are what styles say of the forms of glyphs.
	variants = regexp.MustCompile(`font-(?:variant[a-z-]*|feature-settings):\s*([^;}]*)`)
)

// ownVariants are those that our own sheets ask for.
var ownVariants = []string{"tabular-nums", "normal", "inherit", `"kern","liga","calt"`}

// running are elements that the paginator fills with text of others.
var running = []byte("q-page-running")

// shown finds out what a document shows, for fonts of each weight.
type shown struct {
	always   strings.Builder // in every weight
	sheets   string
	body     []byte
	weights  weightRules
	texts    map[int]*strings.Builder // by weight
	all      strings.Builder
	variants bool
}

// shownIn reads a document; nil when it is nested too deeply to be read.
func shownIn(css *styles, body []byte) *shown {
	s := &shown{sheets: css.String(), body: body, texts: map[int]*strings.Builder{}}
	s.weights = weightRulesOf(s.sheets)
	root, err := html.Parse(io.MultiReader(strings.NewReader("<body class=q-doc>"), bytes.NewReader(body)))
	if err != nil {
		return nil
	}
	s.always.WriteString(alwaysShown + strings.Join(generated.FindAllString(s.sheets, -1), ""))
	if slices.ContainsFunc(counters, s.says) {
		s.always.WriteString(numerals)
	}
	for _, m := range append(variants.FindAllStringSubmatch(s.sheets, -1), variants.FindAllStringSubmatch(string(body), -1)...) {
		s.variants = s.variants || !slices.Contains(ownVariants, strings.TrimSpace(m[1]))
	}
	s.variants = s.variants || s.says("small-caps")
	s.walk(root, map[int]bool{normalWeight: true})
	return s
}

func (s *shown) says(word string) bool {
	return strings.Contains(s.sheets, word) || bytes.Contains(s.body, []byte(word))
}

// walk collects the text of a node and what is in it, for each weight that it may have.
func (s *shown) walk(n *html.Node, weights map[int]bool) {
	switch n.Type {
	case html.TextNode:
		s.all.WriteString(n.Data)
		for w := range weights {
			s.texts[w].WriteString(n.Data)
		}
	case html.ElementNode:
		if own := s.weights.of(n); len(own) > 0 {
			weights = maps.Clone(weights)
			maps.Copy(weights, own)
		}
		s.always.WriteString(tagsShow[n.Data])
		if n.Data == "mi" && n.FirstChild != nil {
			s.always.WriteString(formula.Slanted(n.FirstChild.Data))
		}
		for _, a := range n.Attr {
			if a.Key == "alt" || strings.HasPrefix(a.Key, "data-") && !slices.Contains(unshown, a.Key) {
				s.always.WriteString(a.Val)
			}
		}
	}
	for w := range weights {
		if s.texts[w] == nil {
			s.texts[w] = &strings.Builder{}
		}
	}
	for child := range n.ChildNodes() {
		s.walk(child, weights)
	}
}

// in gives what is shown in a face, which has some characters; nil when nothing is,
// among the faces of a family.
func (s *shown) in(face *FontFace, has func(rune) bool, family []FontFace) *Shown {
	var text strings.Builder
	found := false
	for w, part := range s.texts {
		if nearestFace(w, face.Style, family) == face.Weight {
			found = true
			text.WriteString(part.String())
		}
	}
	if !found {
		return nil
	}
	if bytes.Contains(s.body, running) {
		text.WriteString(s.all.String())
	}
	text.WriteString(s.always.String())
	chars := s.chars(text.String(), has)
	if !slices.ContainsFunc(chars, func(r rune) bool { return inRanges(face.UnicodeRange, r) }) {
		return nil
	}
	return &Shown{Chars: chars, Variants: s.variants || face.Family == mathFamily}
}

// chars are the characters of a text that are taken from a face, in each case and
// composition that they may take.
func (s *shown) chars(text string, has func(rune) bool) []rune {
	if slices.ContainsFunc(cases, s.says) {
		text += strings.ToUpper(text) + strings.ToLower(text) + strings.Map(unicode.ToTitle, text) + "SS"
	}
	set := map[rune]bool{}
	for _, r := range text + norm.NFC.String(text) {
		if set[r] {
			continue
		}
		set[r] = true
		if !has(r) { // it may be drawn by its parts
			parts := []rune(norm.NFD.String(string(r)))
			for i := range parts {
				for _, part := range string(parts[i]) + norm.NFC.String(string(parts[:i+1])) {
					set[part] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}
