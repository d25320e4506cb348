package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// provisioningPrefix is of tokens for provisioning: they are none of a person,
// and lie in a table of their own, so that neither kind opens what is the
// other's.
const provisioningPrefix = "qsc_"

// Provisioner is a program that provisions accounts and groups.
type Provisioner struct {
	TokenID int
	Name    string
	Source  string
	Adopt   bool // it may take over accounts that are here already
}

// ProvisioningToken is a token for provisioning as people see it later.
type ProvisioningToken struct {
	ID       int
	Name     string
	Ending   string
	Source   string
	Adopt    bool
	MadeBy   string
	Created  time.Time
	Expires  *time.Time
	LastUsed *time.Time
}

// NewProvisioningToken is what a token for provisioning is made from.
type NewProvisioningToken struct {
	Name    string
	Source  string // SourceSCIM, or the name of a provider at which people sign in
	Adopt   bool
	Expires *time.Time
}

// CreateProvisioningToken makes a token and returns it; it cannot be read
// again. It belongs to the installation and outlasts the account of its maker.
func (s *Store) CreateProvisioningToken(ctx context.Context, n NewProvisioningToken) (string, error) {
	n.Name = strings.TrimSpace(n.Name)
	if err := checkName("name", n.Name, "the token needs a name"); err != nil {
		return "", err
	}
	switch {
	case len(n.Name) > 200:
		return "", report.Problemf("name", "a token needs a name of at most 200 bytes")
	case n.Source == "":
		return "", report.Problemf("source", "choose for which provider it is")
	case n.Expires != nil && !n.Expires.After(s.clock()):
		return "", report.Problemf("expires", "%s is in the past", n.Expires.Format(time.RFC3339))
	}
	token := provisioningPrefix + randomText(tokenLength)
	err := s.db.inTx(ctx, func(t tx) error {
		var id int
		err := t.get(ctx, &id, `INSERT INTO provisioning_tokens (name, hash, ending, source, adopt, made_by, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, n.Name, digest(token), token[len(token)-4:], n.Source, n.Adopt, actorOf(ctx).Name, s.now(), toMillisOrNil(n.Expires))
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditProvisioningMade, Target: Target{targetProvisioning, strconv.Itoa(id), n.Name}, Detail: map[string]any{
			"source": n.Source, "adopt": n.Adopt, "expires": (*report.Timestamp)(n.Expires),
		}})
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// ProvisioningTokens lists them, the newest first, expired ones included.
func (s *Store) ProvisioningTokens(ctx context.Context) ([]ProvisioningToken, error) {
	var rows []struct {
		ID       int    `db:"id"`
		Name     string `db:"name"`
		Ending   string `db:"ending"`
		Source   string `db:"source"`
		Adopt    bool   `db:"adopt"`
		MadeBy   string `db:"made_by"`
		Created  int64  `db:"created_at"`
		Expires  *int64 `db:"expires_at"`
		LastUsed *int64 `db:"last_used_at"`
	}
	err := s.db.list(ctx, &rows, "SELECT id, name, ending, source, adopt, made_by, created_at, expires_at, last_used_at FROM provisioning_tokens ORDER BY id DESC")
	tokens := make([]ProvisioningToken, len(rows))
	for i, r := range rows {
		tokens[i] = ProvisioningToken{r.ID, r.Name, r.Ending, r.Source, r.Adopt, r.MadeBy, fromMillis(r.Created), fromMillisOrNil(r.Expires), fromMillisOrNil(r.LastUsed)}
	}
	return tokens, err
}

// RevokeProvisioningToken removes a token; what was provisioned by it stays.
func (s *Store) RevokeProvisioningToken(ctx context.Context, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		var name string
		if err := t.get(ctx, &name, "DELETE FROM provisioning_tokens WHERE id = ? RETURNING name", id); err != nil {
			return orNotFound(err, "token %d does not exist", id)
		}
		return s.record(ctx, t, Event{Action: AuditProvisioningGone, Target: Target{targetProvisioning, strconv.Itoa(id), name}})
	})
}

// ProvisionerByToken finds whose a token for provisioning is. As with access
// tokens nothing is remembered.
func (s *Store) ProvisionerByToken(ctx context.Context, token string) (*Provisioner, error) {
	if len(token) != len(provisioningPrefix)+tokenLength || !strings.HasPrefix(token, provisioningPrefix) {
		return nil, errProvisioning()
	}
	var row struct {
		ID       int    `db:"id"`
		Name     string `db:"name"`
		Source   string `db:"source"`
		Adopt    bool   `db:"adopt"`
		LastUsed *int64 `db:"last_used_at"`
	}
	now := s.now()
	err := s.db.get(ctx, &row, "SELECT id, name, source, adopt, last_used_at FROM provisioning_tokens WHERE hash = ? AND (expires_at IS NULL OR expires_at > ?)", digest(token), now)
	if err != nil {
		return nil, orNotFound(err, "%s", errProvisioning().Message)
	}
	if row.LastUsed == nil || now-*row.LastUsed >= useEvery.Milliseconds() {
		s.recordProvisioning(ctx, row.ID, now)
	}
	return &Provisioner{row.ID, row.Name, row.Source, row.Adopt}, nil
}

func errProvisioning() *report.Problem {
	return report.NotFoundf("the token for provisioning is unknown, expired or revoked")
}

// recordProvisioning is recordUse of a token for provisioning.
func (s *Store) recordProvisioning(ctx context.Context, id int, now int64) {
	_, err := s.db.exec(ctx, "UPDATE provisioning_tokens SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)", now, id, now-useEvery.Milliseconds())
	if err != nil {
		s.log.WarnContext(ctx, "the last use of a token for provisioning was not recorded", "token", id, "error", err)
	}
}
