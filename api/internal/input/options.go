package input

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// Form is a place where export options arrive, or several.
type Form uint8

// The forms.
const (
	InQuery Form = 1 << iota // of the synchronous GET and of the preview
	InBody                   // of the synchronous POST
	InAsync                  // body of the asynchronous export
)

// Option is an export option as the API accepts it.
type Option struct {
	export.Option
	In   Form
	Type string // JSON type: object, string, boolean, integer or array (of integers)
	read func(name string, value any) (any, error)
}

// Reader reads the export options of one installation.
type Reader struct {
	options []Option
	formats []string
}

// NewReader makes a Reader for the formats that the installation has.
func NewReader(formats []string) *Reader {
	rd := &Reader{formats: formats}
	for _, o := range export.Options() {
		if o.From == "formats" {
			o.Enum = formats
		}
		rd.options = append(rd.options, Option{Option: o, In: formsOf(o.In), Type: string(o.Shape), read: readerOf(&o)})
	}
	return rd
}

// Options lists the options of a form in the order of the specification.
func (rd *Reader) Options(form Form) []Option {
	return slices.DeleteFunc(slices.Clone(rd.options), func(o Option) bool { return o.In&form == 0 })
}

// formsOf reads where an option is accepted; empty means everywhere.
func formsOf(in string) Form {
	forms := map[string]Form{"query": InQuery, "body": InBody, "async": InAsync, "": InQuery | InBody | InAsync}
	var form Form
	for name := range strings.SplitSeq(in, ",") {
		form |= forms[name]
	}
	return form
}

// readerOf is what reads the values of an option: by its name where clients
// write it in ways of its own, else by its type.
func readerOf(o *export.Option) func(name string, value any) (any, error) {
	switch o.Name {
	case "format":
		return reader(readFormat)
	case "timezone":
		return reader(readTimezone)
	case "tempDataId":
		return reader(readTempData)
	}
	switch {
	case o.Secret:
		return reader(readSecret)
	case o.From != "":
		return reader(readChoice)
	case o.Shape == report.GroupShape:
		return reader(Object)
	case o.Shape == report.BoolShape:
		return reader(Bool)
	case o.Shape == report.IntegerShape:
		return reader(Int)
	case o.Shape == report.ListShape:
		return reader(Ints)
	}
	return reader(Text)
}

func reader[T any](read func(string, any) (T, error)) func(string, any) (any, error) {
	return func(name string, value any) (any, error) { return read(name, value) }
}

// Read reads the options of a form from a query or a body. Members that are
// null, and names nobody knows, count as absent; all faults are reported.
func (rd *Reader) Read(from *report.Object, form Form) (export.Request, error) {
	var r export.Request
	var problems report.Problems
	for _, o := range rd.options {
		value, ok := from.Get(o.Name)
		if !ok || value == nil {
			continue
		}
		if err := o.set(&r, value, form); err != nil {
			problems = append(problems, asProblem(o.Name, err))
		}
	}
	for _, p := range r.Check(rd.formats) {
		if !slices.ContainsFunc(problems, func(q *report.Problem) bool { return q.Path == p.Path }) {
			problems = append(problems, p)
		}
	}
	return r, problems.Err()
}

// set reads a value into a request. What is not accepted here may be passed
// over only when it asks for nothing.
func (o *Option) set(r *export.Request, value any, form Form) error {
	if form == InQuery && o.Type == "object" {
		value = unwrap(o.Name, value)
	}
	read, err := o.read(o.Name, value)
	switch {
	case o.In&form != 0 && err != nil:
		return err
	case o.In&form != 0:
		o.Set(r, read)
	case value != "" && (err != nil || o.Asks(read)):
		return report.Problemf(o.Name, "is not accepted here; accepted in: %s", o.In)
	}
	return nil
}

// String names the forms in a message.
func (f Form) String() string {
	var names []string
	for i, name := range []string{"the query of GET …/pdf", "the body of POST …/pdf", "the body of POST …/export"} {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func asProblem(name string, err error) *report.Problem {
	if p, ok := err.(*report.Problem); ok { // readers never wrap
		return p
	}
	return report.Problemf(name, "%v", err)
}

// unwrap takes an option of a query out of brackets. One client writes its
// options object whole, so that the value stands under the option's own name
// once more: "params[params]={…}".
func unwrap(name string, value any) any {
	bracketed, ok := value.(*report.Object)
	if !ok {
		return value
	}
	if own, ok := bracketed.Get(name); ok && bracketed.Len() == 1 {
		if inner, err := Object(name, members(own)); err == nil {
			return inner
		}
	}
	return members(bracketed)
}

func readTempData(name string, value any) (int, error) {
	n, err := Int(name, value)
	if err == nil && n <= 0 {
		err = report.Problemf(name, "must be the number that an upload of temporary data gave, not %d", n)
	}
	return n, err
}

func readTimezone(name string, value any) (string, error) {
	zone, err := Text(name, value)
	if err != nil || zone == "" {
		return "", err
	}
	if _, err := time.LoadLocation(zone); err != nil || strings.EqualFold(zone, "local") {
		return "", report.Problemf(name, "unknown time zone %q; use an IANA name such as Europe/Berlin", zone)
	}
	return zone, nil
}

// readChoice takes one of a list in any letter case.
func readChoice(name string, value any) (string, error) {
	choice, err := Text(name, value)
	return strings.ToLower(strings.TrimSpace(choice)), err
}

// readFormat reads a format's name in any case, its old number, or an object
// with the name in it.
func readFormat(name string, value any) (string, error) {
	if o, ok := value.(*report.Object); ok {
		value, _ = o.Get("name")
	}
	format, err := readChoice(name, value)
	if n, wrong := strconv.Atoi(format); wrong == nil && n >= 0 && n < len(export.FormatNames()) {
		format = export.FormatNames()[n]
	}
	return format, err
}

// readSecret never shows the value in its message.
func readSecret(name string, value any) (report.Secret, error) {
	text, ok := value.(string)
	if !ok {
		return "", report.Problemf(name, "must be text")
	}
	return report.Secret(text), nil
}
