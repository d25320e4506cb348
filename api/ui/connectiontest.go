package ui

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// testConnection reaches the target of a connection as the form says it, without
// saving anything.
func (u *UI) testConnection(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	caller := access.Of(r.Context())
	body := connectionBody{Name: strings.TrimSpace(sent.Get("name")), Kind: u.kindOf(sent.Get("type"))}
	if body.Kind.Probe == nil {
		u.Error(w, r, report.NotFoundf("there is no such type of connection"))
		return
	}
	var kept map[string]any
	var learned func(string, report.Secret)
	if sent.Get("exists") != "" {
		old, err := u.Store.Connection(r.Context(), caller.Workspace.ID, body.Name)
		if err != nil || old.Type != body.Kind.Name {
			u.Error(w, r, report.NotFoundf("there is no connection %q", body.Name))
			return
		}
		body.Exists, kept = true, membersOf(old.Address)
		learned = u.keepLearned(r, old)
	}
	members, err := membersIn(body.Kind, sent, kept)
	if err == nil {
		body.Found, err = body.Kind.Probe(r.Context(), members, learned)
		body.Found = u.told(r, body.Found)
	}
	wrong, status := u.faultOf(r, err)
	if err != nil && status == 0 {
		wrong.Text = sentence(u.told(r, err.Error())) // what the target says
		if problems := answer.ProblemsIn(err); len(problems) == 0 || problems[0].Kind != report.Failed {
			u.Error(w, r, err)
			return
		}
	}
	body.Fault, body.Fields = wrong, fieldsAgain(body.Kind, members, kept, wrong)
	u.showConnection(w, r, http.StatusOK, body)
}

// keepLearned keeps a token that the target has renewed, as the old one may not
// be accepted any more.
func (u *UI) keepLearned(r *http.Request, old *store.Connection) func(string, report.Secret) {
	return func(name string, value report.Secret) {
		members := membersOf(old.Address)
		members[name] = value.Reveal()
		if text, err := json.Marshal(members); err == nil {
			changed := *old
			changed.Address = report.Secret(text)
			_ = u.Store.PutConnection(r.Context(), access.Of(r.Context()).Workspace.ID, changed) // the next use renews it again
		}
	}
}
