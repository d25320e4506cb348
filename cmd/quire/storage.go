package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// openStore opens the store that the settings describe, with generated keys
// when they name none.
func openStore(ctx context.Context, s *settings, log *slog.Logger, exclusive bool) (*store.Store, error) {
	if err := store.MakeFolder(s.DataDir); err != nil {
		return nil, fmt.Errorf("setting DataDir: %w", err)
	}
	if err := s.generateKeys(); err != nil {
		return nil, err
	}
	s.warnOfOwnFolder(log)
	return store.Open(ctx, store.Config{
		Database: s.Database, Redis: s.Redis, Storage: s.Storage, Unsynced: !s.StorageSync, Connections: s.DatabaseConnections,
		Key: s.Key, Vector: s.Vector, Exclusive: exclusive, Log: log, RunDays: s.RunDays, SessionDays: s.SessionDays, SessionHours: s.SessionHours,
		ConnectionTypes: connectionTypes(nil), TempData: store.TempDataQuota{UserMB: s.TempDataUserMB, WorkspaceMB: s.TempDataWorkspaceMB},
	})
}

// warnOfOwnFolder says that files are where other processes on the database do
// not find them. Of those the storage's mark lets only one start.
func (s *settings) warnOfOwnFolder(log *slog.Logger) {
	if !strings.HasPrefix(s.Database, "sqlite:") && s.Storage == s.ownFolder() {
		log.Warn("files are in the data folder of this process; others on the same PostgreSQL database need the same Storage.Url", "folder", s.Storage)
	}
}

// keysFile holds generated keys; whoever can read it can read stored secrets.
const keysFile = "keys.json"

type keys struct{ Key, Vector string }

// generateKeys reads the keys of the data folder, or makes them the first time.
func (s *settings) generateKeys() error {
	if s.Key != "" {
		return nil
	}
	path := filepath.Join(s.DataDir, keysFile)
	doc, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s.writeKeys(path)
	}
	var k keys
	if err == nil {
		err = json.Unmarshal(doc, &k)
	}
	if err == nil && (len(k.Key) != 32 || len(k.Vector) != 16) {
		err = errors.New("holds no key of 32 and vector of 16 characters")
	}
	if err != nil {
		return fmt.Errorf("generated keys %s: %w", path, err)
	}
	s.Key, s.Vector = report.Secret(k.Key), report.Secret(k.Vector)
	return nil
}

func (s *settings) writeKeys(path string) error {
	k := keys{Key: randomText(32), Vector: randomText(16)}
	doc, err := json.Marshal(k)
	if err != nil {
		return err
	}
	err = writeNew(path, doc)
	if errors.Is(err, fs.ErrExist) { // another process was first
		return s.generateKeys()
	}
	if err != nil {
		return fmt.Errorf("writing generated keys: %w", err)
	}
	s.Key, s.Vector = report.Secret(k.Key), report.Secret(k.Vector)
	return nil
}

// writeNew writes a file that is there whole, on disk, or not at all; it is
// fs.ErrExist when there is one already.
func writeNew(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // for its owner only
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil {
		if _, found := os.Lstat(path); found == nil {
			return fs.ErrExist
		}
		if err := os.Rename(f.Name(), path); err != nil { // a file system without links
			return err
		}
	}
	return store.SyncFolder(filepath.Dir(path))
}

// randomText is random letters and digits.
func randomText(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(rand.Text())
	}
	return b.String()[:n]
}
