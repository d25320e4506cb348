package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"

	"github.com/quire-reports/quire/store"
)

// openStore opens the store that the settings describe, with generated keys
// when they name none.
func openStore(ctx context.Context, s *settings, log *slog.Logger, exclusive bool) (*store.Store, error) {
	c, err := storeConfig(s, log, exclusive)
	if err != nil {
		return nil, err
	}
	s.warnOfOwnFolder(log)
	return store.Open(ctx, c)
}

// storeConfig is where the settings keep things. It finds the keys, or makes
// them in the data folder.
func storeConfig(s *settings, log *slog.Logger, exclusive bool) (store.Config, error) {
	if err := store.MakeFolder(s.DataDir); err != nil {
		return store.Config{}, fmt.Errorf("setting DataDir: %w", err)
	}
	if err := s.findKeys(); err != nil {
		return store.Config{}, err
	}
	return store.Config{
		AuditDays: s.AuditDays, AuditLines: s.auditLines,
		Database: s.Database, Redis: s.Redis, Storage: s.Storage, Unsynced: !s.StorageSync, Connections: s.DatabaseConnections,
		Key: s.Key, Vector: s.Vector, Old: s.OldKeys, Exclusive: exclusive, Log: log, RunDays: s.RunDays, SessionDays: s.SessionDays, SessionHours: s.SessionHours, InvitationDays: s.InvitationDays, RootOnlyHere: !s.LocalSignIn, TokenIdleDays: s.TokenMaxIdleDays,
		ConnectionTypes: connectionTypes(nil), TempData: store.TempDataQuota{UserMB: s.TempDataUserMB, WorkspaceMB: s.TempDataWorkspaceMB},
	}, nil
}

// warnOfOwnFolder says that files are where other processes on the database do
// not find them. Of those the storage's mark lets only one start.
func (s *settings) warnOfOwnFolder(log *slog.Logger) {
	if !strings.HasPrefix(s.Database, "sqlite:") && s.Storage == s.ownFolder() {
		log.Warn("files are in the data folder of this process; others on the same PostgreSQL database need the same Storage.Url", "folder", s.Storage)
	}
}

// randomText is random letters and digits.
func randomText(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(rand.Text())
	}
	return b.String()[:n]
}
