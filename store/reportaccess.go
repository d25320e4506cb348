package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Share is how much of a report its access rules give somebody; each includes
// the ones before it.
type Share int

// The shares.
const (
	ShareNone Share = iota
	ShareSee        // find it in lists and look at it on the screen
	ShareRun        // take files of it, and use it in jobs and in other reports
	ShareEdit       // change it, for whose role writes reports
)

// Shares lists those that a rule can give, lowest first.
func Shares() []Share { return []Share{ShareSee, ShareRun, ShareEdit} }

// String is the share's name in JSON.
func (s Share) String() string {
	return [...]string{"none", "see", "run", "edit"}[min(max(s, ShareNone), ShareEdit)]
}

// Label is the share's name on the screen.
func (s Share) Label() string {
	return [...]string{"No access", "See", "Run", "Edit"}[min(max(s, ShareNone), ShareEdit)]
}

// MarshalText writes the name.
func (s Share) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseShare reads the name of a share that a rule can give.
func ParseShare(path, name string) (Share, error) {
	for _, s := range Shares() {
		if s.String() == name {
			return s, nil
		}
	}
	return ShareNone, report.Problemf(path, "unknown level %q; accepted: see, run, edit", name)
}

// ReportAccess are the access rules of a report: the people who may see, run
// and edit it besides its maker and those with Full on reports. Nil means
// everybody whose role reads reports.
type ReportAccess struct {
	Roles, Users, Groups map[int]Share // by ID
}

// of is the most that the rules give somebody.
func (r *ReportAccess) of(a *Access) Share {
	most := r.Users[a.User.ID]
	for _, id := range a.Role.ids() {
		most = max(most, r.Roles[id])
	}
	for _, id := range a.Groups {
		most = max(most, r.Groups[id])
	}
	return most
}

// RequireReport is Require for one report: its maker may do everything with it,
// its access rules narrow what others may, and for those who may not see it, it
// does not exist. Read means to see it; see RequireRun.
func (a *Access) RequireReport(r *ReportRow, l Level) error {
	share := a.shareOf(r)
	switch {
	case a.keeps(r):
		return nil
	case share < ShareSee:
		return report.NotFoundf("report %d does not exist", r.ID)
	case r.Access == nil, l > Write:
		return a.Role.Require(Reports, l)
	case l == Write && share < ShareEdit:
		return notShared(ShareEdit)
	case l == Write:
		return a.Role.Require(Reports, Write)
	}
	return nil
}

// RequireRun refuses users who may not take files of a report, nor use it in
// jobs and other reports.
func (a *Access) RequireRun(r *ReportRow) error {
	if err := a.RequireReport(r, Read); err != nil {
		return err
	}
	if !a.keeps(r) && a.shareOf(r) < ShareRun {
		return notShared(ShareRun)
	}
	return nil
}

// RequireSharing refuses users who may not change the access rules of a report.
func (a *Access) RequireSharing(r *ReportRow) error {
	if err := a.RequireReport(r, Read); err != nil {
		return err
	}
	if a.keeps(r) {
		return nil
	}
	return &report.Problem{Kind: report.Forbidden, Message: "only the maker of the report, and everybody with Full on reports, may change its access rules"}
}

// keeps tells whether the user is above the rules of a report: its maker, and
// everybody with Full on reports.
func (a *Access) keeps(r *ReportRow) bool {
	return r.OwnerID != 0 && r.OwnerID == a.User.ID || a.Role.Allows(Reports, Full)
}

// shareOf is what the rules of a report give the user.
func (a *Access) shareOf(r *ReportRow) Share {
	switch {
	case r.Access != nil:
		return r.Access.of(a)
	case a.Role.Allows(Reports, Read):
		return ShareEdit // the role decides
	}
	return ShareNone
}

func notShared(s Share) error {
	what := map[Share]string{ShareRun: "run it", ShareEdit: "change it"}[s]
	return &report.Problem{Kind: report.Forbidden, Message: "the access rules of this report do not let you " + what + "; its maker, or anybody with Full on reports, can change them"}
}

// accessRow is a rule as it is stored: of a role, a user or a group.
type accessRow struct {
	ReportID int  `db:"report_id"`
	RoleID   *int `db:"role_id"`
	UserID   *int `db:"user_id"`
	GroupID  *int `db:"group_id"`
	Level    int  `db:"level"`
}

// withAccess puts the rules of restricted reports into their rows. They are all
// of one workspace.
func (s *Store) withAccess(ctx context.Context, rows []ReportRow, restricted func(i int) bool) error {
	byID := map[int]*ReportAccess{}
	for i := range rows {
		if restricted(i) {
			rows[i].Access = &ReportAccess{Roles: map[int]Share{}, Users: map[int]Share{}, Groups: map[int]Share{}}
			byID[rows[i].ID] = rows[i].Access
		}
	}
	const atOnce = 500
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(byID)), atOnce) {
		args := make([]any, len(ids))
		for i, id := range ids {
			args[i] = id
		}
		var rules []accessRow
		err := s.db.list(ctx, &rules, "SELECT report_id, role_id, user_id, group_id, level FROM report_access WHERE report_id IN (?"+strings.Repeat(", ?", len(ids)-1)+")", args...)
		if err != nil {
			return err
		}
		for _, rule := range rules {
			switch into := byID[rule.ReportID]; {
			case rule.RoleID != nil:
				into.Roles[*rule.RoleID] = Share(rule.Level)
			case rule.UserID != nil:
				into.Users[*rule.UserID] = Share(rule.Level)
			case rule.GroupID != nil:
				into.Groups[*rule.GroupID] = Share(rule.Level)
			}
		}
	}
	return nil
}

// SetReportAccess gives a report access rules, or with nil none. Roles, users and
// groups are those of its workspace.
func (s *Store) SetReportAccess(ctx context.Context, workspaceID, id int, rules *ReportAccess) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "UPDATE reports SET restricted = ? WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL", rules != nil, id, workspaceID)
		if err == nil && n == 0 {
			err = report.NotFoundf("report %d does not exist", id)
		}
		if err != nil {
			return err
		}
		if err := t.writeAccess(ctx, workspaceID, id, rules); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditReportShared, WorkspaceID: workspaceID, Target: targetOf(targetReport, id), Detail: map[string]any{"restricted": rules != nil}})
	})
}

func (t tx) writeAccess(ctx context.Context, workspaceID, id int, rules *ReportAccess) error {
	if _, err := t.exec(ctx, "DELETE FROM report_access WHERE report_id = ?", id); err != nil || rules == nil {
		return err
	}
	for _, kind := range []struct {
		shares map[int]Share
		insert string // where there is one of the number in the workspace
		wrong  string
		path   string
	}{
		{rules.Roles, "INSERT INTO report_access (report_id, role_id, level) SELECT ?, r.id, ? FROM roles r WHERE r.id = ? AND r.workspace_id = ?", "there is no role %d in this workspace", "roles"},
		{rules.Users, "INSERT INTO report_access (report_id, user_id, level) SELECT ?, u.id, ? FROM users u WHERE u.id = ? AND ? IN (SELECT h.workspace_id FROM " + heldBy("u.id") + " h)", "user %d is no member of this workspace", "users"},
		{rules.Groups, "INSERT INTO report_access (report_id, group_id, level) SELECT ?, g.group_id, ? FROM group_roles g WHERE g.group_id = ? AND g.workspace_id = ?", "group %d has no role in this workspace", "groups"},
	} {
		for _, of := range slices.Sorted(maps.Keys(kind.shares)) {
			n, err := t.exec(ctx, kind.insert, id, int(kind.shares[of]), of, workspaceID)
			if err == nil && n == 0 {
				err = report.Problemf(kind.path, kind.wrong, of)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// moveAccess takes the rules of a report along to another workspace: those of
// its people and groups, and of roles for the roles of the same names. A report
// that was restricted stays so.
func (t tx) moveAccess(ctx context.Context, id, toID int) error {
	_, err := t.exec(ctx, `UPDATE report_access SET role_id = (SELECT n.id FROM roles n JOIN roles o ON o.name_key = n.name_key
			WHERE o.id = report_access.role_id AND n.workspace_id = ?)
		WHERE report_id = ? AND role_id IN (SELECT o.id FROM roles o JOIN roles n ON o.name_key = n.name_key WHERE n.workspace_id = ?)`, toID, id, toID)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `DELETE FROM report_access WHERE report_id = ? AND (role_id IS NOT NULL AND role_id NOT IN (SELECT id FROM roles WHERE workspace_id = ?)
		OR user_id IS NOT NULL AND user_id NOT IN (SELECT h.user_id FROM `+heldIn+` h)
		OR group_id IS NOT NULL AND group_id NOT IN (SELECT group_id FROM group_roles WHERE workspace_id = ?))`, id, toID, toID, toID, toID)
	return err
}

// RequireSigning refuses who may not have files signed with a key of the workspace: that
// is for who sees its connections.
func (a *Access) RequireSigning() error {
	if a.Role.Allows(DataSources, Read) {
		return nil
	}
	return &report.Problem{Kind: report.Forbidden, Path: "signature", Message: fmt.Sprintf("signing files with a connection needs a role with %s on data sources; your role %s has %s", Read.Label(), a.Role.Name, a.Role.Levels[DataSources].Label())}
}

// RequireRun refuses a user who may not run a report any more, when what they
// asked for is made later, or may not sign it where it is signed.
func (s *Store) RequireRun(ctx context.Context, workspaceID, userID int, ref string, signed bool) error {
	has, err := s.rightsOf(ctx, userID, workspaceID)
	if err != nil {
		return err
	}
	d, err := s.ReportByIDOrType(ctx, workspaceID, ref)
	if err != nil {
		return err
	}
	who := &Access{User: &User{ID: userID}, Workspace: &Workspace{ID: workspaceID}, Role: has.Role, Groups: has.Groups}
	if signed {
		if err := who.RequireSigning(); err != nil {
			return err
		}
	}
	return who.RequireRun(&d.Row)
}

// visible is the condition under which a report is in somebody's list.
func (a *Access) visible() (condition string, args []any) {
	if a == nil || a.Role.Allows(Reports, Full) {
		return "", nil
	}
	named := []any{a.User.ID}
	marks := func(ids []int) string {
		for _, id := range ids {
			named = append(named, id)
		}
		return "(NULL" + strings.Repeat(", ?", len(ids)) + ")"
	}
	roles, groups := marks(a.Role.ids()), marks(a.Groups)
	return ` AND (r.owner_id = ? OR (NOT r.restricted AND ?) OR (r.restricted AND EXISTS
		(SELECT 1 FROM report_access a WHERE a.report_id = r.id AND (a.user_id = ? OR a.role_id IN ` + roles + ` OR a.group_id IN ` + groups + `))))`,
		append([]any{a.User.ID, a.Role.Allows(Reports, Read)}, named...)
}
