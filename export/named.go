package export

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// NamedKind is a sort of thing that definitions name.
type NamedKind string

// The kinds.
const (
	NamedConnection NamedKind = "connection"
	NamedSource     NamedKind = "data source" // of the library
	NamedParameter  NamedKind = "parameter"   // of the library
	NamedFile       NamedKind = "managed file"
	NamedReport     NamedKind = "report"
	NamedTemplate   NamedKind = "template"
	NamedTheme      NamedKind = "theme"
)

// Named is something outside a definition that the definition names.
type Named struct {
	Kind NamedKind
	// Name is how the definition calls it; empty for a managed file whose name
	// comes of data or a script, and so may be any.
	Name string
	Path string
	// Use is what the definition does with it: of a connection the data source
	// with its query and scripts, else the name. Two definitions that have the
	// same use of the same kind reach the same through it.
	Use string
}

// Names lists what a definition names outside itself. It takes the definitions
// of package report by pointer; those that name nothing, such as a dictionary,
// have an empty list. What a report carries along is no name of its own.
func Names(definition any) []Named {
	n := &namer{types: map[string]*htmlgen.Type{}, sources: map[string]data.Type{}}
	types := htmlgen.Types()
	for i := range types {
		n.types[types[i].Name] = &types[i]
	}
	for _, t := range data.Types() {
		n.sources[t.Name] = t
	}
	switch d := definition.(type) {
	case *report.Report:
		n.report(d)
	case *report.Job:
		n.job(d)
	case *report.Template:
		n.template(d, "")
	case *report.Theme:
		n.theme(d, "")
	case *report.DataSource:
		n.source(d.Type, d.Settings, "")
	case *report.Parameter:
		n.parameter(d, "")
	}
	return n.list
}

// namer is one walk over a definition.
type namer struct {
	types   map[string]*htmlgen.Type
	sources map[string]data.Type
	list    []Named
}

func (n *namer) add(kind NamedKind, name, path string) { n.use(kind, name, name, path) }

func (n *namer) use(kind NamedKind, name, use, path string) {
	if use != "" {
		n.list = append(n.list, Named{kind, name, path, use})
	}
}

func (n *namer) report(d *report.Report) {
	own := d.Include
	if own == nil {
		own = &report.Include{}
	}
	if d.Template != "" && byCode(own.Templates, d.Template, func(t *report.Template) string { return t.Code }) == nil {
		n.add(NamedTemplate, d.Template, "template")
	}
	if d.Theme != "" && byCode(own.Themes, d.Theme, func(t *report.Theme) string { return t.Code }) == nil {
		n.add(NamedTheme, d.Theme, "theme")
	}
	for i := range d.Pages {
		n.page(&d.Pages[i], fmt.Sprintf("pages[%d]", i))
	}
	n.data(d.DataSources, d.Parameters, own)
	for i := range own.Templates {
		n.template(&own.Templates[i], fmt.Sprintf("include.templates[%d]", i))
	}
	for i := range own.Themes {
		n.theme(&own.Themes[i], fmt.Sprintf("include.themes[%d]", i))
	}
	for i := range own.DataSources {
		n.source(own.DataSources[i].Type, own.DataSources[i].Settings, fmt.Sprintf("include.dataSources[%d]", i))
	}
	for i := range own.Parameters {
		n.parameter(&own.Parameters[i], fmt.Sprintf("include.parameters[%d]", i))
	}
}

// data walks data sources and parameters; those of the library are named unless
// they come along, under exactly that name.
func (n *namer) data(sources []report.SourceUse, parameters []report.ParameterUse, own *report.Include) {
	for i := range sources {
		use, at := &sources[i], fmt.Sprintf("dataSources[%d]", i)
		switch {
		case use.Reuse == "":
			n.source(use.Type, use.Settings, at)
		case !slices.ContainsFunc(own.DataSources, func(s report.DataSource) bool { return s.Name == use.Reuse }):
			n.add(NamedSource, use.Reuse, at+".reuse")
		}
	}
	for i := range parameters {
		use, at := &parameters[i], fmt.Sprintf("parameters[%d]", i)
		switch {
		case use.Reuse == "":
			n.parameter(&use.Parameter, at)
		case !slices.ContainsFunc(own.Parameters, func(p report.Parameter) bool { return p.Name == use.Reuse }):
			n.add(NamedParameter, use.Reuse, at+".reuse")
		}
	}
}

func (n *namer) parameter(p *report.Parameter, at string) {
	s := p.LookupSource
	if s == nil {
		return
	}
	at = report.JoinPath(at, "lookupSource")
	if s.Reuse != "" {
		n.add(NamedSource, s.Reuse, at+".reuse")
		return
	}
	n.source(s.Type, s.Settings, at)
}

// source finds the connection of a data source. Its use is everything that the
// source says: who changes the query reaches something else.
func (n *namer) source(kind string, settings map[string]any, at string) {
	t, known := n.sources[kind]
	if !known {
		return // refused elsewhere, and runs nothing
	}
	for _, f := range t.Fields() {
		name, _ := settings[f.Name].(string)
		if f.Editor != "ref:connections" || name == "" {
			continue
		}
		whole, err := json.Marshal(settings)
		if err != nil {
			whole = []byte(at) // cannot be compared, and so is new
		}
		n.use(NamedConnection, name, kind+" "+string(whole), report.JoinPath(at, "settings."+f.Name))
	}
}

func (n *namer) page(p *report.Page, at string) {
	n.add(NamedReport, p.Report, at+".report")
	n.file(p.Document, at+".document")
	n.elements(p.Elements, at+".elements")
	for name, elements := range p.Placeholders {
		n.elements(elements, report.JoinPath(at+".placeholders", name))
	}
}

func (n *namer) template(t *report.Template, at string) {
	n.add(NamedTheme, t.Theme, report.JoinPath(at, "theme"))
	for i := range t.Layouts {
		l := &t.Layouts[i]
		for _, part := range []struct {
			name     string
			elements []report.Element
		}{{"header", l.Header}, {"firstHeader", l.FirstHeader}, {"footer", l.Footer}, {"body", l.Body}} {
			n.elements(part.elements, report.JoinPath(at, fmt.Sprintf("layouts[%d].%s", i, part.name)))
		}
	}
}

func (n *namer) theme(t *report.Theme, at string) {
	for i, name := range t.ExternalCSS {
		n.add(NamedFile, name, place(report.JoinPath(at, "externalCss"), i))
	}
}

func (n *namer) job(j *report.Job) {
	n.data(j.DataSources, j.Parameters, &report.Include{})
	for i := range j.Reports {
		r, at := &j.Reports[i], fmt.Sprintf("reports[%d]", i)
		use := r.Report
		if r.IncludeAttachments && use != "" {
			use += " with its data"
		}
		n.use(NamedReport, r.Report, use, at+".report")
		n.add(NamedTemplate, r.Template, at+".template")
		n.add(NamedTheme, r.Theme, at+".theme")
		n.signature(j, r, at+".signature")
	}
	for i := range j.Deliveries {
		d := &j.Deliveries[i]
		n.add(NamedConnection, d.Connection, fmt.Sprintf("deliveries[%d].connection", i))
	}
	n.add(NamedConnection, j.Webhook, "webhook")
}

// signature is used for what the key signs: other data, entries or settings of the
// document are another use of it.
func (n *namer) signature(j *report.Job, r *report.JobReport, at string) {
	if r.Signature == "" {
		return
	}
	signed, err := report.MarshalDefinition(&report.Job{
		Parameters: j.Parameters, DataSources: j.DataSources, Repeat: j.Repeat, RunAs: j.RunAs, Language: j.Language, Timezone: j.Timezone, Reports: []report.JobReport{*r},
	})
	if err != nil {
		signed = []byte(at) // cannot be compared, and so is new
	}
	n.use(NamedConnection, r.Signature, "sign "+string(signed), at)
}

func (n *namer) elements(list []report.Element, at string) {
	for i := range list {
		e, here := &list[i], place(at, i)
		n.settings(e.Type, e.Props, here+".props")
		n.elements(e.Children, here+".children")
	}
}

// settings walks the settings of an element by the schema of its type, so that
// a new component needs no code here.
func (n *namer) settings(kind string, props any, at string) {
	if t := n.types[kind]; t != nil { // else refused elsewhere, and draws nothing
		n.group(t.Props, props, at)
	}
}

func (n *namer) group(fields []report.Field, given any, at string) {
	for i := range fields {
		if v := member(given, fields[i].Name); v != nil {
			n.value(&fields[i], v, report.JoinPath(at, fields[i].Name))
		}
	}
}

func (n *namer) value(f *report.Field, v any, at string) {
	switch v := v.(type) {
	case string:
		n.text(f, v, at)
	case []any:
		item := f
		if f.Shape == report.ListShape {
			item = f.Items()
		}
		for i := range v {
			n.value(item, v[i], place(at, i))
		}
	default:
		switch f.Shape {
		case report.GroupShape:
			n.member(f, v, at)
		case report.MapShape:
			eachMember(v, func(name string, v any) { n.value(f.Items(), v, report.JoinPath(at, name)) })
		default: // free settings: only HTML can name something there
			eachMember(v, func(name string, v any) { n.value(&report.Field{}, v, report.JoinPath(at, name)) })
		}
	}
}

// member walks a group, which may be an element inside the settings of another.
func (n *namer) member(f *report.Field, v any, at string) {
	if f.Type() != reflect.TypeFor[report.Element]() {
		n.group(f.Fields(), v, at)
		return
	}
	kind, _ := member(v, "type").(string)
	n.settings(kind, member(v, "props"), at+".props")
	children, _ := member(v, "children").([]any)
	for i := range children {
		n.member(f, children[i], place(at+".children", i))
	}
}

func (n *namer) text(f *report.Field, v, at string) {
	switch {
	case f.Editor == "report":
		n.add(NamedReport, v, at)
	case f.Names == "file" && f.Editor == "code": // a script may return any picture
		n.use(NamedFile, "", strings.TrimSpace(v), at)
	case f.Names == "file":
		n.file(v, at)
	default:
		n.markup(v, at)
	}
}

// file notes a managed file. A name with a placeholder may become any.
func (n *namer) file(name, at string) {
	name = strings.TrimSpace(name)
	if elsewhere(name) {
		return
	}
	if strings.Contains(name, "{") {
		n.use(NamedFile, "", name, at)
		return
	}
	n.add(NamedFile, strings.TrimPrefix(name, "/"), at)
}

// elsewhere tells whether the address of a picture does not name a managed file.
func elsewhere(name string) bool {
	lower := strings.ToLower(strings.TrimSpace(name))
	return strings.HasPrefix(lower, "data:") || strings.HasPrefix(lower, "http:") || strings.HasPrefix(lower, "https:")
}

// madeTag is HTML in which a value is part of the name of a tag.
var madeTag = regexp.MustCompile(`<[a-zA-Z]*\{`)

// quoted is the value of a setting of a tag, out of which no value leads.
var quoted = regexp.MustCompile(`=\s*("[^"]*"|'[^']*')`)

// markup notes the pictures of HTML, as it is written and as it is once values
// are in it: what a placeholder says may look like the end of a tag. Where a
// value makes the tag itself, it may be any picture.
func (n *namer) markup(source, at string) {
	if !strings.Contains(strings.ToLower(source), "<im") && !madeTag.MatchString(source) {
		return
	}
	var found []string
	for _, filled := range []string{source, text.ParseHTML(source).With("{}")} {
		found = append(found, picturesIn(filled)...)
	}
	anyOf := func(name string) bool { return strings.Contains(name, "{") && !elsewhere(name) }
	slices.Sort(found)
	for _, name := range slices.Compact(found) {
		if !anyOf(name) {
			n.file(name, at)
		}
	}
	if slices.ContainsFunc(found, anyOf) {
		n.use(NamedFile, "", source, at)
	}
}

// picturesIn are the names of the pictures of HTML; those with a brace may
// become any.
func picturesIn(source string) (found []string) {
	if madeTag.MatchString(source) {
		return []string{"{}"}
	}
	tokens := html.NewTokenizer(strings.NewReader(source))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		if kind == html.TextToken {
			continue
		}
		if strings.Contains(quoted.ReplaceAllString(string(tokens.Raw()), ""), "{") {
			return []string{"{}"}
		}
		tag := tokens.Token()
		if tag.Data != "img" && tag.Data != "image" {
			continue
		}
		for _, a := range tag.Attr {
			if a.Key == "src" {
				found = append(found, a.Val)
			}
		}
	}
	return found
}

// member is a member of settings, which are a map or an object.
func member(of any, name string) any {
	switch o := of.(type) {
	case map[string]any:
		return o[name]
	case *report.Object:
		v, _ := o.Get(name)
		return v
	}
	return nil
}

func eachMember(of any, visit func(name string, v any)) {
	switch o := of.(type) {
	case map[string]any:
		for name, v := range o {
			visit(name, v)
		}
	case *report.Object:
		for name, v := range o.All() {
			visit(name, v)
		}
	}
}

// ReadsAt is the first place of a definition whose text reads a data source by
// $data, as a report reads a global one; empty when none does.
func ReadsAt(definition any, source string) string {
	doc, err := report.MarshalDefinition(definition)
	if err != nil {
		return ""
	}
	value, err := report.ParseValue(doc)
	if err != nil {
		return ""
	}
	return readsAt(value, "$data."+source, "")
}

func readsAt(v any, read, at string) string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, read) {
			return at
		}
	case []any:
		for i := range v {
			if found := readsAt(v[i], read, place(at, i)); found != "" {
				return found
			}
		}
	case *report.Object:
		for name, member := range v.All() {
			here := report.JoinPath(at, name)
			if strings.Contains(name, read) {
				return here
			}
			if found := readsAt(member, read, here); found != "" {
				return found
			}
		}
	}
	return ""
}
