package data

import (
	"fmt"
	"strings"
	"time"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
)

// offer is what a lookup offers, by the keys of its values.
type offer struct {
	items []report.LookupItem
	at    map[any]int
}

func offerOf(items []report.LookupItem) *offer {
	o := &offer{items, make(map[any]int, len(items))}
	for i, item := range items {
		for _, key := range keysOf(item.Value) {
			if _, taken := o.at[key]; !taken {
				o.at[key] = i
			}
		}
	}
	return o
}

// keysOf are the keys by which an offered value is found: its own, and those of
// the texts that a form or an address sends for it.
func keysOf(v any) []any {
	keys := []any{steps.Key(v)}
	switch v := v.(type) {
	case bool:
		keys = append(keys, fmt.Sprint(v))
	case time.Time:
		keys = append(keys, v.Format(time.RFC3339Nano), v.Format(time.DateOnly), v.String())
	}
	return keys
}

// find is the item of the same key, so that "5" from an address finds the number
// 5, and "1.50" the number 1.5.
func (o *offer) find(v any) (report.LookupItem, bool) {
	i, found := o.at[steps.Key(v)]
	if !found {
		if n, fault := toNumber(v); fault == "" {
			i, found = o.at[steps.Key(n)]
			found = found && !isText(o.items[i].Value)
		}
	}
	if !found {
		return report.LookupItem{}, false
	}
	item := o.items[i]
	if _, isTime := item.Value.(time.Time); isTime {
		item.Value = v // the text that was chosen
	}
	return item, true
}

func isText(v any) bool {
	_, is := v.(string)
	return is
}

// choose checks the values given for a lookup. A lookup without a list of its
// own, whose values only its source knows, takes any.
func (o *offer) choose(p *report.Parameter, v any) (value any, chosen []report.LookupItem, fault string) {
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	if !p.Multiple && len(list) != 1 {
		return nil, nil, "it takes one value, not a list"
	}
	values := make([]any, len(list))
	for i, given := range list {
		item, fault := o.chooseOne(p, given)
		if fault != "" {
			return nil, nil, fault
		}
		values[i] = item.Value
		chosen = append(chosen, item)
	}
	if p.Multiple {
		return values, chosen, ""
	}
	return values[0], chosen, ""
}

func (o *offer) chooseOne(p *report.Parameter, v any) (item report.LookupItem, fault string) {
	switch v.(type) {
	case []any, *report.Object, nil:
		return item, "it must be one of the offered values, not " + kindName(v)
	}
	if o.items == nil && len(p.Lookup) == 0 {
		return report.LookupItem{Value: v}, ""
	}
	item, found := o.find(v)
	if !found {
		return item, o.refusal(v)
	}
	return item, ""
}

// mostShown is how many of the offered values are told.
const mostShown = 20

// refusal says that a value is not offered, and what is.
func (o *offer) refusal(v any) string {
	if len(o.items) == 0 {
		return kindName(v) + " is none of the offered values: there are none"
	}
	var names []string
	for _, item := range o.items[:min(len(o.items), maxChoices)] {
		names = append(names, fmt.Sprint(item.Value))
	}
	told := strings.Join(names[:min(len(names), mostShown)], ", ")
	if more := len(o.items) - mostShown; more > 0 {
		told += fmt.Sprintf(" and %d more", more)
		if near := report.Nearest(fmt.Sprint(v), names); near != "" {
			told += fmt.Sprintf("; did you mean %s?", near)
		}
	}
	return fmt.Sprintf("%s is none of the offered values: %s", kindName(v), told)
}
