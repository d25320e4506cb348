package data

import (
	"cmp"
	"database/sql"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

// dialect is a kind of database that speaks SQL. Most of it is what the
// tokenizer must know.
type dialect struct {
	kind     string // name of its connections
	name     string // in messages
	label    string // of its connections; empty means the name
	example  string // of an address
	unlisted bool   // a service opens no files of its own machine
	// open makes a pool; it opens no connection yet. Its errors never show the
	// address, which holds the password.
	open func(address string, folders []string) (*sql.DB, error)
	// explain words what the driver says, with the line of the query if it tells
	// one; false for errors that are not the database's own. It may be nil.
	explain func(query string, err error) (message string, line int, ok bool)

	// argument makes of a value what the driver takes; nil where it takes it as it is.
	argument func(v any) any

	noReadOnly  bool // there are no transactions that only read
	textOnly    bool // has no dates but text, and compares text and numbers as unequal
	runComments bool // runs what is in some comments

	backslashStrings bool // \' does not end a string
	escapeStrings    bool // E'…' has backslashes
	dollarQuotes     bool // $tag$…$tag$
	backticks        bool // `name`
	brackets         bool // [name]
	hashComments     bool // # to the end of the line
	dashNeedsBlank   bool // -- is a comment only before a blank
	nestedComments   bool // /* /* */ */
	atVariables      bool // @x may be the database's own
	casts            bool // x::type, a[1:2]
	batches          bool // several statements make one query
	numbered         string
	begins           string // words that a query may begin with, each in blanks; "" for any
}

// dialects are the kinds by the names of their connections.
var dialects = func() map[string]*dialect {
	all := map[string]*dialect{}
	for _, d := range sqlDialects() {
		all[d.kind] = d
	}
	return all
}()

// sqlConnections are the types of connections to the databases.
func sqlConnections() []report.ConnectionType {
	var list []report.ConnectionType
	for _, d := range sqlDialects() {
		list = append(list, report.ConnectionType{Name: d.kind, Label: cmp.Or(d.label, d.name), Category: report.DatabaseConnection, Example: d.example, RootOnly: true, Unlisted: d.unlisted})
	}
	return list
}

// sqlPart is a run of SQL text or a parameter in it.
type sqlPart struct {
	text  string // of the query as written
	param string // name of a parameter; "" for text
	path  string // of a {$params.x} placeholder, with its braces
}

// sqlScanner splits a query at its parameters. Strings, names in quotes and
// comments are passed over whole, so that nothing in them is taken for one.
type sqlScanner struct {
	d       *dialect
	src     string
	at      int
	start   int // of the text not yet put into a part
	known   func(name string) bool
	parts   []sqlPart
	begun   bool // the first token was seen
	ended   bool // a semicolon was seen
	problem *report.Problem
}

// scanSQL splits a query. Known says whether a name is a parameter, which
// decides about @x where it may be a variable of the database.
func scanSQL(src string, d *dialect, known func(name string) bool) ([]sqlPart, error) {
	s := &sqlScanner{d: d, src: src, known: known}
	for s.at < len(src) && s.problem == nil {
		s.next()
	}
	s.flush(len(src))
	if s.problem != nil {
		return nil, s.problem
	}
	return s.parts, nil
}

func (s *sqlScanner) flush(to int) {
	if to > s.start {
		s.parts = append(s.parts, sqlPart{text: s.src[s.start:to]})
	}
}

func (s *sqlScanner) fail(at int, format string, args ...any) {
	if s.problem == nil {
		s.problem = failed("settings.query", "line %d: "+format, append([]any{lineAt(s.src, at)}, args...)...)
		s.at = len(s.src)
	}
}

func lineAt(src string, at int) int { return 1 + strings.Count(src[:at], "\n") }

// next passes over one token.
func (s *sqlScanner) next() {
	rest := s.src[s.at:]
	if s.comment(rest) {
		return
	}
	c := rest[0]
	if s.ended && !isSpace(c) && c != ';' && !s.d.batches {
		s.fail(s.at, "a query is one statement; there is text after the semicolon")
		return
	}
	if !s.begun && !isSpace(c) && c != '(' {
		s.begin(rest)
	}
	switch {
	case s.problem != nil:
	case isSpace(c):
		s.at++
	case c == ';':
		s.ended = true
		s.at++
	case s.quoted(rest):
	case strings.HasPrefix(rest, "{$"):
		s.placeholder(rest)
	case c == ':' || c == '@':
		s.named(rest)
	case isNameStart(rest):
		s.word(rest)
	default:
		_, n := utf8.DecodeRuneInString(rest)
		s.at += n
	}
}

// begin checks the first word. The transaction reads only as well, where the
// database has that; this also stops commands that are no writes, such as
// opening another file.
func (s *sqlScanner) begin(rest string) {
	s.begun = true
	word := rest[:nameLength(rest)]
	if s.d.begins != "" && (word == "" || !strings.Contains(s.d.begins, " "+strings.ToLower(word)+" ")) {
		s.fail(s.at, "a query of %s begins with one of %s", s.d.name, strings.Join(strings.Fields(s.d.begins), ", "))
	}
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isNameStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || unicode.IsLetter(r) && r != utf8.RuneError
}

func nameLength(s string) int {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) || r == utf8.RuneError {
			return i
		}
	}
	return len(s)
}

func (s *sqlScanner) comment(rest string) bool {
	switch {
	case strings.HasPrefix(rest, "--") && (!s.d.dashNeedsBlank || len(rest) == 2 || isSpace(rest[2])), rest[0] == '#' && s.d.hashComments:
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		s.at += end
		return true
	case strings.HasPrefix(rest, "/*"):
		s.blockComment(rest)
		return true
	}
	return false
}

func (s *sqlScanner) blockComment(rest string) {
	if s.d.runComments && (strings.HasPrefix(rest, "/*!") || strings.HasPrefix(rest, "/*M!")) {
		s.fail(s.at, "comments that MySQL runs (/*! … */) cannot be used")
		return
	}
	depth := 1
	for i := 2; i < len(rest); i++ {
		switch {
		case strings.HasPrefix(rest[i:], "*/"):
			i++
			if depth--; depth == 0 {
				s.at += i + 1
				return
			}
		case s.d.nestedComments && strings.HasPrefix(rest[i:], "/*"):
			depth++
			i++
		}
	}
	s.fail(s.at, "a comment is never closed")
}

// quoted passes over a string or a quoted name.
func (s *sqlScanner) quoted(rest string) bool {
	switch c := rest[0]; {
	case c == '\'':
		s.toQuote(rest, 1, '\'', s.d.backslashStrings)
	case c == '"':
		s.toQuote(rest, 1, '"', s.d.backslashStrings)
	case c == '`' && s.d.backticks:
		s.toQuote(rest, 1, '`', false)
	case c == '[' && s.d.brackets:
		s.toQuote(rest, 1, ']', false)
	case c == '$' && s.d.dollarQuotes:
		return s.dollarQuoted(rest)
	default:
		return false
	}
	return true
}

// toQuote passes over text from its first character to its closing quote;
// doubled, the quote is a character.
func (s *sqlScanner) toQuote(rest string, from int, quote byte, backslash bool) {
	for i := from; i < len(rest); i++ {
		switch {
		case backslash && rest[i] == '\\':
			i++
		case rest[i] == quote && i+1 < len(rest) && rest[i+1] == quote:
			i++
		case rest[i] == quote:
			if strings.Contains(rest[:i], "{$") && quote == '\'' {
				s.fail(s.at, "a parameter inside quotes is not replaced; write {$…} without them")
			}
			s.at += i + 1
			return
		}
	}
	s.fail(s.at, "a quote %c is never closed", quote)
}

func (s *sqlScanner) dollarQuoted(rest string) bool {
	if len(rest) > 1 && isDigit(rest[1]) {
		s.fail(s.at, "numbered parameters cannot be used; write :name")
		return true
	}
	n := 0
	if isNameStart(rest[1:]) {
		n = nameLength(rest[1:])
	}
	if n+1 >= len(rest) || rest[n+1] != '$' {
		return false
	}
	tag := rest[:n+2]
	end := strings.Index(rest[len(tag):], tag)
	if end < 0 {
		s.fail(s.at, "the text that begins with %s is never closed", tag)
		return true
	}
	s.at += 2*len(tag) + end
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// word passes over a name or keyword; E'…' of PostgreSQL begins like one.
func (s *sqlScanner) word(rest string) {
	n := nameLength(rest)
	for n < len(rest) && rest[n] == '$' { // part of names in PostgreSQL and others
		n += 1 + nameLength(rest[n+1:])
	}
	if s.d.escapeStrings && n == 1 && rest[0]|0x20 == 'e' && len(rest) > 1 && rest[1] == '\'' {
		s.toQuote(rest, 2, '\'', true)
		return
	}
	s.at += n
}

// named reads :name or @name.
func (s *sqlScanner) named(rest string) {
	sign := rest[0]
	run := len(rest) - len(strings.TrimLeft(rest, string(sign)))
	if run > 1 { // a cast, a system variable
		s.at += run + nameLength(rest[run:])
		return
	}
	if !isNameStart(rest[1:]) || sign == ':' && s.isSlice() {
		s.at++
		return
	}
	n := nameLength(rest[1:])
	name := rest[1 : 1+n]
	if !s.known(name) {
		if sign == '@' && s.d.atVariables {
			s.at += 1 + n
			return
		}
		s.fail(s.at, "unknown parameter %q", string(sign)+name)
		return
	}
	s.add(sqlPart{text: rest[:1+n], param: name})
}

// isSlice is whether the colon stands inside a subscript, as in a[1:n].
func (s *sqlScanner) isSlice() bool {
	if !s.d.casts || s.at == 0 {
		return false
	}
	before := s.src[s.at-1]
	return isDigit(before) || before == ']' || before == ')' || before == '_' || before|0x20 >= 'a' && before|0x20 <= 'z'
}

func (s *sqlScanner) placeholder(rest string) {
	end := strings.IndexByte(rest, '}')
	if end < 0 {
		s.fail(s.at, "the brace of a parameter is never closed")
		return
	}
	s.add(sqlPart{text: rest[:end+1], path: rest[:end+1]})
}

func (s *sqlScanner) add(p sqlPart) {
	s.flush(s.at)
	s.parts = append(s.parts, p)
	s.at += len(p.text)
	s.start = s.at
}
