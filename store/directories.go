package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"time"
)

// DirectorySync is how looking up the people of a directory went.
type DirectorySync struct {
	Ended   time.Time
	People  int    // known from there
	Changed int    // whose roles are others now
	Lost    int    // who lost a role, or may not come in any more
	Problem string // why nothing was changed; empty: all is well
}

// ClaimSync takes the turn to look the people of a directory up, which comes once
// in a time; of all processes one gets it.
func (s *Store) ClaimSync(ctx context.Context, provider string, every time.Duration) (bool, error) {
	now := s.clock()
	n, err := s.db.exec(ctx, `INSERT INTO directory_syncs (provider, next_at) VALUES (?, ?)
		ON CONFLICT (provider) DO UPDATE SET next_at = excluded.next_at WHERE directory_syncs.next_at <= ? OR directory_syncs.next_at > excluded.next_at`,
		provider, now.Add(every).UnixMilli(), now.UnixMilli())
	return n == 1, err
}

// EndSync keeps how it went, and when it is to be tried again.
func (s *Store) EndSync(ctx context.Context, provider string, went DirectorySync, again time.Duration) error {
	now := s.clock()
	_, err := s.db.exec(ctx, `INSERT INTO directory_syncs (provider, next_at, ended_at, people, changed, lost, problem) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (provider) DO UPDATE SET next_at = excluded.next_at, ended_at = excluded.ended_at, people = excluded.people,
			changed = excluded.changed, lost = excluded.lost, problem = excluded.problem`,
		provider, now.Add(again).UnixMilli(), now.UnixMilli(), went.People, went.Changed, went.Lost, went.Problem)
	return err
}

// LastSync is how it went last; nil: it was never done.
func (s *Store) LastSync(ctx context.Context, provider string) (*DirectorySync, error) {
	var row struct {
		Ended   int64  `db:"ended_at"`
		People  int    `db:"people"`
		Changed int    `db:"changed"`
		Lost    int    `db:"lost"`
		Problem string `db:"problem"`
	}
	err := s.db.get(ctx, &row, "SELECT ended_at, people, changed, lost, problem FROM directory_syncs WHERE provider = ? AND ended_at > 0", provider)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &DirectorySync{fromMillis(row.Ended), row.People, row.Changed, row.Lost, row.Problem}, err
}

// KnownIdentity is an identity that has an account.
type KnownIdentity struct {
	Subject string
	Email   string // of the account
	Gone    bool   // may not come in any more
}

// IdentitiesOf lists the identities of an issuer.
func (s *Store) IdentitiesOf(ctx context.Context, issuer string) ([]KnownIdentity, error) {
	var rows []struct {
		Subject string `db:"subject"`
		Email   string `db:"email"`
		Gone    int64  `db:"gone_at"`
	}
	err := s.db.list(ctx, &rows, "SELECT i.subject, u.email, i.gone_at FROM identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = ? ORDER BY i.subject", issuer)
	known := make([]KnownIdentity, len(rows))
	for i, row := range rows {
		known[i] = KnownIdentity{row.Subject, row.Email, row.Gone > 0}
	}
	return known, err
}

// IdentityEmail is the address of the account of an identity; empty: there is none.
func (s *Store) IdentityEmail(ctx context.Context, issuer, subject string) (string, error) {
	var email string
	err := s.db.get(ctx, &email, "SELECT u.email FROM identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = ? AND i.subject = ?", issuer, subject)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return email, err
}

// Followed is what became of the account of an identity.
type Followed struct {
	Changed bool // its roles are others
	Lost    bool // it has lost one, or may not come in any more
}

// Follow gives the account of an identity the roles that its provider decides,
// and keeps the groups that it names. They are those of a moment: the groups of
// users who have signed in since are newer and stay. With try nothing changes.
func (s *Store) Follow(ctx context.Context, id Identity, rules IdentityRules, asOf time.Time, try bool) (Followed, error) {
	return s.follow(ctx, try, func(t tx) (Followed, error) {
		row, err := t.identity(ctx, id)
		if err != nil || row.SignedIn > asOf.UnixMilli() {
			return Followed{}, err
		}
		before, err := t.decided(ctx, &row.User)
		if err == nil {
			err = s.comesBack(ctx, t, id, row)
		}
		if err == nil {
			err = t.keepTold(ctx, id)
		}
		if err == nil {
			err = s.decide(ctx, t, &row.User, rules)
		}
		if err != nil {
			return Followed{}, err
		}
		after, err := t.decided(ctx, &row.User)
		return Followed{Changed: row.Gone > 0 || !maps.Equal(before, after), Lost: loses(before, after)}, err
	})
}

// ShutOut takes from the account of an identity what its provider decides and has
// told, and ends the sessions that came from there. An account into which nothing else
// leads is blocked, with its access tokens, until the person comes back. One
// without an account is no error.
func (s *Store) ShutOut(ctx context.Context, id Identity, rules IdentityRules, asOf time.Time, try bool) (Followed, error) {
	rules.Grants, id.Groups = nil, nil
	done, err := s.follow(ctx, try, func(t tx) (Followed, error) {
		row, err := t.identity(ctx, id)
		if err != nil || row.SignedIn > asOf.UnixMilli() {
			return Followed{}, err
		}
		before, err := t.decided(ctx, &row.User)
		if err == nil {
			err = t.keepTold(ctx, id)
		}
		if err == nil {
			err = s.decide(ctx, t, &row.User, rules)
		}
		if err != nil || row.Gone > 0 { // an administrator may have unblocked it since
			return Followed{}, err
		}
		blocks := row.IsActive && row.Only
		if blocks {
			_, err = t.exec(ctx, "UPDATE users SET is_active = ?, epoch = epoch + 1 WHERE id = ?", false, row.ID)
			if err == nil {
				err = s.record(ctx, t, Event{Action: AuditUserBlocked, Target: targetOf(targetUser, row.ID), Detail: map[string]any{"issuer": id.Issuer}})
			}
		}
		if err == nil {
			_, err = t.exec(ctx, "UPDATE identities SET gone_at = ?, blocked = ? WHERE issuer = ? AND subject = ?", s.now(), blocks, id.Issuer, id.Subject)
		}
		return Followed{Changed: true, Lost: blocks || len(before) > 0}, err
	})
	if err == nil && !try {
		_, err = s.EndSessionsFrom(ctx, id.Issuer, id.Subject, "")
	}
	return done, err
}

func (s *Store) follow(ctx context.Context, try bool, do func(t tx) (Followed, error)) (done Followed, err error) {
	err = s.db.inTx(ctx, func(t tx) (err error) {
		if done, err = do(t); err == nil && try {
			err = errTried
		}
		return err
	})
	if errors.Is(err, errTried) || errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return done, err
}

// identityRow is an identity with its account.
type identityRow struct {
	User
	SignedIn int64 `db:"signed_in_at"`
	Gone     int64 `db:"gone_at"`
	Blocked  bool  `db:"blocked"`
	Only     bool  `db:"only_way"` // nothing else leads into the account
}

func (t tx) identity(ctx context.Context, id Identity) (*identityRow, error) {
	var row identityRow
	err := t.get(ctx, &row, "SELECT "+userColumns+`, i.signed_in_at, i.gone_at, i.blocked,
		u.password_hash IS NULL AND NOT EXISTS (SELECT 1 FROM identities o WHERE o.user_id = u.id AND (o.issuer <> i.issuer OR o.subject <> i.subject)) AS only_way
		FROM identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = ? AND i.subject = ?`, id.Issuer, id.Subject)
	return &row, err
}

// comesBack undoes what was done when somebody might not come in any more.
func (s *Store) comesBack(ctx context.Context, t tx, id Identity, row *identityRow) error {
	if row.Gone == 0 {
		return nil
	}
	if row.Blocked && !row.IsActive {
		row.IsActive, row.Epoch = true, row.Epoch+1
		if _, err := t.exec(ctx, "UPDATE users SET is_active = ?, epoch = epoch + 1 WHERE id = ?", true, row.ID); err != nil {
			return err
		}
		if err := s.record(ctx, t, Event{Action: AuditUserUnblocked, Target: targetOf(targetUser, row.ID), Detail: map[string]any{"issuer": id.Issuer}}); err != nil {
			return err
		}
	}
	_, err := t.exec(ctx, "UPDATE identities SET gone_at = 0, blocked = ? WHERE issuer = ? AND subject = ?", false, id.Issuer, id.Subject)
	return err
}

// decided are the roles of a user by workspaces; 0 stands for root rights.
func (t tx) decided(ctx context.Context, u *User) (map[int]int, error) {
	var rows []struct {
		Workspace int `db:"workspace_id"`
		Role      int `db:"role_id"`
	}
	err := t.list(ctx, &rows, "SELECT workspace_id, role_id FROM members WHERE user_id = ?", u.ID)
	roles := map[int]int{}
	for _, row := range rows {
		roles[row.Workspace] = row.Role
	}
	if u.IsRoot {
		roles[0] = 0
	}
	return roles, err
}

// loses tells whether something was taken; another role instead is none.
func loses(before, after map[int]int) bool {
	for workspace := range before {
		if _, still := after[workspace]; !still {
			return true
		}
	}
	return false
}
