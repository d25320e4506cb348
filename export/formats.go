package export

import (
	"context"
	"slices"
	"strings"
)

// format is one output format.
type format struct {
	name        string
	contentType string
	printed     bool // by the browser
	write       func(ctx context.Context, s *Service, run *run) (*File, error)
}

// formats are the output formats, the default first.
func formats() []format {
	return []format{
		{"pdf", "application/pdf", true, writePDF},
		{"html", "text/html; charset=utf-8", false, writeHTML},
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

// FormatNames are the formats that there can be, in the order of their old
// numbers. An installation has those of Formats.
func FormatNames() []string { return []string{"pdf", "docx", "xlsx", "pptx", "html"} }

// ContentTypes are the types of the files that an export makes.
func ContentTypes() []string {
	types := []string{"application/zip"} // with attachments
	for _, f := range formats() {
		name, _, _ := strings.Cut(f.contentType, ";")
		types = append(types, name)
	}
	return types
}

// formatOf finds the format of a request that was checked.
func formatOf(req *Request) format {
	all := formats()
	return all[max(0, slices.IndexFunc(all, func(f format) bool { return f.name == req.Format }))]
}
