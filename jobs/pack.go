package jobs

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// packed puts the documents of a delivery into one file, if it says so. drop
// removes that file.
func (s *Service) packed(ctx context.Context, shared *setting, sc *scene, entry string, d *report.JobDelivery, documents []Document) (list []Document, drop func(), err error) {
	drop = func() {}
	if len(documents) == 0 || d.Pack != report.PackZIP && d.Pack != report.PackPDF {
		return documents, drop, nil
	}
	name, err := sc.text("packName", d.PackName)
	if err != nil {
		return nil, drop, err
	}
	if strings.TrimSpace(name) == "" {
		name = fmt.Sprintf("%s %d", shared.job.Name, shared.run.ID)
		if entry != "" {
			name += "-" + entry
		}
	}
	var file *export.File
	if d.Pack == report.PackZIP {
		file, err = s.cfg.Batch.Archive(ctx, name, shared.run.Created, archived(ctx, documents))
	} else {
		file, err = s.joined(ctx, name, shared, documents)
	}
	if err != nil {
		return nil, drop, err
	}
	open := func(context.Context) (io.ReadCloser, error) { return file.Open() }
	return []Document{{Name: file.Name, ContentType: file.ContentType, Size: file.Size, Open: open}}, func() { _ = file.Close() }, nil
}

func archived(ctx context.Context, documents []Document) []export.Archived {
	files := make([]export.Archived, len(documents))
	for i, d := range documents {
		files[i] = export.Archived{Name: d.Name, Open: func() (io.ReadCloser, error) { return d.Open(ctx) }}
	}
	return files
}

// joined makes one PDF file of documents in the order of their entries.
func (s *Service) joined(ctx context.Context, name string, shared *setting, documents []Document) (*export.File, error) {
	var chapters []export.Chapter
	position := 0
	for from := 0; from < len(documents); {
		to := from
		for to < len(documents) && documents[to].entry == documents[from].entry {
			to++
		}
		position++
		chapters = append(chapters, chaptersOf(ctx, position, documents[from:to])...)
		from = to
	}
	if len(chapters) == 0 {
		return nil, &report.Problem{Kind: report.Failed, Path: "pack", Message: "none of the documents is a PDF file, so there is nothing to join; pack them as zip"}
	}
	return s.cfg.Batch.Join(ctx, name, shared.run.Created, chapters)
}
