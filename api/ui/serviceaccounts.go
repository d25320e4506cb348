package ui

import (
	"context"
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// ServiceAccounts are the accounts of programs. *store.Store has them.
type ServiceAccounts interface {
	ServiceAccounts(ctx context.Context, workspaceID int) ([]store.ServiceAccount, error)
	ServiceAccount(ctx context.Context, workspaceID, id int) (*store.ServiceAccount, error)
	CreateServiceAccount(ctx context.Context, by *store.Access, name string, roleID int) (id int, err error)
	ChangeServiceAccount(ctx context.Context, by *store.Access, id int, name string, roleID int) error
	SetServiceActive(ctx context.Context, by *store.Access, id int, active bool) error
	DeleteServiceAccount(ctx context.Context, by *store.Access, id int) error
	CreateServiceToken(ctx context.Context, by *store.Access, id int, n store.NewToken) (string, error)
	RevokeServiceToken(ctx context.Context, by *store.Access, id, tokenID int) error
}

// serviceAccountsBody is the content of the page of a workspace's accounts of
// programs.
type serviceAccountsBody struct {
	Address  string
	Accounts []store.ServiceAccount
	Form     serviceForm
}

// serviceForm is what a service account is made or changed with.
type serviceForm struct {
	Name   string
	RoleID int
	Roles  []store.Role // that the caller may give
	Fault  fault
}

// serviceAccountBody is the content of the page of one of them.
type serviceAccountBody struct {
	Address string
	Account *store.ServiceAccount
	May     bool // who looks may change it
	Form    serviceForm
	New     tokenForm
	Rows    tokenRows
}

func (u *UI) serviceAddress(r *http.Request) string {
	return u.workspaceAddress(*access.Of(r.Context()).Workspace) + "/service-accounts"
}

// rolesToGive are the roles of the workspace that the caller may give.
func (u *UI) rolesToGive(r *http.Request) ([]store.Role, error) {
	caller := access.Of(r.Context())
	roles, err := u.Store.Roles(r.Context(), caller.Workspace.ID)
	var may []store.Role
	for i := range roles {
		if caller.RequireGiving(&roles[i]) == nil {
			may = append(may, roles[i])
		}
	}
	return may, err
}

func (u *UI) serviceAccountsPage(w http.ResponseWriter, r *http.Request) {
	u.showServiceAccounts(w, r, http.StatusOK, serviceForm{})
}

func (u *UI) showServiceAccounts(w http.ResponseWriter, r *http.Request, status int, form serviceForm) {
	caller := access.Of(r.Context())
	accounts, err := u.Store.ServiceAccounts(r.Context(), caller.Workspace.ID)
	if err == nil {
		form.Roles, err = u.rolesToGive(r)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	for _, role := range form.Roles {
		if form.RoleID == 0 && role.Name == "Viewer" {
			form.RoleID = role.ID // the usual role, not the strongest
		}
	}
	u.show(w, r, status, "service-accounts", page{
		Title: u.t(r, "Service accounts of {0}", caller.Workspace.Name), Section: "reports", Tab: tabServices, Body: serviceAccountsBody{u.serviceAddress(r), accounts, form},
		Notice: u.notice(r, map[string]string{"deleted": "The service account was deleted; its tokens work no more."}),
	})
}

func (u *UI) createServiceAccount(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	form := serviceForm{Name: sent.Get("name"), RoleID: number(sent.Get("role"))}
	id, err := u.Store.CreateServiceAccount(r.Context(), &access.Of(r.Context()).Access, form.Name, form.RoleID)
	u.finish(w, r, err, u.serviceAddress(r)+"/"+itoa(id), "created", func(status int, wrong fault) {
		form.Fault = wrong
		u.showServiceAccounts(w, r, status, form)
	})
}

func (u *UI) serviceAccountPage(w http.ResponseWriter, r *http.Request) {
	u.showServiceAccount(w, r, http.StatusOK, serviceAccountBody{}, fault{})
}

func (u *UI) showServiceAccount(w http.ResponseWriter, r *http.Request, status int, body serviceAccountBody, wrong fault) {
	var err error
	if body.Account, err = u.Store.ServiceAccount(r.Context(), access.Of(r.Context()).Workspace.ID, number(pathVar(r, "account"))); err != nil {
		u.Error(w, r, err)
		return
	}
	if body.Form.Roles, err = u.rolesToGive(r); err == nil {
		body.Rows.Tokens, err = u.Store.Tokens(r.Context(), body.Account.ID)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	for _, role := range body.Form.Roles {
		body.May = body.May || role.ID == body.Account.RoleID
	}
	if body.Form.Fault == (fault{}) {
		body.Form.Name, body.Form.RoleID = body.Account.Name, body.Account.RoleID
	}
	body.Address = u.serviceAddress(r) + "/" + itoa(body.Account.ID)
	body.Rows.Address, body.Rows.Now = body.Address+"/tokens", u.Clock()
	if body.New.Address == "" {
		body.New = u.serviceTokenForm(r)
	}
	u.show(w, r, status, "service-account", page{
		Title: body.Account.Name, Section: "reports", Tab: tabServices, Fault: wrong, Script: body.New.Created != "", Body: body,
		Notice: u.notice(r, map[string]string{
			"created": "The service account was made. It needs an access token to come in.", "changed": "The service account was changed.",
			"blocked": "The service account is blocked: its tokens work no more.", "unblocked": "The service account is active again.", "revoked": "The token is revoked.",
		}),
	})
}

func (u *UI) serviceTokenForm(r *http.Request) tokenForm {
	return newTokenForm(u.serviceAddress(r)+"/"+itoa(number(pathVar(r, "account")))+"/tokens", nil)
}

func (u *UI) changeServiceAccount(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	form := serviceForm{Name: sent.Get("name"), RoleID: number(sent.Get("role"))}
	id := number(pathVar(r, "account"))
	err = u.Store.ChangeServiceAccount(r.Context(), &access.Of(r.Context()).Access, id, form.Name, form.RoleID)
	u.finish(w, r, err, u.serviceAddress(r)+"/"+itoa(id), "changed", func(status int, wrong fault) {
		form.Fault = wrong
		u.showServiceAccount(w, r, status, serviceAccountBody{Form: form}, fault{})
	})
}

// toServiceAccount does something to a service account that takes no form.
func (u *UI) toServiceAccount(what string, do func(r *http.Request, by *store.Access, id int) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, address := number(pathVar(r, "account")), u.serviceAddress(r)
		if what != "deleted" {
			address += "/" + itoa(id)
		}
		u.finish(w, r, do(r, &access.Of(r.Context()).Access, id), address, what, func(status int, wrong fault) {
			u.showServiceAccount(w, r, status, serviceAccountBody{}, wrong)
		})
	}
}

func (u *UI) createServiceToken(w http.ResponseWriter, r *http.Request) {
	form := u.serviceTokenForm(r)
	show := func(status int) { u.showServiceAccount(w, r, status, serviceAccountBody{New: form}, fault{}) }
	create := func(ctx context.Context, n store.NewToken) (string, error) {
		return u.Store.CreateServiceToken(ctx, &access.Of(ctx).Access, number(pathVar(r, "account")), n)
	}
	if u.makeToken(w, r, create, &form, show) {
		show(http.StatusOK)
	}
}

// serviceAccountRoutes are the addresses of the accounts of programs.
func (u *UI) serviceAccountRoutes() []route {
	const all = "/ws/{workspaceId}/service-accounts"
	const one = all + "/{account:[0-9]+}"
	full := access.In(access.Session, store.Configuration, store.Full)
	active := func(active bool) func(*http.Request, *store.Access, int) error {
		return func(r *http.Request, by *store.Access, id int) error {
			return u.Store.SetServiceActive(r.Context(), by, id, active)
		}
	}
	return []route{
		{http.MethodGet, all, full, u.toSignIn, u.serviceAccountsPage},
		{http.MethodPost, all, full, u.toSignIn, u.createServiceAccount},
		{http.MethodGet, one, full, u.toSignIn, u.serviceAccountPage},
		{http.MethodPost, one, full, u.toSignIn, u.changeServiceAccount},
		{http.MethodPost, one + "/block", full, u.toSignIn, u.toServiceAccount("blocked", active(false))},
		{http.MethodPost, one + "/unblock", full, u.toSignIn, u.toServiceAccount("unblocked", active(true))},
		{http.MethodPost, one + "/delete", full, u.toSignIn, u.toServiceAccount("deleted", func(r *http.Request, by *store.Access, id int) error {
			return u.Store.DeleteServiceAccount(r.Context(), by, id)
		})},
		{http.MethodPost, one + "/tokens", full, u.toSignIn, u.createServiceToken},
		{http.MethodPost, one + "/tokens/{tokenId:[0-9]+}/revoke", full, u.toSignIn, u.toServiceAccount("revoked", func(r *http.Request, by *store.Access, id int) error {
			return u.Store.RevokeServiceToken(r.Context(), by, id, number(pathVar(r, "tokenId")))
		})},
	}
}
