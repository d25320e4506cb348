package sso

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/crewjam/saml"
	xrv "github.com/mattermost/xml-roundtrip-validator"
)

// How long metadata of a provider are good. Those that do not hold the key of a
// message are read again, at the pace of strangers.
const (
	metadataAge   = 24 * time.Hour
	metadataPace  = 5 * time.Minute
	mostEntities  = 100
	mostFile      = mostAnswer
	mostSigningBy = 10 // certificates of a provider
)

// metadata is what a provider says of itself, kept for a day.
type metadata struct {
	from, issuer string
	client       *http.Client
	clock        func() time.Time

	mu    sync.Mutex
	known *identityProvider
	tried time.Time // when reading was last tried
	err   error     // why that failed
}

// identityProvider is what is used of the metadata.
type identityProvider struct {
	issuer        string
	signIn        string
	signOut       string // asked to sign out; may be empty
	signOutAnswer string // answered when it asked
	certificates  []*x509.Certificate
	read, until   time.Time
}

// read gives the metadata; those of before do when new ones cannot be had.
func (m *metadata) read(ctx context.Context) (*identityProvider, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.clock()
	if m.known != nil && now.Sub(m.known.read) < metadataAge && now.Before(m.known.until) {
		return m.known, nil
	}
	wait := metadataPace
	if m.known == nil {
		wait = askAgain
	}
	if m.err == nil || now.Sub(m.tried) >= wait {
		m.again(ctx)
	}
	if m.known != nil && now.Before(m.known.until) {
		return m.known, nil
	}
	if m.err == nil {
		m.err = errors.New("the metadata have expired")
	}
	return nil, &Refusal{Why: Unreachable, Err: m.err}
}

// newer reads the metadata once more when that was not just done; nil when they
// are the same.
func (m *metadata) newer(ctx context.Context, than *identityProvider) *identityProvider {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == than && m.clock().Sub(m.tried) >= metadataPace {
		m.again(ctx)
	}
	if m.known == than {
		return nil
	}
	return m.known
}

// failed is why the metadata could not be read anew.
func (m *metadata) failed() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// again reads the metadata; the lock is held.
func (m *metadata) again(ctx context.Context) {
	m.tried = m.clock()
	text, err := m.load(context.WithoutCancel(ctx))
	var known *identityProvider
	if err == nil {
		known, err = readMetadata(text, m.issuer)
	}
	if m.err = err; err == nil {
		known.read, m.known = m.tried, known
	}
}

// load fetches the text from where it is.
func (m *metadata) load(ctx context.Context) ([]byte, error) {
	if IsMetadata(m.from) {
		return []byte(m.from), nil
	}
	if !strings.Contains(m.from, "://") {
		file, err := os.Open(m.from)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(io.LimitReader(file, mostFile))
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m.from, nil)
	if err != nil {
		return nil, err
	}
	resp, err := m.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %d to the question for its metadata", request.URL.Hostname(), resp.StatusCode)
	}
	return io.ReadAll(resp.Body)
}

// IsMetadata tells whether a text is metadata rather than where they are.
func IsMetadata(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "<") }

// CheckMetadata reads metadata for a provider, to see that they can be used.
func CheckMetadata(text []byte, issuer string) error {
	_, err := readMetadata(text, issuer)
	return err
}

// readMetadata finds a provider by its entity ID.
func readMetadata(text []byte, issuer string) (*identityProvider, error) {
	if err := xrv.Validate(strings.NewReader(string(text))); err != nil {
		return nil, fmt.Errorf("the metadata are no proper XML: %w", err)
	}
	entities, err := entitiesOf(text)
	if err != nil {
		return nil, fmt.Errorf("the metadata cannot be read: %w", err)
	}
	var others []string
	for i := range entities {
		e := &entities[i]
		switch {
		case len(e.IDPSSODescriptors) == 0:
		case e.EntityID == issuer:
			return usable(e)
		default:
			others = append(others, short(e.EntityID))
		}
	}
	if len(others) == 0 {
		return nil, errors.New("the metadata are not those of an identity provider")
	}
	return nil, fmt.Errorf("the metadata are of %s, not of %s; the setting Issuer names the provider", strings.Join(others[:min(len(others), 3)], ", "), issuer)
}

// entitiesOf lists the entities of metadata, which hold one or several.
func entitiesOf(text []byte) ([]saml.EntityDescriptor, error) {
	var one saml.EntityDescriptor
	if err := xml.Unmarshal(text, &one); err == nil {
		return []saml.EntityDescriptor{one}, nil
	}
	var several saml.EntitiesDescriptor
	err := xml.Unmarshal(text, &several)
	if len(several.EntityDescriptors) > mostEntities {
		return nil, fmt.Errorf("they hold %d entities; accepted: up to %d", len(several.EntityDescriptors), mostEntities)
	}
	return several.EntityDescriptors, err
}

// usable takes from an entity what we need.
func usable(e *saml.EntityDescriptor) (*identityProvider, error) {
	idp := &identityProvider{issuer: e.EntityID, until: e.ValidUntil}
	if idp.until.IsZero() {
		idp.until = time.Unix(1<<40, 0)
	}
	for i := range e.IDPSSODescriptors {
		d := &e.IDPSSODescriptors[i]
		for _, s := range d.SingleSignOnServices {
			if s.Binding == saml.HTTPRedirectBinding && idp.signIn == "" {
				idp.signIn = s.Location
			}
		}
		for _, s := range d.SingleLogoutServices {
			if s.Binding == saml.HTTPRedirectBinding && idp.signOut == "" {
				idp.signOut, idp.signOutAnswer = s.Location, s.Location
				if s.ResponseLocation != "" {
					idp.signOutAnswer = s.ResponseLocation
				}
			}
		}
		for _, k := range d.KeyDescriptors {
			if k.Use != "" && k.Use != "signing" {
				continue
			}
			for _, c := range k.KeyInfo.X509Data.X509Certificates {
				parsed, err := certificateOf(c.Data)
				if err != nil {
					return nil, fmt.Errorf("a certificate of the metadata cannot be read: %w", err)
				}
				idp.certificates = append(idp.certificates, parsed)
			}
		}
	}
	switch {
	case idp.signIn == "":
		return nil, errors.New("the metadata name no address to sign in at with the HTTP-Redirect binding")
	case len(idp.certificates) == 0:
		return nil, errors.New("the metadata hold no certificate for signatures")
	case len(idp.certificates) > mostSigningBy:
		return nil, fmt.Errorf("the metadata hold %d certificates for signatures; accepted: up to %d", len(idp.certificates), mostSigningBy)
	}
	for _, address := range []string{idp.signIn, idp.signOut, idp.signOutAnswer} {
		if address != "" {
			if err := CheckAddress(address); err != nil {
				return nil, fmt.Errorf("the metadata name an address that is not used: %w", err)
			}
		}
	}
	return idp, nil
}

func certificateOf(text string) (*x509.Certificate, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(raw)
}
