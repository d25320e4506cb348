package ssotest

import (
	"bytes"
	"compress/flate"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

// SAML is a provider of SAML 2.0 for tests. It shows its metadata over HTTP;
// what it would send with a browser the test asks for.
type SAML struct {
	URL   string // also its entity ID
	Clock func() time.Time

	mu     sync.Mutex
	keys   []tls.Certificate // the last one signs
	asked  int
	broken bool
}

// NewSAML starts a provider that ends with the test.
func NewSAML(t testing.TB) *SAML {
	s := &SAML{Clock: time.Now}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	s.NewKey()
	return s
}

// NewKey lets the provider sign with another key from now on; the ones of before
// stay in its metadata until DropKeys.
func (s *SAML) NewKey() {
	key := NewKeyPair(s.Clock().Add(-time.Hour), s.Clock().AddDate(1, 0, 0))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = append(s.keys, key)
}

// DropKeys leaves only the newest key in the metadata.
func (s *SAML) DropKeys() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = s.keys[len(s.keys)-1:]
}

// Break lets the provider not answer.
func (s *SAML) Break(broken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = broken
}

// Asked is how often the metadata were read.
func (s *SAML) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// NewKeyPair makes a key with a certificate of its own.
func NewKeyPair(from, until time.Time) tls.Certificate {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "company"}, NotBefore: from, NotAfter: until}
	raw, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}
}

// ServeHTTP shows the metadata.
func (s *SAML) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	s.asked++
	broken := s.broken
	s.mu.Unlock()
	if broken {
		http.Error(w, "it is down", http.StatusServiceUnavailable)
		return
	}
	_, _ = io.WriteString(w, s.Metadata()) // fails only when the client is gone
}

// Metadata are what the provider says of itself.
func (s *SAML) Metadata() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var keys strings.Builder
	for _, k := range s.keys {
		fmt.Fprintf(&keys, `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>%s</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`, base64.StdEncoding.EncodeToString(k.Certificate[0]))
	}
	return fmt.Sprintf(`<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="%[1]s">
<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">%[2]s
<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%[1]s/logout"/>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%[1]s/post"/>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%[1]s/sign-in?from=metadata"/>
</md:IDPSSODescriptor></md:EntityDescriptor>`, s.URL, keys.String())
}

// Answer is what the provider says; a test changes it before it is signed.
type Answer struct {
	Issuer, Status, Destination, InResponseTo string
	ID, NameID, Format                        string
	Recipient, Request, Audience, Method      string
	Issued, From, Until, Ends                 time.Time
	Session                                   string
	Attributes                                map[string][]string
	// Signed are the elements that get a signature: Assertion, Response.
	Signed []string
	// Algorithm is that of signatures.
	Algorithm string
	// Change edits the text before it is signed.
	Change func(text string) string
}

// Answer signs somebody in, who comes with a request of the service.
func (s *SAML) Answer(address string, change ...func(*Answer)) url.Values {
	request := Request(address)
	acs, ours := request.SelectAttrValue("AssertionConsumerServiceURL", ""), request.FindElement("./Issuer").Text()
	id := request.SelectAttrValue("ID", "")
	now := s.Clock()
	a := Answer{
		Issuer: s.URL, Status: "urn:oasis:names:tc:SAML:2.0:status:Success", Destination: acs, InResponseTo: id,
		ID: "_" + rand.Text(), NameID: "G-ana", Format: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
		Recipient: acs, Request: id, Audience: ours, Method: "urn:oasis:names:tc:SAML:2.0:cm:bearer",
		Issued: now, From: now, Until: now.Add(time.Minute), Ends: now.Add(10 * time.Hour), Session: "session-1",
		Attributes: map[string][]string{"email": {"ana@company.example"}, "name": {"Ana Company"}, "groups": {"staff"}},
		Signed:     []string{"Assertion"}, Algorithm: dsig.RSASHA256SignatureMethod,
	}
	for _, f := range change {
		f(&a)
	}
	return Form(s.sign(a), RelayState(address))
}

// Form is what a browser brings.
func Form(text []byte, state string) url.Values {
	return url.Values{"SAMLResponse": {base64.StdEncoding.EncodeToString(text)}, "RelayState": {state}}
}

// RelayState is that of an address.
func RelayState(address string) string { return queryOf(address).Get("RelayState") }

func queryOf(address string) url.Values {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return u.Query()
}

// Request reads the message in an address.
func Request(address string) *etree.Element {
	query := queryOf(address)
	text := query.Get("SAMLRequest")
	if text == "" {
		text = query.Get("SAMLResponse")
	}
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic(err)
	}
	return parse(plain)
}

func parse(text []byte) *etree.Element {
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(text); err != nil {
		panic(err)
	}
	return doc.Root()
}

func written(root *etree.Element) []byte {
	doc := etree.NewDocument()
	doc.SetRoot(root.Copy())
	text, err := doc.WriteToBytes()
	if err != nil {
		panic(err)
	}
	return text
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// sign makes the text of an answer.
func (s *SAML) sign(a Answer) []byte {
	var attributes strings.Builder
	for name, values := range a.Attributes {
		fmt.Fprintf(&attributes, `<saml:Attribute Name="%s">`, html.EscapeString(name))
		for _, v := range values {
			fmt.Fprintf(&attributes, `<saml:AttributeValue>%s</saml:AttributeValue>`, html.EscapeString(v))
		}
		attributes.WriteString(`</saml:Attribute>`)
	}
	text := fmt.Sprintf(`<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_%s" Version="2.0" IssueInstant="%s" Destination="%s" InResponseTo="%s">`+
		`<saml:Issuer>%s</saml:Issuer><samlp:Status><samlp:StatusCode Value="%s"/></samlp:Status>`+
		`<saml:Assertion ID="%s" Version="2.0" IssueInstant="%s"><saml:Issuer>%s</saml:Issuer>`+
		`<saml:Subject><saml:NameID Format="%s">%s</saml:NameID><saml:SubjectConfirmation Method="%s"><saml:SubjectConfirmationData Recipient="%s" InResponseTo="%s" NotOnOrAfter="%s"/></saml:SubjectConfirmation></saml:Subject>`+
		`<saml:Conditions NotBefore="%s" NotOnOrAfter="%s"><saml:AudienceRestriction><saml:Audience>%s</saml:Audience></saml:AudienceRestriction></saml:Conditions>`+
		`<saml:AuthnStatement AuthnInstant="%s" SessionIndex="%s" SessionNotOnOrAfter="%s"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`+
		`<saml:AttributeStatement>%s</saml:AttributeStatement></saml:Assertion></samlp:Response>`,
		rand.Text(), stamp(a.Issued), html.EscapeString(a.Destination), a.InResponseTo, html.EscapeString(a.Issuer), a.Status,
		a.ID, stamp(a.Issued), html.EscapeString(a.Issuer), a.Format, html.EscapeString(a.NameID), a.Method, html.EscapeString(a.Recipient), a.Request, stamp(a.Until),
		stamp(a.From), stamp(a.Until), html.EscapeString(a.Audience), stamp(a.Issued), a.Session, stamp(a.Ends), attributes.String())
	if a.Change != nil {
		text = a.Change(text)
	}
	key := s.key()
	root := parse([]byte(text))
	if slices.Contains(a.Signed, "Assertion") {
		replace(root, root.FindElement("./Assertion"), Sign(root.FindElement("./Assertion"), key, a.Algorithm))
	}
	if slices.Contains(a.Signed, "Response") {
		root = Sign(root, key, a.Algorithm)
	}
	return written(root)
}

func replace(parent, old, with *etree.Element) {
	at := old.Index()
	parent.RemoveChildAt(at)
	parent.InsertChildAt(at, with)
}

// Sign puts a signature into an element, after its issuer as the schema has it.
func Sign(e *etree.Element, key tls.Certificate, algorithm string) *etree.Element {
	context := dsig.NewDefaultSigningContext(dsig.TLSCertKeyStore(key))
	context.Canonicalizer = dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("")
	if err := context.SetSignatureMethod(algorithm); err != nil {
		panic(err)
	}
	e = e.Copy()
	if e.SelectAttr("xmlns:saml") == nil {
		e.CreateAttr("xmlns:saml", "urn:oasis:names:tc:SAML:2.0:assertion")
	}
	signed, err := context.SignEnveloped(e)
	if err != nil {
		panic(err)
	}
	signature := signed.Child[len(signed.Child)-1].(*etree.Element)
	signed.Child = signed.Child[:len(signed.Child)-1] // it stands there without a parent
	signed.InsertChildAt(1, signature)
	return signed
}

// LogoutForm asks to end a session, as a form.
func (s *SAML) LogoutForm(to, nameID, session string, change ...func(*etree.Element)) url.Values {
	root := s.logout(to, nameID, session)
	for _, f := range change {
		f(root)
	}
	return url.Values{"SAMLRequest": {base64.StdEncoding.EncodeToString(written(Sign(root, s.key(), dsig.RSASHA256SignatureMethod)))}, "RelayState": {"back"}}
}

// LogoutAddress asks to end a session, in an address.
func (s *SAML) LogoutAddress(to, nameID, session string) string {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.DefaultCompression) // the level is one
	_, _ = w.Write(written(s.logout(to, nameID, session)))     // into memory
	_ = w.Close()
	query := "SAMLRequest=" + url.QueryEscape(base64.StdEncoding.EncodeToString(packed.Bytes())) + "&RelayState=back&SigAlg=" + url.QueryEscape(dsig.RSASHA256SignatureMethod)
	sum := sha256.Sum256([]byte(query))
	signature, err := rsa.SignPKCS1v15(nil, s.key().PrivateKey.(*rsa.PrivateKey), crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return to + "?" + query + "&Signature=" + url.QueryEscape(base64.StdEncoding.EncodeToString(signature))
}

// CheckSigned tells whether an address is signed by the key of some metadata.
func CheckSigned(address string, metadata []byte) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	raw, err := base64.StdEncoding.DecodeString(parse(metadata).FindElement("//KeyDescriptor[@use='signing']//X509Certificate").Text())
	if err != nil {
		return err
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		return err
	}
	query := u.RawQuery[strings.Index(u.RawQuery, "SAMLRe"):]
	covered, encoded, _ := strings.Cut(query, "&Signature=")
	text, err := url.QueryUnescape(encoded)
	if err != nil {
		return err
	}
	signature, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	return certificate.CheckSignature(x509.SHA256WithRSA, []byte(covered), signature)
}

func (s *SAML) key() tls.Certificate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[len(s.keys)-1]
}

func (s *SAML) logout(to, nameID, session string) *etree.Element {
	now := s.Clock()
	index := ""
	if session != "" {
		index = "<samlp:SessionIndex>" + html.EscapeString(session) + "</samlp:SessionIndex>"
	}
	return parse(fmt.Appendf(nil, `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_%s" Version="2.0" IssueInstant="%s" Destination="%s"><saml:Issuer>%s</saml:Issuer><saml:NameID>%s</saml:NameID>%s</samlp:LogoutRequest>`,
		rand.Text(), stamp(now), html.EscapeString(to), s.URL, html.EscapeString(nameID), index))
}
