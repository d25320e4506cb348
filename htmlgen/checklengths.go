package htmlgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// signed are the settings of type length that may be negative.
var signed = []string{"margin", "marginTop", "letterSpacing", "chartOffset"}

// checkLengths reports the lengths among the settings that CSS would ignore.
func (p *preparer) checkLengths(fields []report.Field, props map[string]any, path string) {
	for _, name := range sortedKeys(props) {
		p.checkLength(fields, name, props[name], path)
	}
}

func (p *preparer) checkLength(fields []report.Field, name string, value any, path string) {
	i := slices.IndexFunc(fields, func(f report.Field) bool { return f.Name == name })
	if i < 0 {
		return // reported as unknown
	}
	f := &fields[i]
	path += "." + name
	switch f.Shape {
	case report.TextShape:
		if s, ok := value.(string); ok && strings.TrimSpace(s) != "" {
			p.checkLengthText(f, s, path)
		}
	case report.GroupShape:
		p.checkLengthsOf(f, value, path)
	case report.ListShape:
		list, _ := value.([]any)
		if item := f.Items(); item.Shape == report.GroupShape {
			for i, v := range list {
				p.checkLengthsOf(item, v, fmt.Sprintf("%s[%d]", path, i))
			}
		}
	}
}

// checkLengthsOf looks into a group. Elements inside of settings are prepared on
// their own.
func (p *preparer) checkLengthsOf(group *report.Field, value any, path string) {
	switch v := value.(type) {
	case *report.Object:
		for name, inner := range v.All() {
			p.checkLength(group.Fields(), name, inner, path)
		}
	case map[string]any:
		p.checkLengths(group.Fields(), v, path)
	}
}

func (p *preparer) checkLengthText(f *report.Field, s, path string) {
	css, accepted := "", "a length such as 12pt, 4mm, 50% or 20px"
	switch f.Editor {
	case "length":
		css = length(s)
	case "lengths":
		css, accepted = lengths(s), "one to four lengths such as 12pt 0 4mm"
	default:
		return
	}
	negative := !slices.Contains(signed, f.Name) && !strings.Contains(css, "(") && slices.ContainsFunc(strings.Fields(css), func(part string) bool { return part[0] == '-' })
	switch {
	case css == "":
		p.problems = append(p.problems, report.Problemf(path, "unknown length %q; accepted: %s", s, accepted))
	case negative:
		p.problems = append(p.problems, report.Problemf(path, "%q is negative; accepted: %s", s, accepted))
	}
}
