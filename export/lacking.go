package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// lackingWarnings warn of text without glyphs, by the elements and the pages on
// which it stands. That it lacks them is certain, for the PDF shows boxes; which
// elements it belongs to is judged by the characters that no known font has.
func lackingWarnings(doc *htmlgen.Document, found []render.Found, missing []pdf.Missing) report.Problems {
	texts := map[int][]string{} // by page; an empty one is unknown text
	for _, m := range missing {
		texts[m.Page] = append(texts[m.Page], m.Text)
	}
	type lack struct {
		characters string
		pages      []int
	}
	var order []string
	byElement := map[string]*lack{}
	told := map[int]bool{}
	for _, f := range found {
		said, boxes := texts[f.Page]
		lacking := strings.Map(func(r rune) rune {
			if slices.ContainsFunc(said, func(s string) bool { return s == "" || strings.ContainsRune(s, r) }) {
				return r
			}
			return -1
		}, f.Text)
		if !boxes || lacking == "" {
			continue
		}
		told[f.Page] = true
		l := byElement[f.ID]
		if l == nil {
			l = &lack{}
			byElement[f.ID] = l
			order = append(order, f.ID)
		}
		l.pages = append(l.pages, f.Page)
		for _, r := range lacking {
			if !strings.ContainsRune(l.characters, r) {
				l.characters += string(r)
			}
		}
	}
	var list report.Problems
	for _, id := range order {
		l := byElement[id]
		list = append(list, htmlgen.LackingProblem(doc.Places[id], l.characters, "boxes stand in their place on "+pageList(l.pages)))
	}
	return append(list, unplaced(missing, told)...)
}

// unplaced warns of pages with boxes for which no element is known.
func unplaced(missing []pdf.Missing, told map[int]bool) report.Problems {
	var pages []int
	var characters string
	for _, m := range missing {
		if told[m.Page] {
			continue
		}
		if !slices.Contains(pages, m.Page) {
			pages = append(pages, m.Page)
		}
		for _, r := range m.Text {
			if !strings.ContainsRune(characters, r) {
				characters += string(r)
			}
		}
	}
	if len(pages) == 0 {
		return nil
	}
	if characters == "" {
		return report.Problems{report.Problemf("", "no font has some of the characters; boxes stand in their place on %s", pageList(pages))}
	}
	return report.Problems{htmlgen.LackingProblem(htmlgen.Place{}, characters, "boxes stand in their place on "+pageList(pages))}
}

// pageList names pages: the first of many.
func pageList(pages []int) string {
	const most = 8
	slices.Sort(pages)
	pages = slices.Compact(pages)
	var names []string
	for _, p := range pages[:min(len(pages), most)] {
		names = append(names, fmt.Sprint(p))
	}
	text := strings.Join(names, ", ")
	switch {
	case len(pages) > most:
		return fmt.Sprintf("pages %s and %d more", text, len(pages)-most)
	case len(pages) > 1:
		return "pages " + text
	}
	return "page " + text
}
