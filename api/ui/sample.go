package ui

import "github.com/quire-reports/quire/report"

// sampler bounds what is shown of a value: enough to see what there is.
type sampler struct {
	items int // of each list
	depth int // of objects in each other
	text  int // characters of each text
}

// Samples are small beside the canvas and larger where rows are looked at.
var (
	inSample = sampler{items: 3, depth: 4, text: 60}
	inRow    = sampler{items: 20, depth: 6, text: 1000}
)

// of is the beginning of a value: few items of each list, long texts cut.
func (s sampler) of(v any, depth int) any {
	switch v := v.(type) {
	case *report.Object:
		out := report.ObjectOf()
		if v == nil || depth > s.depth {
			return out
		}
		for name, member := range v.All() {
			out.Set(name, s.of(member, depth+1))
		}
		return out
	case []any:
		return s.list(v, s.items, depth)
	case string:
		if text := []rune(v); len(text) > s.text {
			return string(text[:s.text]) + "…"
		}
	}
	return v
}

// list is the beginning of a list.
func (s sampler) list(list []any, most, depth int) []any {
	out := []any{}
	for _, item := range list[:min(len(list), most)] {
		out = append(out, s.of(item, depth+1))
	}
	return out
}
