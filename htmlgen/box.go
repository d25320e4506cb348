package htmlgen

import (
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report/text"
)

// Font is the font of an element; every empty setting comes from the theme.
type Font struct {
	FontFamily    string `json:"fontFamily" editor:"font" help:"Font family; default the theme's."`
	FontSize      string `json:"fontSize" editor:"length" help:"For example 9pt."`
	FontWeight    string `json:"fontWeight" enum:",300,400,500,600,700,800"`
	FontStyle     string `json:"fontStyle" enum:",normal,italic"`
	Color         string `json:"color" editor:"color"`
	LineHeight    string `json:"lineHeight"`
	LetterSpacing string `json:"letterSpacing" editor:"length"`
	TextTransform string `json:"textTransform" enum:",none,uppercase,lowercase,capitalize"`
	Decoration    string `json:"textDecoration" label:"Decoration" enum:",none,underline,line-through"`
}

// Box is the room around and the look of an element.
type Box struct {
	Width       string `json:"width" editor:"length"`
	Height      string `json:"height" editor:"length"`
	Overflow    string `json:"overflow" enum:"grow,clip,ellipsis" default:"grow" help:"What happens to content that the height has no room for: the element grows and a warning says so, the content is cut off, or its last line ends in an ellipsis."`
	Margin      string `json:"margin" editor:"lengths"`
	Padding     string `json:"padding" editor:"lengths"`
	Background  string `json:"background" editor:"color"`
	Border      string `json:"border" editor:"border"`
	Radius      string `json:"borderRadius" label:"Border radius" editor:"length"`
	Grow        bool   `json:"grow" label:"Take the free room" help:"Whether the element takes the free room of its flow." ask:"It becomes as wide as the room that its row leaves, or as high in a column."`
	BreakBefore bool   `json:"pageBreakBefore" label:"Page break before" help:"Starts a new page."`
	Restart     bool   `json:"restartPageNumbers" label:"Restart page numbers" help:"The numbers of pages begin anew with the page that this begins; best with a page break before."`
	KeepNext    bool   `json:"keepWithNext" label:"Keep with next" help:"Stays on the page of what follows."`
	Class       string `json:"class" help:"Further CSS classes, separated by blanks; the theme's CSS can use them."`
	Style       string `json:"style" label:"Own CSS" editor:"css" help:"CSS declarations, a text template." ask:"For this element alone, such as letter-spacing: 1px."`
}

// style collects declarations for a style attribute.
type style struct{ b strings.Builder }

func (s *style) add(property, value string) {
	if value != "" {
		s.b.WriteString(property)
		s.b.WriteByte(':')
		s.b.WriteString(value)
		s.b.WriteByte(';')
	}
}

func (s *style) String() string { return s.b.String() }

// fontFamilies quotes a family list as CSS wants it.
func fontFamilies(list string) string {
	var families []string
	for _, f := range strings.Split(list, ",") {
		f = strings.Trim(strings.TrimSpace(f), `"'`)
		switch {
		case f == "" || strings.ContainsAny(f, "\"';{}()\\<>"):
		case strings.HasPrefix(f, "var(") || f == "serif" || f == "sans-serif" || f == "monospace":
			families = append(families, f)
		default:
			families = append(families, `"`+f+`"`)
		}
	}
	return strings.Join(families, ",")
}

func (f *Font) css(s *style) {
	if own := fontFamilies(f.FontFamily); own != "" {
		s.add("font-family", own+",var(--font)") // for what it lacks
	}
	s.add("font-size", length(f.FontSize))
	s.add("font-weight", f.FontWeight)
	s.add("font-style", f.FontStyle)
	s.add("color", cssValue(f.Color))
	s.add("line-height", cssValue(f.LineHeight))
	s.add("letter-spacing", length(f.LetterSpacing))
	s.add("text-transform", f.TextTransform)
	s.add("text-decoration", f.Decoration)
}

func (b *Box) css(s *style) {
	s.add("width", length(b.Width))
	b.bound(s, b.Margin)
	s.add("height", length(b.Height))
	s.add("margin", lengths(b.Margin))
	s.add("padding", lengths(b.Padding))
	s.add("background", cssValue(b.Background))
	s.add("border", cssValue(b.Border))
	s.add("border-radius", lengths(b.Radius))
	if b.Grow {
		s.add("flex", "1 1 0")
	}
}

// sets tells whether the author gives a property a value, by an option or in
// the style.
func (b *Box) sets(property, option string) bool {
	return option != "" || strings.Contains(b.Style, property)
}

// sized are classes that tell the style sheet which sizes the author has set.
func (b *Box) sized() string {
	var classes []string
	if b.sets("width", b.Width) {
		classes = append(classes, "q-wide")
	}
	if b.sets("height", b.Height) {
		classes = append(classes, "q-high")
	}
	return strings.Join(classes, " ")
}

// fill makes an element that does not stretch by itself as wide as its place,
// less its own margins.
func (b *Box) fill(s *style) { b.fillBetween(s, b.Margin) }

// fillBetween is fill for an element whose margins are others than its box's.
func (b *Box) fillBetween(s *style, margin string) {
	if b.Width != "" || b.Grow {
		b.bound(s, margin)
		return
	}
	left, right := sides(margin)
	if left == "" {
		s.add("width", "100%")
		return
	}
	s.add("width", "calc(100% - "+left+" - "+right+")")
}

// bound keeps a width from reaching over the page by the margins.
func (b *Box) bound(s *style, margin string) {
	if left, right := sides(margin); b.Width != "" && left != "" {
		s.add("max-width", "calc(100% - "+left+" - "+right+")")
	}
}

// sides are the left and right of margins; empty when there are none.
func sides(margin string) (left, right string) {
	m := strings.Fields(lengths(margin))
	switch len(m) {
	case 0:
		return "", ""
	case 1:
		left, right = m[0], m[0]
	case 2, 3:
		left, right = m[1], m[1]
	default:
		left, right = m[3], m[1]
	}
	if left == "auto" || right == "auto" || left == "0" && right == "0" {
		return "", ""
	}
	return unitful(left), unitful(right)
}

// unitful gives nought the unit that sums want.
func unitful(s string) string {
	if s == "0" {
		return "0px"
	}
	return s
}

// tag is the start of an element's outermost node.
type tag struct {
	name    string
	classes string // besides q-el and the type's own
	drawing bool   // holds one drawing and nothing else, which its size never cuts off
	breaks  bool   // may be broken between pages
	font    *Font
	box     *Box
	extra   func(s *style) // further declarations of the type
}

// Open writes the start tag of an element up to, not including, its ">": the
// caller may add attributes and then writes it. What does not change between
// repeats is prepared once.
func (c *Context) Open(e *Element, t tag) {
	key := "style"
	if c.beside { // what keeps it from being pressed depends on how many stand there
		key = fmt.Sprintf("style %.2f", c.room)
	}
	fixed := once(e, key, func() string { return c.fixedStyle(e, t) })
	c.Raw("<")
	c.Raw(t.name)
	c.Raw(` class="q-el q-`)
	c.Raw(e.typ.Name)
	if t.drawing {
		c.Raw(" q-drawing")
	}
	if t.classes != "" {
		c.Raw(" ")
		c.Raw(t.classes)
	}
	if t.box.Grow || strings.Contains(t.box.Style, "flex:") {
		c.Raw(" q-grow")
	}
	if extra := classNames(t.box.Class); extra != "" {
		c.Raw(" ")
		c.Raw(extra)
	}
	c.Raw(`"`)
	c.Attr("data-id", e.ID)
	c.Attr("data-of", c.owner(e))
	c.elementOrigins(e)
	if t.breaks {
		c.Raw(` data-break="auto"`)
	}
	if t.box.Height != "" && t.box.Overflow != "grow" {
		c.Attr("data-overflow", t.box.Overflow)
	}
	if t.box.BreakBefore {
		c.Raw(` data-break-before="page"`)
	}
	if t.box.Restart {
		c.numbersAnew(e)
	}
	if t.box.KeepNext {
		c.BoolAttr("data-keep-next")
	}
	c.Attr("style", fixed+c.ownStyle(e, t.box.Style))
}

// numbersAnew says that the numbers of pages begin anew with the page that the element
// whose start tag is open begins. Each place has a number: where an element goes on on
// other sheets they do not begin again.
func (c *Context) numbersAnew(e *Element) {
	if e != nil && c.in.forWord() {
		c.Warn(e, "in documents of Word the numbers of pages begin anew only with a page of the report")
	}
	c.anew++
	c.Raw(` data-anew="`)
	c.Int(c.anew)
	c.Raw(`"`)
}

func (c *Context) fixedStyle(e *Element, t tag) string {
	var s style
	t.box.css(&s)
	if t.font != nil {
		c.namesFont(t.font.FontFamily, func(format string, args ...any) { c.Warn(e, format, args...) })
		t.font.css(&s)
	}
	if t.extra != nil {
		t.extra(&s)
	}
	if c.inRow && t.box.Width == "" && holdsFirm(e.Children) {
		c.keepReadable(&s, c.room)
	}
	return s.String()
}

// ownStyle is the author's style with its templates resolved and only its
// harmless declarations.
func (c *Context) ownStyle(e *Element, source string) string {
	if source == "" {
		return ""
	}
	template := c.Parse(source)
	if _, fixed := template.Static(); fixed {
		return once(e, "own:"+source, func() string { return c.checkedStyle(e, source, e.dividesWords()) })
	}
	return c.checkedStyle(e, string(template.Append(nil, c.Env, text.EscapeCSS)), e.dividesWords())
}

func (c *Context) cleanStyle(e *Element, source string) string {
	return c.checkedStyle(e, source, false)
}

func (c *Context) checkedStyle(e *Element, source string, divides bool) string {
	kept, dropped := declarations(source)
	c.asksOf(kept, divides, func(format string, args ...any) { c.Warn(e, format, args...) })
	for _, d := range dropped {
		c.Warn(e, "the style %q is not allowed and was left out", clip(d, mostReason))
	}
	return kept
}

// classNames keeps what can be class names; q- is for the program's own.
func classNames(list string) string {
	var names []string
	for _, n := range strings.Fields(list) {
		if isPropertyName(strings.ToLower(n)) && !strings.HasPrefix(n, "q-") {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

// clip shortens a text for a message.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
