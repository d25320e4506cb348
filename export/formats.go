package export

import (
	"context"
	"strings"

	"github.com/quire-reports/quire/report"
)

// format is one output format.
type format struct {
	name        string
	contentType string
	write       func(ctx context.Context, s *Service, run *run) (*File, error)
}

// formats are the output formats, the default first.
func formats() []format {
	return []format{
		{"pdf", "application/pdf", writePDF},
		{"html", "text/html; charset=utf-8", writeHTML},
	}
}

// Formats names the output formats, the default first.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// formatOf finds the format of a request and checks what depends on it.
func formatOf(req Request) (format, error) {
	name := req.Format
	if name == "" {
		name = formats()[0].name
	}
	for _, f := range formats() {
		if f.name != name {
			continue
		}
		if name != "pdf" && req.protected() {
			return f, report.Problemf("format", "password, allowPrinting and allowCopying protect PDF files only; use format pdf or leave them out")
		}
		return f, checkConformance(&req, name)
	}
	return format{}, report.Problemf("format", "unknown format %q; accepted: %s", name, strings.Join(Formats(), ", "))
}
