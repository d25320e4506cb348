package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/quire-reports/quire/report"
)

// Grant is what a nonce, and the preview that it becomes, stand for. Both end
// with the access token and with the user's epoch that they come from.
type Grant struct {
	UserID  int `json:"user"`
	TokenID int `json:"token,omitempty"` // 0: made by an earlier version
	Epoch   int `json:"epoch,omitempty"` // 0: made by an earlier version
	Scope   Scope
}

// Scope is what a preview is good for, of what its user may do. What is left out
// is settled by the first request.
type Scope struct {
	Settled    bool           `json:"settled,omitempty"` // nothing is left to be settled
	Workspace  int            `json:"workspace,omitempty"`
	Reports    []int          `json:"reports,omitempty"`
	AllReports bool           `json:"allReports,omitempty"` // of the workspace
	TempData   int            `json:"tempData,omitempty"`
	Params     *report.Object `json:"params,omitempty"` // values that are fixed
	Fixed      bool           `json:"fixed,omitempty"`  // whoever made the nonce chose what the reports are shown with
	Download   bool           `json:"download,omitempty"`
	Exports    []int          `json:"exports,omitempty"`
	User       *report.Person `json:"user,omitempty"` // who looks, as whoever made the nonce says; nil: it is not known
}

// UnmarshalJSON reads a scope; its values keep their order and how their numbers
// are written.
func (s *Scope) UnmarshalJSON(text []byte) error {
	type members Scope
	in := struct {
		*members
		Params json.RawMessage `json:"params"`
	}{members: (*members)(s)}
	if err := json.Unmarshal(text, &in); err != nil || len(in.Params) == 0 {
		return err
	}
	value, err := report.ParseValue(in.Params)
	s.Params, _ = value.(*report.Object)
	return err
}

func (s Scope) text() (string, error) {
	text, err := json.Marshal(s)
	return string(text), err
}

func readScope(text string) (s Scope, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &s)
	}
	return s, err
}

// PreviewLifetime is how long a preview session made from a nonce lasts.
const PreviewLifetime = 8 * time.Hour

// told is what the audit log tells of a scope: who looks, but not the values of parameters,
// which are data of whoever is shown the report.
func (s Scope) told() map[string]any {
	var fixed []string
	if s.Params != nil {
		for name := range s.Params.All() {
			fixed = append(fixed, name)
		}
	}
	detail := map[string]any{"reports": s.Reports, "allReports": s.AllReports, "temporaryData": s.TempData, "download": s.Download, "parameters": fixed}
	if s.User != nil {
		detail["viewer"] = viewerTold(s.User)
	}
	return detail
}

// viewerTold names the viewer in the audit log.
func viewerTold(p *report.Person) map[string]any {
	return map[string]any{"sub": p.Sub, "name": p.Name, "email": p.Email}
}

// CreatePreviewSession makes the value of a preview cookie; whoever shows it may
// read what the grant says, and change nothing.
func (s *Store) CreatePreviewSession(ctx context.Context, g Grant) (value string, expires time.Time, err error) {
	value, expires = randomText(40), s.clock().Add(PreviewLifetime)
	scope, err := g.Scope.text()
	if err != nil {
		return "", expires, err
	}
	err = s.db.inTx(ctx, func(t tx) error {
		_, err := t.exec(ctx, "INSERT INTO preview_sessions (hash, user_id, token_id, epoch, scope, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
			digest(value), g.UserID, idOrNil(g.TokenID), g.Epoch, scope, expires.UnixMilli())
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditPreviewOpened, WorkspaceID: g.Scope.Workspace, Target: targetOf(targetUser, g.UserID), Detail: g.Scope.told()})
	})
	return value, expires, orNoReference(err, "user %d or the access token does not exist", g.UserID)
}

// Preview is a preview session that has not ended.
type Preview struct {
	Value   string // of its cookie
	User    *User
	Scope   Scope
	Expires time.Time
}

// PreviewSessions finds the sessions of preview cookies, the newest first. Those
// that are unknown or have ended are left out: expired, the user blocked, away
// from the provider for too long or with another password, the access token
// revoked or expired.
func (s *Store) PreviewSessions(ctx context.Context, values []string) ([]Preview, error) {
	if len(values) == 0 {
		return nil, nil
	}
	byHash, hashes := map[string]string{}, make([][]byte, len(values))
	for i, value := range values {
		hashes[i] = digest(value)
		byHash[string(hashes[i])] = value
	}
	query, args, err := sqlx.In("SELECT "+userColumns+", "+reachColumns+", "+cameColumn+`, p.hash, p.scope, p.expires_at FROM preview_sessions p
		JOIN users u ON u.id = p.user_id LEFT JOIN tokens t ON t.id = p.token_id
		WHERE p.hash IN (?) AND p.expires_at > ? AND u.is_active AND (p.epoch = 0 OR p.epoch = u.epoch)
		AND (t.expires_at IS NULL OR t.expires_at > ?) ORDER BY p.expires_at DESC, p.hash`, hashes, s.now(), s.now())
	if err != nil {
		return nil, err
	}
	var rows []struct {
		User
		reachRow
		Hash    []byte `db:"hash"`
		Scope   string `db:"scope"`
		Expires int64  `db:"expires_at"`
		Came    *int64 `db:"came_at"`
	}
	if err := s.db.list(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	var found []Preview
	for i := range rows {
		r := &rows[i]
		if s.stayedAway(r.Came) {
			continue
		}
		if r.Reach, err = r.reach(); err != nil {
			return nil, err
		}
		p := Preview{Value: byHash[string(r.Hash)], User: &r.User, Expires: fromMillis(r.Expires)}
		if p.Scope, err = readScope(r.Scope); err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, nil
}

// SettlePreview settles the scope of a session that an earlier version made,
// once. The scope that holds comes back, which may be that of another request.
func (s *Store) SettlePreview(ctx context.Context, value string, scope Scope) (Scope, error) {
	text, err := scope.text()
	if err != nil {
		return scope, err
	}
	if _, err := s.db.exec(ctx, `UPDATE preview_sessions SET scope = ? WHERE hash = ? AND scope NOT LIKE '{"settled":true%'`, text, digest(value)); err != nil {
		return scope, err
	}
	if err := s.db.fetch(ctx, &text, "SELECT scope FROM preview_sessions WHERE hash = ?", digest(value)); err != nil {
		return scope, orNotFound(err, "the preview session is unknown or has expired")
	}
	return readScope(text)
}

// EndPreviewSession forgets a preview session.
func (s *Store) EndPreviewSession(ctx context.Context, value string) error {
	_, err := s.db.exec(ctx, "DELETE FROM preview_sessions WHERE hash = ?", digest(value))
	return err
}

// grantUser finds the user of a grant, as far as its access token reaches; nil
// when it has ended.
func (s *Store) grantUser(ctx context.Context, g *Grant) (*User, error) {
	u, err := s.UserByID(ctx, g.UserID)
	if IsNotFound(err) || err == nil && g.Epoch != 0 && g.Epoch != u.Epoch {
		return nil, nil
	}
	var came *int64
	if err == nil && s.tokenIdle > 0 {
		err = s.db.get(ctx, &came, "SELECT "+cameColumn+" FROM users u WHERE u.id = ?", g.UserID)
	}
	switch {
	case err != nil:
		return nil, err
	case s.stayedAway(came):
		return nil, nil
	case g.TokenID == 0:
		return u, nil
	}
	tokens, err := s.Tokens(ctx, g.UserID)
	at := slices.IndexFunc(tokens, func(t Token) bool {
		return t.ID == g.TokenID && (t.Expires == nil || t.Expires.After(s.clock()))
	})
	if at < 0 {
		return nil, err
	}
	u.Reach = tokens[at].Reach
	return u, nil
}

func idOrNil(id int) *int {
	if id == 0 {
		return nil
	}
	return &id
}
