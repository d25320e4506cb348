package htmlgen

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"

	"github.com/quire-reports/quire/htmlgen/picture"
)

// CSS of authors is taken token by token: what loads something from outside,
// leaves the element, or could end the style sheet is dropped; the rest stays
// as written.

var lengthPattern = regexp.MustCompile(`^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:px|pt|mm|cm|in|pc|em|rem|ex|ch|%|vw|vh|fr)?|auto|0|calc\([0-9a-z.%+*/() -]+\)|(?:min|max|fit)-content|var\(--[\w-]+\))$`)

// length is the setting when it is a CSS length, else "". A bare number is
// pixels.
func length(s string) string {
	s = strings.TrimSpace(s)
	if !isSize(s) && !lengthPattern.MatchString(s) {
		return ""
	}
	if strings.Trim(s, "+-.0123456789") == "" && strings.Trim(s, "+-.0") != "" {
		return s + "px"
	}
	return s
}

// isSize reports whether s is digits and one of the usual units, as most lengths
// are; the pattern would say the same more slowly.
func isSize(s string) bool {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	switch s[digits:] {
	case "", "px", "pt", "mm", "cm", "em", "rem", "%", "fr":
		return digits > 0
	}
	return false
}

// lengths is a list of at most four lengths, as padding and margin take.
func lengths(s string) string {
	parts := strings.Fields(s)
	if len(parts) > 4 {
		return ""
	}
	for i, p := range parts {
		if parts[i] = length(p); parts[i] == "" {
			return ""
		}
	}
	return strings.Join(parts, " ")
}

// cssValue is the value of one declaration, or "" when it could do more than
// be a value.
func cssValue(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || !safeTokens(s) || strings.ContainsAny(s, "{};!\\") {
		return ""
	}
	return s
}

// bannedFunctions load something or run something.
func bannedFunction(name string) bool {
	switch strings.ToLower(strings.TrimSuffix(name, "(")) {
	case "url", "src", "image", "image-set", "-webkit-image-set", "expression", "element", "-webkit-cross-fade", "cross-fade", "attr", "env", "paint":
		return true
	}
	return false
}

// safeTokens reports whether none of the tokens loads anything, escapes, or
// leaves its block.
func safeTokens(s string) bool { return plainValue(s) || lexedSafely(s) }

func lexedSafely(s string) bool {
	lexer := css.NewLexer(parse.NewInputString(s))
	depth := 0
	for {
		kind, data := lexer.Next()
		switch kind {
		case css.ErrorToken:
			return depth == 0
		case css.URLToken, css.BadURLToken, css.BadStringToken, css.AtKeywordToken, css.CDOToken, css.CDCToken, css.CommentToken:
			return false
		case css.FunctionToken:
			if bannedFunction(string(data)) {
				return false
			}
			depth++
		case css.LeftParenthesisToken, css.LeftBracketToken, css.LeftBraceToken:
			depth++
		case css.RightParenthesisToken, css.RightBracketToken, css.RightBraceToken:
			depth--
		}
		if depth < 0 {
			return false
		}
	}
}

// plainValue reports whether a value is made of names, numbers, colours and commas
// alone, as most are: there is no token in it that safeTokens refuses.
func plainValue(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte(" #%,-._", c) < 0:
			return false
		}
	}
	return true
}

// bannedDeclaration would take an element out of its place on the page or hide
// the rest of it.
func bannedDeclaration(name, value string) bool {
	value = strings.ToLower(value)
	switch name {
	case "position":
		return strings.Contains(value, "fixed") || strings.Contains(value, "sticky")
	case "behavior", "-moz-binding", "content-visibility", "break-before", "break-after", "break-inside", "page":
		return true
	}
	return false
}

// mostColumns is how many columns of text an author's style may ask for.
const mostColumns = 50

// mostReason is how long what is told of a declaration becomes.
const mostReason = 200

// costly is why a declaration would take the browser too long, or moves what is
// printed; empty when it does not.
func costly(name, value string) string {
	switch {
	case strings.Contains(name, "animation"), strings.Contains(name, "transition"):
		return "nothing moves on paper"
	case name == "column-count", name == "columns":
		for word := range strings.FieldsSeq(value) {
			if n, err := strconv.ParseFloat(word, 64); err == nil && n > mostColumns { // no length
				return fmt.Sprintf("more than %d columns", mostColumns)
			}
		}
	case strings.Contains(name, "shadow"), strings.Contains(name, "filter"):
		if err := picture.VetCSS(name + ":" + value); err != nil {
			return err.Error()
		}
	}
	return ""
}

// declarations is a style attribute with only its harmless declarations, and
// those that were dropped.
func declarations(style string) (kept string, dropped []string) {
	var b strings.Builder
	for _, part := range splitDeclarations(style) {
		name, value, ok := strings.Cut(part, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		value = strings.TrimSpace(value)
		important := strings.TrimSpace(strings.TrimSuffix(value, "!important"))
		if !ok || !isPropertyName(name) || cssValue(important) == "" || bannedDeclaration(name, value) {
			dropped = append(dropped, clip(strings.TrimSpace(part), 60))
			continue
		}
		if reason := costly(name, value); reason != "" {
			dropped = append(dropped, clip(strings.TrimSpace(part), 60)+" ("+reason+")")
			continue
		}
		b.WriteString(name)
		b.WriteByte(':')
		b.WriteString(value)
		b.WriteByte(';')
	}
	return b.String(), dropped
}

func isPropertyName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && c != '-' && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return s != ""
}

// splitDeclarations cuts at semicolons that are in no string or parentheses.
func splitDeclarations(style string) []string {
	var parts []string
	depth, quote, start := 0, byte(0), 0
	for i := range len(style) {
		switch c := style[i]; {
		case quote != 0:
			if c == quote && style[i-1] != '\\' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ';' && depth <= 0:
			parts = append(parts, style[start:i])
			start = i + 1
		}
	}
	parts = append(parts, style[start:])
	kept := parts[:0]
	for _, p := range parts {
		if strings.TrimSpace(p) != "" {
			kept = append(kept, p)
		}
	}
	return kept
}

// stylesheet is a style sheet of an author without what it must not hold:
// at-rules that load, declarations that load, and anything that would end the
// style element.
func stylesheet(source string) (kept string, dropped []string) {
	w := sheetWriter{parser: css.NewParser(parse.NewInputString(source), false)}
	for {
		grammar, _, data := w.parser.Next()
		if grammar == css.ErrorGrammar && !w.parser.HasParseError() {
			return strings.ReplaceAll(w.kept.String(), "</", `<\/`), w.dropped
		}
		w.write(grammar, string(data), joinTokens(w.parser.Values()))
	}
}

// sheetWriter writes the harmless parts of a style sheet. skip counts the open
// blocks that are left out.
type sheetWriter struct {
	parser    *css.Parser
	kept      strings.Builder
	dropped   []string
	selectors []string
	skip      int
}

func (w *sheetWriter) write(grammar css.GrammarType, data, values string) {
	switch grammar {
	case css.AtRuleGrammar:
		w.dropped = append(w.dropped, clip(data+values, 60))
	case css.BeginAtRuleGrammar:
		w.open(data+values, allowedAtRule(data) && safeSelector(values))
	case css.QualifiedRuleGrammar:
		w.selectors = append(w.selectors, values)
	case css.BeginRulesetGrammar:
		selector := strings.Join(append(w.selectors, values), ",")
		w.selectors = nil
		w.open(selector, safeSelector(selector))
	case css.EndAtRuleGrammar, css.EndRulesetGrammar:
		w.close()
	case css.DeclarationGrammar, css.CustomPropertyGrammar:
		w.declaration(data, values)
	}
}

func (w *sheetWriter) open(head string, harmless bool) {
	if w.skip == 0 && harmless {
		w.kept.WriteString(head + "{")
		return
	}
	if w.skip == 0 {
		w.dropped = append(w.dropped, clip(head, 60))
	}
	w.skip++
}

func (w *sheetWriter) close() {
	if w.skip > 0 {
		w.skip--
		return
	}
	w.kept.WriteString("}\n")
}

func (w *sheetWriter) declaration(name, values string) {
	if w.skip > 0 {
		return
	}
	lower := strings.ToLower(name)
	value := strings.TrimSpace(values)
	if value == "" || !isPropertyName(lower) || !safeTokens(values) || strings.ContainsAny(values, "{}\\") || bannedDeclaration(lower, values) {
		w.dropped = append(w.dropped, clip(name+":"+values, 60))
		return
	}
	if reason := costly(lower, values); reason != "" {
		w.dropped = append(w.dropped, clip(name+":"+value, 60)+" ("+reason+")")
		return
	}
	w.kept.WriteString(lower + ":" + values + ";")
}

// looksAround is a selector that has the browser look at everything for
// everything: any element that has any other.
var looksAround = regexp.MustCompile(`(?i):has\([^)]*\*|:has\(.*:has\(`)

// safeSelector reports whether a selector or the condition of an at-rule is
// only that.
func safeSelector(s string) bool {
	return !strings.ContainsAny(s, "@{};\\<") && safeTokens(s) && !looksAround.MatchString(s)
}

func allowedAtRule(name string) bool {
	switch strings.ToLower(name) {
	case "@media", "@supports", "@layer":
		return true
	}
	return false
}

func joinTokens(tokens []css.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		if t.TokenType != css.CommentToken {
			b.Write(t.Data)
		}
	}
	return b.String()
}
