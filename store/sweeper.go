package store

import (
	"context"
	"errors"
	"time"

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
	// orphansEvery is how often a running sweeper looks for orphans, which
	// means listing all contents.
	orphansEvery = 6 * time.Hour
)

// Swept is what a sweep removed.
type Swept struct {
	Rows, Contents, Orphans int
}

// StartSweeping removes what has expired every interval, and orphans now and
// then, until Close. A sweep that fails is logged and tried again.
func (s *Store) StartSweeping(interval time.Duration) {
	s.sweeping.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		var orphans time.Time
		for {
			if s.clock().Sub(orphans) >= orphansEvery {
				orphans = s.clock()
				s.sweepOnce(s.SweepOrphans)
			}
			s.sweepOnce(s.Sweep)
			select {
			case <-tick.C:
			case <-s.stopped.Done():
				return
			}
		}
	})
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
	n, err = s.sweepTempData(ctx)
	swept.Contents = n
	errs = append(errs, err)
	n, err = s.sweepExports(ctx)
	swept.Contents += n
	errs = append(errs, err)
	n, err = s.sweepRuns(ctx)
	swept.Rows += n
	errs = append(errs, err)
	n, err = s.sweepAudit(ctx)
	swept.Rows += n
	return swept, errors.Join(append(errs, err)...)
}

// sweepTempData removes each content before its row, so that a crash between
// leaves a row that the next sweep finds.
func (s *Store) sweepTempData(ctx context.Context) (removed int, err error) {
	now := s.now()
	for {
		var rows []struct {
			ID  int    `db:"id"`
			Key string `db:"content_key"`
		}
		err := s.db.list(ctx, &rows, "SELECT id, content_key FROM temp_data WHERE expires_at <= ? ORDER BY expires_at LIMIT ?", now, sweepBatch)
		if err != nil || len(rows) == 0 {
			return removed, err
		}
		for _, row := range rows {
			if err := s.contents.Delete(ctx, row.Key); err != nil {
				return removed, err
			}
			if _, err := s.db.exec(ctx, "DELETE FROM temp_data WHERE id = ?", row.ID); err != nil {
				return removed, err
			}
			removed++
		}
	}
}

// sweepRuns removes the runs of jobs that are old, their contents first.
func (s *Store) sweepRuns(ctx context.Context) (removed int, err error) {
	for {
		var ids []int
		err := s.db.list(ctx, &ids, "SELECT id FROM job_runs WHERE created_at <= ? ORDER BY id LIMIT 20", s.clock().Add(-s.runsKept).UnixMilli())
		if err != nil || len(ids) == 0 {
			return removed, err
		}
		for _, id := range ids {
			var keys []string
			err := s.db.list(ctx, &keys, `SELECT data_key FROM job_runs WHERE id = ? AND data_key IS NOT NULL
				UNION ALL SELECT d.content_key FROM job_documents d JOIN job_entries e ON e.id = d.entry_id WHERE e.run_id = ?`, id, id)
			if err != nil {
				return removed, err
			}
			for _, key := range keys {
				if err := s.contents.Delete(ctx, key); err != nil {
					return removed, err
				}
			}
			if _, err := s.db.exec(ctx, "DELETE FROM job_runs WHERE id = ?", id); err != nil {
				return removed, err
			}
			removed++
		}
	}
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
	for _, key := range old {
		if named[key] {
			continue
		}
		if err := s.contents.Delete(ctx, key); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
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
