package htmlgen

import (
	"math"
	"strings"

	"github.com/quire-reports/quire/htmlgen/chart"
)

var letterWindow = define("letter-window", "Letter window", "Layout", "The address of a letter where the window of its envelope is, with fold and punch marks.", compileLetterWindow, colors(ColorsOfParts), icon("mail"), looksBy(`
.q-letter-window{max-width:none}
.q-letter-window>div{white-space:pre-wrap;overflow-wrap:break-word}
.q-letter-sender{color:var(--muted);display:flex;align-items:flex-end;padding-bottom:1mm;line-height:1.2}
.q-letter-marks{max-width:none}
.q-letter-marks>svg{display:block}
`))

type letterWindowProps struct {
	Norm    string `json:"norm" enum:"din-5008-a,din-5008-b,us-10" default:"din-5008-b" help:"Where the window is: DIN 5008 form A (the address 27 mm below the edge of the paper) or B (45 mm), on A4, or a letter of US size folded in three in an envelope no. 10."`
	Address string `json:"address" means:"text" editor:"template" help:"Text template, a line each." ask:"Name, street and town, a line each."`
	Sender  string `json:"sender" editor:"template" help:"Return address, in one small line above the address; US windows have no room for it."`
	Folds   bool   `json:"foldMarks" label:"Fold marks" default:"true" help:"Whether short lines at the edge say where to fold."`
	Punch   bool   `json:"punchMark" label:"Punch mark" default:"true" help:"Whether a line in the middle of the edge says where to punch; US letters have none."`
	Room    string `json:"room" editor:"length" help:"Height that is kept free for the window where the element stands. Default: from the upper margin of the page to the first line of the letter; less where the page has a header."`
	Font
}

// A windowNorm is where the window of an envelope is on the paper, and where that is
// folded and punched, in millimetres.
type windowNorm struct {
	name            string
	paper           [2]float64
	left, top, wide float64 // of the text in the window
	sender          float64 // height above the address, where the sender stands; 0 for none
	high            float64 // of the lines of the address
	begins          float64 // where the first line of the letter stands
	folds           []float64
	punch           float64
	size            float64 // of its letters, in points
}

// The field of DIN 5008 is 85 mm wide, its text begins 5 mm from its left; 5 mm are for the
// sender, 12.7 mm for notes, 27.3 mm for the address. A letter of 11 in has play in an
// envelope no. 10, whose window of 4½ × 1⅛ in stands ⅞ in from the left and ½ in from the
// bottom: what is given here is seen however it lies.
var windowNorms = map[string]windowNorm{
	"din-5008-a": {"DIN 5008 A", [2]float64{210, 297}, 25, 27, 75, 17.7, 27.3, 80.46, []float64{87, 192}, 148.5, 10},
	"din-5008-b": {"DIN 5008 B", [2]float64{210, 297}, 25, 45, 75, 17.7, 27.3, 98.46, []float64{105, 210}, 148.5, 10},
	"us-10":      {"US #10", [2]float64{215.9, 279.4}, 25.4, 63.5, 83, 0, 17, 96.5, []float64{93.1, 186.3}, 0, 9.5},
}

const perMM = 96 / 25.4

// senderSize is the size of the letters of the sender, in points.
const senderSize = 6.5

// Where marks begin, and how long they are, in millimetres.
const markLeft, foldLong, punchLong = 4.0, 4.0, 6.0

func compileLetterWindow(c *Context, e *Element, p *letterWindowProps) {
	n := windowNorms[p.Norm]
	if c.in.Typed {
		c.Warn(e, "workbooks have no window for an address; it stands in the text")
		c.windowText(e, p, &n, "")
		return
	}
	if math.Abs(c.paper[0]-n.paper[0]*perMM) > perMM || math.Abs(c.paper[1]-n.paper[1]*perMM) > perMM {
		c.warnAt(e, "norm", "%s is for paper of %s × %s mm; on a page of another size the window shows something else", n.name, plainFloat(n.paper[0]), plainFloat(n.paper[1]))
	}
	c.windowText(e, p, &n, c.windowPlace(&n))
	c.letterMarks(p, &n)
	room := c.px(p.Room, 0, -1)
	if room < 0 {
		room = n.begins*perMM - c.sheetTop
		if c.headed {
			c.warnAt(e, "room", "the page has a header; room says how much of the window is below it")
		}
	}
	if room > 0 {
		c.Raw(`<div class="q-el" aria-hidden="true" style="height:` + cssPixels(room) + `"></div>` + "\n")
	}
}

// windowPlace is where the text in the window stands.
func (c *Context) windowPlace(n *windowNorm) string {
	var s style
	s.add("left", tenths(n.left*perMM)+"px")
	s.add("top", tenths(n.top*perMM)+"px")
	s.add("width", tenths(n.wide*perMM)+"px")
	s.add("height", tenths((n.sender+n.high)*perMM)+"px")
	return s.String()
}

// windowText writes the sender and the address.
func (c *Context) windowText(e *Element, p *letterWindowProps, n *windowNorm, place string) {
	sender, address := c.Shown(p.Sender), c.Shown(p.Address)
	if address == "" {
		c.warnAt(e, "address", "the letter has no address")
	}
	c.Open(e, tag{name: "div", classes: onPages(place), box: &Box{}})
	if place != "" {
		c.Raw(` data-pages="first" data-layer="behind"`) // which is before the text to a screen reader
		c.Attr("style", place)
	}
	c.Raw(">")
	switch {
	case n.sender == 0 && sender != "" && place != "":
		c.warnAt(e, "sender", "the window of %s has no room for a sender, which is left out", n.name)
	case n.sender > 0 && place != "" || sender != "":
		high := ""
		if place != "" {
			high = ";height:" + cssPixels(n.sender*perMM)
		}
		c.Raw(`<div class="q-letter-sender" style="font-size:` + plainFloat(senderSize) + `pt` + high + `">`)
		c.Text(sender)
		c.Raw("</div>\n")
	}
	var s style
	if p.FontSize == "" {
		s.add("font-size", plainFloat(n.size)+"pt")
	}
	s.add("line-height", "1.2")
	c.namesFont(p.FontFamily, func(format string, args ...any) { c.Warn(e, format, args...) })
	p.css(&s)
	c.Raw("<div")
	c.Attr("style", s.String())
	c.Raw(">")
	c.Text(address)
	c.Raw("</div></div>\n")
	c.windowFits(e, p, n, address)
}

func onPages(place string) string {
	if place == "" {
		return ""
	}
	return "q-on-pages"
}

// windowFits tells of an address that the window does not show whole.
func (c *Context) windowFits(e *Element, p *letterWindowProps, n *windowNorm, address string) {
	size := c.px(p.FontSize, 0, n.size*96/72)
	height := size * c.px(p.LineHeight, 0, 1.2)
	if most := int(n.high * perMM / height); strings.Count(address, "\n")+1 > most {
		c.warnAt(e, "address", "the address has %d lines, and the window of %s room for %d", strings.Count(address, "\n")+1, n.name, most)
	}
	for line := range strings.SplitSeq(address, "\n") {
		if chart.MeasureSans(line, size, p.FontWeight >= "600") > n.wide*perMM {
			c.warnAt(e, "address", "the window of %s has no room for the line %q", n.name, clip(line, mostReason))
		}
	}
}

// letterMarks draws where to fold and to punch.
func (c *Context) letterMarks(p *letterWindowProps, n *windowNorm) {
	var d strings.Builder
	mark := func(at, long float64) {
		d.WriteString("M0 " + hundredths(at*perMM) + "h" + hundredths(long*perMM))
	}
	if p.Folds {
		for _, at := range n.folds {
			mark(at, foldLong)
		}
	}
	if p.Punch && n.punch > 0 {
		mark(n.punch, punchLong)
	}
	if d.Len() == 0 {
		return
	}
	wide, high := tenths(punchLong*perMM), tenths(n.paper[1]*perMM)
	c.Raw(`<div class="q-letter-marks q-on-pages" data-pages="first" data-layer="behind" style="left:` + tenths(markLeft*perMM) + `px;top:0;width:` + wide + `px;height:` + high + `px" aria-hidden="true">`)
	c.Raw(`<svg width="` + wide + `" height="` + high + `" viewBox="0 0 ` + wide + " " + high + `"><path d="` + d.String() + `" fill="none" stroke="var(--muted)" stroke-width=".5"/></svg></div>` + "\n")
}
