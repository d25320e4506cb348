package jobs

import (
	"strings"

	"github.com/quire-reports/quire/report"
)

// mostWarnings bounds what is told of one entry, or of one delivery of it.
const mostWarnings = 20

// note keeps what a document of an entry warns of.
func (sc *scene) note(path string, warnings report.Problems) {
	for _, w := range warnings.AtMost(mostWarnings) {
		sc.warnings = append(sc.warnings, &report.Problem{Path: path, Message: w.Error()})
	}
}

// taken are the warnings since they were asked for last, a line each and each
// once.
func (sc *scene) taken() string {
	var lines []string
	seen := map[string]bool{}
	for _, w := range sc.warnings.AtMost(mostWarnings) {
		line := strings.ReplaceAll(w.Error(), "\n", " ")
		if !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	sc.warnings = nil
	return strings.Join(lines, "\n")
}
