package export

import (
	"context"
	"crypto/sha256"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/font"
)

// Bundle is a workspace in memory as Definitions: for the command line and for
// tests, without a database. Reports are referred to by their codes or their
// types' codes.
type Bundle struct{ Workspace *report.Workspace }

// Report implements Definitions.
func (b Bundle) Report(ctx context.Context, workspace int, ref string) (*report.Definition, error) {
	if ref == "" {
		return &report.Definition{Report: &report.Report{}, Library: b.library()}, nil
	}
	for _, t := range b.Workspace.ReportTypes {
		if strings.EqualFold(t.Code, ref) && t.DefaultReport != "" {
			ref = t.DefaultReport
			break
		}
	}
	return b.Subreport(ctx, workspace, ref)
}

// Subreport implements Definitions.
func (b Bundle) Subreport(_ context.Context, _ int, code string) (*report.Definition, error) {
	for i := range b.Workspace.Reports {
		if r := &b.Workspace.Reports[i]; strings.EqualFold(r.Code, code) {
			return &report.Definition{Report: &r.Report, Library: b.library()}, nil
		}
	}
	return nil, report.NotFoundf("there is no report %q", code)
}

func (b Bundle) library() report.Library {
	w := b.Workspace
	return report.Library{
		Template:  finder("template", w.Templates, func(t *report.Template) string { return t.Code }),
		Theme:     finder("theme", w.Themes, func(t *report.Theme) string { return t.Code }),
		Languages: w.Languages, Dictionaries: w.Dictionaries, Parameters: w.Parameters, DataSources: w.DataSources,
	}
}

func finder[T any](kind string, items []T, code func(*T) string) func(string) (*T, error) {
	return func(ref string) (*T, error) {
		if found := byCode(items, ref, code); found != nil || ref == "" {
			return found, nil
		}
		return nil, report.NotFoundf("there is no %s %q", kind, ref)
	}
}

// File implements Definitions.
func (b Bundle) File(_ context.Context, _ int, name string) (*report.File, error) {
	for i := range b.Workspace.Files {
		if b.Workspace.Files[i].Name == name {
			return &b.Workspace.Files[i], nil
		}
	}
	return nil, report.NotFoundf("there is no managed file %q", name)
}

// FontFiles implements Definitions.
func (b Bundle) FontFiles(context.Context, int) ([]report.FileStamp, error) {
	var list []report.FileStamp
	for i := range b.Workspace.Files {
		f := &b.Workspace.Files[i]
		if format, _ := font.Format(f.Name); format != "" {
			sum := sha256.Sum256(f.Content)
			list = append(list, report.FileStamp{Name: f.Name, SHA256: string(sum[:])})
		}
	}
	return list, nil
}
