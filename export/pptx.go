package export

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/opc"
	"github.com/quire-reports/quire/render/office/pptx"
	"github.com/quire-reports/quire/render/office/theme"
	"github.com/quire-reports/quire/report"
)

const pptxType = "application/vnd.openxmlformats-officedocument.presentationml.presentation"

// writePPTX makes a presentation of the pages as the browser laid them out.
func writePPTX(ctx context.Context, s *Service, r *run) (*File, error) {
	r.slides = true
	read, err := s.read(ctx, r, layout.Pages)
	if err != nil {
		return nil, err
	}
	if err := s.placeAttached(ctx, &r.documents, read, "the presentation"); err != nil {
		return nil, err
	}
	ctx, done := timed(ctx, Finish)
	defer done()
	doc := read.doc
	palette := htmlgen.NewPalette(r.found.theme)
	drawings := make([]pptx.Drawing, len(read.Drawings))
	for i, d := range read.Drawings {
		drawings[i] = pptx.Drawing(d)
	}
	look := slideTheme(palette)
	out := &spool{dir: s.cfg.SpoolDir}
	buffered := bufio.NewWriterSize(out, 64<<10)
	warnings, err := pptx.Write(buffered, read.Document, pptx.Options{
		About: opc.Core{Title: doc.Title, Creator: firstText(doc.Author, creator), Subject: doc.Subject, Language: doc.Language, Created: r.now},
		Theme: look, Font: officeFont, Color: themeColor(palette, &look), Drawings: drawings, Alive: ctx.Err,
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
	file, err := out.finish(fileName(doc.Title, "pptx"), pptxType)
	if err != nil {
		return nil, err
	}
	file.Pages = len(read.Document.Sheets)
	file.Warnings = append(doc.Warnings, pageWarnings(read.Warnings, read.images)...)
	file.Warnings = append(file.Warnings, read.drawnWarnings...)
	for _, w := range warnings {
		file.Warnings = append(file.Warnings, report.Problemf(w.ID, "%s", w.Message))
	}
	return file, nil
}

// slideTheme is a theme of Quire as one of Office: the colours of charts are its accents.
func slideTheme(p *htmlgen.Palette) theme.Theme {
	color := hexColor(p)
	t := theme.Theme{Name: firstText(p.Theme.Name, creator), Body: officeFont(family(p.Theme.Page.FontFamily)), Heading: officeFont(family(firstText(p.Theme.Text.H1.FontFamily, p.Theme.Page.FontFamily)))}
	t.Text, _ = color(p.Theme.Page.Color)
	t.Background, _ = color(p.Theme.Page.Background)
	t.Dark, _ = color("var(--primary)")
	t.Light, _ = color("var(--surface)")
	t.Link, _ = color(p.Theme.Text.Link.Color)
	for i := range min(len(t.Accents), len(p.Theme.Chart.Palette)) {
		t.Accents[i], _ = color(p.Theme.Chart.Palette[i])
	}
	return t
}

// themeColor converts CSS colours to those of Office files, and colours of the theme to its accents.
func themeColor(p *htmlgen.Palette, t *theme.Theme) func(css string) (string, bool) {
	color, complete := hexColor(p), t.Complete()
	return func(css string) (string, bool) {
		rgb, ok := color(css)
		if at := slices.Index(complete.Accents[:], rgb); ok && at >= 0 {
			return fmt.Sprintf("accent%d", at+1), true
		}
		return rgb, ok
	}
}

// family is the first font of a list of CSS.
func family(list string) string {
	first, _, _ := strings.Cut(list, ",")
	return strings.Trim(strings.TrimSpace(first), `"'`)
}

// officeFonts are the fonts that Quire brings, and what stands for them where Office
// files cannot bring them: fonts that every Office has, none of them wider.
var officeFonts = map[string]string{
	"inter": "Arial", "source sans 3": "Calibri", "source serif 4": "Times New Roman", "jetbrains mono": "Courier New",
	"noto sans arabic": "Arial", "noto sans hebrew": "Arial", "noto sans symbols 2": "Segoe UI Symbol",
	"sans-serif": "Arial", "system-ui": "Arial", "serif": "Times New Roman", "monospace": "Courier New",
}

// officeFont is what a font is called in files that do not bring it.
func officeFont(family string) string {
	if name, known := officeFonts[strings.ToLower(family)]; known {
		return name
	}
	return firstText(family, "Arial")
}
