package store

import (
	"context"
	"encoding/json"

	"github.com/quire-reports/quire/report"
)

// writeTiming is a timing as it is kept; one of nothing is empty.
func writeTiming(t report.Timing) string {
	if t.Took == 0 {
		return ""
	}
	text, err := json.Marshal(t)
	if err != nil { // numbers and words
		return ""
	}
	return string(text)
}

func readTiming(text string) (t report.Timing) {
	if json.Unmarshal([]byte(text), &t) != nil {
		return report.Timing{}
	}
	return t
}

// TimedEntry is how long a document of an entry took.
type TimedEntry struct {
	EntryID  int
	Position int // of the entry in its run
	Timing   report.Timing
}

// RunTimings tells how long documents of a run took, of its last entries first:
// no more than a number of them, so that large runs are looked at as quickly.
func (s *Store) RunTimings(ctx context.Context, runID, most int) ([]TimedEntry, error) {
	var rows []struct {
		EntryID  int    `db:"entry_id"`
		Position int    `db:"position"`
		Timing   string `db:"timing"`
	}
	err := s.db.list(ctx, &rows, `SELECT d.entry_id, e.position, d.timing FROM job_entries e JOIN job_documents d ON d.entry_id = e.id
		WHERE e.run_id = ? AND d.timing <> '' ORDER BY e.position DESC, d.position LIMIT ?`, runID, most)
	list := make([]TimedEntry, 0, len(rows))
	for _, r := range rows {
		if t := readTiming(r.Timing); t.Took > 0 {
			list = append(list, TimedEntry{r.EntryID, r.Position, t})
		}
	}
	return list, err
}
