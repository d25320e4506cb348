package sso

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"encoding/xml"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/beevik/etree"
	"github.com/crewjam/saml"
	dsig "github.com/russellhaering/goxmldsig"
	"golang.org/x/time/rate"
)

// Names of SAML 2.0.
const (
	nsProtocol  = "urn:oasis:names:tc:SAML:2.0:protocol"
	nsAssertion = "urn:oasis:names:tc:SAML:2.0:assertion"
	nsSignature = "http://www.w3.org/2000/09/xmldsig#"
	bearer      = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
)

// samlProvider is a provider that speaks SAML 2.0. Its metadata are read when
// they are first needed, so that the service starts without it.
type samlProvider struct {
	Config
	metadata metadata
	clock    func() time.Time
	begins   *rate.Limiter
	answers  *rate.Limiter
}

// What is begun leaves a row behind for ten minutes, so that has a pace, too.
const (
	beginPace  = 200 // a second
	beginBurst = 1000
)

func newSAML(c Config, client *http.Client, clock func() time.Time) *samlProvider {
	return &samlProvider{
		Config: c, clock: clock, metadata: metadata{from: c.Metadata, issuer: c.Issuer, client: client, clock: clock},
		begins: rate.NewLimiter(beginPace, beginBurst), answers: rate.NewLimiter(requestPace, requestBurst),
	}
}

// us is our entity ID.
func (p *samlProvider) us(to Redirects) string { return cmp.Or(p.ClientID, to.Metadata) }

// messageID names a message of ours; it must not begin with a digit.
func messageID() string { return "_" + rand.Text() }

// Begin asks for a name of the person that stays the same.
func (p *samlProvider) Begin(ctx context.Context, pending *Pending, to Redirects) (string, error) {
	idp, err := p.metadata.read(ctx)
	if err != nil {
		return "", err
	}
	if !p.begins.AllowN(p.clock(), 1) {
		return "", refuse(Busy, "")
	}
	pending.Request = messageID()
	format, create := string(saml.PersistentNameIDFormat), true
	request := saml.AuthnRequest{
		ID: pending.Request, Version: "2.0", IssueInstant: p.clock().UTC(), Destination: idp.signIn, Issuer: &saml.Issuer{Value: p.us(to)},
		AssertionConsumerServiceURL: to.SignedIn, ProtocolBinding: saml.HTTPPostBinding,
		NameIDPolicy: &saml.NameIDPolicy{Format: &format, AllowCreate: &create},
	}
	return p.redirect(ctx, idp.signIn, "SAMLRequest", request.Element(), pending.State)
}

// redirect is an address that carries a message, signed as the redirect binding
// has it: what is signed is the text of the query.
func (p *samlProvider) redirect(ctx context.Context, address, name string, message *etree.Element, state string) (string, error) {
	doc := etree.NewDocument()
	doc.SetRoot(message)
	text, err := doc.WriteToBytes()
	if err != nil {
		return "", err
	}
	var deflated bytes.Buffer
	w, _ := flate.NewWriter(&deflated, flate.BestCompression) // the level is one
	if _, err := w.Write(text); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	query := name + "=" + url.QueryEscape(base64.StdEncoding.EncodeToString(deflated.Bytes()))
	if state != "" {
		query += "&RelayState=" + url.QueryEscape(state)
	}
	key, _, err := p.signingKey(ctx)
	if err != nil {
		return "", err
	}
	if key != nil {
		query += "&SigAlg=" + url.QueryEscape(dsig.RSASHA256SignatureMethod)
		sum := sha256.Sum256([]byte(query))
		signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
		if err != nil {
			return "", err
		}
		query += "&Signature=" + url.QueryEscape(base64.StdEncoding.EncodeToString(signature))
	}
	to, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	if to.RawQuery != "" {
		query = to.RawQuery + "&" + query
	}
	to.RawQuery = query
	return to.String(), nil
}

// signingKey is what we sign with, and its certificate; nil when we do not.
func (p *samlProvider) signingKey(ctx context.Context) (*rsa.PrivateKey, *x509.Certificate, error) {
	if p.SigningKey == nil {
		return nil, nil, nil
	}
	text, err := p.SigningKey(ctx, freshKey)
	if err != nil {
		return nil, nil, err
	}
	var key *rsa.PrivateKey
	var certificate *x509.Certificate
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "PRIVATE KEY":
			parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
			if err != nil {
				return nil, nil, err
			}
			key, _ = parsed.(*rsa.PrivateKey)
		case "CERTIFICATE":
			if certificate, err = x509.ParseCertificate(block.Bytes); err != nil {
				return nil, nil, err
			}
		}
	}
	if key == nil || certificate == nil {
		return nil, nil, errors.New("the key that signs requests of SAML is none")
	}
	return key, certificate, nil
}

// freshKey makes a key and its certificate, which providers compare and whose
// dates most of them leave alone.
func freshKey() (string, error) {
	key, err := rsa.GenerateKey(rand.Reader, 3072)
	if err != nil {
		return "", err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return "", err
	}
	now := time.Now()
	certificate, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Quire"}, NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(20, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature,
	}, &x509.Certificate{Subject: pkix.Name{CommonName: "Quire"}}, key.Public(), key)
	if err != nil {
		return "", err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return "", err
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})) + string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})), nil
}

// Describe is our metadata.
func (p *samlProvider) Describe(ctx context.Context, to Redirects) ([]byte, error) {
	_, certificate, err := p.signingKey(ctx)
	if err != nil {
		return nil, err
	}
	signs, wants := certificate != nil, true
	until := p.clock().AddDate(1, 0, 0).UTC().Truncate(time.Hour)
	about := saml.SPSSODescriptor{
		SSODescriptor: saml.SSODescriptor{
			RoleDescriptor: saml.RoleDescriptor{ProtocolSupportEnumeration: nsProtocol, ValidUntil: &until},
			SingleLogoutServices: []saml.Endpoint{
				{Binding: saml.HTTPPostBinding, Location: to.LogOut}, {Binding: saml.HTTPRedirectBinding, Location: to.LogOut},
			},
			NameIDFormats: []saml.NameIDFormat{saml.PersistentNameIDFormat},
		},
		AuthnRequestsSigned: &signs, WantAssertionsSigned: &wants,
		AssertionConsumerServices: []saml.IndexedEndpoint{{Binding: saml.HTTPPostBinding, Location: to.SignedIn, Index: 1}},
	}
	if signs {
		about.KeyDescriptors = []saml.KeyDescriptor{{Use: "signing", KeyInfo: saml.KeyInfo{X509Data: saml.X509Data{
			X509Certificates: []saml.X509Certificate{{Data: base64.StdEncoding.EncodeToString(certificate.Raw)}},
		}}}}
	}
	text, err := xml.MarshalIndent(saml.EntityDescriptor{EntityID: p.us(to), ValidUntil: until, SPSSODescriptors: []saml.SPSSODescriptor{about}}, "", "  ")
	return append([]byte(xml.Header), text...), err
}

// Known is what the metadata say.
func (p *samlProvider) Known(ctx context.Context) Known {
	idp, err := p.metadata.read(ctx)
	if err != nil {
		return Known{Issuer: p.Issuer, Err: err}
	}
	known := Known{Issuer: idp.issuer, Read: idp.read, Err: p.metadata.failed()}
	for _, c := range idp.certificates {
		sum := sha256.Sum256(c.Raw)
		known.Certificates = append(known.Certificates, Certificate{Name: c.Subject.CommonName, Fingerprint: fmt.Sprintf("%X", sum[:8]), Until: c.NotAfter})
	}
	return known
}

// proof is what a provider needs to know whose session to end.
type proof struct {
	Value           string `json:"value"`
	NameQualifier   string `json:"nameQualifier,omitempty"`
	SPNameQualifier string `json:"spNameQualifier,omitempty"`
	Session         string `json:"session,omitempty"`
}

// SignOut asks the provider to end the session that a proof names.
func (p *samlProvider) SignOut(ctx context.Context, text string, to Redirects) string {
	var of proof
	idp, err := p.metadata.read(ctx)
	if err != nil || idp.signOut == "" || json.Unmarshal([]byte(text), &of) != nil {
		return ""
	}
	request := saml.LogoutRequest{
		ID: messageID(), Version: "2.0", IssueInstant: p.clock().UTC(), Destination: idp.signOut, Issuer: &saml.Issuer{Value: p.us(to)},
		NameID: &saml.NameID{Format: string(saml.PersistentNameIDFormat), Value: of.Value, NameQualifier: of.NameQualifier, SPNameQualifier: of.SPNameQualifier},
	}
	if of.Session != "" {
		request.SessionIndex = &saml.SessionIndex{Value: of.Session}
	}
	address, err := p.redirect(ctx, idp.signOut, "SAMLRequest", request.Element(), "")
	if err != nil {
		return ""
	}
	return address
}

// samlTime is a time of SAML: xs:dateTime in UTC.
func samlTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(text))
	if err != nil {
		return time.Parse("2006-01-02T15:04:05", strings.TrimSpace(text))
	}
	return t, nil
}
