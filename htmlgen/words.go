package htmlgen

import (
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// words is $dict: entries are text templates, filled where they are printed.
type words struct {
	c       *Context
	entries *report.Object
}

// Whole implements text.Whole: code gets the entries as they are written.
func (w words) Whole() any { return w.entries }

// Get implements text.Getter. An entry that leads back to itself prints nothing.
func (w words) Get(name string) (any, bool) {
	v, ok := w.entries.Get(name)
	source, isText := v.(string)
	if !isText || w.c == nil || !strings.ContainsAny(source, "{%") {
		return v, ok
	}
	c := w.c
	if slices.Contains(c.telling, name) {
		c.Warn(c.at, "the dictionary entry %q is made of itself: %s", name, strings.Join(append(c.telling, name), " → "))
		return nil, true
	}
	c.telling = append(c.telling, name)
	defer func() { c.telling = c.telling[:len(c.telling)-1] }()
	return c.Expand(source), true
}
