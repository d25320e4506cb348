package steps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// checkField warns of a field that no row has; at is the place of the setting
// in the step.
func (e *Env) checkField(at, path string, rows []any) {
	if path == "" || len(rows) == 0 || slices.ContainsFunc(rows, reaches(path)) {
		return
	}
	e.warn(at, "%s", NoField(barePath(path), rows))
}

// reaches tells whether a path leads to something in a row; below null it may.
func reaches(path string) func(row any) bool {
	parts := strings.Split(barePath(path), ".")
	return func(row any) bool {
		for i, part := range parts {
			o, ok := row.(*report.Object)
			if ok {
				if row, ok = o.Get(part); !ok {
					return false
				}
				continue
			}
			if row = member(row, part); row == nil {
				return i > 0
			}
		}
		return true
	}
}

// namedRows is how many rows are asked for the names that they have.
const namedRows = 50

// NoField is what to say of a field that none of the rows has.
func NoField(name string, rows []any) string {
	names := columnsOf(rows[:min(len(rows), namedRows)])
	message := fmt.Sprintf("no row has a field %q", name)
	if near := report.Nearest(name, names); near != "" {
		return message + fmt.Sprintf("; did you mean %q?", near)
	}
	if len(names) == 0 {
		return message
	}
	const most = 20
	if len(names) > most {
		names = append(names[:most:most], "…")
	}
	return message + "; they have: " + strings.Join(names, ", ")
}
