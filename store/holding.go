package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// What somebody may in a workspace is decided here, and nowhere else: of each
// category they have the highest level of the roles that they hold, which are
// their own and those of their groups. Nothing is remembered, so that a group
// that somebody leaves, or a role that a group loses, counts no more from the
// next request on, whatever the credentials.

// heldBy are the roles that a person holds, as a subquery: workspace_id,
// role_id, and the group_id by which, 0 for their own. user is a column, or ?;
// then its value is given twice.
func heldBy(user string) string {
	return `(SELECT hm.workspace_id, hm.role_id, 0 AS group_id FROM members hm WHERE hm.user_id = ` + user + `
		UNION ALL SELECT hr.workspace_id, hr.role_id, hr.group_id FROM group_members hg JOIN group_roles hr ON hr.group_id = hg.group_id WHERE hg.user_id = ` + user + `)`
}

// heldIn are the roles that people hold in a workspace, as a subquery: user_id,
// role_id and group_id. The workspace is given twice.
const heldIn = `(SELECT hm.user_id, hm.role_id, 0 AS group_id FROM members hm WHERE hm.workspace_id = ?
	UNION ALL SELECT hg.user_id, hr.role_id, hr.group_id FROM group_roles hr JOIN group_members hg ON hg.group_id = hr.group_id WHERE hr.workspace_id = ?)`

// rights are what somebody has in a workspace.
type rights struct {
	Role   *Role
	Groups []int // by which they hold a role there
}

// rightsOf finds what a user has in a workspace. Root users are administrators
// everywhere; for users without a role the workspace does not exist.
func (s *Store) rightsOf(ctx context.Context, userID, workspaceID int) (*rights, error) {
	var rows []struct {
		roleRow
		IsRoot  bool `db:"is_root"`
		Held    bool `db:"held"`
		GroupID int  `db:"group_id"`
	}
	err := s.db.list(ctx, &rows, `SELECT u.is_root, r.id IS NOT NULL AS held, COALESCE(h.group_id, 0) AS group_id, COALESCE(r.id, 0) AS id, COALESCE(r.name, '') AS name,
			COALESCE(r.description, '') AS description, COALESCE(r.built_in, FALSE) AS built_in, COALESCE(r.levels, '') AS levels, COALESCE(r.needs_factor, FALSE) AS needs_factor
		FROM users u JOIN workspaces w ON w.id = ? LEFT JOIN `+heldBy("?")+` h ON h.workspace_id = w.id LEFT JOIN roles r ON r.id = h.role_id
		WHERE u.id = ? AND u.is_active ORDER BY h.group_id, r.id`, workspaceID, userID, userID, userID)
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0 || !rows[0].IsRoot && !rows[0].Held:
		return nil, report.NotFoundf("workspace %d does not exist", workspaceID)
	case rows[0].IsRoot:
		role := administrator()
		return &rights{Role: &role}, nil
	}
	var held []*Role
	var found rights
	for _, row := range rows {
		role, err := row.role()
		if err != nil {
			return nil, err
		}
		held = append(held, role)
		if row.GroupID != 0 {
			found.Groups = append(found.Groups, row.GroupID)
		}
	}
	found.Role = together(held)
	return &found, nil
}

// together is the role that somebody has who holds several: the highest level of
// each category. One that covers the others gives it its name.
func together(held []*Role) *Role {
	slices.SortStableFunc(held, func(a, b *Role) int { return cmp.Compare(a.ID, b.ID) })
	held = slices.CompactFunc(held, func(a, b *Role) bool { return a.ID == b.ID })
	if len(held) == 1 {
		return held[0]
	}
	all := Role{Levels: map[Category]Level{}}
	var names []string
	needsFactor := false
	for _, r := range held {
		needsFactor = needsFactor || r.NeedsFactor
		names, all.Parts = append(names, r.Name), append(all.Parts, r.ID)
		for c, l := range r.Levels {
			all.Levels[c] = max(all.Levels[c], l)
		}
	}
	all.Name = strings.Join(names, " + ")
	if i := slices.IndexFunc(held, func(r *Role) bool { return r.Covers(&all) }); i >= 0 {
		parts := all.Parts
		all = *held[i]
		all.Parts = parts
	}
	all.NeedsFactor = needsFactor
	return &all
}

// ids are the roles that this one is made of.
func (r *Role) ids() []int {
	if len(r.Parts) > 0 {
		return r.Parts
	}
	return []int{r.ID}
}

// Membership is the role of a user in a workspace; see rightsOf.
func (s *Store) Membership(ctx context.Context, userID, workspaceID int) (*Role, error) {
	has, err := s.rightsOf(ctx, userID, workspaceID)
	if err != nil {
		return nil, err
	}
	return has.Role, nil
}

// Holding is a role that somebody holds in a workspace.
type Holding struct {
	WorkspaceID   int    `db:"workspace_id"`
	Workspace     string `db:"workspace"`
	WorkspaceCode string `db:"workspace_code"`
	RoleID        int    `db:"role_id"`
	Role          string `db:"role"`
	GroupID       int    `db:"group_id"` // 0: their own
	Group         string `db:"group_name"`
	Levels        string `db:"levels"`
}

// InWorkspace are the roles that somebody holds in a workspace, and what they
// may there by all of them together.
type InWorkspace struct {
	Workspace Workspace
	Held      []Holding
	Role      *Role
}

// HoldingsOf lists what a person has in each workspace, by its name. What a root
// user may by being one is not in it.
func (s *Store) HoldingsOf(ctx context.Context, userID int) ([]InWorkspace, error) {
	var rows []Holding
	err := s.db.list(ctx, &rows, `SELECT w.id AS workspace_id, w.name AS workspace, w.code AS workspace_code, r.id AS role_id, r.name AS role, h.group_id, COALESCE(g.name, '') AS group_name, r.levels
		FROM `+heldBy("?")+` h JOIN workspaces w ON w.id = h.workspace_id JOIN roles r ON r.id = h.role_id LEFT JOIN user_groups g ON g.id = h.group_id
		ORDER BY LOWER(w.name), w.id, h.group_id <> 0, LOWER(COALESCE(g.name, ''))`, userID, userID)
	var list []InWorkspace
	roles := map[int][]*Role{}
	for _, row := range rows {
		role, err := roleRow{ID: row.RoleID, Name: row.Role, Levels: row.Levels}.role()
		if err != nil {
			return nil, err
		}
		roles[row.WorkspaceID] = append(roles[row.WorkspaceID], role)
		if n := len(list); n == 0 || list[n-1].Workspace.ID != row.WorkspaceID {
			list = append(list, InWorkspace{Workspace: Workspace{ID: row.WorkspaceID, Name: row.Workspace, Code: row.WorkspaceCode}})
		}
		at := &list[len(list)-1]
		at.Held = append(at.Held, row)
	}
	for i := range list {
		list[i].Role = together(roles[list[i].Workspace.ID])
	}
	return list, err
}

// requireAdministrator refuses to leave a workspace without anybody who is its
// administrator; but is a condition on h, which of those that hold a role in it
// are not counted any more. A root user may.
func (t tx) requireAdministrator(ctx context.Context, by *Access, but string, args ...any) error {
	if by.User.IsRoot {
		return nil
	}
	var others int
	err := t.get(ctx, &others, `SELECT COUNT(*) FROM `+heldIn+` h JOIN roles r ON r.id = h.role_id JOIN users u ON u.id = h.user_id
		WHERE r.built_in AND u.is_active AND u.service_of IS NULL AND NOT (`+but+`)`, append([]any{by.Workspace.ID, by.Workspace.ID}, args...)...)
	if err == nil && others == 0 {
		return &report.Problem{Kind: report.Conflict, Message: "this is the last administrator of the workspace: make somebody else one first, or ask a root user"}
	}
	return err
}

// alone makes others who take away a role in the same workspace wait, so that two
// who remove the last two administrators follow each other.
func (t tx) alone(ctx context.Context, workspaceID int) error {
	n, err := t.exec(ctx, "UPDATE workspaces SET revision = revision WHERE id = ?", workspaceID)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	return orNotFound(err, "workspace %d does not exist", workspaceID)
}
