package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"gocloud.dev/blob"
)

// Folders of the contents.
const (
	fileContents    = "files"
	previewContents = "previews"
	tempContents    = "temp"
)

// contentOwner says which rows name the contents of a folder.
type contentOwner struct {
	folder string
	named  func(ctx context.Context, keys []string) ([]string, error)
}

// contentOwners lists the folders in which the sweeper looks for orphans.
func (s *Store) contentOwners() []contentOwner {
	column := func(folder, table, column string) contentOwner {
		return contentOwner{folder, func(ctx context.Context, keys []string) ([]string, error) {
			return s.db.among(ctx, table, column, keys)
		}}
	}
	return []contentOwner{
		column(fileContents, "files", "content_key"),
		column(previewContents, "reports", "preview_key"),
		column(tempContents, "temp_data", "content_key"),
		column(taskContents, "queue", "payload_key"),
		column(runContents, "job_runs", "data_key"),
		column(documentContents, "job_documents", "content_key"),
		column(exportContents, "export_files", "content_key"),
	}
}

// expiringTables lists those whose rows are of no use after expires_at and
// name no content.
func expiringTables() []string {
	return []string{"sessions", "preview_sessions", "nonces", "attempts", "devices", "idempotency_keys", "used_once", "account_links", "posted_sign_ins"}
}

const (
	sweepBatch = 500
	// orphanAge is how old a content without a row must be: a younger one may
	// belong to a request that is still writing.
	orphanAge = 6 * time.Hour
	// orphansEvery is how often orphans are looked for, which means listing all
	// contents; where that takes long, orphansRest times as long lies between.
	orphansEvery = 6 * time.Hour
	orphansRest  = 50
	// orphans are what is then looked for.
	orphans = "orphans"
)

// Swept is what a sweep removed.
type Swept struct {
	Rows, Contents, Orphans int
}

// StartSweeping removes what has expired every interval, and orphans now and
// then, until Close. Of all processes one does so. A sweep that fails is logged
// and tried again.
func (s *Store) StartSweeping(interval time.Duration) {
	l := s.newLeader("sweeping", max(3*interval, time.Minute))
	s.sweeping.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		defer func() { _ = l.leave(context.WithoutCancel(s.stopped)) }() // else a minute passes
		for {
			if err := l.lead(s.stopped, s.sweepAll); err != nil && s.stopped.Err() == nil {
				s.log.Warn("nothing was swept, as it is not known who does so", "error", err)
			}
			select {
			case <-tick.C:
			case <-s.stopped.Done():
				return
			}
		}
	})
}

func (s *Store) sweepAll(ctx context.Context) {
	if due, err := s.isDue(ctx, orphans); err == nil && due {
		s.sweepOnce(s.sweepOrphansNow)
	}
	s.sweepOnce(s.Sweep)
	if due, err := s.isDue(ctx, openCounts); err == nil && due {
		s.mendOpenCountsNow(ctx)
	}
}

// mendOpenCountsNow looks for wrong counts and says when to do so next.
func (s *Store) mendOpenCountsNow(ctx context.Context) {
	err := s.putOff(ctx, openCounts, countsEvery)
	if err == nil {
		_, err = s.mendOpenCounts(ctx)
	}
	if err != nil && ctx.Err() == nil {
		s.log.Warn("the counts of the entries of runs could not be looked at", "error", err)
	}
}

// sweepOrphansNow looks for orphans and says when to do so next.
func (s *Store) sweepOrphansNow(ctx context.Context) (Swept, error) {
	if err := s.putOff(ctx, orphans, orphansEvery); err != nil {
		return Swept{}, err
	}
	began := time.Now()
	swept, err := s.SweepOrphans(ctx)
	if wait := orphansRest * time.Since(began); err == nil && wait > orphansEvery {
		err = s.putOff(ctx, orphans, wait)
	}
	return swept, err
}

// Sweeps is what the sweeps of this process did.
type Sweeps struct {
	Removed Swept
	Done    int
	Failed  int
	Last    time.Time // when one last removed all that it should; zero: none did
}

// Sweeps tells what the sweeps of this process did until now.
func (s *Store) Sweeps() Sweeps {
	s.sweptMu.Lock()
	defer s.sweptMu.Unlock()
	return s.swept
}

// countSweep counts what a sweep removed; one that was cut short by the end has
// neither failed nor been done.
func (s *Store) countSweep(swept Swept, err error, failed bool) {
	s.sweptMu.Lock()
	defer s.sweptMu.Unlock()
	s.swept.Removed.Rows += swept.Rows
	s.swept.Removed.Contents += swept.Contents
	s.swept.Removed.Orphans += swept.Orphans
	switch {
	case failed:
		s.swept.Failed++
	case err == nil:
		s.swept.Done++
		s.swept.Last = s.clock()
	}
}

func (s *Store) sweepOnce(sweep func(context.Context) (Swept, error)) {
	swept, err := sweep(s.stopped)
	failed := err != nil && s.stopped.Err() == nil
	s.countSweep(swept, err, failed)
	if failed {
		s.log.Warn("sweeping failed", "error", err)
	}
	if swept != (Swept{}) {
		s.log.Info("swept", "rows", swept.Rows, "contents", swept.Contents, "orphans", swept.Orphans)
	}
}

// Sweep removes what has expired, temporary data with its content.
func (s *Store) Sweep(ctx context.Context) (Swept, error) {
	var swept Swept
	var errs []error
	for _, table := range expiringTables() {
		n, err := s.db.exec(ctx, "DELETE FROM "+table+" WHERE expires_at <= ?", s.now())
		swept.Rows += n
		errs = append(errs, err)
	}
	n, err := s.sweepDeleted(ctx)
	swept.Rows += n
	errs = append(errs, err)
	for _, table := range []string{"temp_data", "export_files"} {
		n, err = s.sweepContents(ctx, table)
		swept.Contents += n
		errs = append(errs, err)
	}
	n, err = s.sweepRuns(ctx)
	swept.Rows += n
	errs = append(errs, err)
	n, err = s.sweepAudit(ctx)
	swept.Rows += n
	return swept, errors.Join(append(errs, err)...)
}

// sweepContents removes rows that have expired: contents before their rows, so
// that a crash between leaves rows that the next sweep finds.
func (s *Store) sweepContents(ctx context.Context, table string) (removed int, err error) {
	now := s.now()
	for {
		var rows []struct {
			ID  int            `db:"id"`
			Key sql.NullString `db:"content_key"`
		}
		err := s.db.list(ctx, &rows, "SELECT id, content_key FROM "+table+" WHERE expires_at <= ? ORDER BY expires_at LIMIT ?", now, sweepBatch)
		if err != nil || len(rows) == 0 {
			return removed, err
		}
		ids, keys := make([]int, len(rows)), make([]string, 0, len(rows))
		for i, row := range rows {
			ids[i] = row.ID
			if row.Key.Valid {
				keys = append(keys, row.Key.String)
			}
		}
		if err := s.contents.DeleteAll(ctx, keys); err != nil {
			return removed, err
		}
		n, err := s.removeRows(ctx, table, ids)
		removed += n
		if err != nil {
			return removed, err
		}
	}
}

// removeRows removes rows by their numbers.
func (s *Store) removeRows(ctx context.Context, table string, ids []int) (int, error) {
	query, args, err := sqlx.In("DELETE FROM "+table+" WHERE id IN (?)", ids)
	if err != nil {
		return 0, err
	}
	return s.db.exec(ctx, query, args...)
}

// sweepRuns removes the runs of jobs that are old.
func (s *Store) sweepRuns(ctx context.Context) (removed int, err error) {
	for {
		var ids []int
		err := s.db.list(ctx, &ids, "SELECT id FROM job_runs WHERE created_at <= ? ORDER BY created_at LIMIT 20", s.clock().Add(-s.runsKept).UnixMilli())
		if err != nil || len(ids) == 0 {
			return removed, err
		}
		for _, id := range ids {
			if err := s.sweepRun(ctx, id); err != nil {
				return removed, err
			}
			removed++
		}
	}
}

// sweepRun removes a run: some entries at a time, as nobody else may wait for
// the end of a large one, and contents before their rows.
func (s *Store) sweepRun(ctx context.Context, id int) error {
	for {
		var last *int
		err := s.db.get(ctx, &last, "SELECT MAX(position) FROM (SELECT position FROM job_entries WHERE run_id = ? ORDER BY position LIMIT ?) AS first", id, sweepBatch)
		if err != nil {
			return err
		}
		if last == nil {
			break
		}
		var keys []string
		err = s.db.list(ctx, &keys, "SELECT d.content_key FROM job_documents d JOIN job_entries e ON e.id = d.entry_id WHERE e.run_id = ? AND e.position <= ?", id, *last)
		if err == nil {
			err = s.contents.DeleteAll(ctx, keys)
		}
		if err == nil {
			_, err = s.db.exec(ctx, "DELETE FROM job_entries WHERE run_id = ? AND position <= ?", id, *last)
		}
		if err != nil {
			return err
		}
	}
	var keys []string
	err := s.db.list(ctx, &keys, "SELECT data_key FROM job_runs WHERE id = ? AND data_key IS NOT NULL", id)
	if err == nil {
		err = s.contents.DeleteAll(ctx, keys)
	}
	if err == nil {
		_, err = s.db.exec(ctx, "DELETE FROM job_runs WHERE id = ?", id)
	}
	return err
}

// SweepOrphans removes contents that no row names and that are too old to
// belong to a request under way: what a crash between writing a content and
// its row leaves behind.
func (s *Store) SweepOrphans(ctx context.Context) (Swept, error) {
	var swept Swept
	for _, owner := range s.contentOwners() {
		err := s.contents.list(ctx, owner.folder+"/", func(objects []*blob.ListObject) error {
			n, err := s.removeOrphans(ctx, owner, objects)
			swept.Orphans += n
			return err
		})
		if err != nil {
			return swept, err
		}
	}
	return swept, nil
}

func (s *Store) removeOrphans(ctx context.Context, owner contentOwner, objects []*blob.ListObject) (removed int, err error) {
	var old []string
	for _, o := range objects {
		if !o.IsDir && s.clock().Sub(o.ModTime) >= orphanAge {
			old = append(old, o.Key)
		}
	}
	named, err := s.namedKeys(ctx, owner, old)
	if err != nil {
		return 0, err
	}
	alone := slices.DeleteFunc(old, func(key string) bool { return named[key] })
	if err := s.contents.DeleteAll(ctx, alone); err != nil {
		return 0, err
	}
	return len(alone), nil
}

// namedKeys tells which keys a row names.
func (s *Store) namedKeys(ctx context.Context, owner contentOwner, keys []string) (map[string]bool, error) {
	found, err := owner.named(ctx, keys)
	named := make(map[string]bool, len(found))
	for _, key := range found {
		named[key] = true
	}
	return named, err
}
