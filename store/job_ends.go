package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/quire-reports/quire/report"
)

// EntryEnd is what the work of a task on an entry came to: where the entry goes,
// and what is kept of it.
type EntryEnd struct {
	From, To  EntryState
	Told      string        // what was warned of, a line each
	Documents []JobDocument // those of KeepDocuments, instead of what there was; nil leaves that
	Delivery  *DeliveryEnd  // the last one, if it is not recorded yet
	Trace     string        // traceparent of what is queued then

	Moved bool  // whether the entry went there; not when somebody has moved it, or has the task
	Err   error // why nothing of it was written

	unsure bool // an earlier attempt may have been written
}

// DeliveryEnd is what became of a delivery.
type DeliveryEnd struct {
	Position        int
	State           DeliveryState
	Reason, Receipt string
}

// Claim asks for tasks of a priority or better; see ClaimTasks.
type Claim struct {
	Owner string
	Worst Priority
	Most  int
	Lease time.Duration
	Only  Work // empty: all
}

// KeepDocuments stores the documents of an entry. They are its own once its end
// is written.
func (s *Store) KeepDocuments(ctx context.Context, entryID int, documents []report.Document) ([]JobDocument, error) {
	kept := make([]JobDocument, 0, len(documents))
	for i, d := range documents {
		row := JobDocument{EntryID: entryID, Position: i + 1, Name: d.Name, ContentType: d.ContentType, Key: contentKey(documentContents)}
		began := time.Now()
		var err error
		if row.Size, err = s.keepDocument(ctx, d, row.Key); err != nil {
			return nil, err
		}
		row.Timing = writeTiming(d.Timing.With(report.PhaseStore, time.Since(began)))
		kept = append(kept, row)
	}
	return kept, nil
}

func (s *Store) keepDocument(ctx context.Context, d report.Document, key string) (int64, error) {
	content, err := d.Open(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = content.Close() }()
	return s.contents.Put(ctx, key, d.ContentType, content)
}

// EndEntries writes the ends of tasks on entries and takes further tasks, all in
// one transaction: each entry is moved with its documents and what is queued then,
// and its task removed, all of it or nothing. What cannot be written with the
// others, or must wait for somebody, is written alone. An entry whose task another
// process has stays as it is; only that something was delivered is recorded.
func (s *Store) EndEntries(ctx context.Context, ended []*Task, c Claim) (taken []Task) {
	var waiting []*Task
	var old []string
	err := s.db.inTx(ctx, func(t tx) (err error) {
		if waiting, old, err = s.endTogether(ctx, t, ended); err != nil {
			return err
		}
		taken, err = s.claim(ctx, t, c)
		return err
	})
	if err != nil {
		taken, waiting = nil, ended
		for _, task := range ended {
			task.End.Moved, task.End.Err, task.End.unsure = false, err, true
		}
	} else {
		s.discardEnded(ctx, ended, waiting, old)
	}
	if len(ended) > 1 {
		for _, task := range waiting {
			s.EndEntries(ctx, []*Task{task}, Claim{})
		}
	}
	return taken
}

// discardEnded removes the contents that nobody needs once ends are written. When
// it is not known whether an attempt was, the sweeper looks.
func (s *Store) discardEnded(ctx context.Context, ended, waiting []*Task, old []string) {
	for _, task := range ended {
		if !task.End.Moved && !task.End.unsure && !slices.Contains(waiting, task) {
			for _, d := range task.End.Documents {
				s.discard(ctx, d.Key)
			}
		}
	}
	for _, key := range old {
		s.discard(ctx, key)
	}
}

// endTogether writes ends and gives the tasks that it passed over, as somebody
// has locked their entries; one task waits. It gives the keys of documents that
// are no more.
func (s *Store) endTogether(ctx context.Context, t tx, ended []*Task) (passed []*Task, old []string, err error) {
	ended, passed, err = s.lockEntries(ctx, t, ended)
	if err != nil || len(ended) == 0 {
		return passed, nil, err
	}
	for _, task := range ended {
		task.End.Moved, task.End.Err = false, nil
	}
	if err := s.endDeliveries(ctx, t, ended); err != nil {
		return nil, nil, err
	}
	held, err := s.removeHeld(ctx, t, ended)
	if err != nil {
		return nil, nil, err
	}
	if err := s.moveEnded(ctx, t, held); err != nil {
		return nil, nil, err
	}
	moved := slices.DeleteFunc(held, func(task *Task) bool { return !task.End.Moved })
	if old, err = s.replaceDocuments(ctx, t, moved); err != nil {
		return nil, nil, err
	}
	return passed, old, s.enqueueEnded(ctx, t, moved)
}

// lockEntries locks the entries of tasks, before anything else that is changed with
// them, as everybody does. Of several it locks those that nobody else has, so that
// it waits for none while it has another.
func (s *Store) lockEntries(ctx context.Context, t tx, ended []*Task) (locked, passed []*Task, err error) {
	wait := s.db.skipLocked
	if len(ended) == 1 {
		wait = s.db.forUpdate
	}
	these, args := among(&s.db.dialect, "id", subjects(ended))
	var ids []int
	if err := t.list(ctx, &ids, "SELECT id FROM job_entries WHERE "+these+" ORDER BY id "+wait, args...); err != nil || len(ended) == 1 {
		return ended, nil, err
	}
	for _, task := range ended {
		if slices.Contains(ids, task.Subject) {
			locked = append(locked, task)
		} else {
			passed = append(passed, task)
		}
	}
	return locked, passed, nil
}

func subjects(tasks []*Task) []int {
	ids := make([]int, len(tasks))
	for i, task := range tasks {
		ids[i] = task.Subject
	}
	return ids
}

// endDeliveries records what became of deliveries, whoever has the tasks now.
func (s *Store) endDeliveries(ctx context.Context, t tx, ended []*Task) error {
	var rows [][]any
	for _, task := range ended {
		if d := task.End.Delivery; d != nil {
			rows = append(rows, []any{task.Subject, d.Position, d.State, d.Reason, d.Receipt})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	v, args, err := s.db.given([]string{bigint, bigint, plain, plain, plain}, rows)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `UPDATE job_deliveries SET state = v.column3, error = v.column4, receipt = v.column5, updated_at = ?
		FROM `+v+" WHERE entry_id = v.column1 AND position = v.column2", slices.Concat([]any{s.now()}, args)...)
	return err
}

// removeHeld removes tasks from the queue and gives those that their owners held.
func (s *Store) removeHeld(ctx context.Context, t tx, ended []*Task) (held []*Task, err error) {
	ids, owners := make([]int64, len(ended)), []string{}
	for i, task := range ended {
		ids[i] = task.ID
		if !slices.Contains(owners, task.Owner) {
			owners = append(owners, task.Owner)
		}
	}
	these, args := among(&s.db.dialect, "id", ids)
	theirs, more := among(&s.db.dialect, "owner", owners)
	var removed []int64
	err = t.list(ctx, &removed, "DELETE FROM queue WHERE id IN (SELECT id FROM queue WHERE "+these+" AND "+theirs+" ORDER BY id "+s.db.forUpdate+") RETURNING id", append(args, more...)...)
	if err != nil {
		return nil, err
	}
	for _, task := range ended {
		if slices.Contains(removed, task.ID) {
			held = append(held, task)
		}
	}
	return held, nil
}

// moveEnded moves entries, with one statement, so that the counts of a run are
// changed once.
func (s *Store) moveEnded(ctx context.Context, t tx, held []*Task) error {
	if len(held) == 0 {
		return nil
	}
	rows := make([][]any, len(held))
	for i, task := range held {
		rows[i] = []any{task.Subject, task.End.From, task.End.To, task.End.Told}
	}
	v, args, err := s.db.given([]string{bigint, plain, plain, plain}, rows)
	if err != nil {
		return err
	}
	var moved []int
	err = t.list(ctx, &moved, `UPDATE job_entries SET state = v.column3, error = v.column4, updated_at = ?
		FROM `+v+" WHERE id = v.column1 AND (state = v.column2 OR state = 'rendering' AND v.column2 = 'queued') RETURNING id", slices.Concat([]any{s.now()}, args)...)
	for _, task := range held {
		task.End.Moved = slices.Contains(moved, task.Subject)
	}
	return err
}

// replaceDocuments puts the documents of entries in the place of those that there
// were, whose keys it gives.
func (s *Store) replaceDocuments(ctx context.Context, t tx, moved []*Task) (old []string, err error) {
	var again []int
	var documents [][]any
	for _, task := range moved {
		if task.End.Documents != nil && !task.first {
			again = append(again, task.Subject)
		}
		for _, d := range task.End.Documents {
			documents = append(documents, []any{d.EntryID, d.Position, d.Name, d.ContentType, d.Size, d.Key, d.Timing})
		}
	}
	if len(again) > 0 {
		theirs, args := among(&s.db.dialect, "entry_id", again)
		if err := t.list(ctx, &old, "DELETE FROM job_documents WHERE "+theirs+" RETURNING content_key", args...); err != nil {
			return nil, err
		}
	}
	for some := range slices.Chunk(documents, 500) {
		v, args, err := s.db.given([]string{bigint, bigint, plain, plain, bigint, plain, plain}, some)
		if err != nil {
			return nil, err
		}
		_, err = t.exec(ctx, `INSERT INTO job_documents (entry_id, position, name, content_type, size, content_key, timing)
			SELECT v.column1, v.column2, v.column3, v.column4, v.column5, v.column6, v.column7 FROM `+v, args...)
		if err != nil {
			return nil, err
		}
	}
	return old, nil
}

// enqueueEnded queues the deliveries of entries that go to them, run by run. It
// tells nobody: the same transaction takes tasks, and others look for them.
func (s *Store) enqueueEnded(ctx context.Context, t tx, moved []*Task) error {
	of := map[[2]int][]preparedTask{} // by workspace and run
	for _, task := range moved {
		if task.End.To == EntryDelivering {
			next := tasksOf(DeliverTask, &Run{ID: task.Run, WorkspaceID: task.WorkspaceID}, []int{task.Subject})
			next[0].trace = task.End.Trace
			run := [2]int{task.WorkspaceID, task.Run}
			of[run] = append(of[run], next...)
		}
	}
	for _, run := range slices.SortedFunc(maps.Keys(of), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		if err := s.insertTasks(ctx, t, of[run]...); err != nil {
			return err
		}
	}
	return nil
}

// claim takes tasks in a transaction, and reads what those on entries need.
func (s *Store) claim(ctx context.Context, t tx, c Claim) ([]Task, error) {
	tasks := []Task{}
	if c.Most <= 0 {
		return tasks, nil
	}
	now := s.shared()
	err := t.list(ctx, &tasks, `UPDATE queue SET owner = ?, lease_until = `+now+` + ?, attempts = attempts + 1 WHERE id IN (
		SELECT id FROM queue WHERE `+s.free(c.Only)+` ORDER BY priority, turn, id LIMIT ? `+s.db.skipLocked+`)
		RETURNING `+taskColumns, c.Owner, c.Lease.Milliseconds(), c.Worst, c.Most)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(tasks, func(a, b Task) int { return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.ID, b.ID)) })
	if err := s.readMade(ctx, t, tasks); err != nil {
		return nil, err
	}
	return tasks, s.readDelivered(ctx, t, tasks)
}

// readMade reads the entries that tasks make. Nothing is written of them: that they are
// being made follows from their tasks.
func (s *Store) readMade(ctx context.Context, t tx, tasks []Task) error {
	of, ids := tasksOn(tasks, EntryTask)
	if len(ids) == 0 {
		return nil
	}
	these, args := among(&s.db.dialect, "id", ids)
	var rows []struct {
		JobEntry
		Again bool `db:"again"`
	}
	err := t.list(ctx, &rows, "SELECT "+entryColumns+", EXISTS (SELECT 1 FROM job_documents d WHERE d.entry_id = job_entries.id) AS again FROM job_entries WHERE "+these+" AND state IN ('queued', 'rendering')", args...)
	for i := range rows {
		task := of[rows[i].ID]
		task.Entry, task.first = &rows[i].JobEntry, !rows[i].Again
	}
	return err
}

// tasksOn are the tasks of a kind by their subjects.
func tasksOn(tasks []Task, kind string) (of map[int]*Task, ids []int) {
	of = map[int]*Task{}
	for i := range tasks {
		if tasks[i].Kind == kind {
			of[tasks[i].Subject], ids = &tasks[i], append(ids, tasks[i].Subject)
		}
	}
	return of, ids
}

// readDelivered reads what the tasks that deliver entries do it with. Whether they may
// is asked when a delivery begins.
func (s *Store) readDelivered(ctx context.Context, t tx, tasks []Task) error {
	of, ids := tasksOn(tasks, DeliverTask)
	if len(ids) == 0 {
		return nil
	}
	these, args := among(&s.db.dialect, "id", ids)
	var entries []JobEntry
	if err := t.list(ctx, &entries, "SELECT "+entryColumns+" FROM job_entries WHERE "+these, args...); err != nil {
		return err
	}
	theirs, args := among(&s.db.dialect, "entry_id", ids)
	var documents []JobDocument
	err := t.list(ctx, &documents, "SELECT "+documentColumns+" FROM job_documents WHERE "+theirs+" ORDER BY entry_id, position", args...)
	for i := range entries {
		of[entries[i].ID].Entry = &entries[i]
	}
	for _, d := range documents {
		of[d.EntryID].Documents = append(of[d.EntryID].Documents, d)
	}
	return err
}
