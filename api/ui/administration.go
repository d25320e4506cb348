package ui

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Administration is what the screens around the designer read and write.
type Administration interface {
	UserByID(ctx context.Context, id int) (*store.User, error)
	AnyUser(ctx context.Context, id int) (*store.UserRow, error)
	Users(ctx context.Context, search string) ([]store.UserRow, error)
	CreateUser(ctx context.Context, n store.NewUser) (*store.User, error)
	SetPassword(ctx context.Context, userID int, password report.Secret) error
	SetLanguage(ctx context.Context, userID int, language string) error
	SetActive(ctx context.Context, userID int, active bool) error

	CreateWorkspace(ctx context.Context, n store.NewWorkspace) (*store.Workspace, error)
	UpdateWorkspace(ctx context.Context, id int, name string, description *string) error
	DeleteWorkspace(ctx context.Context, id int) error
	ExportWorkspace(ctx context.Context, code string) (*report.Workspace, error)
	ImportWorkspace(ctx context.Context, content report.Workspace) (*store.Imported, error)
	WorkspacesAllowing(ctx context.Context, u *store.User, c store.Category, l store.Level) ([]store.Workspace, error)

	Members(ctx context.Context, workspaceID int) ([]store.Member, error)
	AddMember(ctx context.Context, by *store.Access, email string, roleID int) error
	ChangeMember(ctx context.Context, by *store.Access, userID, roleID int) error
	DropMember(ctx context.Context, by *store.Access, userID int) error

	ForgottenPassword(ctx context.Context, email string) (u *store.User, token string, err error)
	PasswordLink(ctx context.Context, userID int) (token string, until time.Time, err error)
	PasswordLinkUser(ctx context.Context, token string) (*store.User, error)
	SetPasswordByLink(ctx context.Context, token string, password report.Secret) (*store.User, error)

	Invites() bool
	Invitations(ctx context.Context, workspaceID int) ([]store.Invitation, error)
	Invite(ctx context.Context, by *store.Access, email string, roleID int) (made *store.Invitation, token string, err error)
	InviteAgain(ctx context.Context, by *store.Access, id int) (made *store.Invitation, token string, err error)
	Withdraw(ctx context.Context, by *store.Access, id int) error
	InvitationOf(ctx context.Context, token string) (found *store.Invitation, known bool, err error)
	TakeInvitation(ctx context.Context, token, name string, password report.Secret) (*store.User, *store.Invitation, error)
	JoinByInvitation(ctx context.Context, token string, u *store.User) (*store.Invitation, error)

	Roles(ctx context.Context, workspaceID int) ([]store.Role, error)
	RoleByID(ctx context.Context, workspaceID, id int) (*store.Role, error)
	RoleMembers(ctx context.Context, workspaceID int) (map[int]int, error)
	AddRole(ctx context.Context, by *store.Access, r store.Role) (*store.Role, error)
	UpdateRole(ctx context.Context, by *store.Access, r store.Role) error
	SetRoleFactor(ctx context.Context, by *store.Access, id int, needs bool) error
	DeleteRole(ctx context.Context, by *store.Access, id int) error

	SetReportAccess(ctx context.Context, workspaceID, id int, rules *store.ReportAccess) error
	DeletedReport(ctx context.Context, workspaceID, id int) (*store.ReportRow, error)
	MoveReport(ctx context.Context, workspaceID, id, toID, userID int) (*store.ReportDefinition, error)

	Files(ctx context.Context, workspaceID int) ([]store.FileRow, error)
	OpenFile(ctx context.Context, workspaceID int, name string) (*store.FileRow, *store.Content, error)
	PutFile(ctx context.Context, workspaceID int, name, contentType string, from io.Reader) (*store.FileRow, error)
	DeleteFile(ctx context.Context, workspaceID int, name string) error

	Connections(ctx context.Context, workspaceID int) ([]store.Connection, error)
	Connection(ctx context.Context, workspaceID int, name string) (*store.Connection, error)
	Seal(place string, secret report.Secret) string
	Unseal(place, sealed string) (report.Secret, error)
	CreateConnection(ctx context.Context, workspaceID int, c store.Connection) error
	PutConnection(ctx context.Context, workspaceID int, c store.Connection) error
	DeleteConnection(ctx context.Context, workspaceID int, name string) error
}

// administrationRoutes are the pages about accounts and workspaces.
func (u *UI) administrationRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	var (
		known = access.Known(access.Session)
		root  = access.RootOnly(access.Session)
		looks = access.In(access.Session, store.Configuration, store.Read)
		rules = access.In(access.Session, store.Configuration, store.Full)
	)
	const ws = "/ws/{workspaceId}"
	return []route{
		{get, "/password", known, u.toSignIn, u.passwordPage},
		{post, "/password", known, u.toSignIn, u.changePassword},
		{get, "/users", root, u.toSignIn, u.usersPage},
		{post, "/users", root, u.toSignIn, u.createUser},
		{get, "/users/{userId:[0-9]+}", root, u.toSignIn, u.userPage},
		{post, "/users/{userId:[0-9]+}", root, u.toSignIn, u.changeUser},
		{post, "/users/{userId:[0-9]+}/delete", root, u.toSignIn, u.deleteUser},
		{post, "/users/{userId:[0-9]+}/take-over", root, u.toSignIn, u.takeOverUser},
		{post, "/users/{userId:[0-9]+}/password", root, u.toSignIn, u.setPassword},
		{post, "/users/{userId:[0-9]+}/sign-out", root, u.toSignIn, u.signOutUser},
		{post, "/users/{userId:[0-9]+}/devices/{session}/end", root, u.toSignIn, u.endSessionOfUser},
		{post, "/users/{userId:[0-9]+}/activate", root, u.toSignIn, u.setActive(true)},
		{post, "/users/{userId:[0-9]+}/deactivate", root, u.toSignIn, u.setActive(false)},
		{get, "/workspaces/new", root, u.toSignIn, u.newWorkspacePage},
		{post, "/workspaces", root, u.toSignIn, u.createWorkspace},
		{get, ws + "/settings", rules, u.toSignIn, u.settingsPage},
		{post, ws + "/settings", rules, u.toSignIn, u.saveSettings},
		{post, ws + "/delete", root, u.toSignIn, u.deleteWorkspace},
		{get, ws + "/members", looks, u.toSignIn, u.membersPage},
		{post, ws + "/members", rules, u.toSignIn, u.addMember},
		{post, ws + "/members/{userId:[0-9]+}/role", rules, u.toSignIn, u.changeMember},
		{post, ws + "/members/{userId:[0-9]+}/remove", rules, u.toSignIn, u.removeMember},
		{get, ws + "/roles", looks, u.toSignIn, u.rolesPage},
		{get, ws + "/roles/new", rules, u.toSignIn, u.newRolePage},
		{post, ws + "/roles", rules, u.toSignIn, u.createRole},
		{get, ws + "/roles/{roleId:[0-9]+}", looks, u.toSignIn, u.rolePage},
		{post, ws + "/roles/{roleId:[0-9]+}", rules, u.toSignIn, u.saveRole},
		{post, ws + "/roles/{roleId:[0-9]+}/delete", rules, u.toSignIn, u.deleteRole},
	}
}
