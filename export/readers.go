package export

import (
	"reflect"
	"slices"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// ForReaders is what people see of a definition that they may use but not
// change: its names, its pages and the parameters that a form asks for, without
// the settings of data sources, scripts and connections. It takes the
// definitions of package report by pointer and changes nothing of them; those
// that keep no such thing come back as they are.
func ForReaders(definition any) any {
	switch d := definition.(type) {
	case *report.Report:
		return readersReport(d)
	case *report.Job:
		return readersJob(d)
	case *report.DataSource:
		s := readersSource(*d)
		return &s
	case *report.Parameter:
		p := readersParameter(*d)
		return &p
	case *report.Template:
		return readersTemplate(d)
	}
	return definition
}

func readersReport(d *report.Report) *report.Report {
	seen := &report.Report{
		Version: d.Version, Kind: d.Kind, Name: d.Name, Description: d.Description, Type: d.Type, Theme: d.Theme, Template: d.Template,
		Language: d.Language, Timezone: d.Timezone, Subreport: d.Subreport, Parameters: readersParameters(d.Parameters),
	}
	for _, p := range d.Pages {
		seen.Pages = append(seen.Pages, report.Page{ID: p.ID, Name: p.Name, Type: p.Type})
	}
	return seen
}

func readersParameters(uses []report.ParameterUse) []report.ParameterUse {
	var seen []report.ParameterUse
	for _, use := range uses {
		use.Parameter = readersParameter(use.Parameter)
		seen = append(seen, use)
	}
	return seen
}

// readersParameter is a parameter without what works its default and its values
// out.
func readersParameter(p report.Parameter) report.Parameter {
	if text, ok := p.Default.(string); ok && strings.Contains(text, "{") {
		p.Default = nil
	}
	if p.LookupSource != nil {
		p.LookupSource = &report.LookupSource{Dependencies: p.LookupSource.Dependencies}
	}
	return p
}

func readersSource(s report.DataSource) report.DataSource {
	s.Settings = nil
	return s
}

func readersJob(d *report.Job) *report.Job {
	seen := *d
	seen.Parameters, seen.Webhook = readersParameters(d.Parameters), ""
	seen.DataSources, seen.Reports, seen.Deliveries = nil, nil, nil
	for _, use := range d.DataSources {
		seen.DataSources = append(seen.DataSources, report.SourceUse{DataSource: readersSource(use.DataSource), Reuse: use.Reuse})
	}
	for _, r := range d.Reports {
		r.Data, r.Password = nil, ""
		seen.Reports = append(seen.Reports, r)
	}
	for _, to := range d.Deliveries {
		seen.Deliveries = append(seen.Deliveries, report.JobDelivery{Name: to.Name, Per: to.Per, Pack: to.Pack, Type: to.Type})
	}
	return &seen
}

// readersTemplate is a template without scripts.
func readersTemplate(d *report.Template) *report.Template {
	w := withoutCode{}
	for _, t := range htmlgen.Types() {
		w[t.Name] = t.Props
	}
	seen := *d
	seen.Layouts = nil
	for _, l := range d.Layouts {
		for _, part := range []*[]report.Element{&l.Header, &l.FirstHeader, &l.Footer, &l.Body} {
			*part = w.elements(*part)
		}
		seen.Layouts = append(seen.Layouts, l)
	}
	return &seen
}

// withoutCode copies elements without the settings that are scripts. It holds
// the settings of each type.
type withoutCode map[string][]report.Field

func (w withoutCode) elements(list []report.Element) []report.Element {
	var seen []report.Element
	for _, e := range list {
		if e.Props != nil {
			e.Props = w.group(w[e.Type], e.Props)
		}
		e.Children = w.elements(e.Children)
		seen = append(seen, e)
	}
	return seen
}

func (w withoutCode) group(fields []report.Field, given any) map[string]any {
	kept := map[string]any{}
	eachMember(given, func(name string, v any) {
		i := slices.IndexFunc(fields, func(f report.Field) bool { return f.Name == name })
		switch {
		case i < 0:
			kept[name] = v
		case fields[i].Editor != "code":
			kept[name] = w.value(&fields[i], v)
		}
	})
	return kept
}

func (w withoutCode) value(f *report.Field, v any) any {
	switch v := v.(type) {
	case []any:
		if f.Shape != report.ListShape {
			return v
		}
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = w.value(f.Items(), v[i])
		}
		return kept
	case map[string]any, *report.Object:
		switch {
		case f.Shape == report.GroupShape && f.Type() == reflect.TypeFor[report.Element]():
			return w.element(f, v)
		case f.Shape == report.GroupShape:
			return w.group(f.Fields(), v)
		}
	}
	return v
}

// element is an element inside the settings of another.
func (w withoutCode) element(f *report.Field, v any) any {
	kept := map[string]any{}
	kind, _ := member(v, "type").(string)
	eachMember(v, func(name string, v any) {
		children, isList := v.([]any)
		switch {
		case name == "props":
			v = w.group(w[kind], v)
		case name == "children" && isList:
			list := make([]any, len(children))
			for i := range children {
				list[i] = w.value(f, children[i])
			}
			v = list
		}
		kept[name] = v
	})
	return kept
}
