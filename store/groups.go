package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// Group is a group of people. Root users decide who is in it, or its source
// does: a provider, by SCIM or otherwise.
type Group struct {
	ID         int
	Name       string
	Source     string // empty: root users; SourceSCIM; else the name of a provider
	ExternalID string // how its source knows it
	People     int
	Workspaces int // in which it has a role
	Created    time.Time
	Updated    time.Time
}

// SourceSCIM is the source of what a program provisions that belongs to no
// provider at which people sign in. No provider has this name.
const SourceSCIM = "*"

type groupRow struct {
	ID         int    `db:"id"`
	Name       string `db:"name"`
	Source     string `db:"source"`
	ExternalID string `db:"external_id"`
	People     int    `db:"people"`
	Workspaces int    `db:"workspaces"`
	Created    int64  `db:"created_at"`
	Updated    int64  `db:"updated_at"`
}

func (r *groupRow) group() Group {
	return Group{r.ID, r.Name, r.Source, r.ExternalID, r.People, r.Workspaces, fromMillis(r.Created), fromMillis(r.Updated)}
}

const groupSelect = `SELECT g.id, g.name, g.source, g.external_id, g.created_at, g.updated_at,
	(SELECT COUNT(*) FROM group_members p WHERE p.group_id = g.id) AS people, (SELECT COUNT(*) FROM group_roles h WHERE h.group_id = g.id) AS workspaces
	FROM user_groups g `

// Groups lists all groups by name; search is a part of the name, whatever its
// case and accents.
func (s *Store) Groups(ctx context.Context, search string) ([]Group, error) {
	var rows []groupRow
	err := s.db.list(ctx, &rows, groupSelect+"ORDER BY g.name_key")
	groups := []Group{}
	for i := range rows {
		if contains(rows[i].Name, search) {
			groups = append(groups, rows[i].group())
		}
	}
	return groups, err
}

// Group finds one.
func (s *Store) Group(ctx context.Context, id int) (*Group, error) {
	var row groupRow
	if err := s.db.get(ctx, &row, groupSelect+"WHERE g.id = ?", id); err != nil {
		return nil, orNotFound(err, "group %d does not exist", id)
	}
	found := row.group()
	return &found, nil
}

// GroupsOf lists the groups that a person is in, by name.
func (s *Store) GroupsOf(ctx context.Context, userID int) ([]Group, error) {
	var rows []groupRow
	err := s.db.list(ctx, &rows, groupSelect+"JOIN group_members m ON m.group_id = g.id WHERE m.user_id = ? ORDER BY g.name_key", userID)
	groups := make([]Group, len(rows))
	for i := range rows {
		groups[i] = rows[i].group()
	}
	return groups, err
}

// GroupPeople lists the people in a group, by name.
func (s *Store) GroupPeople(ctx context.Context, id int) ([]UserRow, error) {
	var rows []userRow
	err := s.db.list(ctx, &rows, userRowSelect+"JOIN group_members m ON m.user_id = u.id WHERE m.group_id = ? ORDER BY LOWER(u.display_name), u.id", id)
	people := make([]UserRow, len(rows))
	for i := range rows {
		people[i] = rows[i].row()
	}
	return people, err
}

func groupKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func checkGroupName(name string) (string, error) {
	name = strings.TrimSpace(name)
	return name, checkName("name", name, "the group needs a name")
}

func orGroupTaken(err error, name string) error {
	return orTaken(err, "name", "there is a group %s already", name)
}

// CreateGroup makes a group of which root users decide who is in it.
func (s *Store) CreateGroup(ctx context.Context, name string) (*Group, error) {
	name, err := checkGroupName(name)
	if err != nil {
		return nil, err
	}
	var id int
	err = s.db.inTx(ctx, func(t tx) (err error) {
		id, err = s.insertGroup(ctx, t, name, "", "")
		return err
	})
	if err != nil {
		return nil, orGroupTaken(err, name)
	}
	return s.Group(ctx, id)
}

func (s *Store) insertGroup(ctx context.Context, t tx, name, source, externalID string) (id int, err error) {
	err = t.get(ctx, &id, "INSERT INTO user_groups (name, name_key, source, external_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
		name, groupKey(name), source, externalID, s.now(), s.now())
	if err != nil {
		return 0, err
	}
	return id, s.recordGroup(ctx, t, AuditGroupCreated, id, sourceDetail(source))
}

func sourceDetail(source string) map[string]any {
	if source == "" {
		return nil
	}
	return map[string]any{"source": source}
}

func (s *Store) recordGroup(ctx context.Context, t tx, a Action, id int, detail map[string]any) error {
	return s.record(ctx, t, Event{Action: a, Target: targetOf(targetGroup, id), Detail: detail})
}

// onGroup does something to a group that a source may decide, the empty one for
// root users, and notes when.
func (s *Store) onGroup(ctx context.Context, source string, id int, do func(t tx, g *groupRow) error) error {
	return s.db.inTx(ctx, func(t tx) error {
		g, err := t.group(ctx, source, id)
		if err != nil {
			return err
		}
		// The row's lock makes changes of one group follow each other.
		if _, err := t.exec(ctx, "UPDATE user_groups SET updated_at = ? WHERE id = ?", s.now(), id); err != nil {
			return err
		}
		return do(t, g)
	})
}

// group finds a group that a source may decide. A provider knows of no other.
func (t tx) group(ctx context.Context, source string, id int) (*groupRow, error) {
	var g groupRow
	err := t.get(ctx, &g, groupSelect+"WHERE g.id = ?", id)
	switch {
	case err != nil:
		return nil, orNotFound(err, "group %d does not exist", id)
	case g.Source == source:
		return &g, nil
	case source != "":
		return nil, report.NotFoundf("group %d does not exist", id)
	}
	return nil, ownedElsewhere("the group " + g.Name)
}

// ownedElsewhere refuses to change here what a provider decides.
func ownedElsewhere(what string) error {
	return &report.Problem{Kind: report.Conflict, Message: what + " comes from a provider and is changed there; take it over to change it here"}
}

// RenameGroup gives a group of root users another name.
func (s *Store) RenameGroup(ctx context.Context, id int, name string) error {
	name, err := checkGroupName(name)
	if err != nil {
		return err
	}
	err = s.onGroup(ctx, "", id, func(t tx, g *groupRow) error { return s.renameGroup(ctx, t, g, name) })
	return orGroupTaken(err, name)
}

func (s *Store) renameGroup(ctx context.Context, t tx, g *groupRow, name string) error {
	if name == g.Name {
		return nil
	}
	if _, err := t.exec(ctx, "UPDATE user_groups SET name = ?, name_key = ? WHERE id = ?", name, groupKey(name), g.ID); err != nil {
		return err
	}
	return s.recordGroup(ctx, t, AuditGroupChanged, g.ID, map[string]any{"before": g.Name})
}

// AddToGroup puts the person with an address into a group of root users.
func (s *Store) AddToGroup(ctx context.Context, id int, email string) error {
	u, err := s.UserByEmail(ctx, email)
	if IsNotFound(err) {
		return report.Problemf("email", "%s", err.Error())
	}
	if err != nil {
		return err
	}
	return s.onGroup(ctx, "", id, func(t tx, g *groupRow) error {
		added, err := s.addToGroup(ctx, t, id, u.ID)
		if err == nil && !added {
			err = &report.Problem{Kind: report.Conflict, Path: "email", Message: u.Email + " is in the group already"}
		}
		return err
	})
}

// addToGroup takes people only, and those that are there.
func (s *Store) addToGroup(ctx context.Context, t tx, id, userID int) (added bool, err error) {
	n, err := t.exec(ctx, `INSERT INTO group_members (group_id, user_id) SELECT g.id, u.id FROM user_groups g JOIN users u ON u.id = ?
		WHERE g.id = ? AND u.service_of IS NULL AND u.deleted_at IS NULL ON CONFLICT (group_id, user_id) DO NOTHING`, userID, id)
	if err != nil || n == 0 {
		return false, err
	}
	return true, s.recordInGroup(ctx, t, AuditGroupJoined, id, userID)
}

func (s *Store) recordInGroup(ctx context.Context, t tx, a Action, id, userID int) error {
	var name string
	if err := t.get(ctx, &name, "SELECT name FROM user_groups WHERE id = ?", id); err != nil {
		return err
	}
	return s.record(ctx, t, Event{Action: a, Target: targetOf(targetUser, userID), Detail: map[string]any{"group": name}})
}

// RemoveFromGroup takes a person out of a group of root users.
func (s *Store) RemoveFromGroup(ctx context.Context, id, userID int) error {
	return s.onGroup(ctx, "", id, func(t tx, g *groupRow) error {
		removed, err := s.removeFromGroup(ctx, t, id, userID)
		if err == nil && !removed {
			err = report.NotFoundf("user %d is not in the group", userID)
		}
		return err
	})
}

func (s *Store) removeFromGroup(ctx context.Context, t tx, id, userID int) (removed bool, err error) {
	n, err := t.exec(ctx, "DELETE FROM group_members WHERE group_id = ? AND user_id = ?", id, userID)
	if err != nil || n == 0 {
		return false, err
	}
	return true, s.recordInGroup(ctx, t, AuditGroupLeft, id, userID)
}

// GroupUse is where a group counts.
type GroupUse struct {
	Roles   []GroupRole
	Reports int // whose access rules name it
}

// GroupRole is the role of a group in a workspace.
type GroupRole struct {
	Workspace
	RoleID   int    `db:"role_id"`
	RoleName string `db:"role_name"`
	Levels   string `db:"levels"`
}

// May are the levels of the role.
func (r GroupRole) May() (*Role, error) {
	return roleRow{ID: r.RoleID, Name: r.RoleName, Levels: r.Levels}.role()
}

const groupRoleSelect = "SELECT " + workspaceColumns + `, r.id AS role_id, r.name AS role_name, r.levels FROM group_roles h
	JOIN workspaces w ON w.id = h.workspace_id JOIN roles r ON r.id = h.role_id WHERE h.group_id = ? ORDER BY LOWER(w.name), w.id`

// GroupUse finds where a group counts.
func (s *Store) GroupUse(ctx context.Context, id int) (use GroupUse, err error) {
	if err = s.db.list(ctx, &use.Roles, groupRoleSelect, id); err != nil {
		return use, err
	}
	err = s.db.get(ctx, &use.Reports, "SELECT COUNT(*) FROM report_access WHERE group_id = ?", id)
	return use, err
}

// used tells where a group counts, in a sentence; empty: nowhere.
func (t tx) groupUse(ctx context.Context, id int) (sentence string, detail map[string]any, err error) {
	var use GroupUse
	if err = t.list(ctx, &use.Roles, groupRoleSelect, id); err == nil {
		err = t.get(ctx, &use.Reports, "SELECT COUNT(*) FROM report_access WHERE group_id = ?", id)
	}
	if err != nil || len(use.Roles) == 0 && use.Reports == 0 {
		return "", nil, err
	}
	roles := make([]string, len(use.Roles))
	for i, r := range use.Roles {
		roles[i] = r.RoleName + " in " + r.Name
	}
	var parts []string
	if len(roles) > 0 {
		parts = append(parts, "is "+strings.Join(roles, ", "))
	}
	if use.Reports > 0 {
		parts = append(parts, fmt.Sprintf("is named in the access rules of %d reports", use.Reports))
	}
	return strings.Join(parts, " and "), map[string]any{"roles": roles, "reports": use.Reports}, nil
}

// DeleteGroup removes a group of root users. One that counts somewhere is only
// removed when it is said that this is known; what it gave its people ends then.
func (s *Store) DeleteGroup(ctx context.Context, id int, used bool) error {
	return s.onGroup(ctx, "", id, func(t tx, g *groupRow) error {
		sentence, _, err := t.groupUse(ctx, id)
		if err == nil && sentence != "" && !used {
			err = &report.Problem{Kind: report.Conflict, Message: "the group " + g.Name + " " + sentence + ": say that it goes nevertheless"}
		}
		if err != nil {
			return err
		}
		return s.deleteGroup(ctx, t, g)
	})
}

// deleteGroup removes a group, and records what it was good for.
func (s *Store) deleteGroup(ctx context.Context, t tx, g *groupRow) error {
	_, detail, err := t.groupUse(ctx, g.ID)
	if err != nil {
		return err
	}
	if detail == nil {
		detail = map[string]any{}
	}
	detail["people"] = g.People
	if _, err := t.exec(ctx, "DELETE FROM user_groups WHERE id = ?", g.ID); err != nil {
		return err
	}
	return s.record(ctx, t, Event{Action: AuditGroupDeleted, Target: Target{targetGroup, strconv.Itoa(g.ID), g.Name}, Detail: detail})
}

// TakeOverGroup makes a group of a provider one of root users, with the people
// that are in it.
func (s *Store) TakeOverGroup(ctx context.Context, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		var source string
		if err := t.get(ctx, &source, "SELECT source FROM user_groups WHERE id = ?", id); err != nil {
			return orNotFound(err, "group %d does not exist", id)
		}
		if source == "" {
			return nil
		}
		if _, err := t.exec(ctx, "UPDATE user_groups SET source = '', external_id = '', updated_at = ? WHERE id = ?", s.now(), id); err != nil {
			return err
		}
		return s.recordGroup(ctx, t, AuditGroupChanged, id, map[string]any{"takenFrom": source})
	})
}

// GroupMember is a group in the list of members of a workspace.
type GroupMember struct {
	GroupID  int    `db:"group_id"`
	Name     string `db:"name"`
	Source   string `db:"source"`
	RoleID   int    `db:"role_id"`
	RoleName string `db:"role_name"`
	People   int    `db:"people"`
}

// GroupMembers lists the groups that have a role in a workspace, by name.
func (s *Store) GroupMembers(ctx context.Context, workspaceID int) ([]GroupMember, error) {
	groups := []GroupMember{}
	err := s.db.list(ctx, &groups, `SELECT h.group_id, g.name, g.source, h.role_id, r.name AS role_name, (SELECT COUNT(*) FROM group_members p WHERE p.group_id = g.id) AS people
		FROM group_roles h JOIN user_groups g ON g.id = h.group_id JOIN roles r ON r.id = h.role_id WHERE h.workspace_id = ? ORDER BY g.name_key`, workspaceID)
	return groups, err
}

// GroupPerson is somebody who is in a workspace by a group.
type GroupPerson struct {
	GroupID     int    `db:"group_id"`
	UserID      int    `db:"user_id"`
	Email       string `db:"email"`
	DisplayName string `db:"display_name"`
	IsActive    bool   `db:"is_active"`
}

// PeopleByGroups lists the people who are in a workspace through a group, with
// that group, by name.
func (s *Store) PeopleByGroups(ctx context.Context, workspaceID int) ([]GroupPerson, error) {
	people := []GroupPerson{}
	err := s.db.list(ctx, &people, `SELECT h.group_id, h.user_id, u.email, u.display_name, u.is_active FROM `+heldIn+` h JOIN users u ON u.id = h.user_id
		WHERE h.group_id <> 0 ORDER BY LOWER(u.display_name), u.id, h.group_id`, workspaceID, workspaceID)
	return people, err
}

// GiveGroup gives the named group a role in the workspace, or replaces the one
// it has. The rules are those of ChangeMember.
func (s *Store) GiveGroup(ctx context.Context, by *Access, name string, roleID int) error {
	var id int
	err := s.db.get(ctx, &id, "SELECT id FROM user_groups WHERE name_key = ?", groupKey(name))
	if errors.Is(err, sql.ErrNoRows) {
		return report.Problemf("group", "there is no group with the name %s", strings.TrimSpace(name))
	}
	if err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error {
		if _, err := t.roleToGive(ctx, by, roleID); err != nil {
			return err
		}
		n, err := t.exec(ctx, "INSERT INTO group_roles (workspace_id, group_id, role_id) VALUES (?, ?, ?) ON CONFLICT (workspace_id, group_id) DO NOTHING", by.Workspace.ID, id, roleID)
		if err == nil && n == 0 {
			err = &report.Problem{Kind: report.Conflict, Path: "group", Message: "the group " + strings.TrimSpace(name) + " has a role here already"}
		}
		if err != nil {
			return err
		}
		return s.recordGroupRole(ctx, t, by, id, roleID)
	})
}

// ChangeGroupRole gives a group of the workspace another role.
func (s *Store) ChangeGroupRole(ctx context.Context, by *Access, id, roleID int) error {
	return s.db.inTx(ctx, func(t tx) error {
		role, err := t.roleToGive(ctx, by, roleID)
		if err != nil {
			return err
		}
		if err := t.requireGroupLeaving(ctx, by, id, role.BuiltIn); err != nil {
			return err
		}
		if _, err := t.exec(ctx, "UPDATE group_roles SET role_id = ? WHERE workspace_id = ? AND group_id = ?", roleID, by.Workspace.ID, id); err != nil {
			return err
		}
		return s.recordGroupRole(ctx, t, by, id, roleID)
	})
}

// DropGroup takes the role of a group in the workspace away, and what access
// rules there gave the group.
func (s *Store) DropGroup(ctx context.Context, by *Access, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		if err := t.requireGroupLeaving(ctx, by, id, false); err != nil {
			return err
		}
		if _, err := t.exec(ctx, "DELETE FROM report_access WHERE group_id = ? AND report_id IN (SELECT id FROM reports WHERE workspace_id = ?)", id, by.Workspace.ID); err != nil {
			return err
		}
		if _, err := t.exec(ctx, "DELETE FROM group_roles WHERE workspace_id = ? AND group_id = ?", by.Workspace.ID, id); err != nil {
			return err
		}
		return s.recordGroupRole(ctx, t, by, id, 0)
	})
}

// requireGroupLeaving is requireLeaving for the role of a group.
func (t tx) requireGroupLeaving(ctx context.Context, by *Access, id int, staysAdministrator bool) error {
	if err := t.alone(ctx, by.Workspace.ID); err != nil {
		return err
	}
	var row roleRow
	err := t.get(ctx, &row, "SELECT "+roleColumns+" FROM group_roles h JOIN roles r ON r.id = h.role_id WHERE h.workspace_id = ? AND h.group_id = ?", by.Workspace.ID, id)
	if err != nil {
		return orNotFound(err, "group %d has no role in this workspace", id)
	}
	role, err := row.role()
	if err != nil {
		return err
	}
	if err := by.RequireGiving(role); err != nil {
		return err
	}
	if !role.BuiltIn || staysAdministrator {
		return nil
	}
	return t.requireAdministrator(ctx, by, "h.group_id = ?", id)
}

// recordGroupRole records what role a group has now; 0 is none.
func (s *Store) recordGroupRole(ctx context.Context, t tx, by *Access, id, roleID int) error {
	e := Event{Action: AuditGroupRole, WorkspaceID: by.Workspace.ID, Target: targetOf(targetGroup, id), Detail: map[string]any{"role": nil}}
	if roleID != 0 {
		role, err := t.role(ctx, by.Workspace.ID, roleID)
		if err != nil {
			return err
		}
		e.Detail["role"] = role.Name
	}
	return s.record(ctx, t, e)
}
