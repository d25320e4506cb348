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
	office      bool // Office.Enabled switches it
	write       func(ctx context.Context, s *Service, run *run) (*File, error)
}

// formats are the output formats, the default first.
func formats() []format {
	return []format{
		{name: "pdf", contentType: "application/pdf", printed: true, write: writePDF},
		{name: "html", contentType: "text/html; charset=utf-8", write: writeHTML},
		{name: "docx", contentType: docxType, office: true, write: writeDOCX},
		{name: "xlsx", contentType: xlsxType, office: true, write: writeXLSX},
		{name: "pptx", contentType: pptxType, printed: true, office: true, write: writePPTX},
	}
}

// Formats names the output formats, the default first.
func Formats() []string { return FormatsWith(true) }

// FormatsWith names those that an installation has with the formats of Office or
// without them.
func FormatsWith(office bool) []string {
	var names []string
	for _, f := range formats() {
		if office || !f.office {
			names = append(names, f.name)
		}
	}
	return names
}

// FormatNames are the formats that there can be, in the order of their old
// numbers. An installation has those of Formats.
func FormatNames() []string { return []string{"pdf", "docx", "xlsx", "pptx", "html"} }

// ContentTypes are the types of the files that an export makes.
func ContentTypes() []string {
	types := []string{"application/zip", "application/xml"} // with attachments; of an electronic invoice alone
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
