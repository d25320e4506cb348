package export

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// Component is an element type as the designer shows it: in its palette, and as
// the form of its settings.
type Component struct {
	Name      string    `json:"name"`
	Label     string    `json:"label"`
	Category  string    `json:"category"`
	Help      string    `json:"help"`
	Icon      string    `json:"icon"` // the name of its drawing
	Container bool      `json:"container,omitempty"`
	Template  bool      `json:"template,omitempty"` // belongs into templates only
	Settings  []Setting `json:"settings"`
}

// Setting is one setting of an element type.
type Setting struct {
	Name     string    `json:"name"`
	Label    string    `json:"label,omitempty"`
	Help     string    `json:"help,omitempty"`
	Editor   string    `json:"editor,omitempty"`
	Shape    string    `json:"shape"`
	Default  string    `json:"default,omitempty"`
	Enum     []string  `json:"enum,omitempty"`
	Min      *float64  `json:"min,omitempty"`
	Max      *float64  `json:"max,omitempty"`
	Required bool      `json:"required,omitempty"`
	Means    string    `json:"means,omitempty"`    // as report.Field.Means says it
	Group    string    `json:"group,omitempty"`    // such as Box or Font, which many components have
	Settings []Setting `json:"settings,omitempty"` // of a group
	Item     *Setting  `json:"item,omitempty"`     // of a list or map; its label is what people call one
}

// Components are all element types in the order of the palette.
func Components() []Component {
	var list []Component
	for _, t := range htmlgen.Types() {
		list = append(list, Component{t.Name, t.Label, t.Category, t.Help, t.Icon, t.Container, t.Template, settings(t.Props, nil)})
	}
	return list
}

// SourceType is a type of data source as the designer offers it.
type SourceType struct {
	Name     string    `json:"name"`
	Label    string    `json:"label"`
	Help     string    `json:"help"`
	Settings []Setting `json:"settings"`
}

// SourceTypes are all types of data sources in the order people see them.
func SourceTypes() []SourceType {
	var list []SourceType
	for _, t := range data.Types() {
		list = append(list, SourceType{t.Name, t.Label, t.Help, settings(t.Fields(), nil)})
	}
	return list
}

// DesignSchema is everything the designer's forms are drawn from.
type DesignSchema struct {
	Components  []Component          `json:"components"`
	SourceTypes []SourceType         `json:"sourceTypes"`
	Steps       []StepType           `json:"steps"`
	Schemas     map[string][]Setting `json:"schemas"` // of report, page and layout, and of each kind in the library by its plural
}

// Schema describes all element types, all types of data sources, and what else
// has a form. Parts with an editor of their own, such as the elements of a
// page, are left out.
func Schema() DesignSchema {
	return DesignSchema{Components(), SourceTypes(), stepTypes(), map[string][]Setting{
		"report":       formOf[report.Report]("$schema", "version", "kind", "name", "subreport", "pages", "dataSources", "parameters", "include"),
		"page":         pageForm(),
		"layout":       formOf[report.Layout]("header", "firstHeader", "footer", "body", "design"),
		"templates":    formOf[report.Template]("layouts"),
		"parameters":   formOf[report.Parameter](),
		"dataSources":  formOf[report.DataSource]("type", "settings"),
		"themes":       formOf[report.Theme](),
		"dictionaries": formOf[report.Dictionary]("entries"),
		"languages":    formOf[report.Language](),
		"reportTypes":  formOf[report.ReportType](),
		"pageTypes":    formOf[report.PageType](),
		"jobs":         formOf[report.Job](),
	}}
}

// pageForm is the form of a page. That a page counts unless said is no default
// of the field: what is not set has to stay so in files.
func pageForm() []Setting {
	form := formOf[report.Page]("id", "elements", "placeholders", "design")
	i := slices.IndexFunc(form, func(s Setting) bool { return s.Name == "count" })
	form[i].Default = "true"
	return form
}

func formOf[T any](without ...string) []Setting {
	return slices.DeleteFunc(settings(report.Fields[T](), nil), func(s Setting) bool { return slices.Contains(without, s.Name) })
}

// StepType is a kind of transformation step as the step builder offers it.
type StepType struct {
	Name     string    `json:"name"`
	Label    string    `json:"label"`
	Help     string    `json:"help"`
	Alone    bool      `json:"alone"` // needs no other source, so that elements may have it
	Settings []Setting `json:"settings"`
}

func stepTypes() []StepType {
	var list []StepType
	for _, t := range steps.Types() {
		list = append(list, StepType{t.Name, t.Label, t.Help, t.Alone, settings(t.Props, nil)})
	}
	return list
}

// Settings describes fields as forms are drawn from them.
func Settings(fields []report.Field) []Setting { return settings(fields, nil) }

func settings(fields []report.Field, within []reflect.Type) []Setting {
	list := make([]Setting, len(fields))
	for i := range fields {
		list[i] = setting(&fields[i], within)
	}
	return list
}

// setting describes a field. Groups that hold themselves, such as the rows of a
// table, are described once on the way down.
func setting(f *report.Field, within []reflect.Type) Setting {
	s := Setting{Name: f.Name, Label: f.Label, Help: cmp.Or(f.Tag("ask"), f.Help), Editor: f.Editor, Shape: string(f.Shape), Default: f.Default, Enum: f.Enum, Min: f.Min, Max: f.Max, Required: f.Required, Means: f.Means, Group: f.Group}
	if f.From != "" {
		s.Enum = Choices(f.From)
	}
	switch f.Shape {
	case report.GroupShape:
		switch t := f.Type(); {
		case t == reflect.TypeFor[report.Element]():
			s.Editor = "element"
		case !slices.Contains(within, t):
			s.Settings = settings(f.Fields(), append(slices.Clone(within), t))
		}
	case report.ListShape, report.MapShape:
		item := setting(f.Items(), within)
		item.Label = f.Tag("one")
		s.Item = &item
	}
	return s
}
