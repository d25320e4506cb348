package export

import (
	"bufio"
	"context"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/docx"
	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/theme"
	"github.com/quire-reports/quire/report"
)

const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

// writeDOCX makes a Word document from the layout of the browser before it was divided
// into pages: Word divides it itself.
func writeDOCX(ctx context.Context, s *Service, r *run) (*File, error) {
	read, err := s.read(ctx, r, layout.Flow)
	if err != nil {
		return nil, err
	}
	if err := s.placeAttached(ctx, &r.documents, read, "the document of Word"); err != nil {
		return nil, err
	}
	ctx, done := timed(ctx, Finish)
	defer done()
	doc := read.doc
	palette := htmlgen.NewPalette(r.found.theme)
	out := &spool{dir: s.cfg.SpoolDir}
	buffered := bufio.NewWriterSize(out, 64<<10)
	drawings := make([][]byte, len(read.Drawings))
	for i := range read.Drawings {
		drawings[i] = read.Drawings[i].PNG
	}
	warnings, err := docx.Write(buffered, read.Document, docx.Options{
		About: opc.Core{Title: doc.Title, Creator: firstText(doc.Author, creator), Subject: doc.Subject, Language: doc.Language, Created: r.now},
		Theme: officeTheme(palette), Color: hexColor(palette), Drawings: drawings, Alive: ctx.Err,
		Resource: func(address string) ([]byte, string, bool) {
			if content, kind, ok := read.drawn.resource(address); ok {
				return content, kind, true
			}
			kind, content, ok := read.images.source(address)
			return content, kind, ok
		},
	})
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		out.discard()
		return nil, err
	}
	file, err := out.finish(fileName(doc.Title, "docx"), docxType)
	if err != nil {
		return nil, err
	}
	file.Warnings = append(doc.Warnings, pageWarnings(read.Warnings, read.images)...)
	file.Warnings = append(file.Warnings, read.drawnWarnings...)
	for _, w := range warnings {
		file.Warnings = append(file.Warnings, report.Problemf(w.ID, "%s", w.Message))
	}
	return file, nil
}

// officeTheme is a theme of Quire as one of Office.
func officeTheme(p *htmlgen.Palette) theme.Theme {
	color := hexColor(p)
	t := theme.Theme{Name: "Quire", Body: family(p.Theme.Page.FontFamily), Heading: family(firstText(p.Theme.Text.H1.FontFamily, p.Theme.Page.FontFamily))}
	t.Text, _ = color("var(--text)")
	t.Dark, _ = color("var(--primary)")
	t.Light, _ = color("var(--line)")
	t.Link, _ = color("var(--link-color)")
	return t
}
