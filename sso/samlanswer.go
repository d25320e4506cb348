package sso

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/beevik/etree"
	"github.com/crewjam/saml"
)

// assertion is what is read of one.
type assertion struct {
	XMLName xml.Name `xml:"urn:oasis:names:tc:SAML:2.0:assertion Assertion"`
	ID      string   `xml:"ID,attr"`
	Issued  string   `xml:"IssueInstant,attr"`
	Issuer  string   `xml:"urn:oasis:names:tc:SAML:2.0:assertion Issuer"`
	Subject struct {
		NameID        nameID `xml:"urn:oasis:names:tc:SAML:2.0:assertion NameID"`
		Confirmations []struct {
			Method string `xml:"Method,attr"`
			Data   struct {
				window
				Recipient    string `xml:"Recipient,attr"`
				InResponseTo string `xml:"InResponseTo,attr"`
			} `xml:"urn:oasis:names:tc:SAML:2.0:assertion SubjectConfirmationData"`
		} `xml:"urn:oasis:names:tc:SAML:2.0:assertion SubjectConfirmation"`
	} `xml:"urn:oasis:names:tc:SAML:2.0:assertion Subject"`
	Conditions []struct {
		window
		Restrictions []struct {
			Audiences []string `xml:"urn:oasis:names:tc:SAML:2.0:assertion Audience"`
		} `xml:"urn:oasis:names:tc:SAML:2.0:assertion AudienceRestriction"`
	} `xml:"urn:oasis:names:tc:SAML:2.0:assertion Conditions"`
	Authentications []struct {
		Session string `xml:"SessionIndex,attr"`
		Until   string `xml:"SessionNotOnOrAfter,attr"`
	} `xml:"urn:oasis:names:tc:SAML:2.0:assertion AuthnStatement"`
	Attributes []struct {
		Name         string   `xml:"Name,attr"`
		FriendlyName string   `xml:"FriendlyName,attr"`
		Values       []string `xml:"urn:oasis:names:tc:SAML:2.0:assertion AttributeValue"`
	} `xml:"urn:oasis:names:tc:SAML:2.0:assertion AttributeStatement>Attribute"`
}

type nameID struct {
	Format          string `xml:"Format,attr"`
	NameQualifier   string `xml:"NameQualifier,attr"`
	SPNameQualifier string `xml:"SPNameQualifier,attr"`
	Value           string `xml:",chardata"`
}

// window is a time in which something counts.
type window struct {
	From string `xml:"NotBefore,attr"`
	To   string `xml:"NotOnOrAfter,attr"`
}

// check tells whether it is now, by clocks that may differ, and until when.
func (w window) check(now time.Time) (until time.Time, err error) {
	if w.From != "" {
		from, err := samlTime(w.From)
		if err != nil || now.Add(skew).Before(from) {
			return until, fmt.Errorf("counts from %s, and it is %s", short(w.From), now.UTC().Format(time.RFC3339))
		}
	}
	if w.To == "" {
		return until, nil
	}
	if until, err = samlTime(w.To); err != nil || !now.Before(until.Add(skew)) {
		return until, fmt.Errorf("counts until %s, and it is %s", short(w.To), now.UTC().Format(time.RFC3339))
	}
	return until, nil
}

// mostAge is how old an assertion may be that says no more.
const mostAge = 10 * time.Minute

func badMessage(err error) error { return &Refusal{Why: BadToken, Value: short(err.Error()), Err: err} }

// Finish reads the form with which a browser comes back.
func (p *samlProvider) Finish(ctx context.Context, pending Pending, answer url.Values, to Redirects) (*Identity, error) {
	idp, err := p.metadata.read(ctx)
	if err != nil {
		return nil, err
	}
	if !p.answers.AllowN(p.clock(), 1) {
		return nil, refuse(Busy, "")
	}
	text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(answer.Get("SAMLResponse")), ""))
	if err != nil {
		return nil, badMessage(errors.New("the answer is not encoded as it should be"))
	}
	root, err := readMessage(text, "Response")
	if err != nil {
		return nil, badMessage(err)
	}
	found, err := p.assertionOf(idp, root, pending.Request, to)
	if errors.Is(err, errSignature) {
		if newer := p.metadata.newer(ctx, idp); newer != nil { // its keys may have changed
			idp = newer
			found, err = p.assertionOf(idp, root, pending.Request, to)
		}
	}
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, refusal
	case err != nil:
		return nil, badMessage(err)
	}
	return p.identityOf(idp, found, pending.Request, to)
}

// assertionOf checks an answer as a whole and gives its assertion as it was
// signed. There is one assertion, where it belongs, and it is signed itself:
// that the answer around it is signed, too, is good but not enough.
func (p *samlProvider) assertionOf(idp *identityProvider, root *etree.Element, request string, to Redirects) (*assertion, error) {
	if destination := root.SelectAttrValue("Destination", ""); destination != "" && destination != to.SignedIn {
		return nil, fmt.Errorf("the answer is for %s, not for %s", short(destination), to.SignedIn)
	}
	if request == "" || root.SelectAttrValue("InResponseTo", "") != request {
		return nil, errors.New("the answer is not to the request of this browser")
	}
	if issuers := children(root, nsAssertion, "Issuer"); len(issuers) > 1 || len(issuers) == 1 && strings.TrimSpace(issuers[0].Text()) != idp.issuer {
		return nil, &Refusal{Why: OtherIssuer, Value: short(issuers[0].Text())}
	}
	if err := declined(root); err != nil {
		return nil, err
	}
	if len(inside(root, nsAssertion, "EncryptedAssertion")) > 0 {
		return nil, errors.New("the assertion is encrypted; turn that off at the provider, HTTPS protects it")
	}
	if len(inside(root, nsAssertion, "Assertion")) != 1 {
		return nil, errors.New("the answer does not hold one assertion")
	}
	within := only(root, nsAssertion, "Assertion")
	if within == nil {
		return nil, errors.New("the assertion is not where it belongs")
	}
	signatures := len(children(root, nsSignature, "Signature")) + len(children(within, nsSignature, "Signature"))
	if len(inside(root, nsSignature, "Signature")) != signatures {
		return nil, errors.New("a signature is not where it belongs")
	}
	if _, err := signed(root, idp.certificates, p.clock()); err != nil && !errors.Is(err, errUnsigned) {
		return nil, err
	}
	as, err := signed(within, idp.certificates, p.clock())
	if errors.Is(err, errUnsigned) {
		return nil, errors.New("the assertion is not signed; have the provider sign it")
	}
	if err != nil {
		return nil, err
	}
	doc := etree.NewDocument()
	doc.SetRoot(as)
	text, err := doc.WriteToBytes()
	if err != nil {
		return nil, err
	}
	var found assertion
	return &found, xml.Unmarshal(text, &found)
}

// declined tells that the provider did not let somebody in.
func declined(root *etree.Element) error {
	status := only(root, nsProtocol, "Status")
	if status == nil {
		return errors.New("the answer has no status")
	}
	code := only(status, nsProtocol, "StatusCode")
	if code == nil {
		return errors.New("the answer has no status")
	}
	if code.SelectAttrValue("Value", "") == saml.StatusSuccess {
		return nil
	}
	said := []string{code.SelectAttrValue("Value", "")}
	if more := only(code, nsProtocol, "StatusCode"); more != nil {
		said = append(said, more.SelectAttrValue("Value", ""))
	}
	for i, s := range said {
		said[i] = s[strings.LastIndex(s, ":")+1:]
	}
	if message := only(status, nsProtocol, "StatusMessage"); message != nil {
		said = append(said, message.Text())
	}
	return refuse(Declined, short(strings.Join(said, " ")))
}

// identityOf checks what an assertion says, and reads whom it is of.
func (p *samlProvider) identityOf(idp *identityProvider, a *assertion, request string, to Redirects) (*Identity, error) {
	until, err := p.check(idp, a, request, to)
	if err != nil {
		return nil, err
	}
	of := proof{Value: a.Subject.NameID.Value, NameQualifier: a.Subject.NameID.NameQualifier, SPNameQualifier: a.Subject.NameID.SPNameQualifier}
	var ends time.Time
	for _, s := range a.Authentications {
		of.Session = s.Session
		if s.Until == "" {
			continue
		}
		if ends, err = samlTime(s.Until); err != nil || !p.clock().Before(ends.Add(skew)) {
			return nil, refuse(BadToken, "the session at the provider has ended on "+short(s.Until))
		}
	}
	text, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	id, err := p.Rules.identity(idp.issuer, a.Subject.NameID.Value, string(text), p.claimsOf(a))
	if err != nil {
		return nil, err
	}
	id.Session, id.Until = of.Session, ends
	id.Once, id.Fresh = "assertion/"+idp.issuer+"/"+a.ID, until.Add(skew)
	return id, nil
}

// check tells whether an assertion is for us, of now and the answer to a
// request; and until when it could come again.
func (p *samlProvider) check(idp *identityProvider, a *assertion, request string, to Redirects) (until time.Time, err error) {
	now := p.clock()
	issued, err := samlTime(a.Issued)
	switch name := a.Subject.NameID; {
	case strings.TrimSpace(a.Issuer) != idp.issuer:
		return until, refuse(OtherIssuer, short(a.Issuer))
	case a.ID == "":
		return until, refuse(BadToken, "the assertion has no ID")
	case err != nil || now.Add(skew).Before(issued) || now.Sub(issued) > mostAge+skew:
		return until, refuse(BadToken, fmt.Sprintf("the assertion was made at %s, and it is %s", short(a.Issued), now.UTC().Format(time.RFC3339)))
	case name.Format != string(saml.PersistentNameIDFormat):
		return until, refuse(BadToken, "the name of the person is not persistent: its format is "+short(name.Format))
	case name.Value == "" || len(name.Value) > 255 || name.Value != strings.TrimSpace(short(name.Value)):
		return until, refuse(BadToken, "the name of the person is none")
	case len(a.Conditions) != 1 || len(a.Authentications) == 0:
		return until, refuse(BadToken, "the assertion lacks conditions, or how the person signed in")
	}
	if until, err = a.Conditions[0].check(now); err != nil {
		return until, refuse(BadToken, "the assertion "+err.Error())
	}
	if len(a.Conditions[0].Restrictions) == 0 {
		return until, refuse(BadToken, "the assertion names no audience")
	}
	for _, r := range a.Conditions[0].Restrictions {
		if !slices.ContainsFunc(r.Audiences, func(name string) bool { return strings.TrimSpace(name) == p.us(to) }) {
			return until, refuse(BadToken, "the assertion is for "+short(strings.Join(r.Audiences, ", "))+", not for "+p.us(to))
		}
	}
	confirmed, err := a.confirmed(now, request, to)
	if err != nil {
		return until, refuse(BadToken, err.Error())
	}
	return latest(until, confirmed), nil
}

// confirmed finds the statement that whoever brings an assertion is its subject.
func (a *assertion) confirmed(now time.Time, request string, to Redirects) (until time.Time, err error) {
	err = errors.New("the assertion is not for who brings it")
	for _, c := range a.Subject.Confirmations {
		d := c.Data
		switch {
		case c.Method != bearer:
			continue
		case d.Recipient != to.SignedIn:
			err = fmt.Errorf("the recipient of the assertion is %s, not %s", short(d.Recipient), to.SignedIn)
			continue
		case d.InResponseTo != request:
			err = errors.New("the assertion is not the answer to the request of this browser")
			continue
		case d.To == "":
			err = errors.New("the assertion does not say until when it can be brought")
			continue
		}
		if until, err = d.check(now); err == nil {
			return until, nil
		}
		err = fmt.Errorf("the assertion %w", err)
	}
	return until, err
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Names under which providers send what is known by one name here.
func emailNames() []string {
	return []string{
		"email", "mail", "Email", "emailAddress", "user.email", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
		"urn:oid:0.9.2342.19200300.100.1.3", "urn:oid:1.2.840.113549.1.9.1",
	}
}

func displayNames() []string {
	return []string{"name", "displayName", "cn", "http://schemas.microsoft.com/identity/claims/displayname", "urn:oid:2.16.840.1.113730.3.1.241", "urn:oid:2.5.4.3"}
}

func givenNames() []string {
	return []string{"givenName", "firstName", "given_name", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname", "urn:oid:2.5.4.42"}
}

func familyNames() []string {
	return []string{"sn", "surname", "lastName", "family_name", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname", "urn:oid:2.5.4.4"}
}

// Attributes of Entra ID.
const (
	entraName      = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name"
	entraTooMany   = "http://schemas.microsoft.com/claims/groups.link"
	entraGroupsURI = "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups"
)

// claimsOf puts attributes under the names that rules read.
func (p *samlProvider) claimsOf(a *assertion) map[string]any {
	claims := map[string]any{}
	for _, attribute := range a.Attributes {
		for _, name := range []string{attribute.Name, attribute.FriendlyName} {
			if name == "" {
				continue
			}
			before, _ := claims[name].([]any)
			for _, v := range attribute.Values {
				before = append(before, strings.TrimSpace(v))
			}
			claims[name] = before
			if attribute.Name == attribute.FriendlyName {
				break
			}
		}
	}
	first := func(names ...string) string {
		for _, name := range names {
			if values, _ := claims[name].([]any); len(values) > 0 && values[0] != "" {
				return values[0].(string)
			}
		}
		return ""
	}
	email, name, user, verified := first(emailNames()...), first(displayNames()...), first(entraName), first("email_verified", "emailVerified")
	if name == "" {
		name = strings.TrimSpace(first(givenNames()...) + " " + first(familyNames()...))
	}
	for key, value := range map[string]string{"email": email, "name": name, "preferred_username": user, "email_verified": verified} {
		if delete(claims, key); value != "" {
			claims[key] = value
		}
	}
	if claims[entraTooMany] != nil && claims[p.GroupsClaim] == nil {
		claims["_claim_names"] = map[string]any{p.GroupsClaim: entraTooMany}
	}
	claims["NameID"] = a.Subject.NameID.Value
	return claims
}
