package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// generator makes random reports from the component schema: whatever components
// and options there are, it uses them.
type generator struct {
	*rand.Rand
	later   *rand.Rand // chooses what came after the seeds were chosen, so that they stay the reports they were
	types   map[string]htmlgen.Type
	names   []string
	newer   []string // of components that are laterThanSeeds
	hostile bool     // makes sizes that nobody would ask for
}

// laterThanSeeds are components, and options by their own names, that came after the
// seeds were chosen.
var laterThanSeeds = map[string]bool{"form-field": true, "gauge": true, "hyphens": true, "kpi-tile": true, "map": true, "matrix-code": true, "pivot-table": true, "progress-bar": true, "rating": true, "sparkline": true, "timeline": true, "scale": true, "trend": true, "trendPeriod": true}

// randomReport is the report of a seed.
func randomReport(seed uint64) *report.Report {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 3)), later: rand.New(rand.NewPCG(seed, 4)), types: map[string]htmlgen.Type{}}
	for _, t := range htmlgen.Types() {
		g.types[t.Name] = t
		switch {
		case laterThanSeeds[t.Name]:
			g.newer = append(g.newer, t.Name)
		case t.Name == "watermark", t.Name == "letter-window": // they stand over others
		case t.Name == "math": // its texts are no words
		case !t.Template && t.Name != "subreport" && t.Name != "advanced-chart":
			g.names = append(g.names, t.Name)
		}
	}
	g.hostile = *hostileSizes && g.IntN(2) == 0
	r := &report.Report{Version: report.Version, Name: fmt.Sprintf("Random %d", seed), DataSources: []report.SourceUse{
		{DataSource: report.DataSource{Name: "rows", Type: "json", Settings: map[string]any{"content": g.rows()}}},
		{DataSource: report.DataSource{Name: "few", Type: "json", Settings: map[string]any{"content": []any{report.ObjectOf("name", "First", "amount", int64(3)), report.ObjectOf("name", "Second", "amount", int64(-4))}}}},
	}}
	r.Include = &report.Include{Templates: []report.Template{{Name: "Random", Code: "random", Layouts: []report.Layout{g.layout("a"), g.layout("b")}}}}
	r.Template = "random"
	if g.IntN(8) == 0 {
		r.Language = "ar"
	}
	for i := range 1 + g.IntN(3) {
		p := report.Page{ID: i + 1, Name: fmt.Sprintf("Page %d", i+1), PageType: []string{"a", "b"}[g.IntN(2)]}
		if g.IntN(5) == 0 {
			p.Count = new(false)
		}
		for range 1 + g.IntN(7) {
			p.Elements = append(p.Elements, g.element(0))
		}
		r.Pages = append(r.Pages, p)
	}
	return r
}

func (g *generator) layout(code string) report.Layout {
	sizes := []string{"A4", "A4", "A5", "A3", "Letter", "A6"}
	l := report.Layout{PageType: code, Size: sizes[g.IntN(len(sizes))], Orientation: []string{"portrait", "landscape"}[g.IntN(2)]}
	number := report.Element{Type: "text", Props: map[string]any{"text": "{$page.number} / {$report.pageCount}", "textAlign": "right"}}
	if g.IntN(2) == 0 {
		l.Header = []report.Element{{Type: "text", Props: map[string]any{"text": "Header of " + code}}, {Type: "separator"}}
	}
	if g.IntN(2) == 0 {
		l.Footer = []report.Element{number}
	}
	return l
}

func (g *generator) rows() []any {
	rows := []any{}
	for i := range []int{0, 1, 2, 5, 12, 40, 120}[g.IntN(7)] {
		rows = append(rows, report.ObjectOf(
			"id", int64(i+1), "name", g.words(1+g.IntN(5)), "group", []any{"North", "South", "East"}[g.IntN(3)], "sub", []any{"a", "b", nil}[g.IntN(3)],
			"amount", g.amount(), "date", fmt.Sprintf("2026-%02d-%02d", 1+g.IntN(12), 1+g.IntN(28)), "note", g.words(g.IntN(30)),
			"children", []any{report.ObjectOf("id", int64(1000+i), "name", "Child", "amount", int64(i))},
		))
	}
	return rows
}

// amount is a number; a hostile one has more digits than a column has room for.
func (g *generator) amount() float64 {
	if g.hostile && g.IntN(6) == 0 {
		return float64(g.IntN(1<<50)) + 0.25
	}
	return float64(g.IntN(200000)-50000) / 100
}

// otherScripts are words of all scripts in use.
var otherScripts = func() []string {
	words := strings.Fields("½ ≠ → €")
	for _, s := range specimens {
		words = append(words, strings.Fields(s.text)...)
	}
	return words
}()

// hostileWord is one that no line has room for, or of another script.
func (g *generator) hostileWord() string {
	switch g.IntN(5) {
	case 0:
		return strings.Repeat("Unbreakable", 1+g.IntN(12))
	case 1:
		return strings.Repeat("9876543210", 1+g.IntN(5))
	default:
		return otherScripts[g.IntN(len(otherScripts))]
	}
}

var dictionary = strings.Fields("Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua Donaudampfschifffahrtsgesellschaft Ćuprija žito العربية نص שלום 12,345.67 § & <b> “quoted” – e-mail@example.com incomprehensibilities a I")

func (g *generator) words(n int) string {
	list := make([]string, n)
	for i := range list {
		if list[i] = dictionary[g.IntN(len(dictionary))]; g.hostile && g.IntN(12) == 0 {
			list[i] = g.hostileWord()
		}
	}
	return strings.Join(list, " ")
}

// element is a random element; depth bounds what it holds.
func (g *generator) element(depth int) report.Element {
	name := g.names[g.IntN(len(g.names))]
	t := g.types[name]
	e := report.Element{Type: name, Props: g.props(name, t.Props, depth)}
	if t.Container && depth < 3 {
		for range g.IntN(4) {
			e.Children = append(e.Children, g.element(depth+1))
		}
	}
	switch g.IntN(14) {
	case 0:
		e.Repeat = &report.Repeat{Source: "$data.few", Alias: "it"}
	case 1:
		e.Visible = "{$data.few.0.amount} > 1"
	}
	if g.later.IntN(25) == 0 {
		name := g.newer[g.later.IntN(len(g.newer))]
		return report.Element{Type: name, Props: g.newerOnes().props(name, g.types[name].Props, depth)}
	}
	return e
}

// newerOnes generates by the numbers for what is laterThanSeeds.
func (g *generator) newerOnes() *generator {
	other := *g
	other.Rand = g.later
	return &other
}

// props are random options: each is given with a chance of its own, those that
// an element is nothing without always.
func (g *generator) props(component string, fields []report.Field, depth int) map[string]any {
	props := map[string]any{}
	for i := range fields {
		f := &fields[i]
		if laterThanSeeds[f.Name] {
			if other := g.newerOnes(); other.IntN(4) == 0 {
				props[f.Name] = other.value(component, f, depth)
			}
			continue
		}
		if v, given := g.known(component, f, depth); given {
			if v != nil {
				props[f.Name] = v
			}
		} else if g.IntN(5) == 0 {
			if v := g.value(component, f, depth); v != nil {
				props[f.Name] = v
			}
		}
	}
	return props
}

// known are options with a sense of their own.
func (g *generator) known(component string, f *report.Field, depth int) (any, bool) {
	switch f.Name {
	case "source":
		return []any{"$data.rows", "$data.few"}[g.IntN(2)], true
	case "text", "title", "value", "key", "content", "html", "legendEntryTemplate", "name":
		if f.Shape != report.TextShape {
			return nil, false
		}
		if strings.HasSuffix(component, "code") {
			return "QUIRE" + fmt.Sprint(g.IntN(1000)), true
		}
		long := []int{2, 5, 12, 60, 300}[g.IntN(5)]
		switch {
		case g.hostile && g.IntN(12) == 0:
			long = 900
		case component == "table" || component == "data-table" || depth > 1:
			long = min(long, 12)
		}
		if f.Name == "content" || f.Name == "html" {
			return g.markup(long), true
		}
		return strings.ReplaceAll(g.words(long), "{", ""), true
	case "imageUrl":
		if component == "qr-code" {
			return nil, true
		}
		return "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='60' height='40'%3E%3Crect width='60' height='40' fill='teal'/%3E%3C/svg%3E", true
	case "nameField", "xField", "x":
		return "name", true
	case "valueField", "yField", "y", "y0", "field", "aggregateField", "weightField":
		return []any{"amount", "id", "name", "group"}[g.IntN(4)], true
	case "items", "rows", "cells", "columns", "series", "elements", "configure", "headers":
		if f.Shape != report.ListShape || depth > 2 {
			return nil, true
		}
		if f.Name == "elements" && g.IntN(3) > 0 {
			return nil, true
		}
		return g.list(component, f, 1+g.IntN(3), depth), true
	case "renderer":
		return []any{"value", "text", "row-number", "value"}[g.IntN(4)], true
	case "contentType":
		return "text", true
	case "width", "height", "columnWidth", "keyWidth", "dividerWidth", "singleRowHeight":
		if !g.hostile || g.IntN(8) > 0 || strings.HasSuffix(component, "code") || strings.HasSuffix(component, "chart") {
			return nil, true
		}
		return []any{"14px", "30px", "70px", "8%", "40%", "60mm", "700px", "130%"}[g.IntN(8)], true
	case "numberTemplate", "format", "customFormat", "function", "options", "component", "visible", "hideCondition", "repeat", "children", "expression", "rotation", "href",
		"position", "report", "anchor", "style", "class", "customStyle", "listItemStyle", "additionalCss", "barWidth", "barHeight", "steps", "transform",
		"disableHeaderWrap", "disableCellWrap", "letterSpacing", "lineHeight", "fontFamily", "objectPosition", "whitespace", "codeMargin", "colSpan", "rowSpan", "continueColumns", "keyColumns", "narrowCells", "workbook", "restartPageNumbers", "continued", "continuedText":
		return nil, true
	}
	return nil, false
}

func (g *generator) markup(words int) string {
	var b strings.Builder
	for words > 0 {
		n := min(words, 1+g.IntN(40))
		words -= n
		tag := []string{"p", "p", "h3", "blockquote", "li"}[g.IntN(5)]
		text := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(g.words(n))
		if tag == "li" {
			b.WriteString("<ul><li>" + text + "</li><li>x</li></ul>")
			continue
		}
		b.WriteString("<" + tag + ">" + text + "</" + tag + ">")
	}
	return b.String()
}

// value is any value that the schema allows.
func (g *generator) value(component string, f *report.Field, depth int) any {
	switch f.Shape {
	case report.BoolShape:
		return g.IntN(2) == 0
	case report.IntegerShape, report.NumberShape:
		low, high := 0.0, 6.0
		if f.Min != nil {
			low = *f.Min
		}
		if f.Max != nil {
			high = min(*f.Max, low+6)
		}
		return int64(low) + int64(g.IntN(int(high-low)+1))
	case report.ListShape:
		if depth > 2 {
			return nil
		}
		return g.list(component, f, g.IntN(3), depth)
	case report.GroupShape:
		if depth > 3 {
			return nil
		}
		return objectOf(g.props(component, f.Fields(), depth+1))
	case report.TextShape:
		return g.text(f)
	}
	return nil
}

func (g *generator) text(f *report.Field) any {
	if f.Enum != nil {
		return f.Enum[g.IntN(len(f.Enum))]
	}
	switch f.Editor {
	case "length":
		return []any{"4px", "10px", "1em", "8pt"}[g.IntN(4)]
	case "lengths":
		return []any{"6px", "4px 10px", "0 0 12pt"}[g.IntN(3)]
	case "color":
		return []any{"#c33", "var(--primary)", "#eef"}[g.IntN(3)]
	case "border":
		return "1px solid #888"
	case "template":
		return g.words(1 + g.IntN(4))
	}
	return nil
}

func (g *generator) list(component string, f *report.Field, n, depth int) any {
	list := []any{}
	item := f.Items()
	for range n {
		switch {
		case item.Shape == report.TextShape:
			list = append(list, g.words(1+g.IntN(8)))
		case item.Shape == report.GroupShape && item.Type().Name() == "Element":
			e := g.element(depth + 2)
			list = append(list, report.ObjectOf("type", e.Type, "props", objectOf(e.Props)))
		case item.Shape == report.GroupShape:
			list = append(list, objectOf(g.props(component, item.Fields(), depth+1)))
		}
	}
	return list
}

func objectOf(m map[string]any) *report.Object {
	o := report.ObjectOf()
	for _, name := range sortedNames(m) {
		o.Set(name, m[name])
	}
	return o
}
