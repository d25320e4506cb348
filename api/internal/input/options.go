package input

import (
	"encoding/json"
	"fmt"
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

const everywhere = InQuery | InBody | InAsync

// Option declares one export option: where it is accepted, how it is described
// and how its value is read.
type Option struct {
	Name string
	In   Form
	Type string // JSON type: object, string, boolean, integer or array (of integers)
	Enum []string
	Help string
	// read sets the option; value is never nil.
	read func(r *Request, name string, value any) error
	// asks tells whether a value asks for something, so that it must not be
	// passed over where the option is not accepted.
	asks func(value any) bool
}

// formatNames are the values of format in the order of their old numbers.
func formatNames() []string { return []string{"pdf", "docx", "xlsx", "pptx", "html"} }

// Reader reads the export options of one installation.
type Reader struct{ options []Option }

// NewReader makes a Reader for the formats that the installation has.
func NewReader(formats []string) *Reader { return &Reader{list(formats)} }

// Options lists the options of a form in the order of the specification.
func (rd *Reader) Options(form Form) []Option {
	return slices.DeleteFunc(slices.Clone(rd.options), func(o Option) bool { return o.In&form == 0 })
}

func list(formats []string) []Option {
	return []Option{
		{
			Name: "params", In: everywhere, Type: "object", Help: "Report parameter values by name.",
			read: into(Object, func(r *Request) **report.Object { return &r.Params }),
		},
		{
			Name: "data", In: everywhere, Type: "object", Help: "Inline data: a member per data source, which it replaces.",
			read: into(Object, func(r *Request) **report.Object { return &r.Data }),
		},
		{
			Name: "tempDataId", In: InQuery | InAsync, Type: "integer", Help: "Uploaded temporary data that replaces data sources.",
			read: readTempData, asks: notEmpty,
		},
		{
			Name: "lang", In: everywhere, Type: "string", Help: "Preferred language of the report.",
			read: into(Text, func(r *Request) *string { return &r.Lang }),
		},
		{
			Name: "timezone", In: everywhere, Type: "string", Help: "IANA time zone of dates and times. Default: the report's, then the server's.",
			read: readTimezone,
		},
		{
			Name: "format", In: everywhere, Type: "string", Enum: formats, Help: "Format of the file. Default: pdf.",
			read: formatReader(formats),
		},
		{
			Name: "includeAttachments", In: everywhere, Type: "boolean", Help: "Wraps the report and its attachments in a ZIP.",
			read: into(Bool, func(r *Request) *bool { return &r.IncludeAttachments }),
		},
		{
			Name: "template", In: everywhere, Type: "string", Help: "Code or ID of the template. Default: the report's.",
			read: into(Text, func(r *Request) *string { return &r.Template }),
		},
		{
			Name: "theme", In: everywhere, Type: "string", Help: "Code or ID of the theme. Default: the report's.",
			read: into(Text, func(r *Request) *string { return &r.Theme }),
		},
		{
			Name: "accessible", In: everywhere, Type: "boolean", Help: "Makes a PDF/UA-1 file.",
			read: into(Bool, func(r *Request) *bool { return &r.Accessible }),
		},
		{
			Name: "conformance", In: everywhere, Type: "string", Enum: export.Conformances(), Help: "Makes a PDF/A file; pdf/a-3b has the data inside, pdf/a-2a is PDF/UA-1 as well.",
			read: readConformance,
		},
		{
			Name: "password", In: InBody | InAsync, Type: "string", Help: "Encrypts the PDF with AES-256.",
			read: readPassword, asks: notEmpty,
		},
		{
			Name: "allowPrinting", In: InBody | InAsync, Type: "boolean", Help: "Whether readers let people print. Default: true.",
			read: into(Bool, func(r *Request) *bool { return &r.AllowPrinting }), asks: denies,
		},
		{
			Name: "allowCopying", In: InBody | InAsync, Type: "boolean", Help: "Whether readers let people copy. Default: true.",
			read: into(Bool, func(r *Request) *bool { return &r.AllowCopying }), asks: denies,
		},
		{
			Name: "excludePages", In: InAsync, Type: "array", Help: "IDs of the pages to leave out.",
			read: into(Ints, func(r *Request) *[]int { return &r.ExcludePages }), asks: notEmpty,
		},
	}
}

// into makes the reader of an option that is one field.
func into[T any](read func(string, any) (T, error), field func(*Request) *T) func(*Request, string, any) error {
	return func(r *Request, name string, value any) error {
		v, err := read(name, value)
		if err == nil {
			*field(r) = v
		}
		return err
	}
}

func notEmpty(value any) bool {
	list, isList := value.([]any)
	return value != "" && (!isList || len(list) > 0)
}

func denies(value any) bool {
	allowed, err := Bool("", value)
	return err != nil || !allowed
}

// Read reads the options of a form from a query or a body. Members that are
// null, and names nobody knows, count as absent; all faults are reported.
func (rd *Reader) Read(from *report.Object, form Form) (Request, error) {
	r := Request{AllowPrinting: true, AllowCopying: true}
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
	if len(problems) == 0 && protected(&r) && r.Format != "" && r.Format != "pdf" {
		problems = append(problems, report.Problemf("format", "password, allowPrinting and allowCopying protect PDF files only, not %s; use format pdf or leave them out", r.Format))
	}
	return r, problems.Err()
}

func (o Option) set(r *Request, value any, form Form) error {
	switch {
	case o.In&form != 0 && form == InQuery && o.Type == "object":
		return o.read(r, o.Name, unwrap(o.Name, value))
	case o.In&form != 0:
		return o.read(r, o.Name, value)
	case o.asks != nil && o.asks(value):
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

func protected(r *Request) bool { return r.Password != "" || !r.AllowPrinting || !r.AllowCopying }

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

func readTempData(r *Request, name string, value any) error {
	n, err := Int(name, value)
	if err == nil && n <= 0 {
		err = report.Problemf(name, "must be the number that an upload of temporary data gave, not %d", n)
	}
	r.TempDataID = n
	return err
}

func readTimezone(r *Request, name string, value any) error {
	zone, err := Text(name, value)
	if err != nil || zone == "" {
		return err
	}
	if _, err := time.LoadLocation(zone); err != nil || strings.EqualFold(zone, "local") {
		return report.Problemf(name, "unknown time zone %q; use an IANA name such as Europe/Berlin", zone)
	}
	r.Timezone = zone
	return nil
}

// formatReader reads a format's name in any case, its old number, or an object
// with the name in it.
func formatReader(formats []string) func(*Request, string, any) error {
	accepted := strings.Join(formats, ", ")
	return func(r *Request, name string, value any) error {
		format := formatName(value)
		switch {
		case slices.Contains(formats, format):
			r.Format = format
			return nil
		case slices.Contains(formatNames(), format):
			return report.Problemf(name, "format %s is not available in this installation; accepted: %s", format, accepted)
		}
		return report.Problemf(name, "unknown format %s; accepted: %s", describe(value), accepted)
	}
}

// readConformance takes a kind of PDF/A in any letter case.
func readConformance(r *Request, name string, value any) error {
	kind, err := Text(name, value)
	if err != nil {
		return err
	}
	r.Conformance = strings.ToLower(strings.TrimSpace(kind))
	if r.Conformance != "" && !slices.Contains(export.Conformances(), r.Conformance) {
		return report.Problemf(name, "unknown conformance %q; accepted: %s", kind, strings.Join(export.Conformances(), ", "))
	}
	return nil
}

func formatName(value any) string {
	if o, ok := value.(*report.Object); ok {
		value, _ = o.Get("name")
	}
	switch value.(type) {
	case string, json.Number:
		text := strings.ToLower(strings.TrimSpace(fmt.Sprint(value)))
		if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < len(formatNames()) {
			return formatNames()[n]
		}
		return text
	}
	return ""
}

// readPassword never shows the value in its message.
func readPassword(r *Request, name string, value any) error {
	text, ok := value.(string)
	if !ok {
		return report.Problemf(name, "must be text")
	}
	r.Password = report.Secret(text)
	return nil
}
