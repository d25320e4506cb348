package symbol

import (
	"html"
	"strconv"
	"strings"
)

// Look is how a bar code is drawn. Lengths are CSS pixels; colours are CSS.
type Look struct {
	Module     float64 // width of the narrowest bar
	Height     float64 // of the bars
	Margin     float64 // besides the quiet zones
	Background string
	Line       string
	ShowText   bool
	TextAlign  string // left, center or right
	TextMargin float64
	FontSize   float64
	Rotation   int // clockwise: 0, 90, 180 or 270
}

// guardDepth is how far guard bars reach into the text, in font sizes.
const guardDepth = 0.55

// bearerWidth is the thickness of bearer bars, in modules.
const bearerWidth = 4

// svg is a drawing under way.
type svg struct{ strings.Builder }

func (s *svg) number(v float64) { s.WriteString(strconv.FormatFloat(round(v), 'f', -1, 64)) }

func round(v float64) float64 { return float64(int(v*100+0.5)) / 100 }

// rect adds a rectangle to a path.
func (s *svg) rect(x, y, w, h float64) {
	s.WriteByte('M')
	s.number(x)
	s.WriteByte(' ')
	s.number(y)
	s.WriteByte('h')
	s.number(w)
	s.WriteByte('v')
	s.number(h)
	s.WriteString("h-")
	s.number(w)
	s.WriteByte('z')
}

func (s *svg) open(width, height float64, rotation int) {
	w, h := width, height
	if rotation%180 != 0 {
		w, h = height, width
	}
	s.WriteString(`<svg width="`)
	s.number(w)
	s.WriteString(`" height="`)
	s.number(h)
	s.WriteString(`" viewBox="0 0 `)
	s.number(w)
	s.WriteByte(' ')
	s.number(h)
	s.WriteString(`" aria-hidden="true">`)
	switch rotation {
	case 90:
		s.WriteString(`<g transform="translate(` + strconv.FormatFloat(round(height), 'f', -1, 64) + ` 0) rotate(90)">`)
	case 180:
		s.WriteString(`<g transform="rotate(180 ` + strconv.FormatFloat(round(width/2), 'f', -1, 64) + ` ` + strconv.FormatFloat(round(height/2), 'f', -1, 64) + `)">`)
	case 270:
		s.WriteString(`<g transform="translate(0 ` + strconv.FormatFloat(round(width), 'f', -1, 64) + `) rotate(-90)">`)
	}
}

func (s *svg) close(rotation int) string {
	if rotation != 0 {
		s.WriteString("</g>")
	}
	s.WriteString("</svg>")
	return s.String()
}

func (s *svg) background(w, h float64, color string) {
	s.WriteString(`<path d="`)
	s.rect(0, 0, w, h)
	s.WriteString(`" fill="` + html.EscapeString(color) + `"/>`)
}

// Width is how wide the code is before it is turned.
func (b *Bars) Width(l Look) float64 {
	if b.Post != nil {
		return 2*l.Margin + b.Post.Width()*millimetre
	}
	return 2*l.Margin + float64(b.Quiet[0]+len(b.Modules)+b.Quiet[1])*l.Module
}

// SVG draws the code. The quiet zones are part of the picture.
func (b *Bars) SVG(l Look) string {
	if b.Post != nil {
		return b.postSVG(l)
	}
	s := &svg{}
	left := l.Margin + float64(b.Quiet[0])*l.Module
	width := b.Width(l)
	bearer := 0.0
	if b.Bearer {
		bearer = bearerWidth * l.Module
	}
	top := l.Margin + b.head(&l) + bearer
	height := top + l.Height + bearer + l.Margin
	if l.ShowText {
		height += l.TextMargin + l.FontSize
	}
	s.open(width, height, l.Rotation)
	s.background(width, height, l.Background)
	s.WriteString(`<path shape-rendering="crispEdges" d="`)
	b.bars(s, &l, left, top)
	if b.Bearer {
		s.rect(l.Margin, l.Margin, width-2*l.Margin, bearer)
		s.rect(l.Margin, top+l.Height, width-2*l.Margin, bearer)
	}
	s.WriteString(`" fill="` + html.EscapeString(l.Line) + `"/>`)
	if l.ShowText {
		b.textAbove(s, &l, left)
		b.text(s, &l, left, top+l.Height+bearer+l.TextMargin+l.FontSize*0.8)
	}
	return s.close(l.Rotation)
}

// bars adds the bars to a path: neighbours as one.
func (b *Bars) bars(s *svg, l *Look, left, top float64) {
	for i := 0; i < len(b.Modules); {
		if b.Modules[i] == '0' {
			i++
			continue
		}
		n := 1
		for i+n < len(b.Modules) && b.Modules[i+n] == '1' && b.guard(i+n) == b.guard(i) {
			n++
		}
		from, height := top, l.Height
		if l.ShowText && (b.guard(i) || b.added(i)) {
			height += l.TextMargin + l.FontSize*guardDepth
		}
		if l.ShowText && b.added(i) { // as deep as the guards, below its text
			from += l.FontSize + l.TextMargin
			height -= min(height, l.FontSize+l.TextMargin)
		}
		s.rect(left+float64(i)*l.Module, from, float64(n)*l.Module, height)
		i += n
	}
}

// head is the room of the text above the bars.
func (b *Bars) head(l *Look) float64 {
	if b.Above == "" || !l.ShowText {
		return 0
	}
	return l.FontSize + l.TextMargin
}

// textAbove writes what people read above the bars, and above an add-on.
func (b *Bars) textAbove(s *svg, l *Look, left float64) {
	end := len(b.Modules)
	if b.AddOn.Text != "" {
		end = b.AddOn.From - addOnGap
		s.label(b.AddOn.Text, left+float64(b.AddOn.From+b.AddOn.To)/2*l.Module, l.Margin+b.head(l)+l.FontSize*0.8, "middle", l)
	}
	if b.Above != "" {
		s.label(b.Above, left+float64(end)/2*l.Module, l.Margin+l.FontSize*0.8, "middle", l)
	}
}

// text writes what people read below the bars.
func (b *Bars) text(s *svg, l *Look, left, baseline float64) {
	if len(b.Groups) == 0 {
		x, anchor := left+float64(len(b.Modules))*l.Module/2, "middle"
		switch l.TextAlign {
		case "left":
			x, anchor = left, "start"
		case "right":
			x, anchor = left+float64(len(b.Modules))*l.Module, "end"
		}
		s.label(b.Text, x, baseline, anchor, l)
		return
	}
	for _, g := range b.Groups {
		s.label(g.Text, left+float64(g.From+g.To)/2*l.Module, baseline, "middle", l)
	}
}

func (s *svg) label(text string, x, y float64, anchor string, l *Look) {
	s.WriteString(`<text x="`)
	s.number(x)
	s.WriteString(`" y="`)
	s.number(y)
	s.WriteString(`" text-anchor="` + anchor + `" font-size="`)
	s.number(l.FontSize)
	s.WriteString(`" fill="` + html.EscapeString(l.Line) + `">` + html.EscapeString(text) + `</text>`)
}

// quietQR is how many modules around a QR code stay light.
const quietQR = 4

// QRLook is how a QR code is drawn. Colours are CSS.
type QRLook struct {
	Background string
	Color      string
	NoQuiet    bool // leaves out the light zone; what is around must be light
	// Logo is the address of a picture in the middle; empty for none.
	Logo string
}

// logoShare is which part of the side a logo and the light room around it take:
// what it covers must stay below the 30 percent that level H corrects.
const logoShare, logoRoom = 0.22, 0.25

// QRSVG draws a QR code in units of its modules.
func QRSVG(modules [][]bool, l QRLook) string {
	s := &svg{}
	quiet := float64(quietQR)
	if l.NoQuiet {
		quiet = 0
	}
	side := float64(len(modules)) + 2*quiet
	s.WriteString(`<svg viewBox="0 0 `)
	s.number(side)
	s.WriteByte(' ')
	s.number(side)
	s.WriteString(`" aria-hidden="true">`)
	s.background(side, side, l.Background)
	s.modules(modules, quiet, 1, l.Color)
	if l.Logo != "" {
		s.logo(l, side, float64(len(modules)))
	}
	s.WriteString("</svg>")
	return s.String()
}

func (s *svg) logo(l QRLook, side, modules float64) {
	room, size := modules*logoRoom, modules*logoShare
	s.WriteString(`<path d="`)
	s.rect((side-room)/2, (side-room)/2, room, room)
	s.WriteString(`" fill="` + html.EscapeString(l.Background) + `"/><image x="`)
	s.number((side - size) / 2)
	s.WriteString(`" y="`)
	s.number((side - size) / 2)
	s.WriteString(`" width="`)
	s.number(size)
	s.WriteString(`" height="`)
	s.number(size)
	s.WriteString(`" href="` + html.EscapeString(l.Logo) + `"/>`)
}
