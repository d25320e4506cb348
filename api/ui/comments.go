package ui

import (
	"context"
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Comments is what people say about reports.
type Comments interface {
	Threads(ctx context.Context, talk store.Talk) ([]store.Thread, error)
	Onlookers(ctx context.Context, talk store.Talk) ([]store.Onlooker, error)
	StartThread(ctx context.Context, talk store.Talk, element string, n store.NewComment) (*store.Said, error)
	Reply(ctx context.Context, talk store.Talk, thread int, n store.NewComment) (*store.Said, error)
	EditComment(ctx context.Context, talk store.Talk, id int, n store.NewComment) (*store.Said, error)
	DeleteComment(ctx context.Context, talk store.Talk, id int) error
	RestoreComment(ctx context.Context, talk store.Talk, id int) (*store.Thread, error)
	ResolveThread(ctx context.Context, talk store.Talk, id int, resolved bool) (*store.Thread, error)
}

// commentRoutes are what people say about a report. Everybody who may see it
// reads and writes comments; the list of people is for those who change it.
func (u *UI) commentRoutes() []route {
	const get, post, put = http.MethodGet, http.MethodPost, http.MethodPut
	sees := access.In(designer, store.Reports, store.Read).OrOwn()
	edits := access.In(designer, store.Reports, store.Write).OrOwn()
	const (
		one     = "/api/ui/ws/{workspaceId}/reports/{report:[0-9]+}"
		thread  = one + "/threads/{thread:[0-9]+}"
		comment = one + "/comments/{comment:[0-9]+}"
	)
	return []route{
		{get, "/ws/{workspaceId}/reports/{report:[0-9]+}/comments", access.In(access.Session, store.Reports, store.Read).OrOwn(), u.toSignIn, u.commentsPage},
		{get, one + "/threads", sees, answer.Error, u.threads},
		{post, one + "/threads", sees, answer.Error, u.startThread},
		{post, thread + "/comments", sees, answer.Error, u.reply},
		{post, thread + "/resolve", sees, answer.Error, u.settleThread(true)},
		{post, thread + "/reopen", sees, answer.Error, u.settleThread(false)},
		{put, comment, sees, answer.Error, u.editComment},
		{http.MethodDelete, comment, sees, answer.Error, u.deleteComment},
		{post, comment + "/restore", sees, answer.Error, u.restoreComment},
		{get, one + "/people", edits, answer.Error, u.onlookers},
	}
}

// talk is the report of the address, if the caller may see it, and the caller.
func (u *UI) talk(r *http.Request) (store.Talk, error) {
	definition, err := u.definition(r)
	if err != nil {
		return store.Talk{}, err
	}
	return store.Talk{By: &access.Of(r.Context()).Access, Report: &definition.Row}, nil
}

// toldThread is a thread as the designer reads it.
type toldThread struct {
	ID         int               `json:"id"`
	Element    string            `json:"element"` // empty: the report
	Created    report.Timestamp  `json:"created"`
	Resolved   *report.Timestamp `json:"resolved"` // null: it is open
	ResolvedBy string            `json:"resolvedBy,omitempty"`
	Comments   []toldComment     `json:"comments"`
}

type toldComment struct {
	ID       int               `json:"id"`
	UserID   int               `json:"userId"`
	User     string            `json:"user"`
	Picture  string            `json:"picture,omitempty"` // its address
	Text     string            `json:"text"`
	Mentions []toldMention     `json:"mentions"`
	Created  report.Timestamp  `json:"created"`
	Edited   *report.Timestamp `json:"edited"` // null: it is as it was written
	Mine     bool              `json:"mine"`
	Deletes  bool              `json:"deletes"` // whether the caller may delete it
}

// toldMention is a person; the text has the name behind an @.
type toldMention struct {
	UserID int    `json:"userId"`
	Name   string `json:"name"`
}

func (u *UI) toldThread(talk store.Talk, t *store.Thread) toldThread {
	out := toldThread{ID: t.ID, Element: t.Element, Created: report.Timestamp(t.Created), ResolvedBy: t.ResolvedBy, Comments: make([]toldComment, len(t.Comments))}
	if !t.Resolved.IsZero() {
		at := report.Timestamp(t.Resolved)
		out.Resolved = &at
	}
	keeps := talk.By.RequireSharing(talk.Report) == nil
	for i, c := range t.Comments {
		mine := c.UserID != 0 && c.UserID == talk.By.User.ID
		told := toldComment{ID: c.ID, UserID: c.UserID, User: c.User, Picture: u.pictureAddress(c.Picture), Text: c.Text, Mentions: []toldMention{}, Created: report.Timestamp(c.Created), Mine: mine, Deletes: mine || keeps}
		if !c.Edited.IsZero() {
			at := report.Timestamp(c.Edited)
			told.Edited = &at
		}
		for _, m := range c.Mentions {
			told.Mentions = append(told.Mentions, toldMention(m))
		}
		out.Comments[i] = told
	}
	return out
}

func (u *UI) threads(w http.ResponseWriter, r *http.Request) {
	talk, err := u.talk(r)
	var found []store.Thread
	if err == nil {
		found, err = u.Store.Threads(r.Context(), talk)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	list := make([]toldThread, len(found))
	for i := range found {
		list[i] = u.toldThread(talk, &found[i])
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, list)
}

// newComment is the body that says something. Element counts where a thread begins.
type newComment struct {
	Element  string `json:"element"`
	Text     string `json:"text"`
	Mentions []int  `json:"mentions"`
}

// saying says something, and mails it to whom it names.
func (u *UI) saying(w http.ResponseWriter, r *http.Request, status int, say func(talk store.Talk, n newComment) (*store.Said, error)) {
	talk, err := u.talk(r)
	var body newComment
	if err == nil {
		err = u.readBody(r, &body)
	}
	var said *store.Said
	if err == nil {
		said, err = say(talk, body)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	u.wake(nameOfReport(talk.Report.ID))
	u.mailMentions(r, talk, body.Text, said)
	answer.JSON(w, status, u.toldThread(talk, said.Thread))
}

func (u *UI) startThread(w http.ResponseWriter, r *http.Request) {
	u.saying(w, r, http.StatusCreated, func(talk store.Talk, n newComment) (*store.Said, error) {
		return u.Store.StartThread(r.Context(), talk, n.Element, store.NewComment{Text: n.Text, Mentions: n.Mentions})
	})
}

func (u *UI) reply(w http.ResponseWriter, r *http.Request) {
	u.saying(w, r, http.StatusCreated, func(talk store.Talk, n newComment) (*store.Said, error) {
		return u.Store.Reply(r.Context(), talk, number(pathVar(r, "thread")), store.NewComment{Text: n.Text, Mentions: n.Mentions})
	})
}

func (u *UI) editComment(w http.ResponseWriter, r *http.Request) {
	u.saying(w, r, http.StatusOK, func(talk store.Talk, n newComment) (*store.Said, error) {
		return u.Store.EditComment(r.Context(), talk, number(pathVar(r, "comment")), store.NewComment{Text: n.Text, Mentions: n.Mentions})
	})
}

func (u *UI) settleThread(resolved bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		u.changed(w, r, func(talk store.Talk) (*store.Thread, error) {
			return u.Store.ResolveThread(r.Context(), talk, number(pathVar(r, "thread")), resolved)
		})
	}
}

func (u *UI) restoreComment(w http.ResponseWriter, r *http.Request) {
	u.changed(w, r, func(talk store.Talk) (*store.Thread, error) {
		return u.Store.RestoreComment(r.Context(), talk, number(pathVar(r, "comment")))
	})
}

// changed answers with a thread as it is then.
func (u *UI) changed(w http.ResponseWriter, r *http.Request, change func(talk store.Talk) (*store.Thread, error)) {
	talk, err := u.talk(r)
	var thread *store.Thread
	if err == nil {
		thread, err = change(talk)
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	u.wake(nameOfReport(talk.Report.ID))
	answer.JSON(w, http.StatusOK, u.toldThread(talk, thread))
}

func (u *UI) deleteComment(w http.ResponseWriter, r *http.Request) {
	talk, err := u.talk(r)
	if err == nil {
		err = u.Store.DeleteComment(r.Context(), talk, number(pathVar(r, "comment")))
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	u.wake(nameOfReport(talk.Report.ID))
	w.WriteHeader(http.StatusNoContent)
}

// onlooker is a person who may be named in comments.
type onlooker struct {
	ID      int    `json:"id"`
	Name    string `json:"name"`
	Picture string `json:"picture,omitempty"` // its address
}

func (u *UI) onlookers(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	var found []store.Onlooker
	if err == nil {
		found, err = u.Store.Onlookers(r.Context(), store.Talk{By: &access.Of(r.Context()).Access, Report: &definition.Row})
	}
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	list := make([]onlooker, len(found))
	for i, o := range found {
		list[i] = onlooker{o.UserID, o.Name, u.pictureAddress(o.Picture)}
	}
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, http.StatusOK, list)
}

// pictureAddress is where the picture of a person is; empty for none.
func (u *UI) pictureAddress(hash string) string {
	if hash == "" {
		return ""
	}
	return u.PathBase + "/pictures/" + hash
}
