package data

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/data/steps"
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
	if waits = lookupWaits(p.LookupSource, req.Params); len(waits) > 0 {
		return nil, waits, nil
	}
	set, err := l.Load(ctx, lookupRequest(p, req))
	if err != nil {
		return nil, nil, err
	}
	rows, _ := set.Data.Get(p.Name)
	choices, err = choicesOf(p.LookupSource, rows, maxChoices)
	return choices, nil, err
}

// lookupWaits names the parameters that a lookup depends on and that have no
// value.
func lookupWaits(source *report.LookupSource, params *report.Object) (names []string) {
	for _, d := range source.Dependencies {
		name := strings.TrimPrefix(strings.TrimSpace(d), "$params.")
		if v, _ := params.Get(name); IsAbsent(v) {
			names = append(names, name)
		}
	}
	return names
}

// lookupRequest asks for the rows of a lookup.
func lookupRequest(p *report.Parameter, req Request) Request {
	source := report.DataSource{Name: p.Name, Type: p.LookupSource.Type, Settings: p.LookupSource.Settings}
	req.Sources = []report.SourceUse{{DataSource: source, Dependencies: p.LookupSource.Dependencies}}
	return req
}

// Chosen is what a lookup offers for the value of its parameter.
type Chosen struct {
	Value any // as it is offered
	Items []report.LookupItem
	Set   *Set     // what the source gave; to be Request.Previous of a later time
	Waits []string // parameters that the source needs a value of; nothing was checked then
}

// Choose looks a value up among all that the source of a lookup gives; of no
// value, the first stands. A value that is not offered is a Problem at "params.<name>", a source that fails one at
// "dataSources.<name>".
func (l *Loader) Choose(ctx context.Context, p *report.Parameter, value any, req Request) (*Chosen, error) {
	if waits := lookupWaits(p.LookupSource, req.Params); len(waits) > 0 {
		return &Chosen{Value: value, Waits: waits}, nil
	}
	set, err := l.Load(ctx, lookupRequest(p, req))
	if err != nil {
		return nil, lookupFault(p, err)
	}
	rows, ready := set.Data.Get(p.Name)
	if !ready {
		return &Chosen{Value: value, Waits: []string{p.Name}}, nil
	}
	items, err := choicesOf(p.LookupSource, rows, 0)
	if err != nil {
		return nil, lookupFault(p, failed("dataSources."+p.Name, "%s", err.Error()))
	}
	if IsAbsent(value) {
		if len(items) == 0 {
			return &Chosen{Value: value, Set: set}, nil
		}
		value = several(p, items[0].Value)
	}
	value, chosen, fault := offerOf(items).choose(p, value)
	if fault != "" {
		return nil, report.Problemf("params."+p.Name, "the parameter %s: %s", titleOf(p), fault)
	}
	return &Chosen{Value: value, Items: chosen, Set: set}, nil
}

// lookupFault says which parameter's values could not be asked for.
func lookupFault(p *report.Parameter, err error) error {
	problems, ok := err.(report.Problems)
	if one, single := err.(*report.Problem); single {
		problems, ok = report.Problems{one}, true
	}
	if !ok {
		return fmt.Errorf("asking for the values of the parameter %s: %w", titleOf(p), err)
	}
	out := make(report.Problems, len(problems))
	for i, problem := range problems {
		own := *problem
		own.Message = fmt.Sprintf("the values of the parameter %s could not be asked for: %s", titleOf(p), problem.Message)
		out[i] = &own
	}
	return out
}

// choicesOf reads rows, or plain values, as choices, at most so many unless that
// is 0; each value is offered once.
func choicesOf(source *report.LookupSource, v any, most int) ([]report.LookupItem, error) {
	rows, ok := v.([]any)
	if !ok && v != nil {
		return nil, fmt.Errorf("the values of the lookup must be a list of rows, not %s", kindName(v))
	}
	choices := []report.LookupItem{}
	seen := map[any]bool{}
	for _, row := range rows {
		item, err := choiceOf(source, row)
		if err != nil {
			return nil, err
		}
		key := steps.Key(item.Value)
		if item.Value == nil || seen[key] {
			continue
		}
		seen[key] = true
		if choices = append(choices, item); len(choices) == most {
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
