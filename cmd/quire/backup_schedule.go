package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/backup"
)

// backups are those that a service makes by itself.
type backups struct {
	store *store.Store
	next  func(time.Time) time.Time
	place string
	keep  int
	log   *slog.Logger
}

// newBackups are nil without a schedule.
func newBackups(s *settings, st *store.Store, log *slog.Logger) *backups {
	if s.BackupSchedule == "" {
		return nil
	}
	times, _ := report.ParseCron(s.BackupSchedule) // checked with the settings
	return &backups{store: st, next: times.Next, place: s.BackupURL, keep: s.BackupKeep, log: log}
}

// run makes them until ctx ends.
func (b *backups) run(ctx context.Context) {
	for {
		at := b.next(time.Now())
		select {
		case <-time.After(time.Until(at)):
			b.make(ctx, at)
		case <-ctx.Done():
			return
		}
	}
}

// make makes the one that was planned for a time, unless another process does.
func (b *backups) make(ctx context.Context, planned time.Time) {
	mine, err := b.store.TakeBackup(ctx, planned)
	if err == nil && !mine {
		return
	}
	var m *backup.Manifest
	if err == nil {
		m, err = b.write(ctx)
	}
	if err != nil {
		b.log.Error("the backup failed", "error", oneLine(err))
		return
	}
	b.log.Info("a backup was made", "id", m.ID, "contents", m.Contents.Count, "copied", m.Contents.Copied, "bytes", m.Contents.Bytes, "seconds", m.Ended.Sub(m.Taken).Seconds())
	if n := len(m.Contents.Missing); n > 0 {
		b.log.Warn("the backup is without contents that the storage has lost", "contents", n, "first", m.Contents.Missing[0])
	}
}

func (b *backups) write(ctx context.Context) (*backup.Manifest, error) {
	at, err := store.OpenContents(ctx, "Backup__Url", b.place)
	if err != nil {
		return nil, err
	}
	m, err := backup.Write(ctx, b.store, at, backup.Options{Program: version, Keep: b.keep, Progress: func(string, int, int) {}})
	return m, errors.Join(err, at.Close())
}

// isCron takes the five fields of cron.
func isCron(v string) error {
	if _, err := report.ParseCron(v); err != nil {
		return fmt.Errorf("%q is no time plan (%w); accepted: minute, hour, day of month, month and day of week, such as 30 2 * * *", v, err)
	}
	return nil
}

// checkBackup refuses a schedule without a place.
func (s *settings) checkBackup() error {
	if s.BackupSchedule != "" && s.BackupURL == "" {
		return errors.New("setting Backup.Schedule: needs Backup.Url, the place that backups go to")
	}
	return nil
}
