package store

import (
	"context"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// UserRow is an account in the list of all.
type UserRow struct {
	User
	Created     time.Time
	Workspaces  int    // in which the user holds a role
	HasPassword bool   // without one: single sign-on only
	Source      string // who provisions it; empty: nobody
}

var userRowSelect = `SELECT u.id, u.email, u.display_name, u.is_root, u.is_active, u.epoch, u.picture, u.created_at, u.password_hash IS NOT NULL AS has_password, COALESCE((SELECT p.source FROM provisioned_users p WHERE p.user_id = u.id), '') AS source,
	(SELECT COUNT(DISTINCT h.workspace_id) FROM ` + heldBy("u.id") + ` h) AS workspaces FROM users u `

type userRow struct {
	User
	Created     int64  `db:"created_at"`
	HasPassword bool   `db:"has_password"`
	Source      string `db:"source"`
	Workspaces  int    `db:"workspaces"`
}

func (r *userRow) row() UserRow {
	return UserRow{r.User, fromMillis(r.Created), r.Workspaces, r.HasPassword, r.Source}
}

// Users lists all accounts of people, blocked ones too but no deleted ones, by name; search is a part of the
// name or the address, whatever its case and accents.
func (s *Store) Users(ctx context.Context, search string) ([]UserRow, error) {
	var rows []userRow
	err := s.db.list(ctx, &rows, userRowSelect+"WHERE u.service_of IS NULL AND u.deleted_at IS NULL ORDER BY LOWER(u.display_name), u.id")
	users := []UserRow{}
	for i := range rows {
		if contains(rows[i].DisplayName, search) || contains(rows[i].Email, search) {
			users = append(users, rows[i].row())
		}
	}
	return users, err
}

// AnyUser finds the account of a person, blocked or not.
func (s *Store) AnyUser(ctx context.Context, id int) (*UserRow, error) {
	var row userRow
	err := s.db.get(ctx, &row, userRowSelect+"WHERE u.id = ? AND u.service_of IS NULL AND u.deleted_at IS NULL", id)
	if err != nil {
		return nil, orNotFound(err, "user %d does not exist", id)
	}
	found := row.row()
	return &found, nil
}

// contains tells whether a name holds what somebody searches for. The databases
// differ in what they take for the same letter, so this is not left to them.
func contains(name, search string) bool {
	return strings.Contains(folded(name), folded(strings.TrimSpace(search)))
}

// folded is a text without case and accents.
func folded(text string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text)))
}
