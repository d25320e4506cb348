package htmlgen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quire-reports/quire/htmlgen/geo"
	"github.com/quire-reports/quire/report"
)

var mapChart = define("map", "Map", "Charts", "Shapes of GeoJSON, colored by values and with circles for amounts; without a network.", compileMap, icon("map"), looksBy(`
.q-map{margin:0;width:-webkit-fill-available;width:stretch}
`))

type mapProps struct {
	Shapes    string `json:"shapes" editor:"binding" help:"GeoJSON of the data, for example $data.regions: a FeatureCollection, a Feature, a geometry, or its text." ask:"GeoJSON of the data, such as $data.regions."`
	File      string `json:"file" editor:"template" names:"file" help:"Name of a managed file with GeoJSON, in place of shapes of the data." ask:"A file of the workspace with GeoJSON."`
	GeoJSON   string `json:"geojson" label:"GeoJSON" editor:"code" help:"GeoJSON as text, in place of a file or shapes of the data."`
	ShapeKey  string `json:"shapeKey" label:"Key of shapes" help:"Property of a shape by which rows name it. Default: its id, or else its property name."`
	ShapeName string `json:"shapeName" label:"Name of shapes" default:"name" help:"Property of a shape that is its name."`
	Source    string `json:"source" label:"Data source" editor:"binding" help:"Array of rows with the values of shapes." ask:"A list of the data, with the values of shapes."`
	transformProps
	KeyField   string     `json:"keyField" label:"Key field" editor:"field" default:"key" help:"Field of the key of a shape."`
	ValueField string     `json:"valueField" label:"Value field" editor:"field" help:"Field of the value that colors a shape."`
	SizeField  string     `json:"sizeField" label:"Size field" editor:"field" help:"Field of the amount that a circle on a shape shows by its area."`
	Classes    mapClasses `json:"classes"`
	Format     string     `json:"format" editor:"format" help:"Of values in the legend and on shapes. Default: with up to two decimals."`
	SizeFormat string     `json:"sizeFormat" label:"Size format" editor:"format" help:"Of amounts in the legend. Default: with up to two decimals."`
	Labels     string     `json:"labels" enum:"none,name,value,both" default:"none" help:"What stands on shapes that have room for it."`
	Legend     mapLegend  `json:"legend"`
	Projection string     `json:"projection" enum:"auto,equal-earth,mercator,equirectangular,conic" default:"auto" help:"How the earth becomes flat. auto keeps areas on maps of much of it and of middle latitudes."`
	High       string     `json:"highColor" label:"High color" editor:"color" default:"var(--primary)" help:"Color of high values; lower ones have tints of it."`
	Low        string     `json:"lowColor" label:"Low color" editor:"color" default:"var(--accent)" help:"Color of values below the middle of the classes."`
	Land       string     `json:"landColor" label:"Land color" editor:"color" default:"#dde1e6" help:"Color of shapes where no values are asked for."`
	Outline    string     `json:"outlineColor" label:"Outline color" editor:"color" default:"#ffffff"`
	OutlineW   float64    `json:"outlineWidth" label:"Outline width" min:"0" max:"10" default:"0.75" help:"In pixels."`
	Circle     string     `json:"circleColor" label:"Circle color" editor:"color" default:"var(--accent)"`
	CircleSize float64    `json:"circleSize" label:"Circle size" min:"2" max:"400" default:"40" help:"Diameter of the largest circle, in pixels."`
	chartFrame
}

type mapClasses struct {
	Method string   `json:"method" enum:"quantile,equal,own" default:"quantile" help:"quantile has as many shapes in each class, equal as much between the ends of each, own the breaks that are given."`
	Count  int      `json:"count" min:"1" max:"9" default:"5" help:"Number of classes."`
	Breaks []string `json:"breaks" editor:"template" help:"Where one class ends and the next begins." one:"Break"`
	Middle string   `json:"middle" editor:"template" help:"Value from which on colors go two ways, such as 0 for changes."`
}

type mapLegend struct {
	Position string `json:"position" enum:"bottom,top,none" default:"bottom"`
	Title    string `json:"title" editor:"template" help:"What the values are."`
}

// Files gives the content of managed files. Images that can do so implement it.
type Files interface {
	File(ctx context.Context, name string) (content []byte, err error)
}

// region is a shape with what is known of it.
type region struct {
	key, name   string
	value, size float64 // NaN: none
	class       int     // -1: none
}

// drawnMap is what a map shows.
type drawnMap struct {
	c        *Context
	e        *Element
	p        *mapProps
	features []geo.Feature
	regions  []region
	classes  []valueClass
	largest  float64 // amount
	missing  bool    // a shape has no value
}

func compileMap(c *Context, e *Element, p *mapProps) {
	m := &drawnMap{c: c, e: e, p: p}
	m.read()
	m.join()
	m.classify()
	c.writeChart(e, &p.chartFrame, func(width, height float64) ([]byte, func() chartTable, func() *chartMark) {
		return m.draw(width, height), m.table, nil
	})
}

// read finds the shapes.
func (m *drawnMap) read() {
	c, p := m.c, m.p
	var setting string
	var err error
	switch name := strings.TrimSpace(c.Expand(p.File)); {
	case strings.TrimSpace(p.GeoJSON) != "":
		setting = "geojson"
		m.features, err = c.shapes("text "+p.GeoJSON, func() (any, error) { return parsedJSON(p.GeoJSON) })
	case name != "":
		setting = "file"
		m.features, err = c.shapes("file "+name, func() (any, error) { return c.shapesFile(name) })
	case p.Shapes != "":
		setting = "shapes"
		m.features, err = shapesIn(c.Lookup(m.e, p.Shapes))
	default:
		c.Warn(m.e, "the map has no shapes")
	}
	if err != nil {
		c.warnAt(m.e, setting, "the GeoJSON cannot be read: %v", err)
	}
}

// shapes are those of a text or a file, which the maps of many rows read once.
func (c *Context) shapes(key string, read func() (any, error)) ([]geo.Feature, error) {
	kept, ok := c.maps[key]
	if !ok {
		var tree any
		if tree, kept.err = read(); kept.err == nil {
			kept.features, kept.err = geo.Parse(tree)
		}
		c.maps[key] = kept
	}
	return kept.features, kept.err
}

// readShapes are shapes that were read, or why they cannot be.
type readShapes struct {
	features []geo.Feature
	err      error
}

// shapesIn are those of a value: GeoJSON, its text, or the only row of a source.
func shapesIn(tree any) (features []geo.Feature, err error) {
	if written, ok := tree.(string); ok {
		tree, err = parsedJSON(written)
	}
	if rows, ok := tree.([]any); ok && len(rows) == 1 {
		tree = rows[0]
	}
	if err != nil || tree == nil {
		return nil, err
	}
	return geo.Parse(tree)
}

func parsedJSON(text string) (any, error) { return report.ParseValue([]byte(text)) }

func (c *Context) shapesFile(name string) (any, error) {
	files, ok := c.in.Images.(Files)
	if !ok {
		return nil, errors.New("files cannot be loaded here")
	}
	content, err := files.File(c.ctx, name)
	if err != nil {
		return nil, err
	}
	return parsedJSON(string(content))
}

// keyText is a key as rows and shapes have it.
func keyText(v any) string {
	if v == nil {
		return ""
	}
	if s, ok := v.(string); ok {
		return strings.TrimSpace(s)
	}
	return report.Show(v)
}

func property(f *geo.Feature, name string) any {
	if f.Properties == nil || name == "" {
		return nil
	}
	v, _ := f.Properties.Get(name)
	return v
}

// join gives shapes the values of their rows, and tells of those that have none, and of
// rows without a shape.
func (m *drawnMap) join() {
	c, p := m.c, m.p
	at := map[string][]int{}
	for i := range m.features {
		f := &m.features[i]
		key := keyText(f.ID)
		switch {
		case p.ShapeKey != "":
			key = keyText(property(f, p.ShapeKey))
		case key == "":
			key = keyText(property(f, "name"))
		}
		m.regions = append(m.regions, region{key: key, name: firstOf(keyText(property(f, p.ShapeName)), key), value: math.NaN(), size: math.NaN(), class: -1})
		at[key] = append(at[key], i)
	}
	if p.Source == "" {
		return
	}
	rows := c.SourceRows(m.e, p.Source)
	c.missingField(m.e, "keyField", rows, p.KeyField)
	c.missingField(m.e, "valueField", rows, p.ValueField)
	c.missingField(m.e, "sizeField", rows, p.SizeField)
	var homeless, twice []string
	seen := map[string]bool{}
	for _, row := range c.each(rows) {
		v, _ := c.fieldPath(p.KeyField).Of(row)
		key := keyText(v)
		switch {
		case at[key] == nil:
			homeless = append(homeless, firstOf(key, "–"))
			continue
		case seen[key]:
			twice = append(twice, key)
			continue
		}
		seen[key] = true
		value, size := m.number(row, "valueField", p.ValueField), m.number(row, "sizeField", p.SizeField)
		for _, i := range at[key] {
			m.regions[i].value, m.regions[i].size = value, size
		}
	}
	if len(homeless) > 0 {
		c.warnAt(m.e, "keyField", "rows whose key no shape has: %s", someOf(homeless))
	}
	if len(twice) > 0 {
		c.warnAt(m.e, "keyField", "keys that stand in several rows, of which the first counts: %s", someOf(twice))
	}
	var valueless []string
	for i := range m.regions {
		r := &m.regions[i]
		if p.ValueField != "" && math.IsNaN(r.value) || p.ValueField == "" && p.SizeField != "" && math.IsNaN(r.size) {
			m.missing = m.missing || p.ValueField != ""
			valueless = append(valueless, firstOf(r.name, "–"))
		}
		if r.size < 0 {
			c.warnAt(m.e, "sizeField", "%s of %q is below zero and has no circle", plainFloat(r.size), r.name)
			r.size = math.NaN()
		}
		if r.size > m.largest {
			m.largest = r.size
		}
	}
	if len(valueless) > 0 {
		c.Warn(m.e, "shapes without a value: %s", someOf(valueless))
	}
}

// someOf names the first of many, and counts the others.
func someOf(names []string) string {
	said := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if more := len(names) - mostNamed; more > 0 {
		said += fmt.Sprintf(" … (+%d)", more)
	}
	return said
}

func (m *drawnMap) number(row any, setting, field string) float64 {
	if field == "" {
		return math.NaN()
	}
	v, _ := m.c.fieldPath(field).Of(row)
	n, ok := m.c.numberIn(m.e, setting, v)
	if !ok {
		return math.NaN()
	}
	return n
}

func (m *drawnMap) shown(v float64) string { return m.c.formatted(firstOf(m.p.Format, "n;0;2"), v) }

// valueClass is a class of values with its colour, which shows what is behind by a share.
type valueClass struct {
	from, to float64
	label    string
	color    string
	share    float64
}

// classify divides the values into classes and gives each its colour.
func (m *drawnMap) classify() {
	var values []float64
	for i := range m.regions {
		if v := m.regions[i].value; !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return
	}
	slices.Sort(values)
	breaks := m.breaks(values)
	low, high := values[0], values[len(values)-1]
	for i := range len(breaks) + 1 {
		k := valueClass{from: low, to: high}
		if i > 0 {
			k.from = breaks[i-1]
		}
		if i < len(breaks) {
			k.to = breaks[i]
		}
		switch {
		case len(breaks) == 0 && low == high:
			k.label = m.shown(low)
		case m.p.Classes.Method == "own" && len(breaks) > 0 && i == 0:
			k.label = "< " + m.shown(k.to)
		case m.p.Classes.Method == "own" && len(breaks) > 0 && i == len(breaks):
			k.label = "≥ " + m.shown(k.from)
		default:
			k.label = m.shown(k.from) + " – " + m.shown(k.to)
		}
		m.classes = append(m.classes, k)
	}
	m.colour()
	for i := range m.regions {
		if r := &m.regions[i]; !math.IsNaN(r.value) {
			r.class, _ = slices.BinarySearchFunc(breaks, r.value, func(b, v float64) int {
				if b <= v {
					return -1
				}
				return 1
			})
		}
	}
}

// breaks are the values at which the classes after the first begin.
func (m *drawnMap) breaks(values []float64) []float64 {
	low, high, n := values[0], values[len(values)-1], max(1, m.p.Classes.Count)
	var list []float64
	switch m.p.Classes.Method {
	case "own":
		for i, source := range m.p.Classes.Breaks {
			if v, ok := m.c.soleNumber(m.e, fmt.Sprintf("classes.breaks[%d]", i), source); ok {
				list = append(list, v)
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	case "equal":
		for i := 1; i < n; i++ {
			list = append(list, low+(high-low)*float64(i)/float64(n))
		}
	default:
		for i := 1; i < n; i++ {
			list = append(list, values[len(values)*i/n])
		}
	}
	list = slices.Compact(list)
	return slices.DeleteFunc(list, func(v float64) bool { return v <= low })
}

// colour gives the classes tints of one colour, or of two from a middle on.
func (m *drawnMap) colour() {
	high, low := firstOf(cssValue(m.p.High), "var(--primary)"), firstOf(cssValue(m.p.Low), "var(--accent)")
	middle, two := m.c.soleNumber(m.e, "classes.middle", m.p.Classes.Middle)
	const faint = 0.18
	n := len(m.classes)
	if !two {
		for i := range m.classes {
			m.classes[i].color, m.classes[i].share = high, 1
			if n > 1 {
				m.classes[i].share = faint + (1-faint)*float64(i)/float64(n-1)
			}
		}
		return
	}
	below, above := 0, 0 // classes on each side of the one with the middle in it
	for i := range m.classes {
		below += boolInt(m.classes[i].to <= middle)
		above += boolInt(m.classes[i].from >= middle)
	}
	far := float64(max(below, above))
	for i := range m.classes {
		switch k := &m.classes[i]; {
		case k.to <= middle:
			k.color, k.share = low, faint+(1-faint)*float64(below-i)/far
		case k.from >= middle:
			k.color, k.share = high, faint+(1-faint)*float64(i-(n-above)+1)/far
		default:
			k.color, k.share = "var(--text)", 0.1
		}
	}
}

// table is what the map shows, for people who do not see it.
func (m *drawnMap) table() chartTable {
	p := m.p
	t := chartTable{head: []string{humanise(firstOf(p.ShapeName, "name"))}}
	if p.ValueField != "" {
		t.head = append(t.head, firstOf(m.c.Shown(p.Legend.Title), humanise(bare(p.ValueField))))
	}
	if p.SizeField != "" {
		t.head = append(t.head, humanise(bare(p.SizeField)))
	}
	told := func(v float64, format string) string {
		if math.IsNaN(v) {
			return ""
		}
		return m.c.formatted(firstOf(format, "n;0;2"), v)
	}
	for i := range m.regions {
		r := &m.regions[i]
		row := []string{r.name}
		if p.ValueField != "" {
			row = append(row, told(r.value, p.Format))
		}
		if p.SizeField != "" {
			row = append(row, told(r.size, p.SizeFormat))
		}
		t.rows = append(t.rows, row)
	}
	return t
}
