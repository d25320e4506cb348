package export

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// MostPassword is how long the password of a PDF file may be, in bytes: readers
// pass over what is behind.
const MostPassword = 127

// Option is an export option: a field of Request, as requests carry it.
type Option struct {
	report.Field
	Name   string // in requests
	Help   string // in requests
	In     string // where requests may have it, such as "query,async"; empty means everywhere
	Secret bool
	denies bool // true in requests is false in the field
}

// Options lists the export options in the order of the specification.
func Options() []Option {
	var list []Option
	for _, f := range report.Fields[Request]() {
		o := Option{Field: f, Name: f.Name, Help: f.Help, In: f.Tag("in"), Secret: f.Type() == reflect.TypeFor[report.Secret]()}
		if wire := f.Tag("wire"); wire != "" {
			o.Name, o.denies = strings.CutPrefix(wire, "!")
			o.Help = f.Tag("wirehelp")
		}
		o.Enum = Choices(f.From)
		list = append(list, o)
	}
	return list
}

// Choices are the values of a list that options are chosen from.
func Choices(list string) []string {
	switch list {
	case "formats":
		return Formats()
	case "conformances":
		return Conformances()
	case "printConditions":
		return printConditions()
	}
	return nil
}

// Set gives a request the value that a client sent for the option, read as
// the option's type.
func (o *Option) Set(r *Request, value any) {
	if b, ok := value.(bool); ok && o.denies {
		value = !b
	}
	into := o.Field.In(r)
	into.Set(reflect.ValueOf(value).Convert(into.Type()))
}

// Asks tells whether a value, read as the option's type, asks for something,
// so that it must not be passed over where the option is not accepted.
func (o *Option) Asks(value any) bool {
	if b, ok := value.(bool); ok && o.denies {
		return !b
	}
	return !empty(reflect.ValueOf(value))
}

func empty(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }

// Stored is a request as it waits in the queue: everything but the workspace
// and secrets, which are kept beside it. Its members keep their names and
// their order for as long as requests wait.
func (r *Request) Stored() *report.Object {
	stored := report.ObjectOf()
	if r.UserID != 0 {
		stored.Set("userId", r.UserID)
	}
	if !r.User.IsNobody() {
		stored.Set("user", r.User)
	}
	stored.Set("report", r.Report)
	for _, o := range Options() {
		if v := o.Field.In(r); !o.Secret && !empty(v) {
			stored.Set(o.stored(), v.Interface())
		}
	}
	return stored
}

func (o *Option) stored() string {
	if name := o.Tag("queue"); name != "" {
		return name
	}
	return o.Field.Name
}

// ReadStored reads what Stored made, or what an earlier version did.
func ReadStored(stored *report.Object) (Request, error) {
	var r Request
	var problems report.Problems
	user, _ := stored.Get("userId")
	if n, ok := user.(json.Number); ok {
		r.UserID, _ = strconv.Atoi(n.String())
	}
	if person, ok := stored.Get("user"); ok {
		text, err := json.Marshal(person)
		if err == nil {
			err = json.Unmarshal(text, &r.User)
		}
		if err != nil {
			return r, fmt.Errorf("reading who looks: %w", err)
		}
	}
	ref, _ := stored.Get("report")
	r.Report, _ = ref.(string)
	for _, o := range Options() {
		if value, ok := stored.Get(o.stored()); ok && !o.Secret {
			problems = append(problems, o.Assign(value, &r)...)
		}
	}
	return r, problems.Err()
}

// Check judges what the options of a request ask together, where the
// installation has these formats. Every way to an export comes here: requests,
// jobs, the queue and the command line.
func (r *Request) Check(formats []string) report.Problems {
	var problems report.Problems
	fault := func(at, format string, args ...any) {
		problems = append(problems, report.Problemf(at, format, args...))
	}
	accepted := strings.Join(formats, ", ")
	isPDF := r.Format == "" || r.Format == "pdf"
	switch {
	case r.Format != "" && !slices.Contains(formats, r.Format) && slices.Contains(Formats(), r.Format):
		fault("format", "format %s is switched off here by the setting Office.Enabled; accepted: %s", r.Format, accepted)
	case r.Format != "" && !slices.Contains(formats, r.Format) && slices.Contains(FormatNames(), r.Format):
		fault("format", "format %s is not available in this installation; accepted: %s", r.Format, accepted)
	case r.Format != "" && !slices.Contains(formats, r.Format):
		fault("format", "unknown format %q; accepted: %s", r.Format, accepted)
	case r.protected() && !isPDF:
		fault("format", "a password and forbidden printing or copying protect PDF files only, not %s; use format pdf or leave them out", r.Format)
	}
	if len(r.Password) > MostPassword {
		fault("password", "has %d bytes; a PDF file takes at most %d", len(r.Password), MostPassword)
	}
	switch {
	case r.Conformance == "":
	case !slices.Contains(Conformances(), r.Conformance):
		fault("conformance", "unknown conformance %q; accepted: %s", r.Conformance, strings.Join(Conformances(), ", "))
	case !isPDF:
		fault("conformance", "is for format pdf only, not %s", r.Format)
	case r.protected():
		fault("conformance", "%s files cannot be protected; leave out the password, and let people print and copy", r.Conformance)
	}
	switch {
	case !r.InvoiceXML:
	case !isPDF:
		fault("invoiceXml", "stands in the place of a PDF file; leave the format out, or ask for pdf")
	case r.IncludeAttachments:
		fault("invoiceXml", "is the XML alone; leave out includeAttachments")
	case r.Signature != "":
		fault("signature", "the XML of an invoice alone is not signed; leave out one of the two")
	}
	switch {
	case r.Signature == "":
	case !isPDF:
		fault("signature", "PDF files alone are signed, not %s; use format pdf or leave it out", r.Format)
	case conformanceOf(r).press:
		fault("signature", "a PDF/X file cannot be signed; leave out one of the two")
	}
	return append(problems, r.checkPress(isPDF)...)
}
