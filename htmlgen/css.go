package htmlgen

import (
	"regexp"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// CSS of authors is taken token by token: what loads something from outside,
// leaves the element, or could end the style sheet is dropped; the rest stays
// as written.

var lengthPattern = regexp.MustCompile(`^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:px|pt|mm|cm|in|pc|em|rem|ex|ch|%|vw|vh|fr)?|auto|0|calc\([0-9a-z.%+*/() -]+\)|(?:min|max|fit)-content|var\(--[\w-]+\))$`)

// length is the setting when it is a CSS length, else "". A bare number is
// pixels.
func length(s string) string {
	s = strings.TrimSpace(s)
	if !lengthPattern.MatchString(s) {
		return ""
	}
	if strings.Trim(s, "+-.0123456789") == "" && strings.Trim(s, "+-.0") != "" {
		return s + "px"
	}
	return s
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
func safeTokens(s string) bool {
	lexer := css.NewLexer(parse.NewInputString(s))
	depth := 0
	for {
		kind, data := lexer.Next()
		switch kind {
		case css.ErrorToken:
			return depth == 0
		case css.URLToken, css.BadURLToken, css.BadStringToken, css.CDOToken, css.CDCToken, css.CommentToken:
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
			dropped = append(dropped, strings.TrimSpace(part))
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
	var b strings.Builder
	parser := css.NewParser(parse.NewInputString(source), false)
	skip := 0
	for {
		grammar, _, data := parser.Next()
		values := joinTokens(parser.Values())
		switch grammar {
		case css.ErrorGrammar:
			if parser.Err() != nil && !parser.HasParseError() {
				return strings.ReplaceAll(b.String(), "</", `<\/`), dropped
			}
		case css.AtRuleGrammar:
			dropped = append(dropped, string(data)+values)
		case css.BeginAtRuleGrammar:
			if skip > 0 || !allowedAtRule(string(data)) {
				dropped = append(dropped, string(data)+values)
				skip++
				continue
			}
			b.WriteString(string(data) + values + "{")
		case css.EndAtRuleGrammar, css.EndRulesetGrammar:
			if skip > 0 && grammar == css.EndAtRuleGrammar {
				skip--
			} else if skip == 0 {
				b.WriteString("}\n")
			}
		case css.QualifiedRuleGrammar:
			if skip == 0 {
				b.WriteString(values + ",")
			}
		case css.BeginRulesetGrammar:
			if skip == 0 {
				b.WriteString(values + "{")
			}
		case css.DeclarationGrammar, css.CustomPropertyGrammar:
			if skip > 0 {
				continue
			}
			name := strings.ToLower(string(data))
			plain := strings.TrimSpace(strings.TrimSuffix(strings.ReplaceAll(values, " ", ""), "!important"))
			if plain == "" || !safeTokens(values) || bannedDeclaration(name, values) {
				dropped = append(dropped, name+":"+values)
				continue
			}
			b.WriteString(name + ":" + values + ";")
		}
	}
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
