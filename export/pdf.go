package export

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// creator stands in the information of every PDF.
const creator = "Quire"

// writePDF prints the document and finishes the file.
func writePDF(ctx context.Context, s *Service, r *run) (*File, error) {
	kind := conformanceOf(&r.req)
	if r.invoice != nil {
		kind.archive = pdf.Archive3B
	}
	accessible := r.req.Accessible || kind.accessible
	signer, err := s.signer(ctx, r)
	if err != nil {
		return nil, err
	}
	r.signer = shownSigner(signer, r)
	images := s.pictures(r, false)
	doc, err := s.compile(ctx, r, printAsset, images, "")
	if err != nil {
		return nil, err
	}
	printed, err := s.cfg.Printer.Print(ctx, render.Job{
		HTML: doc.HTML, Resources: s.resources(images), Paginate: true, Tagged: accessible, Seek: doc.Letters.Lacking,
		Key: strconv.Itoa(r.req.Workspace), Timeout: s.cfg.Timeout, Priority: s.cfg.Priority, Bleed: r.req.bleed(), Fields: !kind.press,
	})
	if err != nil {
		return nil, printProblem(err, len(doc.HTML))
	}
	defer printed.Close()
	drew(ctx, printed.Timings.Queue, printed.Timings.Fill, printed.Timings.Print)
	ctx, done := timed(ctx, Finish)
	defer done()
	var files []pdf.Embedded
	if kind.data {
		if files, err = embedded(r); err != nil {
			return nil, err
		}
	}
	var billed *pdf.Invoice
	if r.invoice != nil {
		files = append(files, r.invoice.embedded())
		billed = &pdf.Invoice{Level: r.invoice.Level, File: r.invoice.File, Version: r.invoice.Version}
	}
	var press *pdf.Press
	var inks report.Problems
	if kind.press {
		press, inks = r.press()
	}
	out := &spool{dir: s.cfg.SpoolDir}
	info, err := pdf.Finish(ctx, out, printed.Parts, pdf.Options{
		Title: doc.Title, Author: doc.Author, Subject: doc.Subject, Keywords: doc.Keywords, Labels: labels(printed.Pages), Sizes: sizes(printed.Pages), Lang: doc.Language, Creator: creator, Created: r.now,
		Anchors: anchors(printed.Anchors), Outline: true, Attached: r.documents.attached(printed.Pages), Protect: protection(&r.req),
		Divided: bytes.Contains(doc.HTML, []byte("\u00ad")),
		Glyphs:  doc.Letters.Foreign || accessible || kind.archive != pdf.NoArchive || kind.press, Accessible: accessible, Archive: kind.archive, Embedded: files, Invoice: billed,
		Press: press, Bleed: r.req.bleed(), CropMarks: r.req.CropMarks, Typing: typing, Sign: signature(signer),
	})
	if err == nil && r.invoice != nil {
		err = r.invoice.archived(&info)
	}
	var seen report.Problems
	if err == nil {
		seen, err = s.sign(ctx, r, signer, out, info.Unsigned)
	}
	if err != nil {
		out.discard()
		return nil, err
	}
	file, err := out.finish(fileName(doc.Title, "pdf"), "application/pdf")
	if err != nil {
		return nil, err
	}
	file.Pages = info.Pages
	// What keeps the file from what was asked comes first.
	file.Warnings = append(unmetWarnings(info.Unmet, printed.Warnings), doc.Warnings...)
	if kind.press && bytes.Contains(doc.HTML, []byte(" data-field=")) {
		file.Warnings = append(file.Warnings, report.Problemf("conformance", "a PDF/X file has nothing to fill in; form fields are printed as they stand"))
	}
	file.Warnings = append(file.Warnings, seen...)
	file.Warnings = append(file.Warnings, append(inks, unusedInks(info.Unused)...)...)
	file.Warnings = append(file.Warnings, pageWarnings(printed.Warnings, images)...)
	file.Warnings = append(file.Warnings, lackingWarnings(doc, printed.Found, info.Missing)...)
	file.Warnings = append(file.Warnings, r.documents.warnings()...)
	return file, nil
}

// unmetWarnings say why a PDF does not say that it conforms. Pictures
// without a description are named by the pages, which know the elements.
func unmetWarnings(unmet []pdf.Unmet, known []render.Warning) report.Problems {
	named := slices.ContainsFunc(known, func(w render.Warning) bool { return strings.Contains(w.Message, "has no alternative text") })
	var list report.Problems
	for _, u := range unmet {
		if u.Picture && named {
			continue
		}
		place := ""
		if u.Page > 0 {
			place = fmt.Sprintf(" (page %d)", u.Page)
		}
		list = append(list, report.Problemf("accessible", "the PDF does not say that it conforms: %s%s", u.Message, place))
	}
	return list
}

// printAsset is where the printing browser finds a font.
func printAsset(kind, name string) string { return render.ResourceBase + kind + "/" + name }

// resources answers for the fonts and pictures of a document.
func (s *Service) resources(images *pictures) render.Resources {
	fonts := assets.Fonts()
	return func(path string) (string, []byte, bool) {
		if name, ok := strings.CutPrefix(path, "font/"); ok {
			content, err := fs.ReadFile(fonts, name)
			return "font/woff2", content, err == nil
		}
		images.mu.Lock()
		defer images.mu.Unlock()
		f, ok := images.byURL[path]
		if !ok {
			return "", nil, false
		}
		return f.ContentType, f.Content, true
	}
}

// labels are the numbers of the pages; those that do not count have none.
func labels(pages []render.PageInfo) []int {
	list := make([]int, len(pages))
	for i := range pages {
		list[i] = pages[i].Number
	}
	return list
}

// sizes are how large the pages are.
func sizes(pages []render.PageInfo) []pdf.Size {
	list := make([]pdf.Size, len(pages))
	for i := range pages {
		list[i] = pdf.Size{Width: pages[i].Width, Height: pages[i].Height}
	}
	return list
}

func anchors(found []render.Anchor) []pdf.Anchor {
	list := make([]pdf.Anchor, len(found))
	for i, a := range found {
		list[i] = pdf.Anchor{ID: a.ID, Page: a.Page, X: a.X, Y: a.Y, Level: a.Level, Text: a.Text}
	}
	return list
}

func protection(req *Request) *pdf.Protection {
	if !req.protected() {
		return nil
	}
	return &pdf.Protection{UserPassword: req.Password.Reveal(), AllowPrinting: !req.DenyPrinting, AllowCopying: !req.DenyCopying}
}

// pageWarnings are what the paginator found, by the ids of elements.
func pageWarnings(found []render.Warning, images *pictures) report.Problems {
	var list report.Problems
	for _, w := range found {
		list = append(list, report.Problemf(w.ID, "%s", images.named(w.Message)))
	}
	return list
}
