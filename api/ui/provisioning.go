package ui

import (
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// provisioningRoutes are the pages of tokens for provisioning.
func (u *UI) provisioningRoutes() []route {
	root := access.RootOnly(access.Session)
	return []route{
		{http.MethodGet, "/provisioning", root, u.toSignIn, u.provisioningPage},
		{http.MethodPost, "/provisioning", root, u.toSignIn, u.createProvisioning},
		{http.MethodPost, "/provisioning/{tokenId:[0-9]+}/revoke", root, u.toSignIn, u.revokeProvisioning},
	}
}

// provisioningBody is the content of the page of tokens for provisioning.
type provisioningBody struct {
	Base      string // the address that a directory is given
	Tokens    []provisioningRow
	Sources   []sourceChoice
	Lifetimes []lifetime
	Name      string
	Adopt     bool
	Fault     fault
	Created   string // a token just made; shown this once
}

type provisioningRow struct {
	store.ProvisioningToken
	From    string
	Expired bool
}

type sourceChoice struct {
	Source, Label string
	Selected      bool
}

func (u *UI) provisioningPage(w http.ResponseWriter, r *http.Request) {
	u.showProvisioning(w, r, http.StatusOK, provisioningBody{}, "", usualLifetime)
}

func (u *UI) showProvisioning(w http.ResponseWriter, r *http.Request, status int, body provisioningBody, source string, days int) {
	tokens, err := u.Store.ProvisioningTokens(r.Context())
	if err != nil {
		u.Error(w, r, err)
		return
	}
	for _, t := range tokens {
		body.Tokens = append(body.Tokens, provisioningRow{t, u.sourceName(t.Source), t.Expires != nil && !t.Expires.After(u.Clock())})
	}
	body.Base = u.origin(r) + u.PathBase + "/scim/v2"
	for _, p := range u.Providers {
		body.Sources = append(body.Sources, sourceChoice{p.Name, u.sourceName(p.Name), p.Name == source})
	}
	body.Sources = append(body.Sources, sourceChoice{store.SourceSCIM, u.t(r, "None: people sign in with passwords"), source == store.SourceSCIM})
	form := tokenForm{}
	form.choose(0, days)
	body.Lifetimes = form.Lifetimes
	u.show(w, r, status, "provisioning", page{Title: u.t(r, "Provisioning"), Section: "provisioning", Script: true, Body: body, Notice: u.notice(r, map[string]string{
		"revoked": "The token is revoked. What was provisioned stays as it is.",
	})})
}

// createProvisioning answers with the page that shows the token, as that is kept
// nowhere.
func (u *UI) createProvisioning(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	n := store.NewProvisioningToken{Name: sent.Get("name"), Adopt: sent.Has("adopt")}
	days := number(sent.Get("days"))
	if err == nil && (days > 3650 || sent.Get("days") == "") {
		err = report.Problemf("", "the form could not be read")
	}
	if days > 0 {
		at := u.Clock().AddDate(0, 0, days)
		n.Expires = &at
	}
	for _, p := range u.Providers {
		if p.Name == sent.Get("source") {
			n.Source = p.Name
		}
	}
	if sent.Get("source") == store.SourceSCIM {
		n.Source = store.SourceSCIM
	}
	token := ""
	if err == nil {
		token, err = u.Store.CreateProvisioningToken(r.Context(), n)
	}
	if err == nil {
		u.showProvisioning(w, r, http.StatusOK, provisioningBody{Created: token}, "", usualLifetime)
		return
	}
	u.finish(w, r, err, "", "", func(status int, wrong fault) {
		u.showProvisioning(w, r, status, provisioningBody{Name: n.Name, Adopt: n.Adopt, Fault: wrong}, n.Source, days)
	})
}

func (u *UI) revokeProvisioning(w http.ResponseWriter, r *http.Request) {
	err := u.Store.RevokeProvisioningToken(r.Context(), number(pathVar(r, "tokenId")))
	u.finish(w, r, err, u.PathBase+"/provisioning", "revoked", nil)
}
