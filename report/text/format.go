package text

import (
	"sort"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Format is a chain of formats, such as "n;2:suffix; kg". The zero value
// changes nothing.
type Format struct {
	source string
	steps  []step
	note   bool // the text is a footnote
	refers ReferredTo
	// Problems are unknown names and wrong options; what they concern is
	// ignored and the rest applies.
	Problems report.Problems
}

// step is one format with its options read.
type step interface {
	apply(p *pipe)
}

// definition is a row of the table of formats.
type definition struct {
	names    []string // the usual one first
	syntax   string
	help     string
	examples []example
	compile  func(o *options) step
}

// example shows a format; all of them are tests.
type example struct{ in, format, want string }

// ParseFormat reads a chain of formats; a leading colon is allowed.
func ParseFormat(source string) Format {
	f := Format{source: strings.TrimPrefix(source, ":")}
	if strings.TrimSpace(f.source) == "" {
		return f
	}
	table := formatsByName()
	for _, call := range joinPatterns(splitTop(f.source, ':'), table) {
		f.add(call, table)
	}
	return f
}

func (f *Format) add(call string, table map[string]*definition) {
	parts := splitTop(call, ';')
	name := strings.TrimSpace(parts[0])
	def := table[name]
	if def == nil {
		def = table[strings.ToLower(name)]
	}
	if def == nil {
		f.Problems = append(f.Problems, report.Problemf("", "unknown format %q is ignored; the formats are %s", name, strings.Join(formatNames(), ", ")))
		return
	}
	o := &options{name: name, list: parts[1:]}
	f.steps = append(f.steps, def.compile(o))
	f.note = f.note || def.names[0] == footnote
	if what := references[def.names[0]]; what != noReference {
		f.refers = what
	}
	f.Problems = append(f.Problems, o.problems...)
}

// joinPatterns puts together what colons of a date pattern ("dt;HH:mm") split:
// a part that is no format but pattern letters belongs to the date before it.
func joinPatterns(calls []string, table map[string]*definition) []string {
	out := calls[:0:0]
	dated := false
	for _, c := range calls {
		name, _, _ := strings.Cut(c, ";")
		def := table[strings.TrimSpace(name)]
		if def == nil && dated && isPattern(c) {
			out[len(out)-1] += ":" + c
			continue
		}
		dated = def != nil && takesPattern(def) && strings.Contains(c, ";")
		out = append(out, c)
	}
	return out
}

func takesPattern(def *definition) bool { return strings.Contains(def.syntax, "pattern") }

// String is the chain as written.
func (f Format) String() string { return f.source }

// IsZero reports whether the format changes nothing.
func (f Format) IsZero() bool { return len(f.steps) == 0 }

// Apply is the formatted text of a value; null stays null, a Deferred stays
// what it is, and without formats the value comes back unchanged.
func (f Format) Apply(v any, env *Env) any {
	if _, deferred := v.(Deferred); v == nil || deferred || len(f.steps) == 0 {
		return v
	}
	var buf [64]byte
	return string(f.Append(buf[:0], v, env, Raw))
}

// Append appends the formatted and escaped text of a value; null is empty.
func (f Format) Append(dst []byte, v any, env *Env, esc Escaper) []byte {
	start := len(dst)
	return f.escape(f.append(dst, v, env, esc.shows()), start, start, env, esc)
}

// escape escapes what was appended to dst since start.
func (f Format) escape(dst []byte, start, templateStart int, env *Env, esc Escaper) []byte {
	switch {
	case f.refers != noReference:
		return asReference(dst, start, f.refers, env, esc)
	case f.note:
		return asNote(dst, start, env, esc)
	}
	return esc.value(dst, start, templateStart)
}

// append is Append before escaping, for a page or for a program.
func (f Format) append(dst []byte, v any, env *Env, shown bool) []byte {
	switch v := v.(type) {
	case nil, Deferred:
		return dst
	case string:
		if f.IsZero() {
			return append(dst, v...)
		}
	}
	p := newPipe(dst, v, env)
	p.shown = shown
	for _, s := range f.steps {
		s.apply(p)
	}
	return p.finish()
}

// splitTop splits at a separator outside braces.
func splitTop(s string, sep byte) []string {
	var parts []string
	depth, from := 0, 0
	for i := range len(s) {
		switch {
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		case s[i] == sep && depth <= 0:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

func formatNames() []string {
	var names []string
	for _, d := range formatTable() {
		names = append(names, d.names[0])
	}
	sort.Strings(names)
	return names
}

// FormatHelp is a format as the reference and the designer show it.
type FormatHelp struct {
	Names    []string
	Syntax   string
	Help     string
	Examples []FormatExample
}

// FormatExample is a value, a format and what it prints in en-US.
type FormatExample struct{ Value, Format, Want string }

// Formats is the list of formats, for the reference and the designer.
func Formats() []FormatHelp {
	table := formatTable()
	list := make([]FormatHelp, len(table))
	for i, d := range table {
		list[i] = FormatHelp{Names: d.names, Syntax: d.syntax, Help: d.help}
		for _, x := range d.examples {
			list[i].Examples = append(list[i].Examples, FormatExample{x.in, x.format, x.want})
		}
	}
	return list
}
