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
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("setting DataDir: %w", err)
	}
	if err := s.generateKeys(); err != nil {
		return nil, err
	}
	return store.Open(ctx, store.Config{
		Database: s.Database, Redis: s.Redis, Storage: s.Storage,
		Key: s.Key, Vector: s.Vector, Exclusive: exclusive, Log: log, RunDays: s.RunDays, SessionDays: s.SessionDays, SessionHours: s.SessionHours,
		ConnectionTypes: connectionTypes(nil),
	})
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
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was first
		return s.generateKeys()
	}
	if err != nil {
		return fmt.Errorf("writing generated keys: %w", err)
	}
	_, err = f.Write(doc)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing generated keys: %w", err)
	}
	s.Key, s.Vector = report.Secret(k.Key), report.Secret(k.Vector)
	return nil
}

// randomText is random letters and digits.
func randomText(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(rand.Text())
	}
	return b.String()[:n]
}
