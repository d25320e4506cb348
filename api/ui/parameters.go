package ui

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// parameterForm asks for the parameters of a report. It is sent as a query in
// brackets, which the preview reads like any other client's.
type parameterForm struct {
	Report string
	Leads  bool // whether values decide what others offer
	Groups []parameterGroup
	Hidden []hiddenOption
}

// parameterGroup is a section of the form.
type parameterGroup struct {
	Name   string           `json:"name"`
	Fields []parameterField `json:"fields"`
}

// parameterField is one parameter in the form, and in the viewer.
type parameterField struct {
	ID       string   `json:"-"`
	Name     string   `json:"-"` // in a query
	Key      string   `json:"name"`
	Label    string   `json:"label"`
	Kind     string   `json:"kind"` // text, number, date, months or choice
	Required bool     `json:"required,omitzero"`
	Multiple bool     `json:"multiple,omitzero"`
	Value    string   `json:"value,omitzero"`
	From     string   `json:"from,omitzero"`
	To       string   `json:"to,omitzero"`
	Choices  []choice `json:"choices,omitempty"`
	Words    bool     `json:"words,omitzero"`   // the choices are words of the page
	Leads    bool     `json:"leads,omitzero"`   // lookups depend on it
	Waits    []string `json:"waits,omitempty"`  // labels of what it needs first
	Problem  string   `json:"problem,omitzero"` // what is wrong with the value
}

type choice struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Selected bool   `json:"selected,omitzero"`
}

// hiddenOption is an option of the address that the form keeps.
type hiddenOption struct{ Name, Value string }

// keptOptions are the options of an address but the parameters, which the form
// asks for, and the nonce, which is used.
func keptOptions(query url.Values) []hiddenOption {
	var kept []hiddenOption
	for name, values := range query {
		if name != "nonce" && name != "ask" && name != "params" && !strings.HasPrefix(name, "params[") && values[0] != "" {
			kept = append(kept, hiddenOption{name, values[0]})
		}
	}
	slices.SortFunc(kept, func(a, b hiddenOption) int { return strings.Compare(a.Name, b.Name) })
	return kept
}

// newParameterForm asks for parameters. What is wrong is said only where a value
// was given: that one is required, the label says.
func newParameterForm(title string, asked []export.Asked, given *report.Object, problems report.Problems) *parameterForm {
	form := &parameterForm{Report: title}
	for i, a := range asked {
		value, _ := given.Get(a.Name)
		problem := problemOf(a.Name, problems)
		if value == nil {
			value, problem = plainDefault(a.Parameter), ""
		}
		field := newField(i, a, value)
		field.Problem = problem
		if a.Problem != "" {
			field.Problem = sentence(a.Problem)
		}
		form.Leads = form.Leads || a.Leads
		form.add(a.Group, field)
	}
	return form
}

// plainDefault is the default of a parameter, unless it has to be worked out:
// then the field stays empty and the default applies.
func plainDefault(p report.Parameter) any {
	if text, ok := p.Default.(string); ok && strings.Contains(text, "{") {
		return nil
	}
	return p.Default
}

func (f *parameterForm) add(group string, field parameterField) {
	for i := range f.Groups {
		if f.Groups[i].Name == group {
			f.Groups[i].Fields = append(f.Groups[i].Fields, field)
			return
		}
	}
	f.Groups = append(f.Groups, parameterGroup{group, []parameterField{field}})
}

func newField(number int, p export.Asked, value any) parameterField {
	field := parameterField{
		ID: fmt.Sprintf("p%d", number), Name: "params[" + p.Name + "]", Key: p.Name, Label: p.Label, Kind: "text",
		Required: p.Required, Multiple: p.Multiple, Leads: p.Leads, Waits: p.Waits, Value: showValue(value),
	}
	if field.Label == "" {
		field.Label = p.Name
	}
	switch p.Type {
	case report.ParameterNumber, report.ParameterDate:
		field.Kind = p.Type
	case report.ParameterMonthRange:
		field.Kind = "months"
		field.From, field.To = monthsOf(value)
	case report.ParameterSwitch:
		field.Kind, field.Words = "choice", true
		field.Choices = []choice{{"true", say("Yes"), field.Value == "true"}, {"false", say("No"), field.Value != "true"}}
	case report.ParameterLookup:
		field.asChoice(p, value)
	}
	return field
}

// monthsOf are the first and last month of a range, which ends with the day
// after it unless it is written in months.
func monthsOf(value any) (from, to string) {
	o, ok := value.(*report.Object)
	if !ok {
		return showValue(value), showValue(value)
	}
	first, _ := o.Get("from")
	after, _ := o.Get("to")
	from, to = showValue(first), showValue(after)
	if day, err := time.Parse(time.DateOnly, to); err == nil {
		to = day.AddDate(0, 0, -1).Format("2006-01")
	}
	if day, err := time.Parse(time.DateOnly, from); err == nil {
		from = day.Format("2006-01")
	}
	return from, to
}

// asChoice offers the values of a lookup; one that has none to offer stays a
// text.
func (f *parameterField) asChoice(p export.Asked, value any) {
	if len(p.Choices) == 0 && p.LookupSource == nil {
		return
	}
	f.Kind = "choice"
	if !p.Multiple && (!p.Required || value == nil) {
		f.Choices = append(f.Choices, choice{Label: "–"})
	}
	if p.Multiple {
		f.Name += "[]"
	}
	for _, item := range p.Choices {
		c := choice{Value: showValue(item.Value), Label: item.Label, Selected: selected(value, item.Value)}
		if c.Label == "" {
			c.Label = c.Value
		}
		f.Choices = append(f.Choices, c)
	}
}

func selected(value, item any) bool {
	if list, ok := value.([]any); ok {
		return slices.ContainsFunc(list, func(v any) bool { return showValue(v) == showValue(item) })
	}
	return showValue(value) == showValue(item)
}

// showValue is a value as the text of a field.
func showValue(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case *report.Object, []any:
		text, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		return string(text)
	}
	return fmt.Sprint(value)
}

// problemOf is what is wrong with a parameter, in one sentence.
func problemOf(name string, problems report.Problems) string {
	for _, p := range problems {
		path := strings.TrimPrefix(p.Path, "params.")
		if path == name || strings.HasPrefix(path, name+".") || strings.HasPrefix(path, name+"[") {
			return sentence(p.Message)
		}
	}
	return ""
}
