package htmlgen

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// A theme becomes CSS variables, and base.css is written in them:
//
//	colors[]      --color-<name>, and --<name> for the six that base.css uses:
//	              primary, accent, muted, line, surface, on-primary
//	page          --page-background --text --font --font-size --line-height
//	text.<kind>   --<kind>-font-size --<kind>-color … and rules for the kind
//	table.<part>  --table-<part>-background …
//	chart         --chart-1 … --chart-16 --chart-label-size …
//	separator     --separator-color --separator-size
//	keyValue      --kv-row-gap …

var baseCSS = ownStyle("base.css")

var printCSS = ownStyle("print.css")

// DefaultTheme is the look of reports whose workspace has no theme, and what
// fills every value that a theme leaves empty.
func DefaultTheme() *report.Theme {
	t := &report.Theme{
		Name: "Quire", Code: "quire",
		Colors: []report.Color{
			{Name: "primary", Value: "#1d4e89"},
			{Name: "accent", Value: "#c7772e"},
			{Name: "muted", Value: "#5c6575"},
			{Name: "line", Value: "#d5dae1"},
			{Name: "surface", Value: "#f4f6f8"},
			{Name: "on-primary", Value: "#ffffff"},
		},
		Text: report.TextStyles{
			Paragraph: report.TextStyle{MarginTop: "0", MarginBottom: "0.75em"},
			H1:        report.TextStyle{FontSize: "22pt", FontWeight: "600", LineHeight: "1.15", LetterSpacing: "-0.015em", MarginTop: "20pt", MarginBottom: "10pt"},
			H2:        report.TextStyle{FontSize: "15pt", FontWeight: "600", LineHeight: "1.2", LetterSpacing: "-0.01em", MarginTop: "16pt", MarginBottom: "7pt"},
			H3:        report.TextStyle{FontSize: "11.5pt", FontWeight: "600", LineHeight: "1.25", MarginTop: "13pt", MarginBottom: "5pt"},
			H4:        report.TextStyle{FontSize: "10pt", FontWeight: "600", LineHeight: "1.3", MarginTop: "10pt", MarginBottom: "4pt"},
			H5:        report.TextStyle{FontSize: "9.5pt", FontWeight: "600", MarginTop: "9pt", MarginBottom: "3pt", Color: "var(--muted)"},
			H6:        report.TextStyle{FontSize: "8pt", FontWeight: "600", LetterSpacing: "0.06em", TextTransform: "uppercase", MarginTop: "9pt", MarginBottom: "3pt", Color: "var(--muted)"},
			Link:      report.TextStyle{Color: "var(--primary)"},
			Small:     report.TextStyle{FontSize: "7.5pt"},
			Muted:     report.TextStyle{Color: "var(--muted)"},
		},
		Table: report.TableStyles{
			Header: report.CellStyle{TextStyle: report.TextStyle{FontSize: "7.5pt", FontWeight: "600", Color: "var(--muted)", LineHeight: "1.3"}, Padding: "4pt 6pt", BorderBottom: "1px solid var(--text)", VerticalAlign: "bottom"},
			Cells:  report.CellStyle{TextStyle: report.TextStyle{FontSize: "8.5pt", LineHeight: "1.35"}, Padding: "3.5pt 6pt", BorderBottom: "0.5px solid var(--line)", VerticalLine: "0.5px solid var(--line)", VerticalAlign: "top"},
			Footer: report.CellStyle{TextStyle: report.TextStyle{FontSize: "8.5pt", FontWeight: "600"}, Padding: "5pt 6pt", BorderTop: "1px solid var(--text)"},
			Group: []report.CellStyle{
				{TextStyle: report.TextStyle{FontSize: "9.5pt", FontWeight: "600"}, Background: "var(--surface)", Padding: "5pt 6pt", BorderBottom: "0.5px solid var(--line)"},
				{TextStyle: report.TextStyle{FontSize: "8.5pt", FontWeight: "600"}, Padding: "4.5pt 6pt", BorderBottom: "0.5px solid var(--line)"},
				{TextStyle: report.TextStyle{FontSize: "8.5pt", FontWeight: "500", Color: "var(--muted)"}, Padding: "4pt 6pt", BorderBottom: "0.5px solid var(--line)"},
			},
		},
		Chart: report.ChartStyle{
			// any two of them differ for people with any kind of colour blindness
			Palette:    fullPalette([]string{"#1d4e89", "#c7772e", "#0b7a4d", "#621b51", "#905500", "#30a270", "#77101e", "#8d64b4"}),
			LabelColor: "var(--muted)", GuidelineColor: "var(--line)", ZeroMarkerColor: "var(--text)",
		},
		Legend:    report.LegendStyle{TextStyle: report.TextStyle{FontSize: "8pt"}},
		Figure:    report.TextStyle{FontSize: "8pt", Color: "var(--muted)", MarginTop: "3pt", MarginBottom: "9pt"},
		Separator: report.Separator{Color: "var(--line)"},
		KeyValue:  report.KeyValue{Key: report.TextStyle{Color: "var(--muted)"}, Value: report.TextStyle{FontWeight: "500"}},
	}
	report.ApplyDefaults(t)
	return t
}

// completeTheme is the theme with the default in every empty value.
func completeTheme(given *report.Theme) *report.Theme {
	t := DefaultTheme()
	if given == nil {
		return t
	}
	colors := slices.Clone(t.Colors) // overlay would replace them by their places
	overlay(reflect.ValueOf(t).Elem(), reflect.ValueOf(given).Elem())
	t.Colors, t.Inks = mergeColors(colors, given.Colors), given.Inks
	t.Chart.Palette = fullPalette(t.Chart.Palette)
	return t
}

// paletteSize is how many colours charts have.
const paletteSize = 16

// fullPalette fills a palette up with lighter shades of its colours, so that
// charts always find a colour.
func fullPalette(given []string) []string {
	palette := slices.Clone(given[:min(len(given), paletteSize)])
	for i := 0; len(palette) < paletteSize; i++ {
		palette = append(palette, lighter(palette[i]))
	}
	return palette
}

// lighter is a hex colour half way to white; any other as it is.
func lighter(color string) string {
	hex := strings.TrimPrefix(color, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 6 {
		return color
	}
	half := func(shift int) uint64 { return (n>>shift&0xff + 0xff) / 2 }
	return fmt.Sprintf("#%02x%02x%02x", half(16), half(8), half(0))
}

// overlay writes the values of a theme that are not empty over another's.
func overlay(dst, src reflect.Value) {
	for i := range dst.NumField() {
		d, s := dst.Field(i), src.Field(i)
		switch d.Kind() {
		case reflect.Struct:
			overlay(d, s)
		case reflect.Slice:
			overlaySlice(d, s)
		default:
			if !s.IsZero() {
				d.Set(s)
			}
		}
	}
}

// overlaySlice merges a list of groups place by place and replaces other lists.
func overlaySlice(dst, src reflect.Value) {
	if src.Len() == 0 {
		return
	}
	if dst.Type().Elem().Kind() != reflect.Struct {
		dst.Set(src)
		return
	}
	for i := range min(dst.Len(), src.Len()) {
		overlay(dst.Index(i), src.Index(i))
	}
}

// mergeColors is the default colours with the theme's in place of those with
// the same names, and its others after them.
func mergeColors(base, own []report.Color) []report.Color {
	merged := append([]report.Color(nil), base...)
next:
	for _, c := range own {
		if c.Name == "" || c.Value == "" {
			continue // it is still being made
		}
		for i := range merged {
			if strings.EqualFold(merged[i].Name, c.Name) {
				merged[i].Value = c.Value
				continue next
			}
		}
		merged = append(merged, c)
	}
	return merged
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// variableName writes a colour's name as part of a CSS variable:
// "Warm grey 2" is warm-grey-2.
func variableName(name string) string {
	return strings.Trim(notName.ReplaceAllString(strings.ToLower(name), "-"), "-")
}

// styles are the style sheets of a document without its fonts. What depends on the
// medium stands alone: a sheet in which a rule begins to apply is read anew as a
// whole, and all text is shaped again when that sheet has fonts, which doubles what a
// print costs.
type styles struct {
	variables string // of the theme
	rules     string // of ours, for whatever is in a document
	others    string // of what is in this one, for print, and the theme's own
}

func (s *styles) String() string {
	return "<style>:root{" + s.variables + "}\n" + s.rules + s.others
}

func (c *Context) styleSheets(fallback string) *styles {
	var own strings.Builder
	for _, name := range c.theme.ExternalCSS {
		own.WriteString(c.externalCSS(name))
	}
	own.WriteString(c.customCSS("theme.customCss", c.theme.CustomCSS))
	var others strings.Builder
	if c.carries {
		others.WriteString(carryCSS)
	}
	if c.formulas {
		others.WriteString(mathCSS)
	}
	for _, rules := range c.rules {
		others.WriteString(rules)
	}
	others.WriteString("</style><style>" + printCSS + "</style>")
	if own.Len() > 0 {
		others.WriteString("<style>" + own.String() + "</style>")
	}
	return &styles{variables: c.themeVariables(fallback), rules: allRules, others: others.String()}
}

// allRules are the sheets of ours that documents have.
var allRules = baseCSS + tableCSS + chartCSS

func (c *Context) externalCSS(name string) string {
	if c.in.Files != nil {
		if content, ok := c.in.Files(name); ok {
			return c.customCSS("theme.externalCss", string(content))
		}
	}
	c.warnings = append(c.warnings, report.Problemf("theme.externalCss", "there is no managed file %q", name))
	return ""
}

func (c *Context) customCSS(path, source string) string {
	if source == "" {
		return ""
	}
	kept, dropped := stylesheet(source)
	c.asksOf(kept, false, func(format string, args ...any) { c.warnTheme(format, args...) })
	for _, d := range dropped {
		c.warnings = append(c.warnings, report.Problemf(path, "%q is not allowed and was left out", clip(d, mostReason)))
	}
	return kept
}

// warnTheme warns of something in the theme, once.
func (c *Context) warnTheme(format string, args ...any) {
	p := report.Problemf("theme", format, args...)
	if !slices.ContainsFunc(c.warnings, func(known *report.Problem) bool { return *known == *p }) {
		c.warnings = append(c.warnings, p)
	}
}

func (c *Context) fontFaces(faces []FontFace, address func(i int) string) {
	if len(faces) == 0 {
		return
	}
	c.Raw("<style>")
	defer c.Raw("</style>")
	for i := range faces {
		f := &faces[i]
		c.Raw("@font-face{font-family:\"" + f.Family + "\";font-weight:" + f.Weight + ";font-style:" + f.Style + ";font-display:block;")
		c.Raw("src:url(\"" + address(i) + "\") format(\"" + firstOf(f.Format, "woff2") + "\");")
		if f.UnicodeRange != "" {
			c.Raw("unicode-range:" + f.UnicodeRange + ";")
		}
		c.Raw("}\n")
	}
}

// vars collects CSS variables.
type vars struct {
	b        strings.Builder
	fallback string // families that stand behind every one
	font     func(of, list string)
}

func (v *vars) set(name, value string) {
	if value = cssValue(value); value != "" {
		v.b.WriteString("--")
		v.b.WriteString(name)
		v.b.WriteByte(':')
		v.b.WriteString(value)
		v.b.WriteByte(';')
	}
}

func (c *Context) themeVariables(fallback string) string {
	t, v := c.theme, &vars{fallback: fallback, font: func(of, list string) {
		c.namesFont(list, func(format string, args ...any) { c.warnTheme(of+": "+format, args...) })
	}}
	v.font("page", t.Page.FontFamily)
	for _, color := range t.Colors {
		name := variableName(color.Name)
		v.set("color-"+name, color.Value)
		v.set(name, "var(--color-"+name+")")
	}
	v.set("page-background", t.Page.Background)
	v.set("text", t.Page.Color)
	fmt.Fprintf(&v.b, "--font:%s,%s;", fontFamilies(t.Page.FontFamily), fallback)
	v.set("font-size", t.Page.FontSize)
	v.set("line-height", t.Page.LineHeight)
	for name, s := range textKinds(t) {
		v.text(name, s)
	}
	v.cell("table", &t.Table.Table)
	v.cell("header", &t.Table.Header)
	v.cell("cell", &t.Table.Cells)
	v.cell("footer", &t.Table.Footer)
	for i := range t.Table.Group {
		v.cell(fmt.Sprintf("group-%d", i+1), &t.Table.Group[i])
	}
	v.chart(t)
	v.set("separator-color", t.Separator.Color)
	v.set("separator-size", t.Separator.Size)
	v.keyValue(&t.KeyValue)
	return v.b.String()
}

// textKinds yields the kinds of text with the names of their variables.
func textKinds(t *report.Theme) func(yield func(string, *report.TextStyle) bool) {
	kinds := []struct {
		name  string
		style *report.TextStyle
	}{
		{"paragraph", &t.Text.Paragraph},
		{"h1", &t.Text.H1},
		{"h2", &t.Text.H2},
		{"h3", &t.Text.H3},
		{"h4", &t.Text.H4},
		{"h5", &t.Text.H5},
		{"h6", &t.Text.H6},
		{"link", &t.Text.Link},
		{"small", &t.Text.Small},
		{"muted-text", &t.Text.Muted},
		{"figure", &t.Figure},
		{"legend", &t.Legend.TextStyle},
	}
	return func(yield func(string, *report.TextStyle) bool) {
		for _, k := range kinds {
			if !yield(k.name, k.style) {
				return
			}
		}
	}
}

func (v *vars) text(name string, s *report.TextStyle) {
	if s.FontFamily != "" {
		v.font(name, s.FontFamily)
		fmt.Fprintf(&v.b, "--%s-font-family:%s,%s;", name, fontFamilies(s.FontFamily), v.fallback)
	}
	v.set(name+"-font-size", s.FontSize)
	v.set(name+"-font-weight", s.FontWeight)
	v.set(name+"-font-style", s.FontStyle)
	v.set(name+"-line-height", s.LineHeight)
	v.set(name+"-letter-spacing", s.LetterSpacing)
	v.set(name+"-text-transform", s.TextTransform)
	v.set(name+"-color", s.Color)
	v.set(name+"-margin-top", s.MarginTop)
	v.set(name+"-margin-bottom", s.MarginBottom)
}

func (v *vars) cell(name string, s *report.CellStyle) {
	v.text(name, &s.TextStyle)
	v.set(name+"-background", s.Background)
	v.set(name+"-alt-background", s.AltBackground)
	v.set(name+"-padding", s.Padding)
	v.set(name+"-border-top", s.BorderTop)
	v.set(name+"-border-bottom", s.BorderBottom)
	v.set(name+"-vertical-line", s.VerticalLine)
	v.set(name+"-vertical-align", s.VerticalAlign)
}

func (v *vars) chart(t *report.Theme) {
	for i, color := range t.Chart.Palette[:min(16, len(t.Chart.Palette))] {
		v.set(fmt.Sprintf("chart-%d", i+1), color)
	}
	v.set("chart-label-size", t.Chart.LabelSize)
	v.set("chart-label-color", t.Chart.LabelColor)
	v.set("chart-title-size", t.Chart.TitleSize)
	v.set("chart-guideline-color", t.Chart.GuidelineColor)
	v.set("chart-guideline-width", t.Chart.GuidelineWidth)
	v.set("chart-zero-color", t.Chart.ZeroMarkerColor)
	v.set("chart-zero-width", t.Chart.ZeroMarkerWidth)
	v.set("legend-marker-size", t.Legend.MarkerSize)
	v.set("legend-gap", t.Legend.Gap)
}

func (v *vars) keyValue(k *report.KeyValue) {
	v.text("kv-key", &k.Key)
	v.text("kv-value", &k.Value)
	v.set("kv-odd-background", k.OddBackground)
	v.set("kv-even-background", k.EvenBackground)
	v.set("kv-row-gap", k.RowGap)
	v.set("kv-cell-gap", k.CellGap)
	v.set("kv-border", k.Border)
}
