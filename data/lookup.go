package data

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// maxChoices is how many values a lookup offers; nobody reads more.
const maxChoices = 1000

// Choices are the values that a lookup parameter offers, with the parameters
// given so far in req. Waits names the parameters of its dependencies that have
// no value yet; there are no choices then.
func (l *Loader) Choices(ctx context.Context, p *report.Parameter, req Request) (choices []report.LookupItem, waits []string, err error) {
	if p.LookupSource == nil {
		return p.Lookup, nil, nil
	}
	for _, d := range p.LookupSource.Dependencies {
		name := strings.TrimPrefix(strings.TrimSpace(d), "$params.")
		if v, _ := req.Params.Get(name); isAbsent(v) {
			waits = append(waits, name)
		}
	}
	if len(waits) > 0 {
		return nil, waits, nil
	}
	req.Sources = []report.SourceUse{{DataSource: report.DataSource{Name: p.Name, Type: p.LookupSource.Type, Settings: p.LookupSource.Settings}}}
	set, err := l.Load(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	rows, _ := set.Data.Get(p.Name)
	choices, err = choicesOf(p.LookupSource, rows)
	return choices, nil, err
}

// choicesOf reads rows, or plain values, as choices; each value is offered once.
func choicesOf(source *report.LookupSource, v any) ([]report.LookupItem, error) {
	rows, ok := v.([]any)
	if !ok && v != nil {
		return nil, fmt.Errorf("the values of the lookup must be a list of rows, not %s", kindName(v))
	}
	var choices []report.LookupItem
	seen := map[string]bool{}
	for _, row := range rows {
		item, err := choiceOf(source, row)
		if err != nil {
			return nil, err
		}
		key := fmt.Sprint(item.Value)
		if item.Value == nil || seen[key] {
			continue
		}
		seen[key] = true
		if choices = append(choices, item); len(choices) == maxChoices {
			break
		}
	}
	return choices, nil
}

func choiceOf(source *report.LookupSource, row any) (report.LookupItem, error) {
	o, ok := row.(*report.Object)
	if !ok {
		return report.LookupItem{Value: row}, nil
	}
	if o.Len() == 0 {
		return report.LookupItem{}, nil
	}
	names := o.Shape().Names()
	at := 0
	if source.ValueField != "" {
		if at = slices.Index(names, source.ValueField); at < 0 {
			return report.LookupItem{}, fmt.Errorf("the rows of the lookup have no field %q; they have: %s", source.ValueField, strings.Join(names, ", "))
		}
	}
	label := at
	switch {
	case source.LabelField != "":
		if label = slices.Index(names, source.LabelField); label < 0 {
			return report.LookupItem{}, fmt.Errorf("the rows of the lookup have no field %q; they have: %s", source.LabelField, strings.Join(names, ", "))
		}
	case at+1 < len(names):
		label = at + 1
	}
	text := ""
	if v := o.At(label); v != nil {
		text = fmt.Sprint(v)
	}
	return report.LookupItem{Value: o.At(at), Label: text}, nil
}
