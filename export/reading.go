package export

import (
	"context"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/htmlgen/picture"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/layout"
	"github.com/quire-reports/quire/render/office/plots"
	"github.com/quire-reports/quire/report"
)

// reading is a document of a report as the browser laid it out.
type reading struct {
	*render.Read
	doc    *htmlgen.Document
	images *pictures
	// Pictures of attached pages, and what there is to say of them.
	drawn         drawnPages
	drawnWarnings report.Problems
}

// read compiles a report and reads it back from the browser. Charts carry what they
// show.
func (s *Service) read(ctx context.Context, r *run, state layout.State) (*reading, error) {
	r.charted = true
	images := s.pictures(r, false)
	doc, err := s.compile(ctx, r, printAsset, images, "")
	if err != nil {
		return nil, err
	}
	found, err := s.cfg.Printer.Read(ctx, render.Job{
		HTML: doc.HTML, Resources: s.resources(images), Key: strconv.Itoa(r.req.Workspace), Timeout: s.cfg.Timeout, Priority: s.cfg.Priority,
	}, render.Reading{State: state, Draw: func(m *layout.ImageOf) bool { return drawn(m, images) }})
	if err != nil {
		return nil, printProblem(err, len(doc.HTML))
	}
	drew(ctx, found.Timings.Queue, found.Timings.Print, 0)
	return &reading{Read: found, doc: doc, images: images}, nil
}

// drawn reports whether an Office file needs the browser's drawing of a picture: of all
// but charts that Office draws itself, and files of the kinds that it reads.
func drawn(m *layout.ImageOf, images *pictures) bool {
	if len(m.Chart) > 0 {
		mark := plots.Read(string(m.Chart))
		return mark == nil || mark.Lacks != ""
	}
	if m.Source == "" {
		return true
	}
	kind, _, _ := images.source(m.Source)
	return kind != "image/png" && kind != "image/jpeg"
}

// source is the file at the address of a picture.
func (p *pictures) source(address string) (kind string, content []byte, ok bool) {
	if path, served := strings.CutPrefix(address, render.ResourceBase); served {
		p.mu.Lock()
		defer p.mu.Unlock()
		f, known := p.byURL[path]
		if !known {
			return "", nil, false
		}
		return f.ContentType, f.Content, true
	}
	kind, content, err := picture.DataURI(address)
	return kind, content, err == nil
}
