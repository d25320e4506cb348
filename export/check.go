package export

import (
	"fmt"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// Check finds what is wrong with a report without running it: its elements and
// the settings of its data sources. Paths lead into the definition.
func (s *Service) Check(def *report.Report) report.Problems {
	problems := htmlgen.Validate(def)
	for i, use := range def.DataSources {
		if use.Reuse == "" {
			problems = append(problems, s.cfg.Loader.Check(use.DataSource, fmt.Sprintf("dataSources[%d]", i))...)
		}
	}
	return problems
}

// finished refuses a stored report that was saved with something to be mended:
// what is half made would print as if it were meant.
func (s *Service) finished(found *report.Definition) error {
	if !found.Unfinished {
		return nil
	}
	return append(report.Unfinished(found.Report), s.Check(found.Report)...).Err()
}
