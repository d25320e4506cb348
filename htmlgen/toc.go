package htmlgen

import (
	"fmt"
	"strconv"
	"strings"
)

var toc = define("toc", "Table of contents", "Text", "The headings of the report with the pages they stand on.", compileTOC, icon("table-of-contents"))

type tocProps struct {
	ShowPages    bool     `json:"showPageNumbers" label:"Show page numbers" default:"true"`
	HideL1Pages  bool     `json:"hideL1PageNumbers" label:"No page numbers at level 1"`
	RightAlign   bool     `json:"rightAlignPageNumbers" label:"Right align page numbers" default:"true"`
	ShowNames    bool     `json:"showPageNames" label:"Show page names" help:"Lists the report's pages too, by their table-of-contents label or name, before their headings."`
	Blocks       bool     `json:"groupIntoBlocks" label:"Group into blocks" help:"Sets every first-level entry and what belongs to it as a block with room around it, kept on one page."`
	Multicolumn  bool     `json:"useMultipleColumns" label:"Use multiple columns"`
	Levels       int      `json:"showLevels" label:"Show levels" min:"1" max:"6" default:"2"`
	Indentation  string   `json:"indentation" editor:"length" default:"1.4em" help:"How far each level stands in from the one above."`
	LeadStyle    string   `json:"leadStyle" label:"Dots before the page number" enum:"none,dots,dashes,underscores" default:"dots"`
	LeaderColor  string   `json:"leaderColor" label:"Leader color" editor:"color"`
	ColumnCount  int      `json:"columnCount" label:"Column count" min:"1" max:"6" default:"2"`
	ColumnWidth  string   `json:"columnWidth" label:"Column width" editor:"length" help:"Width that a column has at least; fewer columns are set where it does not fit."`
	L1           tocLevel `json:"l1" label:"Level 1"`
	L2           tocLevel `json:"l2" label:"Level 2"`
	L3           tocLevel `json:"l3" label:"Level 3"`
	L4           tocLevel `json:"l4" label:"Level 4"`
	L5           tocLevel `json:"l5" label:"Level 5"`
	L6           tocLevel `json:"l6" label:"Level 6"`
	EmptyText    string   `json:"emptyText" label:"Empty text" editor:"template" help:"Printed when the report has no headings."`
	ColumnGap    string   `json:"columnGap" label:"Column gap" editor:"length" default:"24px"`
	PageNameOnly bool     `json:"pageNamesOnly" label:"Page names only" help:"Lists the pages without their headings."`
	Font
	Box
}

// tocLevel is the look of the entries of one level.
type tocLevel struct {
	Font
	MarginTop string `json:"marginTop" label:"Margin top" editor:"length"`
	Style     string `json:"style" editor:"css"`
}

func (p *tocProps) level(n int) *tocLevel {
	return [...]*tocLevel{&p.L1, &p.L2, &p.L3, &p.L4, &p.L5, &p.L6}[n-1]
}

func compileTOC(c *Context, e *Element, p *tocProps) {
	look := &listLook{rightAlign: p.RightAlign, lead: p.LeadStyle, leadColor: p.LeaderColor}
	c.Open(e, tag{name: "nav", breaks: true, font: &p.Font, box: &p.Box, extra: func(s *style) {
		look.css(s)
		s.add("--indent", length(p.Indentation))
		if p.Multicolumn {
			s.add("column-count", strconv.Itoa(c.columns(p.ColumnCount, p.ColumnWidth)))
			s.add("column-gap", length(p.ColumnGap))
		}
	}})
	c.Raw(` role="doc-toc">` + "\n")
	listed, scope := c.contents, c.scope
	c.Defer(func() {
		outer := c.scope
		c.scope = scope
		c.tocEntries(e, p, look, p.listed(listed.entries))
		c.scope = outer
	})
	c.Raw("</nav>\n")
}

// listed are the entries that the list shows.
func (p *tocProps) listed(all []contentsEntry) []contentsEntry {
	var list []contentsEntry
	for _, entry := range all {
		switch {
		case entry.kind == pageEntry && (p.ShowNames || p.PageNameOnly),
			entry.kind == headingEntry && entry.level <= p.Levels && !p.PageNameOnly:
			list = append(list, entry)
		}
	}
	return list
}

func (c *Context) tocEntries(e *Element, p *tocProps, look *listLook, list []contentsEntry) {
	if len(list) == 0 && p.EmptyText != "" {
		c.Raw(`<div class="q-empty-text">`)
		c.Print(p.EmptyText)
		c.Raw("</div>\n")
	}
	open := false
	for i := range list {
		entry := &list[i]
		if p.Blocks && p.startsBlock(list, i) {
			if open {
				c.Raw("</div>\n")
			}
			c.Raw(`<div class="q-toc-block" data-break="avoid">` + "\n")
			open = true
		}
		c.tocEntry(e, p, look, entry, i+1 < len(list) && leads(entry, &list[i+1]))
	}
	if open {
		c.Raw("</div>\n")
	}
}

// startsBlock reports whether an entry is the first of a block: the page's name,
// or a first-level entry that does not follow one.
func (p *tocProps) startsBlock(list []contentsEntry, i int) bool {
	entry := &list[i]
	if i == 0 || entry.kind == pageEntry {
		return true
	}
	return entry.level == 1 && list[i-1].kind != pageEntry
}

// leads reports whether the next entry is below an entry.
func leads(entry, next *contentsEntry) bool {
	if next.kind == pageEntry {
		return false
	}
	return entry.kind == pageEntry || next.level > entry.level
}

func (c *Context) tocEntry(e *Element, p *tocProps, look *listLook, entry *contentsEntry, leads bool) {
	if entry.kind == pageEntry {
		c.listEntry(look, "q-toc-page", "", entry, p.ShowPages, leads)
		return
	}
	l := p.level(entry.level)
	styles := once(e, fmt.Sprint("level", entry.level), func() string {
		var s style
		if entry.level > 1 {
			s.add("--level", strconv.Itoa(entry.level-1))
		}
		l.Font.css(&s)
		s.add("margin-top", length(l.MarginTop))
		return s.String() + c.ownStyle(e, l.Style)
	})
	c.listEntry(look, "q-toc-"+strconv.Itoa(entry.level), styles, entry, p.ShowPages && (entry.level > 1 || !p.HideL1Pages), leads)
}

// columns is how many columns of at least a width the element has room for.
func (c *Context) columns(count int, width string) int {
	least := absolute(length(width))
	if least <= 0 {
		return count
	}
	return max(1, min(count, int(c.room/least)))
}

// absolute is an absolute CSS length in px; 0 for any other.
func absolute(s string) float64 {
	for unit, px := range map[string]float64{"px": 1, "pt": 96.0 / 72, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "pc": 16} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			if n, err := strconv.ParseFloat(number, 64); err == nil {
				return n * px
			}
		}
	}
	return 0
}
