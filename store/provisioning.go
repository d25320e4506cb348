package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// Person is what a source says of somebody that it provisions.
type Person struct {
	UserName    string        `json:"userName"`
	ExternalID  string        `json:"externalId,omitempty"`
	DisplayName string        `json:"displayName,omitempty"`
	Name        PersonName    `json:"name,omitzero"`
	Emails      []PersonEmail `json:"emails,omitempty"`
	Active      bool          `json:"-"` // of the account
}

// PersonName is a name in its parts.
type PersonName struct {
	Formatted  string `json:"formatted,omitempty"`
	FamilyName string `json:"familyName,omitempty"`
	GivenName  string `json:"givenName,omitempty"`
}

// PersonEmail is one of the addresses of somebody. A Primary that was said to be
// false is not the same as none: a source reads back what it wrote.
type PersonEmail struct {
	Value   string `json:"value"`
	Display string `json:"display,omitempty"`
	Type    string `json:"type,omitempty"`
	Primary *bool  `json:"primary,omitempty"`
}

// address is the one of the account: the primary one, else that for work, else
// the first, else a user name that is one.
func (p *Person) address() string {
	best, rank := p.UserName, 0
	for _, e := range p.Emails {
		r := 1
		switch {
		case e.Value == "":
			continue
		case e.Primary != nil && *e.Primary:
			r = 3
		case strings.EqualFold(e.Type, "work"):
			r = 2
		}
		if r > rank {
			best, rank = e.Value, r
		}
	}
	return best
}

// shown is the name of the account.
func (p *Person) shown() string {
	return cmp.Or(strings.TrimSpace(p.DisplayName), strings.TrimSpace(p.Name.Formatted), strings.TrimSpace(p.Name.GivenName+" "+p.Name.FamilyName), p.UserName)
}

func (p *Person) check() error {
	p.UserName = strings.TrimSpace(p.UserName)
	if err := checkName("userName", p.UserName, "the user needs a user name"); err != nil {
		return err
	}
	if _, err := checkEmail(p.address()); err != nil {
		return report.Problemf("emails", "an account needs an e-mail address, in emails or as userName; %q is none", p.address())
	}
	return checkName("displayName", p.shown(), "the user needs a name")
}

// ProvisionedUser is an account that a source provisions.
type ProvisionedUser struct {
	ID     int
	IsRoot bool
	Person
	Groups           []GroupName
	Created, Updated time.Time
}

// GroupName is a group by its number and name.
type GroupName struct {
	ID   int    `db:"id"`
	Name string `db:"name"`
}

type provisionedRow struct {
	ID       int    `db:"id"`
	IsRoot   bool   `db:"is_root"`
	IsActive bool   `db:"is_active"`
	Document string `db:"document"`
	Created  int64  `db:"created_at"`
	Updated  int64  `db:"updated_at"`
}

const provisionedSelect = `SELECT u.id, u.is_root, u.is_active, p.document, u.created_at, p.updated_at FROM provisioned_users p JOIN users u ON u.id = p.user_id `

func (r *provisionedRow) user() (*ProvisionedUser, error) {
	u := ProvisionedUser{ID: r.ID, IsRoot: r.IsRoot, Created: fromMillis(r.Created), Updated: fromMillis(r.Updated)}
	err := json.Unmarshal([]byte(r.Document), &u.Person)
	u.Active = r.IsActive
	return &u, err
}

// ProvisionedQuery chooses what a source sees of its own. Empty members choose
// all.
type ProvisionedQuery struct {
	ID            int
	UserName      string
	ExternalID    string
	Name          string // of a group
	Offset, Limit int
}

// ProvisionedUsers are those of a source in the order they were made, and how
// many the query finds without its limit; Limit 0 is none.
func (s *Store) ProvisionedUsers(ctx context.Context, source string, q ProvisionedQuery) (users []ProvisionedUser, total int, err error) {
	where, args := "WHERE p.source = ?", []any{source}
	for _, c := range []struct {
		condition string
		value     string
	}{{"p.user_name_key = ?", userNameKey(q.UserName)}, {"p.external_id = ?", q.ExternalID}} {
		if c.value != "" {
			where, args = where+" AND "+c.condition, append(args, c.value)
		}
	}
	if q.ID != 0 {
		where, args = where+" AND p.user_id = ?", append(args, q.ID)
	}
	if err := s.db.get(ctx, &total, "SELECT COUNT(*) FROM provisioned_users p "+where, args...); err != nil {
		return nil, 0, err
	}
	limit := ""
	if q.Limit > 0 {
		limit, args = " LIMIT ? OFFSET ?", append(args, q.Limit, q.Offset)
	}
	var rows []provisionedRow
	if err := s.db.list(ctx, &rows, provisionedSelect+where+" ORDER BY u.id"+limit, args...); err != nil {
		return nil, 0, err
	}
	users = make([]ProvisionedUser, len(rows))
	for i := range rows {
		u, err := rows[i].user()
		if err != nil {
			return nil, 0, err
		}
		users[i] = *u
	}
	return users, total, nil
}

// AddGroupsTo puts the groups of each user of a source into it.
func (s *Store) AddGroupsTo(ctx context.Context, source string, users []ProvisionedUser) error {
	for i := range users {
		err := s.db.list(ctx, &users[i].Groups, "SELECT g.id, g.name FROM group_members m JOIN user_groups g ON g.id = m.group_id WHERE m.user_id = ? AND g.source = ? ORDER BY g.id", users[i].ID, source)
		if err != nil {
			return err
		}
	}
	return nil
}

// ProvisionedUser finds one of a source.
func (s *Store) ProvisionedUser(ctx context.Context, source string, id int) (*ProvisionedUser, error) {
	if id == 0 { // which would choose all
		return nil, noProvisioned("user", id)
	}
	users, _, err := s.ProvisionedUsers(ctx, source, ProvisionedQuery{ID: id})
	if err == nil && len(users) == 0 {
		err = noProvisioned("user", id)
	}
	if err == nil {
		err = s.AddGroupsTo(ctx, source, users)
	}
	if err != nil {
		return nil, err
	}
	return &users[0], nil
}

func noProvisioned(kind string, id int) error {
	return report.NotFoundf("%s %d does not exist, or is not provisioned by you", kind, id)
}

// SourceOf is the source that provisions the account of a person, empty when
// none does.
func (s *Store) SourceOf(ctx context.Context, userID int) (source string, err error) {
	err = s.db.get(ctx, &source, "SELECT source FROM provisioned_users WHERE user_id = ?", userID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return source, err
}

func userNameKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// Provision makes the account of somebody. Where there is one with the address,
// it is taken over if the source may do so: never that of a root user, one that
// is blocked, and one that another source has.
func (s *Store) Provision(ctx context.Context, by *Provisioner, p Person) (*ProvisionedUser, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	var id int
	err := s.db.inTx(ctx, func(t tx) (err error) {
		if err := t.freeUserName(ctx, by.Source, p.UserName, 0); err != nil {
			return err
		}
		if id, err = s.provisionedAccount(ctx, t, by, &p); err != nil {
			return err
		}
		return s.keepPerson(ctx, t, by.Source, id, &p)
	})
	if err != nil {
		return nil, orTaken(err, "userName", "there is an account with the user name %s or the address %s already", p.UserName, p.address())
	}
	return s.ProvisionedUser(ctx, by.Source, id)
}

func (t tx) freeUserName(ctx context.Context, source, name string, but int) error {
	var taken bool
	err := t.get(ctx, &taken, "SELECT EXISTS (SELECT 1 FROM provisioned_users WHERE source = ? AND user_name_key = ? AND user_id <> ?)", source, userNameKey(name), but)
	if err == nil && taken {
		err = &report.Problem{Kind: report.Conflict, Path: "userName", Message: "there is a user with the user name " + name + " already"}
	}
	return err
}

// provisionedAccount makes the account, or takes one over.
func (s *Store) provisionedAccount(ctx context.Context, t tx, by *Provisioner, p *Person) (int, error) {
	var there User
	err := t.get(ctx, &there, "SELECT "+userColumns+" FROM users u WHERE u.email_key = ?", emailKey(p.address()))
	if errors.Is(err, sql.ErrNoRows) {
		var id int
		err = t.get(ctx, &id, "INSERT INTO users (email, email_key, display_name, is_root, is_active, created_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
			p.address(), emailKey(p.address()), p.shown(), false, p.Active, s.now())
		if err != nil {
			return 0, err
		}
		return id, s.record(ctx, t, Event{Action: AuditUserCreated, Target: targetOf(targetUser, id), Detail: map[string]any{"source": by.Source, "active": p.Active}})
	}
	if err != nil {
		return 0, err
	}
	var owned bool
	if err := t.get(ctx, &owned, "SELECT EXISTS (SELECT 1 FROM provisioned_users WHERE user_id = ?)", there.ID); err != nil {
		return 0, err
	}
	refuse := func(why string) (int, error) {
		return 0, &report.Problem{Kind: report.Conflict, Path: "userName", Message: "there is an account with the address " + there.Email + " already" + why}
	}
	switch {
	case !by.Adopt:
		return refuse(", and this token takes over none; a root user can make one that does, or delete the account")
	case owned:
		return refuse(", which another source provisions")
	case there.IsRoot:
		return refuse(", which is that of a root user and is not taken over")
	case !there.IsActive:
		return refuse(", which is blocked; a root user has to unblock it before it is taken over")
	}
	if err := s.record(ctx, t, Event{Action: AuditUserChanged, Target: targetOf(targetUser, there.ID), Detail: map[string]any{"managedBy": by.Source}}); err != nil {
		return 0, err
	}
	return there.ID, s.applyPerson(ctx, t, &there, p)
}

// applyPerson makes an account what its source says of it.
func (s *Store) applyPerson(ctx context.Context, t tx, u *User, p *Person) error {
	if err := s.changePerson(ctx, t, u.ID, UserChange{Email: p.address(), DisplayName: p.shown()}); err != nil {
		return err
	}
	if u.IsActive == p.Active {
		return nil
	}
	action := AuditUserBlocked
	if p.Active {
		action = AuditUserUnblocked
	}
	if _, err := t.exec(ctx, "UPDATE users SET is_active = ?, epoch = epoch + 1 WHERE id = ?", p.Active, u.ID); err != nil {
		return err
	}
	if _, err := t.exec(ctx, "UPDATE identities SET blocked = ? WHERE user_id = ?", false, u.ID); err != nil { // see SetActive
		return err
	}
	return s.record(ctx, t, Event{Action: action, Target: targetOf(targetUser, u.ID)})
}

// keepPerson writes what the source says.
func (s *Store) keepPerson(ctx context.Context, t tx, source string, id int, p *Person) error {
	document, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `INSERT INTO provisioned_users (user_id, source, external_id, user_name_key, document, updated_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (user_id) DO UPDATE SET external_id = excluded.external_id, user_name_key = excluded.user_name_key, document = excluded.document, updated_at = excluded.updated_at`,
		id, source, p.ExternalID, userNameKey(p.UserName), string(document), s.now())
	return err
}

// provisioned finds one of a source in a transaction, and makes others who
// change it wait.
func (t tx) provisioned(ctx context.Context, source string, id int) (*ProvisionedUser, error) {
	n, err := t.exec(ctx, "UPDATE provisioned_users SET updated_at = updated_at WHERE user_id = ? AND source = ?", id, source)
	if err == nil && n == 0 {
		err = noProvisioned("user", id)
	}
	if err != nil {
		return nil, err
	}
	var row provisionedRow
	if err := t.get(ctx, &row, provisionedSelect+"WHERE p.user_id = ?", id); err != nil {
		return nil, err
	}
	return row.user()
}

func rootStays(u *ProvisionedUser) error {
	return &report.Problem{Kind: report.Forbidden, Message: u.UserName + " is a root user here, whom no provisioning changes, blocks or deletes; take the root rights away first"}
}

// ChangeProvisioned changes what a source says of somebody, and the account with
// it. Of a root user nothing is changed: whoever could give one another address
// could sign in as them.
func (s *Store) ChangeProvisioned(ctx context.Context, source string, id int, change func(*Person) error) (*ProvisionedUser, error) {
	var name string
	err := s.db.inTx(ctx, func(t tx) error {
		u, err := t.provisioned(ctx, source, id)
		if err != nil {
			return err
		}
		p := u.Person
		p.Emails = append([]PersonEmail(nil), u.Emails...)
		if err := change(&p); err != nil {
			return err
		}
		if err := p.check(); err != nil {
			return err
		}
		if name = p.UserName; samePerson(&p, &u.Person) {
			return nil
		}
		if u.IsRoot {
			return rootStays(u)
		}
		if err := t.freeUserName(ctx, source, p.UserName, id); err != nil {
			return err
		}
		if err := s.applyPerson(ctx, t, &User{ID: id, IsActive: u.Active}, &p); err != nil {
			return err
		}
		return s.keepPerson(ctx, t, source, id, &p)
	})
	if err != nil {
		return nil, orTaken(err, "userName", "there is a user with the user name %s already", name)
	}
	return s.ProvisionedUser(ctx, source, id)
}

func samePerson(a, b *Person) bool {
	x, y := *a, *b
	if len(x.Emails) == 0 && len(y.Emails) == 0 {
		x.Emails, y.Emails = nil, nil
	}
	return reflect.DeepEqual(x, y)
}

// DeleteProvisioned is DeleteUser for the source of an account.
func (s *Store) DeleteProvisioned(ctx context.Context, source string, id int) error {
	return s.db.inTx(ctx, func(t tx) error {
		u, err := t.provisioned(ctx, source, id)
		if err != nil {
			return err
		}
		if u.IsRoot {
			return rootStays(u)
		}
		return s.deletePerson(ctx, t, id)
	})
}

// TakeOverUser makes an account one of root users again. It leaves the groups of
// its source, which could not take it out any more.
func (s *Store) TakeOverUser(ctx context.Context, userID int) error {
	return s.db.inTx(ctx, func(t tx) error {
		if _, err := t.person(ctx, userID); err != nil {
			return err
		}
		var source string
		err := t.get(ctx, &source, "DELETE FROM provisioned_users WHERE user_id = ? RETURNING source", userID)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		var in []int
		if err := t.list(ctx, &in, "SELECT g.id FROM user_groups g JOIN group_members m ON m.group_id = g.id WHERE g.source = ? AND m.user_id = ? ORDER BY g.id", source, userID); err != nil {
			return err
		}
		for _, id := range in {
			if _, err := s.removeFromGroup(ctx, t, id, userID); err != nil {
				return err
			}
		}
		return s.record(ctx, t, Event{Action: AuditUserChanged, Target: targetOf(targetUser, userID), Detail: map[string]any{"takenFrom": source}})
	})
}

// notProvisioned refuses to change here what a source decides of an account.
func (t tx) notProvisioned(ctx context.Context, u *User) error {
	var owned bool
	err := t.get(ctx, &owned, "SELECT EXISTS (SELECT 1 FROM provisioned_users WHERE user_id = ?)", u.ID)
	if err == nil && owned {
		err = ownedElsewhere(fmt.Sprintf("the account %s", u.Email))
	}
	return err
}
