package store

import (
	"context"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Workspace is a workspace without what is in it.
type Workspace struct {
	ID          int     `db:"id"`
	Name        string  `db:"name"`
	Description *string `db:"description"`
	Code        string  `db:"code"`
}

const workspaceColumns = "w.id, w.name, w.description, w.code"

// visible keeps the workspaces in which a user holds a role and that the
// credentials reach; it takes what visibleTo gives.
var visible = "(? OR w.id IN (SELECT h.workspace_id FROM " + heldBy("?") + " h)) AND (? OR w.id = ?)"

func visibleTo(u *User) []any {
	return []any{u.IsRoot, u.ID, u.ID, u.Reach.WorkspaceID == 0, u.Reach.WorkspaceID}
}

// Workspaces lists those a user may enter, by name.
func (s *Store) Workspaces(ctx context.Context, u *User) ([]Workspace, error) {
	workspaces := []Workspace{}
	err := s.db.list(ctx, &workspaces, "SELECT "+workspaceColumns+" FROM workspaces w WHERE "+visible+" ORDER BY w.name, w.id", visibleTo(u)...)
	return workspaces, err
}

// Workspace finds one by ID or code. One the user may not enter is NotFound,
// like one that does not exist.
func (s *Store) Workspace(ctx context.Context, u *User, ref string) (*Workspace, error) {
	condition, arg := "w.code_key = ?", any(codeKey(ref))
	if id, isID := refID(ref); isID {
		condition, arg = "w.id = ?", id
	}
	var w Workspace
	err := s.db.get(ctx, &w, "SELECT "+workspaceColumns+" FROM workspaces w WHERE "+condition+" AND "+visible, append([]any{arg}, visibleTo(u)...)...)
	if err != nil {
		return nil, orNotFound(err, "workspace %s does not exist", ref)
	}
	return &w, nil
}

// Enter finds a workspace and the user's role in it: what every request that
// names a workspace starts with.
func (s *Store) Enter(ctx context.Context, u *User, ref string) (*Access, error) {
	w, err := s.Workspace(ctx, u, ref)
	if err != nil {
		return nil, err
	}
	has, err := s.rightsOf(ctx, u.ID, w.ID)
	if err != nil {
		return nil, err
	}
	if has.Role.NeedsFactor {
		if err := s.requireFactor(ctx, u.ID, has.Role); err != nil {
			return nil, err
		}
	}
	return &Access{User: u, Workspace: w, Role: has.Role, Groups: has.Groups}, nil
}

// NewWorkspace is what a workspace is made from.
type NewWorkspace struct {
	Name, Code  string
	Description *string
	// Defaults adds a report type Other, a language and a theme.
	Defaults bool
}

// CreateWorkspace makes a workspace with its starting roles.
func (s *Store) CreateWorkspace(ctx context.Context, n NewWorkspace) (*Workspace, error) {
	w := Workspace{Name: strings.TrimSpace(n.Name), Code: n.Code, Description: n.Description}
	content := report.Workspace{Name: w.Name, Code: w.Code}
	if n.Defaults {
		content.ReportTypes = []report.ReportType{otherType()}
		content.Languages = []report.Language{{Name: "English", Code: "en", Culture: "en-US"}}
		content.Themes = []report.Theme{{Name: "Default", Code: "default"}}
	}
	err := s.db.inTx(ctx, func(t tx) error {
		if err := t.insertWorkspace(ctx, &w, s.now()); err != nil {
			return err
		}
		if err := s.newImport(t, &w, &content).run(ctx); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditWorkspaceCreated, WorkspaceID: w.ID, Target: targetOf(targetWorkspace, w.ID)})
	})
	if err != nil {
		return nil, err
	}
	return &w, nil
}

func otherType() report.ReportType { return report.ReportType{Name: "Other", Code: "other"} }

func (t tx) insertWorkspace(ctx context.Context, w *Workspace, now int64) error {
	if w.Name == "" {
		return report.Problemf("name", "the workspace needs a name")
	}
	if err := checkCode("code", w.Code); err != nil {
		return err
	}
	err := t.get(ctx, &w.ID, "INSERT INTO workspaces (name, description, code, code_key, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id",
		w.Name, w.Description, w.Code, codeKey(w.Code), now)
	if err != nil {
		return orTaken(err, "code", "there is a workspace with the code %s already", w.Code)
	}
	for _, role := range StartingRoles() {
		if err := t.insertRole(ctx, w.ID, &role); err != nil {
			return err
		}
	}
	return nil
}

// WorkspaceByCode finds a workspace whoever asks; for the command line.
func (s *Store) WorkspaceByCode(ctx context.Context, code string) (*Workspace, error) {
	return s.Workspace(ctx, &User{IsRoot: true}, code)
}
