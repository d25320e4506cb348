package store

import "context"

// Onlooker is a person who may see a report.
type Onlooker struct {
	UserID   int
	Name     string
	Email    string
	Picture  string // the hash; empty is none
	Language string
	Edits    bool // may change it as well
}

type onlookerRow struct {
	roleRow
	Held     bool   `db:"held"`
	GroupID  int    `db:"group_id"`
	UserID   int    `db:"user_id"`
	Name     string `db:"display_name"`
	Email    string `db:"email"`
	Picture  string `db:"picture"`
	Language string `db:"language"`
	IsRoot   bool   `db:"is_root"`
}

// Onlookers lists the people of the workspace who may see a report, by name, and
// the root users who have commented on it.
func (s *Store) Onlookers(ctx context.Context, talk Talk) ([]Onlooker, error) {
	var rows []onlookerRow
	workspace := talk.By.Workspace.ID
	err := s.db.list(ctx, &rows, `SELECT u.id AS user_id, u.display_name, u.email, u.picture, u.language, u.is_root, r.id IS NOT NULL AS held, COALESCE(h.group_id, 0) AS group_id,
			COALESCE(r.id, 0) AS id, COALESCE(r.name, '') AS name, COALESCE(r.description, '') AS description, COALESCE(r.built_in, FALSE) AS built_in, COALESCE(r.levels, '') AS levels,
			COALESCE(r.needs_factor, FALSE) AS needs_factor
		FROM users u LEFT JOIN `+heldIn+` h ON h.user_id = u.id LEFT JOIN roles r ON r.id = h.role_id
		WHERE u.is_active AND u.deleted_at IS NULL AND u.service_of IS NULL AND (r.id IS NOT NULL OR u.is_root AND u.id IN
			(SELECT c.user_id FROM report_comments c JOIN report_threads t ON t.id = c.thread_id WHERE t.report_id = ?))
		ORDER BY LOWER(u.display_name), u.id, h.group_id, r.id`, workspace, workspace, talk.Report.ID)
	if err != nil {
		return nil, err
	}
	var people []Onlooker
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].UserID == rows[from].UserID {
			to++
		}
		one, sees, err := onlooker(rows[from:to], talk)
		if err != nil {
			return nil, err
		}
		if sees {
			people = append(people, one)
		}
		from = to
	}
	return people, nil
}

// onlooker is the holder of some roles, if these roles let them see the report.
func onlooker(held []onlookerRow, talk Talk) (one Onlooker, sees bool, err error) {
	first := &held[0]
	one = Onlooker{UserID: first.UserID, Name: first.Name, Email: first.Email, Picture: first.Picture, Language: first.Language}
	a := Access{User: &User{ID: first.UserID}, Workspace: talk.By.Workspace}
	if first.IsRoot {
		role := administrator()
		a.Role = &role
	} else {
		var roles []*Role
		for i := range held {
			role, err := held[i].role()
			if err != nil {
				return one, false, err
			}
			roles = append(roles, role)
			if held[i].GroupID != 0 {
				a.Groups = append(a.Groups, held[i].GroupID)
			}
		}
		a.Role = together(roles)
	}
	one.Edits = a.RequireReport(talk.Report, Write) == nil
	return one, a.RequireReport(talk.Report, Read) == nil, nil
}
