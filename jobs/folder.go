package jobs

import (
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// folder fills the template of a folder. Values make no folders: only the
// slashes that the template itself has divide it, and a part that values leave
// empty or turn into . or .. is an error.
func (sc *scene) folder(path, template string) (string, error) {
	t := text.Parse(template)
	if len(t.Problems) > 0 {
		return "", &report.Problem{Kind: report.Failed, Path: path, Message: t.Problems[0].Message}
	}
	filled := string(t.Append(nil, sc.env, text.EscapeFolder))
	if err := sc.fault(path); err != nil {
		return "", err
	}
	own := strings.Split(t.With("x"), "/")
	for i, part := range strings.Split(filled, "/") {
		if nameless(part) && !nameless(own[i]) {
			return "", &report.Problem{Kind: report.Failed, Path: path, Message: fmt.Sprintf("the folder %q has a part without a name, as a value of the template %q is empty here; write what stands for it, such as {$record.name|unnamed}", filled, template)}
		}
	}
	return filled, nil
}

// nameless tells whether a part of a path names nothing, or the folder itself
// or above.
func nameless(part string) bool { return strings.Trim(part, ". \t") == "" }
