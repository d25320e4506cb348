package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quire-reports/quire/export"
)

// formatFor is the format of a file to write: the one asked for, or else that
// of its name's ending. A name that says another format is refused, as it would
// mislead whoever opens the file.
func formatFor(out, asked string) (string, error) {
	ending := strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
	if ending == "htm" {
		ending = "html"
	}
	formats := export.Formats()
	misleads := slices.Contains(formats, ending) || slices.Contains(knownEndings, ending)
	asked = strings.ToLower(asked)
	switch {
	case asked == "" && slices.Contains(formats, ending):
		return ending, nil
	case asked == "" && misleads:
		return "", usageError{fmt.Errorf("-o %s: %q is no format that can be made; accepted: %s, or say --format", out, ending, strings.Join(formats, ", "))}
	case asked == "": // standard output, or a name such as statement-2026.11
		return formats[0], nil
	case ending != asked && misleads:
		return "", usageError{fmt.Errorf("--format %s does not fit -o %s; name the file .%s, or leave --format out", asked, out, asked)}
	}
	return asked, nil
}

// knownEndings are those that people take for a format, besides the formats
// that there are.
var knownEndings = []string{"docx", "xlsx", "pptx", "doc", "xls", "ppt", "odt", "ods", "csv", "json", "xml", "txt", "png", "jpg", "svg"}
