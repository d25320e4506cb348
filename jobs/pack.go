package jobs

import (
	"context"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// packed puts the documents of a delivery into one file, if it says so. drop
// removes that file.
func (s *Service) packed(ctx context.Context, shared *setting, sc *scene, entry string, d *report.JobDelivery, documents []report.Document) (list []report.Document, drop func(), err error) {
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
		file, err = s.cfg.Batch.Archive(ctx, name, shared.run.Created, documents)
	} else {
		file, err = s.joined(ctx, name, shared, documents)
	}
	if err != nil {
		return nil, drop, err
	}
	return []report.Document{file.Document(file.Name)}, func() { _ = file.Close() }, nil
}

// joined makes one PDF file of documents in the order of their entries.
func (s *Service) joined(ctx context.Context, name string, shared *setting, documents []report.Document) (*export.File, error) {
	var chapters []export.Chapter
	position := 0
	for from := 0; from < len(documents); {
		to := from
		for to < len(documents) && documents[to].Entry == documents[from].Entry {
			to++
		}
		position++
		chapters = append(chapters, chaptersOf(position, documents[from:to])...)
		from = to
	}
	if len(chapters) == 0 {
		return nil, &report.Problem{Kind: report.Failed, Path: "pack", Message: "none of the documents is a PDF file, so there is nothing to join; pack them as zip"}
	}
	return s.cfg.Batch.Join(ctx, name, shared.run.Created, chapters)
}
