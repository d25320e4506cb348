package sso

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-ldap/ldap/v3"
	"golang.org/x/time/rate"
)

// DirectoryConfig is what an operator says of an LDAP directory.
type DirectoryConfig struct {
	Terms
	// Servers are asked in turn, the first that answers is the one: ldaps://…, or
	// ldap://…, which StartTLS protects.
	Servers  []string
	StartTLS bool
	CA       *x509.CertPool // of their certificates; nil: what the system trusts
	// The account that looks people up; empty: nobody, where the directory lets it.
	BindDN, BindPassword string

	UserBase, UserFilter string // people are below, and fit; {name} is what they enter
	// Attributes of a person. The key is for ever theirs; the login is the name
	// that groups may know them by.
	KeyAttribute, LoginAttribute, NameAttribute, EmailAttribute string

	GroupBase, GroupFilter string // groups are below, and fit; {dn} is the person, {name} their login
	GroupAttribute         string // that names a group
	MemberOf               string // attribute of a person that lists groups, instead of looking for them
	Nested                 bool   // groups in groups count, too, where a preset knows how

	// What a stranger can make of an account there: so many guesses within a time.
	MostGuesses int
	GuessWindow time.Duration
	// People are looked up anew that often; 0: not. When more of them than a share
	// in percent would lose something at once, nothing is changed.
	SyncEvery time.Duration
	MostLost  int
}

// Dialer connects within bounds. *egress.Guard is one.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Directory is an LDAP directory whose passwords people enter here.
type Directory struct {
	DirectoryConfig
	dialer   Dialer
	clock    func() time.Time
	requests *rate.Limiter

	mu     sync.Mutex
	failed map[string]time.Time // servers that did not answer, and when
	barred time.Time            // when our own account was refused
}

// NewDirectory makes a directory.
func NewDirectory(c DirectoryConfig, dialer Dialer, clock func() time.Time) *Directory {
	c.FoldGroups = true // as directories compare names
	return &Directory{DirectoryConfig: c, dialer: dialer, clock: clock, requests: rate.NewLimiter(requestPace, requestBurst), failed: map[string]time.Time{}}
}

// DirectoryIssuer is what names a directory in identities; no provider of
// another kind has such an issuer.
func DirectoryIssuer(name string) string { return "ldap:" + name }

// Issuer names the directory in identities.
func (d *Directory) Issuer() string { return DirectoryIssuer(d.Name) }

// longestName and longestPassword bound what is sent on.
const (
	longestName     = 254
	longestPassword = 1000
)

// SignIn takes the name and password that a person enters. Before the password
// goes to the directory, may tells whether another guess at that person is
// allowed; the text names them for ever. The identity is also there with an
// error, when it is known who it would have been.
func (d *Directory) SignIn(ctx context.Context, name, password string, may func(ctx context.Context, person string) error) (*Identity, error) {
	if !isUserName(name) || password == "" || len(password) > longestPassword || strings.ContainsRune(password, 0) {
		return nil, refuse(WrongPassword, "")
	}
	if !d.requests.AllowN(d.clock(), 1) {
		return nil, refuse(Busy, "")
	}
	c, err := d.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer c.close()
	entry, err := c.person(name)
	if err != nil {
		return nil, err
	}
	if entry == nil {
		// As much work as for a person, so that nobody learns who there is.
		if err := may(ctx, "name:"+strings.ToLower(strings.TrimSpace(name))); err != nil {
			return nil, err
		}
		_, _ = c.SimpleBind(ldap.NewSimpleBindRequest("cn=nobody,"+d.UserBase, password, nil))
		return nil, refuse(WrongPassword, "")
	}
	subject, keyErr := d.subject(entry)
	person := subject
	if keyErr != nil {
		person = "dn:" + strings.ToLower(entry.DN)
	}
	who := &Identity{Issuer: d.Issuer(), Subject: subject, Email: short(valueOf(entry, d.EmailAttribute))}
	if err := may(ctx, person); err != nil {
		return who, err
	}
	if err := c.passwordOf(entry.DN, password); err != nil {
		return who, err
	}
	if keyErr != nil {
		return who, &Refusal{Why: BadEntry, Err: keyErr}
	}
	if err := c.bind(); err != nil { // as the account that may read groups
		return who, err
	}
	id, err := c.identity(entry)
	if err != nil {
		return who, err
	}
	if why := d.disabled(entry); why != "" {
		return id, refuse(Disabled, why)
	}
	return id, nil
}

// Find looks a person up by what they would enter, without a password.
func (d *Directory) Find(ctx context.Context, name string) (*Identity, error) {
	if !isUserName(name) {
		return nil, refuse(NoPerson, "")
	}
	c, err := d.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer c.close()
	entry, err := c.person(name)
	if err == nil && entry == nil {
		err = refuse(NoPerson, short(name))
	}
	if err != nil {
		return nil, err
	}
	id, err := c.identity(entry)
	if err != nil {
		return nil, err
	}
	if why := d.disabled(entry); why != "" {
		return id, refuse(Disabled, why)
	}
	return id, nil
}

// isUserName tells whether a text may be a name at all.
func isUserName(name string) bool {
	return name != "" && len(name) <= longestName && utf8.ValidString(name) && strings.IndexFunc(name, unicode.IsControl) < 0
}

// Found is a person of a directory as of now.
type Found struct {
	*Identity
	Disabled string // why; empty: is not
}

// atOnce is how many people are looked up with one question.
const atOnce = 40

// Look looks people up by their subjects. Those who are not among the answers
// are not in the directory any more. With an error nothing is known of anybody.
func (d *Directory) Look(ctx context.Context, subjects []string) (map[string]*Found, error) {
	found := map[string]*Found{}
	for len(subjects) > 0 {
		n := min(atOnce, len(subjects))
		if err := d.lookSome(ctx, subjects[:n], found); err != nil {
			return nil, err
		}
		subjects = subjects[n:]
	}
	return found, nil
}

func (d *Directory) lookSome(ctx context.Context, subjects []string, found map[string]*Found) error {
	c, err := d.connect(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	entries, err := c.people(subjects)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		id, err := c.identity(entry)
		if err != nil {
			return err
		}
		if found[id.Subject] != nil {
			return &Refusal{Why: BadEntry, Err: fmt.Errorf("%q and another have the same %s", entry.DN, d.KeyAttribute)}
		}
		found[id.Subject] = &Found{id, d.disabled(entry)}
	}
	return nil
}

// unreachable words a fault of the way to a directory.
func unreachable(err error) *Refusal {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	return &Refusal{Why: Unreachable, Err: err}
}
