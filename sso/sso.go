// Package sso lets people in by OpenID Connect and SAML 2.0: it sends them to a
// provider, takes what comes back, and decides what that is good for here. It
// knows protocols and claims; accounts, sessions and pages are others' business.
package sso

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/data/egress"
)

// The protocols.
const (
	OpenID = "oidc"
	SAML   = "saml"
)

// Terms are what an operator says of every provider, whatever it speaks.
type Terms struct {
	Name  string // in addresses
	Label string // on the button
	// Enabled is whether people may come in; root users may try it before.
	Enabled bool
	Rules
}

// Config is what an operator says of a provider of OpenID Connect or SAML.
type Config struct {
	Terms
	Type string // its protocol; empty is OpenID
	// Issuer is the address of an OpenID provider, or the entity ID of a SAML one.
	Issuer string
	// ClientID is what the provider calls us; empty with SAML: the address of
	// our metadata.
	ClientID, ClientSecret string
	Scopes                 []string
	// Metadata of a SAML provider: an address, the path of a file, or the XML.
	Metadata string
	// SigningKey is the key with which we sign requests of SAML, in the form
	// that fresh makes one; nil: they are not signed.
	SigningKey func(ctx context.Context, fresh func() (string, error)) (string, error)
}

// Redirects are the addresses of ours that a provider sends people back to, and
// those at which it finds us.
type Redirects struct{ SignedIn, SignedOut, Metadata, LogOut string }

// Fetcher makes outgoing requests within bounds. *egress.Guard is one.
type Fetcher interface {
	Fetch(ctx context.Context, req *http.Request) (*egress.Response, error)
}

// Provider is one at which people sign in.
type Provider struct {
	Config
	Protocol
}

// Protocol is how people sign in at a provider.
type Protocol interface {
	// Begin is the address of the provider at which somebody signs in; what
	// their browser needs to come back is added to pending.
	Begin(ctx context.Context, pending *Pending, to Redirects) (address string, err error)
	// Finish turns what came back with a browser into an identity. That the
	// state is the one of the browser has been checked, or is checked later.
	Finish(ctx context.Context, pending Pending, answer url.Values, to Redirects) (*Identity, error)
	// SignOut is the address at which somebody signs out of the provider; empty
	// when it has none. Proof is the Identity's.
	SignOut(ctx context.Context, proof string, to Redirects) string
	// LoggedOut reads a message of the provider that somebody has signed out.
	LoggedOut(ctx context.Context, sent Sent, to Redirects) (*Ended, error)
	// Describe is what we say of ourselves to the provider; nil when it asks not.
	Describe(ctx context.Context, to Redirects) ([]byte, error)
	// Known is what the provider last said of itself.
	Known(ctx context.Context) Known
}

// Known is what is known of a provider.
type Known struct {
	Issuer       string
	Read         time.Time // when it was read
	Certificates []Certificate
	Err          error // why it could not be read, or not anew
}

// Certificate is one that a provider signs with.
type Certificate struct {
	Name, Fingerprint string
	Until             time.Time
}

// How often a provider is asked because strangers make us: what they send leads
// to requests, so these have a pace.
const (
	requestPace  = 20 // a second
	requestBurst = 60
	askAgain     = 5 * time.Second // after it did not answer
	skew         = time.Minute     // by which clocks may differ
	mostAnswer   = 1 << 20
	mostHint     = 4 << 10 // of an ID token in an address; without it the provider asks
)

// New makes a provider.
func New(c Config, fetch Fetcher, clock func() time.Time) *Provider {
	client := &http.Client{Transport: guarded{fetch}}
	if c.Type == SAML {
		return &Provider{c, newSAML(c, client, clock)}
	}
	return &Provider{c, newOpenID(c, client, clock)}
}

// PostsBack tells whether browsers come back with a form, which is sent from the
// provider's page and therefore without cookies.
func (p *Provider) PostsBack() bool { return p.Type == SAML }

// guarded sends requests by the guard, which reads answers whole.
type guarded struct{ fetch Fetcher }

func (g guarded) RoundTrip(req *http.Request) (*http.Response, error) {
	answer, err := g.fetch.Fetch(req.Context(), req)
	if err != nil {
		return nil, err
	}
	if len(answer.Body) > mostAnswer {
		return nil, fmt.Errorf("the answer of %s is larger than %d bytes", req.URL.Hostname(), mostAnswer)
	}
	return &http.Response{
		StatusCode: answer.Status, Status: http.StatusText(answer.Status), Header: answer.Header, Request: req,
		Body: io.NopCloser(strings.NewReader(string(answer.Body))), ContentLength: int64(len(answer.Body)),
	}, nil
}

// CheckAddress accepts what passwords and keys may travel to.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname()):
		return nil
	}
	return fmt.Errorf("%q is not accepted; accepted: https://…, and http://… on this machine only", address)
}

// Pending is a sign-in that was begun: what its browser keeps, sealed, until it
// comes back.
type Pending struct {
	Provider string    `json:"provider"`
	State    string    `json:"state"`
	Nonce    string    `json:"nonce,omitempty"`
	Verifier string    `json:"verifier,omitempty"`
	Request  string    `json:"request,omitempty"` // ID of a request of SAML
	Next     string    `json:"next"`
	Try      bool      `json:"try"` // a root user looks what would follow
	Expires  time.Time `json:"expires"`
}

// Identity is who a provider says somebody is.
type Identity struct {
	Issuer, Subject string
	Email, Name     string
	EmailVerified   bool // the provider says so
	EmailDisowned   bool // the provider says that it is not
	Groups          []string
	Session         string // the provider's own, for signing out
	Proof           string // shown to the provider when signing out
	Claims          map[string]any
	// Once names what may be used once only until Fresh; may be empty.
	Once  string
	Fresh time.Time
	// Until is when the provider wants a session to end at the latest; zero: it
	// does not say.
	Until time.Time
}

// Sent is a message that came as a form or in an address.
type Sent struct {
	Values url.Values
	Query  string // of the address, as it came; empty with a form
}

// Ended are the sessions that a provider says have ended: one of its own, or
// all of a subject.
type Ended struct {
	Issuer, Subject, Session string
	ID                       string    // of the message
	Until                    time.Time // for how long the message could come again
	Back                     string    // where the browser goes on with our answer; may be empty
}
