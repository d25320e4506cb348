package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/backup"
)

// Of two services with the same schedule one makes each backup.
func TestScheduledBackups(t *testing.T) {
	place := t.TempDir()
	s, st := openedStore(t, slog.New(slog.DiscardHandler), "DataDir="+t.TempDir(), "Backup__Url=file://"+place, "Backup__Schedule=* * * * *", "Backup__Keep=3")
	defer st.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var running sync.WaitGroup
	for range 2 {
		own := newBackups(s, st, slog.New(slog.DiscardHandler))
		own.next = func(after time.Time) time.Time { return after.Truncate(2 * time.Second).Add(2 * time.Second) } // not every minute
		running.Go(func() { own.run(ctx) })
	}
	at, err := store.OpenContents(ctx, "Backup__Url", "file://"+place)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	var all []*backup.Manifest
	for end := time.Now().Add(30 * time.Second); len(all) < 2 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if all, err = backup.List(ctx, at); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	running.Wait()
	if len(all) < 2 {
		t.Fatalf("%d backups were made", len(all))
	}
	if apart := all[0].Taken.Sub(all[1].Taken); apart < 1500*time.Millisecond {
		t.Errorf("two backups were made %s apart", apart)
	}
	last, err := st.LastBackup(t.Context())
	if err != nil || last.Before(all[0].Ended.Truncate(time.Millisecond)) {
		t.Errorf("the last backup is said to have ended at %s and did at %s: %v", last, all[0].Ended, err)
	}
}

func TestBackupSettings(t *testing.T) {
	for _, c := range []struct{ env, says string }{
		{"Backup__Schedule=30 2 * * *", "needs Backup.Url"},
		{"Backup__Schedule=nightly", "no time plan"},
		{"Backup__Url=/mnt/backups", "Backup"},
	} {
		if _, err := loadSettings("", []string{c.env}, nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.env, err)
		}
	}
	// Without a schedule there is nothing to do, and nothing is made.
	dir := t.TempDir()
	s, err := loadSettings("", []string{"Backup__Url=file://" + filepath.Join(dir, "b")}, nil)
	if err != nil || newBackups(s, nil, nil) != nil {
		t.Errorf("a place alone makes backups: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b")); err == nil {
		t.Error("the place was made")
	}
}
