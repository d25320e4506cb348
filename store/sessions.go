package store

import (
	"context"
	"encoding/hex"
	"strings"
	"time"
	"unicode"

	"github.com/alexedwards/scs/v2"

	"github.com/quire-reports/quire/report"
)

// Session is a sign-in of a user in a browser.
type Session struct {
	Ref              string // names it; nobody can sign in with it
	Browser, Address string // what the browser calls itself, and where it was last
	Created, Seen    time.Time
	Expires          time.Time
}

// seenEvery is how often a session that is used is noted.
const seenEvery = time.Minute

// Origin is the provider's session that a session of ours comes from.
type Origin struct {
	Provider        string // empty: somebody entered a password
	Issuer, Subject string
	Session         string        // the provider's name of it; may be empty
	Proof           report.Secret // shown to the provider when signing out
	Until           time.Time     // when the provider has it end at the latest; zero: it does not say
	Passkey         string        // the name of the one that was used, for the audit log; not kept
}

// CreateSession signs a user in who entered a password; see CreateSessionFrom.
func (s *Store) CreateSession(ctx context.Context, u *User, browser, address string) (value string, expires time.Time, err error) {
	return s.CreateSessionFrom(ctx, u, browser, address, Origin{})
}

// CreateSessionFrom signs a user in, until the value is of no use: after the
// days of the settings, or when it was not used for their hours, or when the
// provider has it end.
func (s *Store) CreateSessionFrom(ctx context.Context, u *User, browser, address string, from Origin) (value string, expires time.Time, err error) {
	if s.keptOut(u, from.Provider) {
		return "", time.Time{}, errNotHere()
	}
	now := s.clock()
	value, expires = randomText(43), now.Add(s.sessions.lasts)
	if !from.Until.IsZero() && from.Until.Before(expires) {
		expires = from.Until
	}
	// data is what versions before this one read; they may run beside it.
	data, err := scs.GobCodec{}.Encode(expires, map[string]any{"user": u.ID, "epoch": u.Epoch})
	if err != nil {
		return "", time.Time{}, err
	}
	hash := digest(value)
	err = s.db.inTx(ctx, func(t tx) error {
		_, err := t.exec(ctx, `INSERT INTO sessions (hash, data, expires_at, user_id, epoch, browser, address, created_at, seen_at,
			provider, issuer, subject, provider_session, id_token) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			hash, data, expires.UnixMilli(), u.ID, u.Epoch, oneLine(browser), oneLine(address), now.UnixMilli(), now.UnixMilli(),
			from.Provider, from.Issuer, from.Subject, from.Session, s.sealProof(hash, from.Proof))
		if err != nil {
			return err
		}
		return s.record(as(ctx, u), t, Event{Action: AuditSignedIn, Target: Target{Kind: targetSession, ID: sessionRef(hash)}, Detail: from.told(browser)})
	})
	return value, expires, orNoReference(err, "user %d does not exist", u.ID)
}

// RootOnlyHere tells whether only root users come in by what is kept here.
func (s *Store) RootOnlyHere() bool { return s.rootOnly }

// keptOut tells of somebody who may not come in by what is kept here, but only at
// a provider.
func (s *Store) keptOut(u *User, provider string) bool {
	return s.rootOnly && provider == "" && !u.IsRoot
}

func errNotHere() error {
	return &report.Problem{Kind: report.Forbidden, Message: "only administrators of the service sign in here; sign in at your provider"}
}

func (o Origin) told(browser string) map[string]any {
	detail := map[string]any{"browser": oneLine(browser)}
	if o.Provider != "" {
		detail["provider"] = o.Provider
	}
	if o.Passkey != "" {
		detail["passkey"] = o.Passkey
	}
	return detail
}

func proofPlace(hash []byte) string { return "sessions/" + hex.EncodeToString(hash) + "/id-token" }

// sealProof keeps what signs out at the provider as long as the session. It is
// not sealed anew with a new key: signing out works without it, if less smoothly.
func (s *Store) sealProof(hash []byte, proof report.Secret) string {
	if proof == "" {
		return ""
	}
	return s.Seal(proofPlace(hash), proof)
}

// SessionOrigin is where the session of a value comes from.
func (s *Store) SessionOrigin(ctx context.Context, value string) (Origin, error) {
	var row struct {
		Provider string `db:"provider"`
		Issuer   string `db:"issuer"`
		Subject  string `db:"subject"`
		Session  string `db:"provider_session"`
		Proof    string `db:"id_token"`
		Expires  int64  `db:"expires_at"`
	}
	hash := digest(value)
	err := s.db.get(ctx, &row, "SELECT provider, issuer, subject, provider_session, id_token, expires_at FROM sessions WHERE hash = ?", hash)
	if err != nil {
		return Origin{}, orNotFound(err, "the session has ended")
	}
	if row.Provider == "" {
		return Origin{}, nil
	}
	proof, _ := s.Unseal(proofPlace(hash), row.Proof) // see sealProof
	return Origin{Provider: row.Provider, Issuer: row.Issuer, Subject: row.Subject, Session: row.Session, Proof: proof, Until: fromMillis(row.Expires)}, nil
}

// EndSessionsFrom ends the sessions that come from one of a provider, or, where
// that is empty, all of a subject; it tells how many there were.
func (s *Store) EndSessionsFrom(ctx context.Context, issuer, subject, session string) (ended int, err error) {
	where, args := "issuer = ? AND subject = ?", []any{issuer, subject}
	switch {
	case session != "" && subject != "":
		where, args = where+" AND provider_session = ?", append(args, session)
	case session != "":
		where, args = "issuer = ? AND provider_session = ?", []any{issuer, session}
	}
	err = s.db.inTx(ctx, func(t tx) error {
		var users []int
		if err := t.list(ctx, &users, "SELECT DISTINCT user_id FROM sessions WHERE user_id IS NOT NULL AND "+where, args...); err != nil {
			return err
		}
		if ended, err = t.exec(ctx, "DELETE FROM sessions WHERE "+where, args...); err != nil {
			return err
		}
		for _, id := range users {
			if err := s.record(ctx, t, Event{Action: AuditSessionEnded, Target: targetOf(targetUser, id), Detail: map[string]any{"issuer": issuer}}); err != nil {
				return err
			}
		}
		return nil
	})
	return ended, err
}

// sessionRow is a session with the user as of now; without one it is of before.
type sessionRow struct {
	Hash     []byte `db:"hash"`
	Data     []byte `db:"data"`
	UserID   *int   `db:"user_id"`
	Epoch    int    `db:"epoch"`
	Provider string `db:"provider"`
	Browser  string `db:"browser"`
	Address  string `db:"address"`
	Created  int64  `db:"created_at"`
	Seen     int64  `db:"seen_at"`
	Expires  int64  `db:"expires_at"`
}

func (r *sessionRow) session() Session {
	return Session{sessionRef(r.Hash), r.Browser, r.Address, fromMillis(r.Created), fromMillis(r.Seen), fromMillis(r.Expires)}
}

const sessionColumns = "hash, data, user_id, epoch, provider, browser, address, created_at, seen_at, expires_at"

// SessionUser finds who is signed in with a value, and notes now and then where
// it is used.
// What has ended is a NotFound.
func (s *Store) SessionUser(ctx context.Context, value, browser, address string) (*User, *Session, error) {
	var row sessionRow
	err := s.db.get(ctx, &row, "SELECT "+sessionColumns+" FROM sessions WHERE hash = ? AND expires_at > ? AND (seen_at = 0 OR seen_at > ?)",
		digest(value), s.now(), s.clock().Add(-s.sessions.idle).UnixMilli())
	if err != nil {
		return nil, nil, orNotFound(err, "the session has ended")
	}
	if row.UserID == nil {
		s.complete(&row)
	}
	user, err := s.UserByID(ctx, *row.UserID)
	if err == nil && (user.Epoch != row.Epoch || s.keptOut(user, row.Provider)) {
		err = report.NotFoundf("the session has ended")
	}
	if err != nil {
		return nil, nil, err
	}
	if s.now()-row.Seen >= seenEvery.Milliseconds() {
		row.Seen, row.Browser, row.Address = s.now(), oneLine(browser), oneLine(address)
		_, err = s.db.exec(ctx, "UPDATE sessions SET user_id = ?, epoch = ?, browser = ?, address = ?, created_at = ?, seen_at = ? WHERE hash = ?",
			*row.UserID, row.Epoch, row.Browser, row.Address, row.Created, row.Seen, row.Hash)
	}
	found := row.session()
	return user, &found, err
}

// sessionRef names a session; nobody can sign in with it.
func sessionRef(hash []byte) string { return hex.EncodeToString(hash[:8]) }

// complete reads a session that a version before this one has made.
func (s *Store) complete(row *sessionRow) {
	const lasted = 7 * 24 * time.Hour
	_, values, _ := scs.GobCodec{}.Decode(row.Data)
	user, _ := values["user"].(int)
	row.UserID, row.Created = &user, row.Expires-lasted.Milliseconds()
	row.Epoch, _ = values["epoch"].(int)
}

// EndSession ends the session of a value; a missing one is no error.
func (s *Store) EndSession(ctx context.Context, value string) error {
	return s.endSession(ctx, digest(value))
}

func (s *Store) endSession(ctx context.Context, hash []byte) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "DELETE FROM sessions WHERE hash = ?", hash)
		if err != nil || n == 0 {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditSessionEnded, Target: Target{Kind: targetSession, ID: sessionRef(hash)}})
	})
}

// SessionsOf lists where a user is signed in, last used first.
func (s *Store) SessionsOf(ctx context.Context, userID int) ([]Session, error) {
	var rows []sessionRow
	err := s.db.list(ctx, &rows, "SELECT "+sessionColumns+` FROM sessions s WHERE user_id = ? AND expires_at > ? AND seen_at > ?
		AND epoch = (SELECT u.epoch FROM users u WHERE u.id = s.user_id) ORDER BY seen_at DESC, created_at DESC`,
		userID, s.now(), s.clock().Add(-s.sessions.idle).UnixMilli())
	found := []Session{}
	for i := range rows {
		found = append(found, rows[i].session())
	}
	return found, err
}

// EndSessionOf ends a session of a user by its name.
func (s *Store) EndSessionOf(ctx context.Context, userID int, ref string) error {
	var hashes [][]byte
	if err := s.db.list(ctx, &hashes, "SELECT hash FROM sessions WHERE user_id = ?", userID); err != nil {
		return err
	}
	for _, hash := range hashes {
		if sessionRef(hash) == ref {
			return s.endSession(ctx, hash)
		}
	}
	return report.NotFoundf("the session has ended")
}

// EndSessionsOf ends all sessions of a user but the one of a value, which may
// be empty. Those that a version before this one has made, and that were not
// used since, tell no user: they end, too.
func (s *Store) EndSessionsOf(ctx context.Context, userID int, but string) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "DELETE FROM sessions WHERE (user_id = ? OR user_id IS NULL) AND hash <> ?", userID, digest(but))
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditSessionEnded, Target: targetOf(targetUser, userID), Detail: map[string]any{"sessions": n}})
	})
}

// oneLine is what a browser says of itself, as a database and a page take it.
func oneLine(text string) string {
	const most = 300
	if len(text) > most {
		text = text[:most]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || report.Hides(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}
