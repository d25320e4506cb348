package store

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
)

// EntryQuery chooses entries of a run.
type EntryQuery struct {
	RunID         int
	States        []EntryState  // none: all
	IDs           []int         // none: all
	Positions     []int         // none: all
	Delivery      DeliveryState // only with a delivery in this state; empty: any
	At            int           // that delivery's position; 0: any
	Search        string        // in the record, the names of documents and the error; or the position
	After         int           // only entries behind this position
	Before        int           // only entries in front of this position, the last of them; 0: any
	Offset, Limit int
}

// onlyStates tells whether a query chooses by states and positions alone, and so
// reads nothing that it does not list.
func (q EntryQuery) onlyStates() bool {
	return len(q.States) > 0 && len(q.IDs)+len(q.Positions) == 0 && q.Delivery == "" && q.Search == ""
}

// order is that in which entries are read; those in front of a position from there.
func (q EntryQuery) order() string {
	if q.Before > 0 {
		return " DESC"
	}
	return ""
}

// inStates lists entries in some states: of each what comes first in the order,
// and of these what comes first. The state stands in the bounds and not beside
// them, as a database that thinks the state to be frequent would read the run in
// order and look at each entry, however many there are.
func (s *Store) inStates(q EntryQuery, columns string) (query string, args []any) {
	before := q.Before
	if before == 0 {
		before = math.MaxInt
	}
	also := ""
	if q.waiting() {
		also = " AND NOT " + s.beingMade("job_entries")
	}
	var parts []string
	if q.making() {
		parts = append(parts, "SELECT * FROM (SELECT "+columns+" FROM job_entries WHERE id IN ("+s.madeNow()+") AND run_id + 0 = ? AND state = ? AND position > ? AND position < CAST(? AS BIGINT)) AS made")
		args = append(args, q.RunID, EntryQueued, q.After, before)
	}
	for _, state := range q.States {
		parts = append(parts, `SELECT * FROM (SELECT `+columns+` FROM job_entries WHERE (run_id, state, position) > (?, ?, ?) AND (run_id, state, position) < (?, ?, CAST(? AS BIGINT))`+also+`
			ORDER BY run_id`+q.order()+", state"+q.order()+", position"+q.order()+` LIMIT ?) AS part`)
		args = append(args, q.RunID, state, q.After, q.RunID, state, before, q.Offset+q.Limit)
	}
	return "SELECT * FROM (" + strings.Join(parts, " UNION ALL ") + ") AS job_entries ORDER BY position" + q.order() + " LIMIT ? OFFSET ?", append(args, q.Limit, q.Offset)
}

// waiting tells whether entries are wanted that wait to be made and none that are
// being made, making the reverse. Of what is queued only their tasks tell these apart.
func (q EntryQuery) waiting() bool {
	return slices.Contains(q.States, EntryQueued) && !slices.Contains(q.States, EntryRendering)
}

func (q EntryQuery) making() bool {
	return slices.Contains(q.States, EntryRendering) && !slices.Contains(q.States, EntryQueued)
}

// madeNow are the entries of all runs that somebody makes now: as many as all
// processes together make at the same time.
func (s *Store) madeNow() string {
	return "SELECT q.subject FROM queue q WHERE q.owner > '' AND q.kind = 'entry' AND q.lease_until > " + s.shared()
}

func (s *Store) where(q EntryQuery) (string, []any) {
	where, args := "run_id = ? AND position > ?", []any{q.RunID, q.After}
	if q.Before > 0 {
		where, args = where+" AND position < ?", append(args, q.Before)
	}
	if len(q.States) > 0 {
		in := "state IN (?)"
		switch {
		case q.waiting():
			in = "(state IN (?) AND NOT (state = 'queued' AND " + s.beingMade("job_entries") + "))"
		case q.making():
			in = "(state IN (?) OR state = 'queued' AND " + s.beingMade("job_entries") + ")"
		}
		where, args = where+" AND "+in, append(args, q.States)
	}
	if len(q.IDs) > 0 {
		where, args = where+" AND id IN (?)", append(args, q.IDs)
	}
	if len(q.Positions) > 0 {
		where, args = where+" AND position IN (?)", append(args, q.Positions)
	}
	if q.Delivery != "" {
		at, more := q.position()
		where += " AND EXISTS (SELECT 1 FROM job_deliveries WHERE entry_id = job_entries.id AND job_deliveries.state = ?"
		if at != "" {
			where += " AND job_deliveries.position = ?"
		}
		where, args = where+")", append(append(args, q.Delivery), more...)
	}
	if q.Search == "" {
		return where, args
	}
	position, err := strconv.Atoi(strings.TrimSpace(q.Search))
	if err != nil {
		position = 0
	}
	where, args = where+" AND (position = ?", append(args, position)
	// SQLite knows the case of ASCII letters only; others are also compared as
	// they are.
	for _, part := range []string{strings.ToLower(q.Search), q.Search} {
		part = "%" + likeText(part) + "%"
		where += ` OR LOWER(record) LIKE ? ESCAPE '\' OR record LIKE ? ESCAPE '\' OR LOWER(error) LIKE ? ESCAPE '\'
			OR EXISTS (SELECT 1 FROM job_documents d WHERE d.entry_id = job_entries.id AND (LOWER(d.name) LIKE ? ESCAPE '\' OR d.name LIKE ? ESCAPE '\'))`
		args = append(args, part, part, part, part, part)
	}
	return where + ")", args
}

// position is the condition for the position of a delivery that is asked for.
func (q EntryQuery) position() (condition string, args []any) {
	if q.At == 0 {
		return "", nil
	}
	return " AND position = ?", []any{q.At}
}

// FoundEntry is an entry in a list.
type FoundEntry struct {
	JobEntry
	Title string `db:"title"` // name of its first document; empty without one
}

// FindEntries lists entries in their order.
func (s *Store) FindEntries(ctx context.Context, q EntryQuery) ([]FoundEntry, error) {
	query, args, err := s.entries(q)
	if err != nil {
		return nil, err
	}
	found := []FoundEntry{}
	err = s.db.list(ctx, &found, "SELECT "+s.shownEntries("found")+`, COALESCE((SELECT name FROM job_documents d WHERE d.entry_id = found.id AND d.position = 1), '') AS title
		FROM (`+query+") AS found ORDER BY position", args...)
	return found, err
}

func (s *Store) entries(q EntryQuery) (query string, args []any, err error) {
	if q.onlyStates() {
		query, args = s.inStates(q, entryColumns)
		return query, args, nil
	}
	where, args := s.where(q)
	return sqlx.In("SELECT "+entryColumns+" FROM job_entries WHERE "+where+" ORDER BY position"+q.order()+" LIMIT ? OFFSET ?", append(args, q.Limit, q.Offset)...)
}

// CountEntries tells how many there are.
func (s *Store) CountEntries(ctx context.Context, q EntryQuery) (n int, err error) {
	if len(q.IDs)+len(q.Positions) == 0 && q.Delivery == "" && q.Search == "" && q.After == 0 && q.Before == 0 {
		return s.countStates(ctx, q)
	}
	return s.countRows(ctx, q)
}

// countStates tells how many entries are in some states. Only those that are being
// made just now are counted one by one, and only when they are told from those that
// wait.
func (s *Store) countStates(ctx context.Context, q EntryQuery) (int, error) {
	counts, err := s.RunCounts(ctx, q.RunID)
	if err != nil {
		return 0, err
	}
	waiting, rendering := slices.Contains(q.States, EntryQueued), slices.Contains(q.States, EntryRendering)
	if waiting == rendering {
		return counts.in(q.States), nil
	}
	var made int
	err = s.db.get(ctx, &made, "SELECT COUNT(*) FROM job_entries WHERE id IN ("+s.madeNow()+") AND run_id + 0 = ? AND state IN (?, ?)", q.RunID, EntryQueued, EntryRendering)
	if rendering {
		return counts.in(q.States) + made, err
	}
	return max(counts.in(q.States)-made, 0), err
}

func (s *Store) countRows(ctx context.Context, q EntryQuery) (n int, err error) {
	where, args := s.where(q)
	query, args, err := sqlx.In("SELECT COUNT(*) FROM job_entries WHERE "+where, args...)
	if err != nil {
		return 0, err
	}
	return n, s.db.get(ctx, &n, query, args...)
}

// onlyReview tells whether a query chooses all entries of a run that wait for their
// review.
func (q EntryQuery) onlyReview() bool {
	return len(q.States) == 1 && q.States[0] == EntryReview && q.onlyStates() && q.After == 0 && q.Before == 0
}

// MoveEntries moves entries from the states of a query to another one, and
// queues what follows: their delivery. All or nothing; it tells how many. When all
// of a run are approved, FeedRuns goes on after the first ones.
func (s *Store) MoveEntries(ctx context.Context, r *Run, q EntryQuery, to EntryState, reason string, once Once) (n int, err error) {
	q.RunID = r.ID
	return s.changeEntries(ctx, AuditEntryDecided, r, once, func(t tx) (int, error) {
		if to == EntryDelivering && q.onlyReview() {
			counts, err := countEntries(ctx, t.list, r.ID)
			if err != nil {
				return 0, err
			}
			if counts[EntryQueued] == 0 { // else somebody would approve what nobody has seen
				return s.approveAll(ctx, t, r, counts)
			}
		}
		ids, err := s.update(ctx, t, q, "state = ?, error = "+keptWarnings+", deliver = ?, updated_at = ?", to, to, reason, DeliverAll, s.now())
		if err != nil || to != EntryDelivering {
			return len(ids), err
		}
		return len(ids), s.enqueue(ctx, t, tasksOf(DeliverTask, r, ids)...)
	})
}
