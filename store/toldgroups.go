package store

import (
	"context"
	"slices"
	"strings"
)

// keepTold keeps the groups that a provider names of a person, in place of those
// that it named before.
func (t tx) keepTold(ctx context.Context, id Identity) error {
	var before []string
	if err := t.list(ctx, &before, "SELECT name FROM told_groups WHERE issuer = ? AND subject = ?", id.Issuer, id.Subject); err != nil {
		return err
	}
	for _, name := range before {
		if slices.Contains(id.Groups, name) {
			continue
		}
		if _, err := t.exec(ctx, "DELETE FROM told_groups WHERE issuer = ? AND subject = ? AND name = ?", id.Issuer, id.Subject, name); err != nil {
			return err
		}
	}
	for _, name := range id.Groups {
		if slices.Contains(before, name) {
			continue
		}
		if _, err := t.exec(ctx, "INSERT INTO told_groups (issuer, subject, name) VALUES (?, ?, ?) ON CONFLICT (issuer, subject, name) DO NOTHING", id.Issuer, id.Subject, name); err != nil {
			return err
		}
	}
	return nil
}

// ToldGroupsOf lists the groups that providers named of a person, by name.
func (s *Store) ToldGroupsOf(ctx context.Context, userID int) ([]string, error) {
	names := []string{}
	err := s.db.list(ctx, &names, "SELECT DISTINCT g.name FROM told_groups g JOIN identities i ON i.issuer = g.issuer AND i.subject = g.subject WHERE i.user_id = ?", userID)
	slices.SortFunc(names, alphabetical)
	return names, err
}

// alphabetical is the order in which people look for names, whatever the order of the database.
func alphabetical(a, b string) int {
	if by := strings.Compare(strings.ToLower(a), strings.ToLower(b)); by != 0 {
		return by
	}
	return strings.Compare(a, b)
}
