package symbol

import "html"

// millimetre is one in CSS pixels.
const millimetre = 96 / 25.4

// Width is how wide the code is, with what stays light beside it, in millimetres.
func (p *Post) Width() float64 {
	return float64(len(p.States)-1)*p.Size.Pitch + p.Size.Bar + 2*p.Size.Clear[0]
}

// postSVG draws a code of four states as large as its standard asks for.
func (b *Bars) postSVG(l Look) string {
	s, size := &svg{}, b.Post.Size
	width := b.Width(l)
	full := size.Tracker + 2*size.Reach
	top := l.Margin + size.Clear[1]*millimetre
	height := top + (full+size.Clear[1])*millimetre + l.Margin
	baseline := height - l.Margin + l.TextMargin + l.FontSize*0.8
	if l.ShowText {
		height += l.TextMargin + l.FontSize
	}
	s.open(width, height, l.Rotation)
	s.background(width, height, l.Background)
	s.WriteString(`<path d="`)
	for i, state := range []byte(b.Post.States) {
		from, tall := size.Reach, size.Tracker
		if state == 'F' || state == 'A' {
			from, tall = 0, tall+size.Reach
		}
		if state == 'F' || state == 'D' {
			tall += size.Reach
		}
		x := size.Clear[0] + float64(i)*size.Pitch
		s.rect(l.Margin+x*millimetre, top+from*millimetre, size.Bar*millimetre, tall*millimetre)
	}
	s.WriteString(`" fill="` + html.EscapeString(l.Line) + `"/>`)
	if l.ShowText {
		x, anchor := width/2, "middle"
		switch l.TextAlign {
		case "left":
			x, anchor = l.Margin+size.Clear[0]*millimetre, "start"
		case "right":
			x, anchor = width-l.Margin-size.Clear[0]*millimetre, "end"
		}
		s.label(b.Text, x, baseline, anchor, &l)
	}
	return s.close(l.Rotation)
}
