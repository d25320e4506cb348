package data

import (
	"cmp"
	"time"

	"github.com/quire-reports/quire/report"
)

// sample makes and notes a value for somebody who is designing; else it is nil.
func (b *parameterBinder) sample(p *report.Parameter) any {
	if b.samples == nil {
		return nil
	}
	v := b.sampleOf(p)
	if v != nil {
		b.samples.Set(p.Name, v)
	}
	return v
}

// sampleOf is a value for a parameter, in the form in
// which people would give it; nil where nobody can tell one. Those of a lookup
// with a source are told by the source: Choose takes the first.
func (b *parameterBinder) sampleOf(p *report.Parameter) any {
	switch p.Type {
	case report.ParameterNumber:
		return int64(1)
	case report.ParameterDate:
		return b.now.In(b.zone).Format(time.DateOnly)
	case report.ParameterMonthRange:
		return b.now.In(b.zone).Format("2006-01")
	case report.ParameterSwitch:
		return true
	case report.ParameterLookup:
		if len(p.Lookup) > 0 {
			return several(p, p.Lookup[0].Value)
		}
		if p.LookupSource != nil {
			return nil
		}
	}
	return several(p, cmp.Or(p.Label, p.Name))
}

// several is a value as a parameter takes it.
func several(p *report.Parameter, v any) any {
	if p.Multiple {
		return []any{v}
	}
	return v
}
