package access

import (
	"context"
	"net/http"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Caller is the user that makes a request. In routes of a workspace it holds
// the role there.
type Caller struct {
	store.Access
	Way   Way
	Token int // the number of the access token that was shown
	// Provisioner is whose token for provisioning was shown; there is no user then.
	Provisioner *store.Provisioner
	Scope       *store.Scope // what a preview is good for; nil: whatever the role allows
	// NeedsOrigin tells that a preview has to be a page of our origin, or its
	// frame would lose the cookie with the first link; nothing else that the
	// browser sends there opens anything.
	NeedsOrigin bool

	people people
	again  func(*http.Request) (*Caller, error)
}

// Again is the request with its caller found anew, or why it would not be let in
// any more: what goes on for long asks for it. It counts against no limit.
func Again(r *http.Request) (*http.Request, error) {
	before := Of(r.Context())
	now, err := before.again(r)
	if err != nil {
		return nil, err
	}
	now.again = before.again
	return r.WithContext(withCaller(r.Context(), now)), nil
}

// people finds the users of accounts.
type people interface {
	PersonOf(ctx context.Context, userID int) (report.Person, error)
}

// Person is the person who looks: $user. In a preview it is the one that the
// maker of its nonce named, else nobody: the account is that of a program.
func (c *Caller) Person(ctx context.Context) (report.Person, error) {
	switch {
	case c.Scope != nil && c.Scope.User != nil:
		return *c.Scope.User, nil
	case c.Scope != nil || c.User == nil || c.people == nil:
		return report.Person{}, nil
	}
	return c.people.PersonOf(ctx, c.User.ID)
}

// MayExport tells whether a caller who sees a report may fetch files of it, too:
// what credentials were made for may be less than what their user may.
func (c *Caller) MayExport() bool {
	return In(c.Way, store.Reports, store.Read).For(store.ScopeExport).admits(c.User.Reach, http.MethodGet) == nil
}

// actor is the caller in the audit log.
func (c *Caller) actor(trace *answer.Trace) store.Actor {
	a := store.Actor{Kind: store.ByNobody, TokenID: c.Token, Address: trace.Address, Request: trace.ID}
	if c.Provisioner != nil {
		a.Kind, a.Name = store.ByProvisioning, c.Provisioner.Name
	}
	if c.User == nil {
		return a
	}
	a.UserID, a.Name = c.User.ID, c.User.Email
	if c.Scope != nil {
		a.Viewer = c.Scope.User
	}
	a.Kind = map[Way]store.ActorKind{Session: store.ByPerson, Token: store.ByToken, Preview: store.ByPreview}[c.Way]
	return a
}

type callerKey struct{}

// Of is the caller of a guarded request.
func Of(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

func withCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// forbidden is the refusal of something that no role allows.
func forbidden(message string) error {
	return &report.Problem{Kind: report.Forbidden, Message: message}
}
