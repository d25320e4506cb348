package export

import (
	"bufio"
	"bytes"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/sheets"
	"github.com/quire-reports/quire/render/office/xlsx"
	"github.com/quire-reports/quire/report"
)

const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// writeXLSX makes a workbook of the document. A browser draws what Excel cannot.
func writeXLSX(ctx context.Context, s *Service, r *run) (*File, error) {
	r.typed = true
	images := s.pictures(r, false)
	doc, err := s.compile(ctx, r, printAsset, images, "")
	if err != nil {
		return nil, err
	}
	attached, attachedWarnings, err := s.drawAttached(ctx, &r.documents, attachedIn(doc.HTML), "the workbook")
	if err != nil {
		return nil, err
	}
	ctx, done := timed(ctx, Finish)
	defer done()
	palette := htmlgen.NewPalette(r.found.theme)
	out := &spool{dir: s.cfg.SpoolDir}
	buffered := bufio.NewWriterSize(out, 64<<10)
	warnings, err := sheets.Write(buffered, doc.HTML, sheets.Config{
		About:       opc.Core{Title: doc.Title, Creator: firstText(doc.Author, creator), Subject: doc.Subject, Language: doc.Language, Created: r.now},
		RightToLeft: r.locale.RightToLeft(), Codes: doc.Codes, Measure: htmlgen.TextWidth, Color: hexColor(palette), Looks: looks(palette),
		Index: htmlgen.ContentsTitle(r.locale), Alive: ctx.Err, Rows: doc.Rows,
		Picture: func(address string) ([]byte, string, bool) {
			if content, kind, ok := attached.resource(address); ok {
				return content, kind, true
			}
			kind, content, ok := s.resources(images)(strings.TrimPrefix(address, render.ResourceBase))
			return content, kind, ok
		},
		Draw: func(pieces []string) ([]sheets.Drawing, error) { return s.drawings(ctx, r, doc.HTML, images, pieces) },
	})
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		out.discard()
		return nil, err
	}
	file, err := out.finish(fileName(doc.Title, "xlsx"), xlsxType)
	if err != nil {
		return nil, err
	}
	file.Warnings = append(doc.Warnings, elementWarnings(doc, warnings)...)
	file.Warnings = append(file.Warnings, attachedWarnings...)
	return file, nil
}

// drawings are pictures of pieces of a document, by its styles.
func (s *Service) drawings(ctx context.Context, r *run, document []byte, images *pictures, pieces []string) ([]sheets.Drawing, error) {
	head, _, _ := bytes.Cut(document, []byte("<section "))
	html := append(head[:len(head):len(head)], strings.Join(pieces, "\n")+"</body></html>"...)
	began := time.Now()
	drawn, took, err := s.cfg.Printer.Draw(ctx, render.Job{
		HTML: html, Resources: s.resources(images), Key: strconv.Itoa(r.req.Workspace), Timeout: s.cfg.Timeout, Priority: s.cfg.Priority,
	}, sheets.Drawn)
	if err != nil {
		return nil, printProblem(err, len(html))
	}
	drew(ctx, took.Queue, took.Fill, took.Print)
	addTime(ctx, Finish, -time.Since(began)) // within which the browser draws
	list := make([]sheets.Drawing, len(drawn))
	for i, d := range drawn {
		list[i] = sheets.Drawing(d)
	}
	return list, nil
}

// elementWarnings name the elements that they are of.
func elementWarnings(doc *htmlgen.Document, found []sheets.Warning) report.Problems {
	var list report.Problems
	for _, w := range found {
		list = append(list, report.Problemf(w.ID, "%s", w.Message))
	}
	return list
}

// hexColor converts CSS colours to those of Office files.
func hexColor(p *htmlgen.Palette) func(css string) (string, bool) {
	return func(css string) (string, bool) {
		if css == "" {
			return "", false
		}
		rgb, ok := p.Color(css)
		return rgb.Hex(), ok
	}
}

// looks are how a theme has tables.
func looks(p *htmlgen.Palette) sheets.Looks {
	color := hexColor(p)
	look := func(s *report.CellStyle) sheets.Look {
		l := sheets.Look{Bold: s.FontWeight >= "600"}
		l.Color, _ = color(s.Color)
		l.Fill, _ = color(s.Background)
		l.LineTop, l.LineFoot = edge(s.BorderTop, color), edge(s.BorderBottom, color)
		return l
	}
	t := &p.Theme.Table
	made := sheets.Looks{Header: look(&t.Header), Cells: look(&t.Cells), Footer: look(&t.Footer), Banded: t.Cells.AltBackground != ""}
	for i := range t.Group {
		made.Groups = append(made.Groups, look(&t.Group[i]))
	}
	made.Text, _ = color(p.Theme.Page.Color)
	return made
}

// edge is a border of CSS, such as 1px solid #ccc, as one of a cell.
func edge(css string, color func(string) (string, bool)) xlsx.Edge {
	var e xlsx.Edge
	for part := range strings.FieldsSeq(css) {
		points, isLength := htmlgen.Points(part)
		switch {
		case part == "double" || part == "dashed" || part == "dotted":
			e.Line = part
		case part == "none" || part == "hidden" || part == "0":
			return xlsx.Edge{}
		case isLength && e.Line == "":
			e.Line = width(points)
		default:
			if rgb, ok := color(part); ok {
				e.Color = rgb
			}
		}
	}
	if e.Line == "" {
		return xlsx.Edge{}
	}
	return e
}

// width is the line of cells that is about as strong as so many points.
func width(points float64) string {
	switch {
	case points < 0.5:
		return "hair"
	case points < 1.2:
		return "thin"
	case points < 2:
		return "medium"
	}
	return "thick"
}
