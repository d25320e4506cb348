package scripting

import (
	"math"
	"time"

	"github.com/dop251/goja"
	"golang.org/x/text/collate"

	"github.com/quire-reports/quire/report/text"
)

// localiser gives scripts toLocaleString and the common part of Intl, written
// by the formats of templates, so that a script and a template print alike.
type localiser struct {
	vm       *goja.Runtime
	fallback string // the run's own locale
}

// installLocale replaces what goja has, which throws when it is given a locale.
func installLocale(vm *goja.Runtime, locale string) {
	l := &localiser{vm: vm, fallback: locale}
	l.method("Number", "toLocaleString", func(c goja.FunctionCall) goja.Value {
		return vm.ToValue(l.number(c.This, c.Argument(0), c.Argument(1)))
	})
	for name, parts := range map[string]string{"toLocaleString": dateAndTime, "toLocaleDateString": dateOnly, "toLocaleTimeString": timeOnly} {
		l.method("Date", name, func(c goja.FunctionCall) goja.Value {
			return vm.ToValue(l.date(c.This, c.Argument(0), c.Argument(1), parts))
		})
	}
	l.lazy("Intl", l.intl)
}

// method defines a method of a built-in class as those are: not enumerable.
func (l *localiser) method(class, name string, f func(goja.FunctionCall) goja.Value) {
	prototype := l.vm.Get(class).ToObject(l.vm).Get("prototype").ToObject(l.vm)
	_ = prototype.DefineDataProperty(name, l.vm.ToValue(f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// lazy defines a global that is made when it is first read; few scripts do.
func (l *localiser) lazy(name string, value func() goja.Value) {
	global := l.vm.GlobalObject()
	settle := func(v goja.Value) {
		_ = global.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	get := func(goja.FunctionCall) goja.Value {
		v := value()
		settle(v)
		return v
	}
	set := func(c goja.FunctionCall) goja.Value {
		settle(c.Argument(0))
		return goja.Undefined()
	}
	_ = global.DefineAccessorProperty(name, l.vm.ToValue(get), l.vm.ToValue(set), goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// intl is the object Intl.
func (l *localiser) intl() goja.Value {
	o := l.vm.NewObject()
	_ = o.Set("NumberFormat", l.formatter(func(v, locale, options goja.Value) string { return l.number(v, locale, options) }))
	_ = o.Set("DateTimeFormat", l.formatter(func(v, locale, options goja.Value) string {
		if goja.IsUndefined(v) {
			v, _ = l.vm.New(l.vm.Get("Date"))
		}
		return l.date(v, locale, options, dateOnly)
	}))
	_ = o.Set("Collator", l.collator)
	return o
}

// formatter is a constructor of objects with a format method.
func (l *localiser) formatter(write func(v, locale, options goja.Value) string) func(goja.ConstructorCall) *goja.Object {
	return func(c goja.ConstructorCall) *goja.Object {
		locale, options := c.Argument(0), c.Argument(1)
		o := l.vm.NewObject()
		_ = o.Set("format", func(call goja.FunctionCall) goja.Value { return l.vm.ToValue(write(call.Argument(0), locale, options)) })
		_ = o.Set("resolvedOptions", func(goja.FunctionCall) goja.Value {
			resolved := l.vm.NewObject()
			_ = resolved.Set("locale", l.locale(locale).Tag())
			_ = resolved.Set("timeZone", time.Local.String())
			return resolved
		})
		return o
	}
}

func (l *localiser) collator(c goja.ConstructorCall) *goja.Object {
	order := collate.New(l.locale(c.Argument(0)).Collation())
	o := l.vm.NewObject()
	_ = o.Set("compare", func(call goja.FunctionCall) goja.Value {
		return l.vm.ToValue(order.CompareString(call.Argument(0).String(), call.Argument(1).String()))
	})
	return o
}

// locale is the one asked for, the first of a list, or the run's.
func (l *localiser) locale(asked goja.Value) *text.Locale {
	tag := l.fallback
	if o, ok := asked.(*goja.Object); ok && o.ClassName() == "Array" {
		asked = o.Get("0")
	}
	if asked != nil && !goja.IsUndefined(asked) && !goja.IsNull(asked) {
		tag = asked.String()
	}
	return text.LocaleFor(tag)
}

// number writes a number with the options of Intl.NumberFormat that text
// formats know: style, currency, fraction digits, notation, signs.
func (l *localiser) number(v, locale, options goja.Value) string {
	f := v.ToFloat()
	if math.IsNaN(f) {
		return "NaN"
	}
	if math.IsInf(f, 0) {
		return map[bool]string{true: "∞", false: "-∞"}[f > 0]
	}
	env := &text.Env{Locale: l.locale(locale)}
	return asText(text.ParseFormat(numberFormat(optionsOf(l.vm, options))).Apply(f, env))
}

func asText(v any) string {
	s, _ := v.(string)
	return s
}

// date writes a date with the options of Intl.DateTimeFormat.
func (l *localiser) date(v, locale, options goja.Value, parts string) string {
	t, ok := v.Export().(time.Time)
	if !ok {
		f := v.ToFloat()
		if math.IsNaN(f) {
			return "Invalid Date"
		}
		t = time.UnixMilli(int64(f))
	}
	o := optionsOf(l.vm, options)
	zone := time.Local
	if name := o.text("timeZone"); name != "" && name != "Local" {
		if z, err := time.LoadLocation(name); err == nil {
			zone = z
		}
	}
	env := &text.Env{Locale: l.locale(locale), Zone: zone}
	return asText(text.ParseFormat("dt;"+datePattern(o, parts)).Apply(t, env))
}
