package htmlgen

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Alone is what a document is made with that brings everything along, so that each
// byte of it counts.
type Alone struct {
	// Script is what lays out the document where it is read: the classes and variables
	// that it names are kept.
	Script string
	// Font gives a font as an address that holds it, with no more than what is shown.
	Font func(face *FontFace, shown *Shown) string
}

// spare leaves out the rules of our own sheets that match nothing in a document, and
// variables of the theme that nobody asks for.
func (c *Context) spare(css *styles, body []byte) {
	present := namesOf(body, c.in.Alone.Script)
	var kept strings.Builder
	for _, rule := range ownRules() {
		if rule.mayMatch(present) {
			kept.WriteString(rule.text)
		}
	}
	css.rules = kept.String()
	asked := map[string]bool{}
	for _, text := range []string{css.rules, css.others, c.in.Alone.Script} {
		askFor(asked, text)
	}
	for _, name := range variable.FindAll(body, -1) {
		asked[string(name)] = true
	}
	css.variables = askedVariables(css.variables, asked)
}

// aloneFaces are those of the faces that a document needs that brings its fonts along,
// and what it needs of each; nil when that cannot be told.
func (c *Context) aloneFaces(css *styles, body []byte, faces []FontFace) ([]FontFace, []*Shown) {
	s := shownIn(css, body)
	if s == nil {
		return faces, nil
	}
	families := map[string][]FontFace{}
	for _, f := range faces {
		families[f.Family] = append(families[f.Family], f)
	}
	var needed []FontFace
	var of []*Shown
	for _, f := range faces {
		has := func(r rune) bool { return c.in.Glyphs != nil && c.in.Glyphs.Face(&f, r) }
		if in := s.in(&f, has, families[f.Family]); in != nil {
			needed, of = append(needed, f), append(of, in)
		}
	}
	for i := range needed {
		if !slices.ContainsFunc(needed, func(f FontFace) bool { return f.File != needed[i].File && sameKind(&f, &needed[i]) }) {
			needed[i].UnicodeRange = "" // there is no other to choose
		}
	}
	return needed, of
}

// sameKind reports whether faces differ in their characters alone.
func sameKind(a, b *FontFace) bool {
	return a.Family == b.Family && a.Weight == b.Weight && a.Style == b.Style
}

// askedVariables are the declarations of variables that are asked for, or that one
// of these asks for.
func askedVariables(declared string, asked map[string]bool) string {
	parts := splitDeclarations(declared)
	kept := make([]bool, len(parts))
	for more := true; more; {
		more = false
		for i, part := range parts {
			name, value, _ := strings.Cut(part, ":")
			if !kept[i] && asked[strings.TrimSpace(name)] {
				kept[i], more = true, true
				askFor(asked, value)
			}
		}
	}
	var b strings.Builder
	for i, part := range parts {
		if kept[i] {
			b.WriteString(part + ";")
		}
	}
	return b.String()
}

var variable = regexp.MustCompile(`--[A-Za-z0-9_-]+`)

// askFor notes each name of a variable in a text.
func askFor(asked map[string]bool, text string) {
	for _, name := range variable.FindAllString(text, -1) {
		asked[name] = true
	}
}

// names are the classes and tags that a document has, or that its script may give it.
type names struct {
	classes map[string]bool
	body    []byte
	script  string
}

var (
	classAttr = regexp.MustCompile(`class="([^"]*)"`)
	// addedClass is a class that a script does not only ask for, as a selector does.
	addedClass = regexp.MustCompile(`(?:^|[^.a-z0-9-])(q-[a-z0-9-]+)`)
)

func namesOf(body []byte, script string) *names {
	n := &names{classes: map[string]bool{"q-doc": true}, body: body, script: script}
	for _, m := range classAttr.FindAllSubmatch(body, -1) {
		for name := range bytes.FieldsSeq(m[1]) {
			n.classes[string(name)] = true
		}
	}
	for _, m := range addedClass.FindAllStringSubmatch(script, -1) {
		n.classes[m[1]] = true
	}
	return n
}

// has tells of a class, with a dot before it, or of a tag.
func (n *names) has(name string) bool {
	if class, is := strings.CutPrefix(name, "."); is {
		return n.classes[class]
	}
	return name == "html" || name == "body" || bytes.Contains(n.body, []byte("<"+name)) || strings.Contains(n.script, `"`+name+`"`)
}

// ownRule is a rule of our own sheets, with the names that each of its selectors needs.
type ownRule struct {
	text  string
	needs [][]string // nil where it always stands
}

func (r *ownRule) mayMatch(present *names) bool {
	return len(r.needs) == 0 || slices.ContainsFunc(r.needs, func(all []string) bool {
		return !slices.ContainsFunc(all, func(name string) bool { return !present.has(name) })
	})
}

var ownRules = sync.OnceValue(func() []ownRule {
	var rules []ownRule
	for text := range blocksOf(allRules) {
		rule := ownRule{text: text}
		selectors, _, _ := strings.Cut(text, "{")
		if !strings.HasPrefix(strings.TrimSpace(selectors), "@") {
			for _, selector := range outside(selectors, ',') {
				rule.needs = append(rule.needs, needsOf(selector))
			}
		}
		rules = append(rules, rule)
	}
	return rules
})

var selectorName = regexp.MustCompile(`\.[a-z0-9-]+|(?:^|[\s>+~])[a-z][a-z0-9]*`)

// needsOf are the classes and tags that a selector names outside of
// parentheses: inside, they are choices or must not be there.
func needsOf(selector string) []string {
	var plain strings.Builder
	depth := 0
	for _, r := range selector {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0:
			plain.WriteRune(r)
		}
	}
	need := []string{}
	for _, name := range selectorName.FindAllString(plain.String(), -1) {
		need = append(need, strings.TrimLeft(name, " \n>+~"))
	}
	return need
}

// outside parts a text at a sign that is in no parentheses.
func outside(text string, sign byte) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == sign && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// blocksOf are the rules of a style sheet, at-rules with what they hold.
func blocksOf(sheet string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		depth, start := 0, 0
		for i := range len(sheet) {
			switch sheet[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					if !yield(strings.TrimLeft(sheet[start:i+1], "\n")) {
						return
					}
					start = i + 1
				}
			}
		}
	}
}
