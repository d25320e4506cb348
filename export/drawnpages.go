package export

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/pdfium"
	"github.com/quire-reports/quire/report"
)

// Office files cannot hold pages of PDF files as they are: pictures of them take the
// places of those that a document-merge page attaches.

// mostDrawn is how many pages an Office file has as pictures.
const mostDrawn = 100

// drawnPages are pictures of attached pages, by what the document calls the pages:
// "key#page".
type drawnPages map[string]pdfium.Picture

// drawnAddress is where writers of Office files find such a picture.
const drawnAddress = "attached:"

// resource is a picture by its address.
func (d drawnPages) resource(address string) (content []byte, kind string, ok bool) {
	p, ok := d[strings.TrimPrefix(address, drawnAddress)]
	return p.Content, p.Type, ok && strings.HasPrefix(address, drawnAddress)
}

// drawAttached makes pictures of attached pages; what is said of them names the file that
// they stand in, such as "the workbook". Pages that cannot be drawn are missing.
func (s *Service) drawAttached(ctx context.Context, d *documents, names []string, file string) (drawnPages, report.Problems, error) {
	pages, left := map[int][]int{}, 0
	for _, name := range names {
		at, n, ok := d.page(name)
		switch {
		case !ok || slices.Contains(pages[at], n):
		case left == mostDrawn:
			left++
		case left < mostDrawn:
			pages[at] = append(pages[at], n)
			left++
		}
	}
	drawn := drawnPages{}
	warnings := d.warnings()
	if left > mostDrawn {
		warnings = append(warnings, report.Problemf("", "%s has at most %d pages of PDF files as pictures; notes with the names of the files stand for the others", file, mostDrawn))
	}
	for at := range d.list {
		if len(pages[at]) == 0 {
			continue
		}
		doc := &d.list[at]
		pictures, err := s.cfg.Pages.Draw(ctx, doc.content, pages[at])
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		for i, p := range pictures {
			if len(p.Content) > 0 {
				drawn[strconv.Itoa(at)+"#"+strconv.Itoa(pages[at][i])] = p
			} else if err == nil {
				err = fmt.Errorf("page %d cannot be drawn", pages[at][i])
			}
		}
		if err != nil {
			warnings = append(warnings, report.Problemf(doc.name, "not all of its pages could be drawn (%v); where one is missing %s has a note with the file's name. Make the report as PDF, or hand the file over as well", err, file))
		}
		if slices.ContainsFunc(pictures, func(p pdfium.Picture) bool { return len(p.Content) > 0 }) {
			warnings = append(warnings, report.Problemf(doc.name, "its pages are pictures in %s: their words can be neither found nor changed, and nobody reads them out. Make the report as PDF, or hand the file over as well", file))
		}
	}
	return drawn, warnings, nil
}

// page is the document, by its place in the list, and the page that "key#page" names.
func (d *documents) page(name string) (at, page int, ok bool) {
	key, number, _ := strings.Cut(name, "#")
	at, err := strconv.Atoi(key)
	page, pageErr := strconv.Atoi(number)
	return at, page, err == nil && pageErr == nil && at >= 0 && at < len(d.list) && d.list[at].pdf != nil
}

// attachedMark is where a document says which page of a PDF file belongs there. Texts and
// values of attributes have no such quotation marks.
var attachedMark = regexp.MustCompile(` data-attached="(\d+#\d+)"( data-workbook="leave-out")?`)

// attachedIn are the pages of PDF files that a workbook of a document shows.
func attachedIn(html []byte) []string {
	var names []string
	for _, m := range attachedMark.FindAllSubmatch(html, -1) {
		if len(m[2]) == 0 {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// placeAttached puts pictures of attached pages in the places of the notes that stand for
// them.
func (s *Service) placeAttached(ctx context.Context, d *documents, read *reading, file string) error {
	var names []string
	for i := range read.Document.Sheets {
		if name := read.Document.Sheets[i].Attached; name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	var err error
	if read.drawn, read.drawnWarnings, err = s.drawAttached(ctx, d, names, file); err != nil {
		return err
	}
	for i := range read.Document.Sheets {
		sheet := &read.Document.Sheets[i]
		if _, ok := read.drawn[sheet.Attached]; ok {
			at, n, _ := d.page(sheet.Attached)
			placePicture(sheet, read.Document.State, drawnAlt(d.list[at].name, n))
		}
	}
	return nil
}

// drawnAlt describes the picture of a page.
func drawnAlt(file string, page int) string { return fmt.Sprintf("%s · %d", file, page) }

// drawnMargin is how much room a document of Word needs around a picture of a page, so
// that the line in which it stands fits on the page: a share of its height.
const drawnMargin = 0.025

// placePicture makes a sheet one with the picture of an attached page.
func placePicture(sheet *layout.Sheet, state layout.State, alt string) {
	box := layout.Box{Width: sheet.Width, Height: sheet.Height}
	if state == layout.Flow {
		edge := sheet.Height * drawnMargin
		scale := 1 - 3*drawnMargin
		box = layout.Box{X: sheet.Width * (1 - scale) / 2, Y: edge, Width: sheet.Width * scale, Height: sheet.Height * scale}
		sheet.Margin = layout.Sides{edge, box.X, edge, box.X}
	}
	picture := layout.Node{Kind: layout.Image, Bare: true, Box: &box, Image: &layout.ImageOf{Source: drawnAddress + sheet.Attached, Alt: alt}}
	body := layout.Node{Kind: layout.Block, Bare: true, Children: []layout.Node{picture}}
	if sheet.Body != nil {
		body.Anchors = sheet.Body.Anchors
	}
	sheet.Body, sheet.Attached = &body, ""
}
