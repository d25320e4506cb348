package htmlgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var formField = define("form-field", "Form field", "Forms", "A field to fill in, on paper and in PDF files.", compileFormField, icon("text-cursor-input"), looksBy(`
.q-form-field{display:flex;flex-direction:column;gap:1.5pt;line-height:1.3}
.q-form-field:is(.q-before,.q-after){flex-direction:row;align-items:center;gap:5pt}
.q-flow>.q-form-field:is(.q-before,.q-after)>.q-field-label{flex:0 1 auto}
.q-field-label{color:var(--field-label,inherit);font-size:var(--field-label-size,.86em)}
:is(.q-before,.q-after)>.q-field-label{font-size:var(--field-label-size,inherit)}
.q-field-label.q-sized{flex:none;width:var(--field-label-width)}
.q-field-hint{color:var(--muted);font-size:.8em}
.q-field-box{position:relative;box-sizing:border-box;min-height:1.9em;padding:.2em 4px;background:var(--field-fill,transparent);border:.75pt solid var(--field-line);overflow-wrap:anywhere;white-space:pre-wrap;display:flex;align-items:center}
:is(.q-before,.q-after)>.q-field-box{flex:1 1 0;min-width:0}
.q-field-box>span{flex:1 1 auto;min-width:0}
.q-field-box.q-lined{border-width:0 0 .75pt}
.q-field-box.q-bare{border-color:transparent}
.q-field-box.q-lines{align-items:flex-start;min-height:calc(var(--field-lines)*1.3em + .4em + 1.5pt)}
.q-field-box.q-signed{min-height:3.4em}
.q-field-box.q-signed>span{font-size:.78em;line-height:1.25}
.q-field-box.q-comb{padding:0;width:100%;max-width:100%}
.q-field-box.q-comb>span{flex:1 1 0;text-align:center;align-self:stretch;display:flex;align-items:center;justify-content:center;box-shadow:-.75pt 0 0 var(--field-line)}
.q-field-box.q-comb[dir=rtl]>span{box-shadow:.75pt 0 0 var(--field-line)}
.q-field-box.q-comb>span:first-child{box-shadow:none}
.q-field-box>svg.q-field-arrow{flex:none;width:.7em;height:.7em;margin-inline-start:3pt;color:var(--field-line)}
.q-form-field>.q-field-tick,.q-field-option>.q-field-tick{flex:none;min-width:0;width:1.15em;height:1.15em;min-height:0;padding:0}
.q-field-tick.q-round{border-radius:50%}
.q-field-tick>svg{width:100%;height:100%;display:block}
.q-field-tick:not(.q-on)>svg{visibility:hidden}
.q-field-options{display:flex;flex-direction:column;gap:3pt}
.q-field-options.q-abreast{flex-flow:row wrap;gap:3pt 14pt}
.q-field-option{display:flex;align-items:center;gap:5pt}
`))

type formFieldProps struct {
	Kind       string        `json:"kind" enum:"text,multiline,number,date,choice,checkbox,radio,signature" default:"text" help:"What is filled in: a line of text, several lines, a number, a date, one of a list, a box to tick, one of several, a signature."`
	Name       string        `json:"name" editor:"template" empty:"the field has no name; give it one, by which programs read what was filled in" help:"Text template: the name by which programs read what was filled in; each stands once in a document. In a repeat a name without values has the row before it: items[3].qty." ask:"By it programs read what was filled in; each name stands once in a document. In a repeat it gets the number of the row: items[3].qty."`
	Label      string        `json:"label" means:"text" editor:"template" default:"Label" empty:"the field has no label; say what is to be filled in" help:"What is to be filled in."`
	Place      string        `json:"labelPosition" label:"Place of the label" enum:",above,below,before,after,none" help:"Default: above, after a box to tick, below a signature. Programs that read aloud say the label in any case."`
	LabelWidth string        `json:"labelWidth" label:"Width of the label" editor:"length" help:"Of one before or after the field, so that fields stand below each other."`
	Tooltip    string        `json:"tooltip" editor:"template" help:"What programs that read aloud say, and viewers show at the pointer. Default: the label with the hint."`
	Hint       string        `json:"hint" editor:"template" help:"Small print below or behind the field, such as DD.MM.YYYY."`
	Value      string        `json:"value" editor:"template" help:"What is filled in already: of one of a list or of several, the value of an option; a box is ticked unless it is empty, 0, false, no or off."`
	Options    []fieldOption `json:"options" help:"What can be chosen: of one of a list or of several." one:"Option"`
	Abreast    bool          `json:"optionsAbreast" label:"Options beside each other" help:"They stand beside each other instead of below."`
	Required   bool          `json:"required" help:"It must be filled in; the label gets an asterisk."`
	ReadOnly   bool          `json:"readOnly" label:"Read only" help:"It is shown, and cannot be changed."`
	MaxLength  int           `json:"maxLength" label:"Most letters" min:"0" max:"10000" help:"How many letters fit; 0 for any number."`
	Comb       bool          `json:"comb" label:"A box for each letter" help:"Of a line of text with maxLength: each letter has a box." ask:"For a line of text that says how many letters fit."`
	CellWidth  string        `json:"cellWidth" label:"Width of a letter's box" editor:"length" help:"Default: the boxes share the width of the field."`
	Lines      int           `json:"lines" min:"1" max:"60" default:"4" help:"How many lines a field of several lines shows."`
	Look       string        `json:"look" enum:"box,line,none" default:"box" help:"A frame, a line below, or neither."`
	Mark       string        `json:"mark" enum:",check,cross,dot" help:"What a box is ticked with. Default: a check mark, of one of several a dot; what has a dot is round."`
	Align      string        `json:"align" enum:",start,center,end" help:"Where what is filled in stands. Default: at the end of a number, else at the start."`
	Line       string        `json:"lineColor" label:"Color of lines" editor:"color" default:"#6b7480"`
	Fill       string        `json:"fillColor" label:"Color of the field" editor:"color" help:"Default: none."`
	LabelSize  string        `json:"labelSize" label:"Size of the label" editor:"length" help:"Default: a little smaller than the text around it, beside a field as large."`
	LabelColor string        `json:"labelColor" label:"Color of the label" editor:"color" help:"Default: that of the text."`
	Font
	Box
}

type fieldOption struct {
	Value string `json:"value" editor:"template" help:"What programs read when it is chosen."`
	Label string `json:"label" editor:"template" help:"What people read. Default: the value."`
}

// field is what the element says of itself to whoever makes a field of it that can be
// filled in. The browser adds where it is and how its text looks; package render/pdf
// and the writers of Office files read it.
type field struct {
	Name     string      `json:"name"`
	Kind     string      `json:"kind"`
	Told     string      `json:"told"`            // for those who do not see it
	Group    string      `json:"group,omitempty"` // of one of several boxes: what all of them are told as
	Value    string      `json:"value,omitempty"`
	Options  [][2]string `json:"options,omitempty"` // value and label of each
	State    string      `json:"state,omitempty"`   // what a box or circle stands for
	On       bool        `json:"on,omitempty"`
	Required bool        `json:"required,omitempty"`
	ReadOnly bool        `json:"readOnly,omitempty"`
	Most     int         `json:"most,omitempty"`
	Comb     bool        `json:"comb,omitempty"`
	Signed   bool        `json:"signed,omitempty"` // the signature of the file is shown here
}

// The marks of boxes, in a square of 12 units.
var fieldMarks = map[string]string{
	"check": `<path d="M2.2 6.4l2.7 2.8 5-6.4" fill="none" stroke="currentColor" stroke-width="1.7"/>`,
	"cross": `<path d="M2.2 2.2l7.6 7.6M9.8 2.2l-7.6 7.6" fill="none" stroke="currentColor" stroke-width="1.7"/>`,
	"dot":   `<circle cx="6" cy="6" r="3.2" fill="currentColor"/>`,
}

func compileFormField(c *Context, e *Element, p *formFieldProps) {
	label, hint := c.Shown(p.Label), c.Shown(p.Hint)
	f := field{
		Name: c.fieldName(e, p.Name), Kind: p.Kind, Value: c.Shown(p.Value), Required: p.Required, ReadOnly: p.ReadOnly, Most: p.MaxLength,
		Told: firstOf(c.Shown(p.Tooltip), strings.TrimSpace(label+" "+hint), p.Kind),
	}
	if s := c.in.Signer; s != nil && !s.shown && p.Kind == "signature" && (s.Field == "" || s.Field == f.Name) {
		f.Signed, s.shown = true, true
		f.Value = strings.Join(s.Lines, "\n")
	}
	if label == "" && c.Shown(p.Tooltip) == "" {
		c.warnAt(e, "label", "the field has neither label nor tooltip; those who do not see it are not told what to fill in")
	}
	c.checkField(e, p, &f)
	c.namesFont(p.FontFamily, func(format string, args ...any) { c.Warn(e, format, args...) })
	place := firstOf(p.Place, map[string]string{"checkbox": "after", "signature": "below"}[p.Kind], "above")
	c.Open(e, tag{name: "div", classes: "q-" + place, box: &p.Box, extra: func(s *style) {
		s.add("--field-line", firstOf(cssValue(p.Line), "#6b7480"))
		s.add("--field-fill", cssValue(p.Fill))
		s.add("--field-label", cssValue(p.LabelColor))
		s.add("--field-label-width", length(p.LabelWidth))
		s.add("--field-label-size", length(p.LabelSize))
	}})
	c.Raw(">")
	if place == "above" || place == "before" {
		c.fieldLabel(p, label)
	}
	if p.Kind == "radio" {
		c.fieldCircles(p, f)
	} else {
		c.fieldBox(p, f)
	}
	if place == "below" || place == "after" {
		c.fieldLabel(p, label)
	}
	if hint != "" {
		c.Raw(`<div class="q-field-hint">`)
		c.Text(hint)
		c.Raw("</div>")
	}
	c.Raw("</div>\n")
}

func (c *Context) fieldLabel(p *formFieldProps, label string) {
	if label == "" {
		return
	}
	c.Raw(`<div class="q-field-label`)
	if p.LabelWidth != "" {
		c.Raw(" q-sized")
	}
	c.Raw(`">`)
	c.Print(p.Label)
	if p.Required {
		c.Raw(" *")
	}
	c.Raw("</div>")
}

// fieldName is the name of a field, with the rows that it stands in.
func (c *Context) fieldName(e *Element, source string) string {
	name := strings.TrimSpace(c.Expand(source))
	if name == "" {
		name = e.ID
	}
	if _, same := c.Parse(source).Static(); same || source == "" {
		for at := &c.scope.place; at != nil && at.outer != nil; at = at.outer {
			name = fmt.Sprintf("%s[%d].%s", firstOf(at.alias, "rows"), at.index+1, name)
		}
	}
	if first := c.fields[name]; first != "" {
		c.warnAt(e, "name", "the name %q is that of %s too; what is filled in there is filled in here", name, first)
	} else {
		if c.fields == nil {
			c.fields = map[string]string{}
		}
		c.fields[name] = e.label
	}
	return name
}

// checkField settles what depends on the kind, and says what does not fit together.
func (c *Context) checkField(e *Element, p *formFieldProps, f *field) {
	if p.Kind == "choice" || p.Kind == "radio" {
		c.fieldOptions(e, p, f)
		return
	}
	if p.Kind == "checkbox" {
		f.On = !slices.Contains([]string{"", "0", "false", "no", "off"}, strings.ToLower(f.Value))
		f.State, f.Value = "Yes", ""
		return
	}
	if f.Comb = p.Comb && f.Most > 0 && f.Most <= mostCells && p.Kind != "multiline" && p.Kind != "signature"; p.Comb && !f.Comb {
		c.warnAt(e, "comb", "only a line of text with maxLength from 1 to %d has a box for each letter", mostCells)
	}
	if n := utf8.RuneCountInString(f.Value); f.Most > 0 && n > f.Most {
		c.warnAt(e, "value", "%s has %d letters; the field takes %d", clip(f.Value, 60), n, f.Most)
		f.Value = string([]rune(f.Value)[:f.Most])
	}
}

const mostCells = 200

func (c *Context) fieldOptions(e *Element, p *formFieldProps, f *field) {
	found := f.Value == ""
	for i := range p.Options {
		value, label := c.Shown(p.Options[i].Value), c.Shown(p.Options[i].Label)
		o := [2]string{firstOf(value, label), firstOf(label, value)}
		if slices.ContainsFunc(f.Options, func(other [2]string) bool { return other[0] == o[0] }) {
			c.warnAt(e, fmt.Sprintf("options[%d]", i), "the option %q stands twice", o[0])
			continue
		}
		f.Options = append(f.Options, o)
		found = found || o[0] == f.Value
	}
	if len(f.Options) == 0 {
		c.warnAt(e, "options", "there is nothing to choose")
	}
	if !found {
		c.warnAt(e, "value", "%q is none of the options", f.Value)
		f.Value = ""
	}
}

// fieldCircles writes the options of which one is chosen.
func (c *Context) fieldCircles(p *formFieldProps, f field) {
	options := f.Options
	f.Options = nil
	c.Raw(`<div class="q-field-options`)
	if p.Abreast {
		c.Raw(" q-abreast")
	}
	c.Raw(`">`)
	f.Group = f.Told
	for _, o := range options {
		f.State, f.On, f.Told = o[0], o[0] == f.Value, f.Group+": "+o[1]
		c.Raw(`<div class="q-field-option">`)
		c.fieldBox(p, f)
		c.Raw("<div>")
		c.Text(o[1])
		c.Raw("</div></div>")
	}
	c.Raw("</div>")
}

// mark is what a box is ticked with.
func (p *formFieldProps) mark() string {
	if p.Mark == "" && p.Kind == "radio" {
		return "dot"
	}
	return firstOf(p.Mark, "check")
}

// fieldBox writes what is filled in. To those who do not see it it is a picture that
// says what it is of and what stands there.
func (c *Context) fieldBox(p *formFieldProps, f field) {
	classes, said := "q-field-box", f.Value
	ticked := f.State != ""
	if f.Kind == "choice" {
		for _, o := range f.Options {
			if o[0] == f.Value {
				said = o[1]
			}
		}
	}
	switch {
	case ticked:
		classes, said = classes+" q-field-tick", "☐"
		if f.On {
			classes, said = classes+" q-on", "☑"
		}
		if p.mark() == "dot" {
			classes += " q-round"
		}
	case f.Comb:
		classes += " q-comb"
	case f.Kind == "multiline":
		classes += " q-lines"
	case f.Kind == "signature":
		classes += " q-signed"
	}
	switch {
	case ticked:
	case p.Look == "line" || f.Kind == "signature" && p.Look == "box" && p.Place == "":
		classes += " q-lined"
	case p.Look == "none":
		classes += " q-bare"
	}
	c.Raw(`<div class="` + classes + `"`)
	var s style
	p.Font.css(&s)
	if f.Kind == "multiline" {
		s.add("--field-lines", fmt.Sprint(p.Lines))
	}
	if f.Kind == "number" && p.Align == "" {
		s.add("text-align", "end")
	}
	s.add("text-align", p.Align)
	if cell := length(p.CellWidth); f.Comb && cell != "" {
		s.add("width", fmt.Sprintf("calc(%d*%s + 1.5pt)", f.Most, cell))
	}
	if s.String() != "" {
		c.Attr("style", s.String())
	}
	if f.Comb { // letters stand in their own order, as viewers put them
		dir := "ltr"
		if strings.ContainsFunc(f.Value, func(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) }) {
			dir = "rtl"
		}
		c.Attr("dir", dir)
	}
	c.Raw(` role="img"`)
	c.Attr("aria-label", strings.TrimSpace(f.Told+": "+firstOf(said, "…")))
	written, _ := json.Marshal(f)
	c.Attr("data-field", string(written))
	c.Raw(">")
	switch {
	case ticked:
		c.Raw(`<svg aria-hidden="true" viewBox="0 0 12 12">` + fieldMarks[p.mark()] + "</svg>")
	case f.Comb:
		letters := []rune(f.Value)
		for i := range f.Most {
			c.Raw("<span>")
			if i < len(letters) {
				c.Text(string(letters[i]))
			}
			c.Raw("</span>")
		}
	default:
		c.Raw("<span>")
		c.Text(said)
		c.Raw("</span>")
		if f.Kind == "choice" {
			c.Raw(`<svg class="q-field-arrow" aria-hidden="true" viewBox="0 0 12 12"><path d="M2 4l4 4.5L10 4" fill="none" stroke="currentColor" stroke-width="1.4"/></svg>`)
		}
	}
	c.Raw("</div>")
}
