package sheets

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// tag are the attributes of an element that count here.
type tag struct {
	class, style, id, href           string
	number, moment, truth            string
	code, sum, begins, alt           string
	colSpan, rowSpan                 string
	dataName, width, height, margins string
	chart, source, workbook, rows    string
	attached                         string
	same, hidden                     bool
}

// attributes reads those of the tag that was read.
func (s *scanner) attributes(into *tag) {
	*into = tag{}
	for _, a := range s.attrs {
		if field := into.field(a.name); field != nil {
			*field = a.value
			continue
		}
		switch a.name {
		case "data-same":
			into.same = true
		case "aria-hidden":
			into.hidden = true
		}
	}
}

func (g *tag) field(name string) *string {
	switch name {
	case "class":
		return &g.class
	case "style":
		return &g.style
	case "data-id":
		return &g.id
	case "href":
		return &g.href
	case "data-n":
		return &g.number
	case "data-d":
		return &g.moment
	case "data-b":
		return &g.truth
	case "data-f":
		return &g.code
	case "data-sum":
		return &g.sum
	case "data-begins":
		return &g.begins
	case "alt", "aria-label":
		return &g.alt
	case "colspan":
		return &g.colSpan
	case "rowspan":
		return &g.rowSpan
	case "data-name":
		return &g.dataName
	case "data-width":
		return &g.width
	case "data-height":
		return &g.height
	case "data-margin":
		return &g.margins
	case "data-chart":
		return &g.chart
	case "data-workbook":
		return &g.workbook
	case "data-attached":
		return &g.attached
	case "data-rows":
		return &g.rows
	case "src":
		return &g.source
	}
	return nil
}

// has reports whether an element is of a class.
func (g *tag) has(class string) bool {
	for rest := g.class; rest != ""; {
		name, after, _ := strings.Cut(rest, " ")
		if name == class {
			return true
		}
		rest = after
	}
	return false
}

// isVoid reports elements that have no end.
func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Br, atom.Img, atom.Hr, atom.Col, atom.Wbr, atom.Input, atom.Meta, atom.Link, atom.Source, atom.Area, atom.Base, atom.Embed, atom.Track:
		return true
	}
	return false
}

// isInline reports elements that stand in a line of text.
func isInline(a atom.Atom) bool {
	switch a {
	case atom.Span, atom.A, atom.B, atom.Strong, atom.I, atom.Em, atom.U, atom.S, atom.Sub, atom.Sup, atom.Small, atom.Code, atom.Mark, atom.Del, atom.Ins,
		atom.Abbr, atom.Q, atom.Cite, atom.Kbd, atom.Samp, atom.Var, atom.Time, atom.Label, atom.Font, atom.Bdi, atom.Bdo, atom.Big, atom.Tt, atom.Strike, atom.Wbr:
		return true
	}
	return false
}
