package text

import (
	"strings"
	"time"
	"unicode/utf8"
)

// SheetValue is what a cell of a spreadsheet holds in place of a text: a value that
// programs calculate with, and the code that prints it as the text. One of Digits,
// Moment and Truth counts.
type SheetValue struct {
	Digits string // of a number, such as -1234.5
	Moment time.Time
	Truth  *bool
	SheetCode
}

// mostDigits is how many digits spreadsheets keep of a number.
const mostDigits = 15

// general is the code of cells that have none.
const general = "General"

// mostCode is how long a code may be, in bytes of it.
const mostCode = 255

// mostGeneral is how many characters of a number cells without a code print.
const mostGeneral = 11

// SheetValue is what a cell holds that prints the value by the format. It reports
// false where that is the text: the value is one, has more digits than a cell keeps,
// or no code prints it so.
func (f Format) SheetValue(v any, env *Env) (SheetValue, bool) {
	switch v := v.(type) {
	case nil, Deferred:
		return SheetValue{}, false
	case bool:
		return SheetValue{Truth: &v, SheetCode: SheetCode{Exact: true}}, f.IsZero()
	case time.Time:
		if f.IsZero() {
			f = defaultDate(v.In(env.zone()))
		}
	}
	p := newPipe(nil, v, env)
	defer func() {
		p.begin() // nothing is to be written
		p.finish()
	}()
	number := p.readNumber() && p.dec.kept()
	if f.IsZero() {
		if !number || !isNumber(v) {
			return SheetValue{}, false
		}
		return SheetValue{Digits: p.dec.digitsText(), SheetCode: SheetCode{Code: p.dec.plainCode(), Exact: len(p.dec.digits) <= mostDigits}}, true
	}
	places, integers := 0, anySize
	if number {
		places, integers = p.dec.decimals(), p.dec.integers()
	}
	code, ok := f.knownCode(env, places, integers)
	vanishes := ok && number && p.dec.vanishes(code.places)
	if ok && number && places > code.places { // a format may leave out the zeros that rounding makes
		code, ok = f.knownCode(env, p.dec.decimalsRounded(code.places), integers)
	}
	_, around := f.steps[0].(aroundStep)
	switch {
	case !ok:
		return SheetValue{}, false
	case code.Date:
		when, dated := p.readDate()
		return SheetValue{Moment: when, SheetCode: code}, dated
	case !number || around && !isNumber(v):
		return SheetValue{}, false
	}
	switch {
	case around: // the digits are those of the value
		code.Code = strings.ReplaceAll(code.Code, general, p.dec.plainCode())
	case !vanishes:
	case p.dec.neg: // of a code with one section programs print no minus before zero, as pages do
		code.Code, code.sole = code.unsigned, true
	case code.signed != "":
		code.Code = code.signed
	}
	return SheetValue{Digits: p.dec.digitsText(), SheetCode: code}, len(code.Code) <= mostCode
}

// knownCode is SheetCode, worked out once in an environment.
func (f Format) knownCode(env *Env, places, integers int) (SheetCode, bool) {
	if env == nil || f.source == "" {
		return f.sheetCode(env, places, integers)
	}
	key := codeOf{f.source, places, integers}
	known, found := env.codes[key]
	if !found {
		known.SheetCode, known.ok = f.sheetCode(env, places, integers)
		if env.codes == nil {
			env.codes = map[codeOf]knownCode{}
		}
		env.codes[key] = known
	}
	return known.SheetCode, known.ok
}

type codeOf struct {
	format           string
	places, integers int
}

type knownCode struct {
	SheetCode
	ok bool
}

// defaultDate prints a time as it is printed without a format.
func defaultDate(t time.Time) Format {
	pattern := dateTimePatternText
	if h, m, s := t.Clock(); h == 0 && m == 0 && s == 0 {
		pattern = datePatternText
	}
	return Format{steps: []step{dateStep{request: parseDateRequest(pattern)}}}
}

// kept is whether a cell keeps the number: of a longer one it loses digits before the
// point, such as those of a number that is a name.
func (d *decimal) kept() bool { return !d.nan && !d.inf && d.point <= mostDigits }

func (d *decimal) digitsText() string {
	var room [40]byte
	return string(d.appendPlain(room[:0], d.decimals()))
}

// vanishes is whether nothing but zeros is printed of a number that is not zero.
func (d *decimal) vanishes(places int) bool {
	return len(d.digits) > 0 && (d.point < -places || d.point == -places && d.digits[0] < '5')
}

// decimalsRounded is how many decimals are left when the number is rounded.
func (d *decimal) decimalsRounded(places int) int {
	keep := d.point + places
	if keep >= len(d.digits) {
		return d.decimals()
	}
	last := byte('0') // that goes when nothing but it is behind
	if keep >= 0 && d.digits[keep] >= '5' {
		last = '9' // it becomes a zero
	}
	for keep > 0 && d.digits[keep-1] == last {
		keep--
	}
	if keep <= 0 && last == '0' {
		return 0 // it is zero
	}
	return max(0, keep-d.point)
}

// plainCode prints all digits of the number; without a code cells print few.
func (d *decimal) plainCode() string {
	if len(d.digitsText()) <= mostGeneral || len(d.digits) > mostDigits {
		return general
	}
	return "0" + decimalsCode(d.decimals(), 0)
}

// SheetValue is what a cell holds that prints the template, where that is one value
// with nothing but text around it.
func (t *Template) SheetValue(env *Env) (SheetValue, bool) {
	return t.sheetValue(env, nil)
}

// HTMLSheetValue is SheetValue of a template that is HTML.
func (t *Template) HTMLSheetValue(env *Env) (SheetValue, bool) { return t.sheetValue(env, &markup{}) }

func (t *Template) sheetValue(env *Env, m *markup) (SheetValue, bool) {
	var sole *placeholder
	var before, after string
	for i := range t.parts {
		p := &t.parts[i]
		switch {
		case p.value == nil && sole == nil:
			before += m.words(p.literal)
		case p.value == nil:
			after += m.words(p.literal)
		case m != nil && m.place() != EscapeHTML: // of an attribute
		case sole != nil:
			return SheetValue{}, false
		default:
			sole = p.value
		}
	}
	if sole == nil || utf8.RuneCountInString(before+after) > mostAround {
		return SheetValue{}, false
	}
	if m != nil { // blanks at the ends of elements print nothing
		before, after = strings.TrimLeft(before, " \n\t"), strings.TrimRight(after, " \n\t")
	}
	v := sole.get(env)
	if isEmpty(v) {
		return SheetValue{}, false
	}
	value, ok := sole.format.SheetValue(v, env)
	if !ok || before == "" && after == "" {
		return value, ok
	}
	return value, value.wrap(before, after) && len(value.Code) <= mostCode
}

// mostAround is how much text may stand around a value: with more it is a sentence.
const mostAround = 24

// wrap puts text around each section of a code; truth values have none.
func (v *SheetValue) wrap(before, after string) bool {
	if v.Truth != nil {
		return false
	}
	sections := splitCode(v.Code)
	if len(sections) == 1 && !v.Date && !v.sole { // where a program puts its minus is not known
		sections = append(sections, "-"+sections[0])
	}
	for i, s := range sections {
		language := ""
		if end := strings.IndexByte(s, ']'); strings.HasPrefix(s, "[$-") && end > 0 {
			language, s = s[:end+1], s[end+1:]
		}
		sections[i] = language + sheetText(before) + s + sheetText(after)
	}
	v.Code = strings.Join(sections, ";")
	return true
}

// splitCode splits a code into its sections.
func splitCode(code string) []string {
	var sections []string
	quoted, from := false, 0
	for i := 0; i < len(code); i++ {
		switch {
		case code[i] == '\\' && !quoted:
			i++
		case code[i] == '"':
			quoted = !quoted
		case code[i] == ';' && !quoted:
			sections = append(sections, code[from:i])
			from = i + 1
		}
	}
	return append(sections, code[from:])
}
