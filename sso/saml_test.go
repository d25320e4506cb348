package sso_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/ssotest"
)

var samlRedirects = sso.Redirects{
	SignedIn: "https://reports.example.com/auth/saml/callback", SignedOut: "https://reports.example.com/sign-in",
	Metadata: "https://reports.example.com/auth/saml/metadata", LogOut: "https://reports.example.com/auth/saml/logout",
}

// samlApplication is a provider of SAML that the tests move through time.
type samlApplication struct {
	*sso.Provider
	at  *ssotest.SAML
	now time.Time
}

func samlOf(t testing.TB, change ...func(*sso.Config)) *samlApplication {
	t.Helper()
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	a := &samlApplication{at: ssotest.NewSAML(t), now: time.Now()}
	a.at.Clock = func() time.Time { return a.now }
	c := sso.Config{Type: sso.SAML, Issuer: a.at.URL, Metadata: a.at.URL, Terms: sso.Terms{Name: "saml", Label: "Company", Enabled: true, Rules: sso.Rules{GroupsClaim: "groups"}}}
	for _, f := range change {
		f(&c)
	}
	a.Provider = sso.New(c, guard, func() time.Time { return a.now })
	return a
}

// leave begins a sign-in.
func (a *samlApplication) leave(t testing.TB) (pending sso.Pending, address string) {
	t.Helper()
	pending = sso.Pending{Provider: "saml", State: "a-state"}
	address, err := a.Begin(t.Context(), &pending, samlRedirects)
	if err != nil {
		t.Fatal(err)
	}
	return pending, address
}

func (a *samlApplication) signIn(t *testing.T, change ...func(*ssotest.Answer)) (*sso.Identity, error) {
	t.Helper()
	pending, address := a.leave(t)
	return a.Finish(t.Context(), pending, a.at.Answer(address, change...), samlRedirects)
}

func TestSAMLSignIn(t *testing.T) {
	a := samlOf(t)
	pending, address := a.leave(t)
	request := ssotest.Request(address)
	policy := request.FindElement("./NameIDPolicy").SelectAttrValue("Format", "")
	if !strings.HasPrefix(address, a.at.URL+"/sign-in?from=metadata&SAMLRequest=") || ssotest.RelayState(address) != "a-state" || request.SelectAttrValue("ID", "") != pending.Request ||
		request.SelectAttrValue("AssertionConsumerServiceURL", "") != samlRedirects.SignedIn || !strings.HasSuffix(policy, ":persistent") || request.FindElement("./Issuer").Text() != samlRedirects.Metadata {
		t.Errorf("the request is %s", address)
	}
	id, err := a.signIn(t)
	if err != nil {
		t.Fatal(err)
	}
	if id.Issuer != a.at.URL || id.Subject != "G-ana" || id.Email != "ana@company.example" || id.Name != "Ana Company" || !slices.Equal(id.Groups, []string{"staff"}) ||
		id.EmailVerified || id.EmailDisowned || id.Session != "session-1" || !strings.HasPrefix(id.Once, "assertion/"+a.at.URL+"/_") || id.Fresh.Sub(a.now).Round(time.Second) != 2*time.Minute || id.Until.Sub(a.now).Round(time.Second) != 10*time.Hour {
		t.Errorf("%+v", id)
	}
	for name, signed := range map[string][]string{"both": {"Assertion", "Response"}, "the assertion": {"Assertion"}} {
		if _, err := a.signIn(t, func(s *ssotest.Answer) { s.Signed = signed }); err != nil {
			t.Errorf("signed is %s: %v", name, err)
		}
	}
}

func TestSAMLAnswersThatAreNotAccepted(t *testing.T) {
	a := samlOf(t)
	minutes := func(n int) time.Duration { return time.Duration(n) * time.Minute }
	for name, c := range map[string]struct {
		change func(*ssotest.Answer)
		why    sso.Why
		log    string
	}{
		"of another provider":        {func(s *ssotest.Answer) { s.Issuer = "https://evil.example" }, sso.OtherIssuer, "evil.example"},
		"somebody who does not want": {func(s *ssotest.Answer) { s.Status = "urn:oasis:names:tc:SAML:2.0:status:Responder" }, sso.Declined, "Responder"},
		"for another address":        {func(s *ssotest.Answer) { s.Destination = "https://wiki.example/acs" }, sso.BadToken, "the answer is for https://wiki.example/acs"},
		"to another recipient":       {func(s *ssotest.Answer) { s.Recipient = "https://wiki.example/acs" }, sso.BadToken, "the recipient of the assertion is https://wiki.example/acs"},
		"for another application":    {func(s *ssotest.Answer) { s.Audience = "https://wiki.example" }, sso.BadToken, "the assertion is for https://wiki.example"},
		"for no application":         {func(s *ssotest.Answer) { s.Audience = "" }, sso.BadToken, "the assertion is for"},
		"to another request":         {func(s *ssotest.Answer) { s.InResponseTo, s.Request = "_x", "_x" }, sso.BadToken, "not to the request"},
		"to another request inside":  {func(s *ssotest.Answer) { s.Request = "_x" }, sso.BadToken, "not the answer to the request"},
		"to no request":              {func(s *ssotest.Answer) { s.InResponseTo, s.Request = "", "" }, sso.BadToken, "not to the request"},
		"not for who brings it":      {func(s *ssotest.Answer) { s.Method = "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key" }, sso.BadToken, "not for who brings it"},
		"not signed":                 {func(s *ssotest.Answer) { s.Signed = nil }, sso.BadToken, "the assertion is not signed"},
		"the answer alone is signed": {func(s *ssotest.Answer) { s.Signed = []string{"Response"} }, sso.BadToken, "the assertion is not signed"},
		"signed with SHA-1":          {func(s *ssotest.Answer) { s.Algorithm = dsig.RSASHA1SignatureMethod }, sso.BadToken, "its algorithm is"},
		"a transient name":           {func(s *ssotest.Answer) { s.Format = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" }, sso.BadToken, "not persistent"},
		"an address for a name":      {func(s *ssotest.Answer) { s.Format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress" }, sso.BadToken, "not persistent"},
		"no name":                    {func(s *ssotest.Answer) { s.NameID = "" }, sso.BadToken, "the name of the person is none"},
		"a name with spaces":         {func(s *ssotest.Answer) { s.NameID = " root" }, sso.BadToken, "the name of the person is none"},
		"expired":                    {func(s *ssotest.Answer) { s.Until = a.now.Add(-minutes(2)) }, sso.BadToken, "counts until"},
		"not yet":                    {func(s *ssotest.Answer) { s.From = a.now.Add(minutes(2)) }, sso.BadToken, "counts from"},
		"of tomorrow":                {func(s *ssotest.Answer) { s.Issued = a.now.Add(minutes(2)) }, sso.BadToken, "was made at"},
		"of before":                  {func(s *ssotest.Answer) { s.Issued = a.now.Add(-minutes(12)) }, sso.BadToken, "was made at"},
		"a session that has ended":   {func(s *ssotest.Answer) { s.Ends = a.now.Add(-minutes(2)) }, sso.BadToken, "the session at the provider has ended"},
		"without conditions": {func(s *ssotest.Answer) {
			s.Change = cut("<saml:Conditions", "</saml:Conditions>")
		}, sso.BadToken, "lacks conditions"},
		"without an audience": {func(s *ssotest.Answer) {
			s.Change = cut("<saml:AudienceRestriction", "</saml:AudienceRestriction>")
		}, sso.BadToken, "names no audience"},
		"without a confirmation": {func(s *ssotest.Answer) {
			s.Change = cut("<saml:SubjectConfirmation ", "</saml:SubjectConfirmation>")
		}, sso.BadToken, "not for who brings it"},
		"without a subject":  {func(s *ssotest.Answer) { s.Change = cut("<saml:Subject>", "</saml:Subject>") }, sso.BadToken, "not persistent"},
		"without a status":   {func(s *ssotest.Answer) { s.Change = cut("<samlp:Status>", "</samlp:Status>") }, sso.BadToken, "no status"},
		"without an end":     {func(s *ssotest.Answer) { s.Change = without(` NotOnOrAfter="`) }, sso.BadToken, "until when"},
		"of another version": {func(s *ssotest.Answer) { s.Change = swap(`Version="2.0"`, `Version="1.1"`) }, sso.BadToken, "version"},
		"an encrypted one":   {func(s *ssotest.Answer) { s.Change = swap("<saml:Subject>", "<saml:EncryptedAssertion/><saml:Subject>") }, sso.BadToken, "encrypted"},
		"as deep as a well": {func(s *ssotest.Answer) {
			s.Change = swap("<saml:Subject>", strings.Repeat("<a>", 40)+strings.Repeat("</a>", 40)+"<saml:Subject>")
		}, sso.BadToken, "deep"},
		"of many namespaces": {func(s *ssotest.Answer) {
			s.Change = swap("<saml:Subject>", strings.Repeat(`<n:a xmlns:n="n"/>`, 300)+"<saml:Subject>")
		}, sso.BadToken, "namespaces"},
		"of many elements": {func(s *ssotest.Answer) {
			s.Change = swap("<saml:Subject>", strings.Repeat(`<a/>`, 9000)+"<saml:Subject>")
		}, sso.BadToken, "elements"},
		"longer than a novel": {func(s *ssotest.Answer) { s.NameID = strings.Repeat("a", 300<<10) }, sso.BadToken, "larger than"},
	} {
		_, err := a.signIn(t, c.change)
		if whyOf(err) != c.why || !strings.Contains(err.Error(), c.log) {
			t.Errorf("%s: %v", name, err)
		}
	}
	pending, _ := a.leave(t)
	for _, text := range []string{"", "x", base64.StdEncoding.EncodeToString([]byte("<a/>")), base64.StdEncoding.EncodeToString([]byte("\xff"))} {
		if _, err := a.Finish(t.Context(), pending, url.Values{"SAMLResponse": {text}}, samlRedirects); whyOf(err) != sso.BadToken {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Clocks may differ by a minute and no more.
func TestSAMLClocks(t *testing.T) {
	a := samlOf(t)
	for seconds, fine := range map[int]bool{59: true, 61: false} {
		by := time.Duration(seconds) * time.Second
		for name, change := range map[string]func(*ssotest.Answer){
			"behind": func(s *ssotest.Answer) { s.Until = a.now.Add(-by).Truncate(time.Millisecond) },
			"ahead":  func(s *ssotest.Answer) { s.From = a.now.Add(by) },
		} {
			if _, err := a.signIn(t, change); (err == nil) != fine {
				t.Errorf("%s by %d seconds: %v", name, seconds, err)
			}
		}
	}
}

func TestSAMLForgeries(t *testing.T) {
	for _, signed := range [][]string{{"Assertion"}, {"Assertion", "Response"}} {
		a := samlOf(t)
		pending, address := a.leave(t)
		form := a.at.Answer(address, func(s *ssotest.Answer) { s.Signed = signed })
		genuine, err := base64.StdEncoding.DecodeString(form.Get("SAMLResponse"))
		if err != nil {
			t.Fatal(err)
		}
		forgeries := ssotest.Forgeries(genuine, "G-root")
		if len(forgeries) < 40 {
			t.Errorf("only %d forgeries", len(forgeries))
		}
		through := 0
		for _, f := range forgeries {
			if id, err := a.Finish(t.Context(), pending, ssotest.Form(f.Text, pending.State), samlRedirects); whyOf(err) != sso.BadToken {
				through++
				t.Errorf("%s: let through as %+v, %v", f.Name, id, err)
			}
		}
		if _, err := a.Finish(t.Context(), pending, form, samlRedirects); err != nil {
			t.Errorf("the genuine one: %v", err)
		}
		t.Logf("signed %v: %d tried, %d let through", signed, len(forgeries), through)
	}
}

func TestSAMLAttributes(t *testing.T) {
	for name, c := range map[string]struct {
		rules      sso.Rules
		attributes map[string][]string
		want       sso.Identity
		why        sso.Why
	}{
		"Entra ID": {
			rules: sso.Rules{GroupsClaim: "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups", NameIsEmail: true},
			attributes: map[string][]string{
				"http://schemas.microsoft.com/identity/claims/displayname": {"Ana"}, "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name": {"ana@company.example"},
				"http://schemas.microsoft.com/ws/2008/06/identity/claims/groups": {"1-2", "3-4"},
			},
			want: sso.Identity{Email: "ana@company.example", Name: "Ana", Groups: []string{"1-2", "3-4"}},
		},
		"Entra ID with too many groups": {
			rules:      sso.Rules{GroupsClaim: "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups"},
			attributes: map[string][]string{"http://schemas.microsoft.com/claims/groups.link": {"https://graph.windows.net/"}},
			why:        sso.NoGroups,
		},
		"names of directories": {
			rules:      sso.Rules{GroupsClaim: "memberOf"},
			attributes: map[string][]string{"urn:oid:0.9.2342.19200300.100.1.3": {"ana@company.example"}, "givenName": {"Ana"}, "sn": {"Company"}, "memberOf": {"cn=staff,dc=company"}},
			want:       sso.Identity{Email: "ana@company.example", Name: "Ana Company", Groups: []string{"cn=staff,dc=company"}},
		},
		"an address that was verified": {
			attributes: map[string][]string{"email": {"ana@company.example"}, "email_verified": {"true"}},
			want:       sso.Identity{Email: "ana@company.example", EmailVerified: true},
		},
		"an address that was not": {
			rules:      sso.Rules{TrustEmail: true},
			attributes: map[string][]string{"email": {"ana@company.example"}, "email_verified": {"false"}},
			want:       sso.Identity{Email: "ana@company.example", EmailDisowned: true},
		},
		"a provider that is trusted": {
			rules:      sso.Rules{TrustEmail: true},
			attributes: map[string][]string{"email": {"ana@company.example"}},
			want:       sso.Identity{Email: "ana@company.example", EmailVerified: true},
		},
	} {
		a := samlOf(t, func(conf *sso.Config) { conf.Rules = c.rules })
		id, err := a.signIn(t, func(s *ssotest.Answer) { s.Attributes = c.attributes })
		if c.why != "" {
			if whyOf(err) != c.why {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || id.Email != c.want.Email || id.Name != c.want.Name || !slices.Equal(id.Groups, c.want.Groups) || id.EmailVerified != c.want.EmailVerified || id.EmailDisowned != c.want.EmailDisowned {
			t.Errorf("%s: %+v, %v", name, id, err)
		}
	}
}

func TestSAMLKeysChange(t *testing.T) {
	a := samlOf(t)
	if _, err := a.signIn(t); err != nil || a.at.Asked() != 1 {
		t.Fatalf("%v; the metadata were read %d times", err, a.at.Asked())
	}
	// A key that was announced, and the one of before goes on for those on their way.
	a.at.NewKey()
	a.now = a.now.Add(25 * time.Hour)
	if _, err := a.signIn(t); err != nil || a.at.Asked() != 2 {
		t.Errorf("with an announced key: %v; the metadata were read %d times", err, a.at.Asked())
	}
	if n := len(a.Known(t.Context()).Certificates); n != 2 {
		t.Errorf("%d certificates are known", n)
	}
	// One that was not is looked for, but not as often as strangers like.
	a.at.NewKey()
	a.at.DropKeys()
	a.now = a.now.Add(time.Hour)
	if _, err := a.signIn(t); err != nil || a.at.Asked() != 3 {
		t.Errorf("with another key: %v; the metadata were read %d times", err, a.at.Asked())
	}
	for range 3 {
		if _, err := a.signIn(t, func(s *ssotest.Answer) { s.Change = nil; s.Signed = []string{"Response"} }); whyOf(err) != sso.BadToken {
			t.Error(err)
		}
		pending, address := a.leave(t)
		genuine, _ := base64.StdEncoding.DecodeString(a.at.Answer(address).Get("SAMLResponse"))
		for _, f := range ssotest.Forgeries(genuine, "evil") {
			if f.Name == "signed by another key" {
				_, _ = a.Finish(t.Context(), pending, ssotest.Form(f.Text, pending.State), samlRedirects)
			}
		}
	}
	if a.at.Asked() != 3 {
		t.Errorf("the metadata were read %d times", a.at.Asked())
	}
	// Without an answer the metadata of before go on.
	a.at.Break(true)
	a.now = a.now.Add(25 * time.Hour)
	if _, err := a.signIn(t); err != nil {
		t.Errorf("while the provider shows no metadata: %v", err)
	}
	if known := a.Known(t.Context()); known.Err == nil || len(known.Certificates) != 1 {
		t.Errorf("%+v", known)
	}
}

func TestSAMLMetadata(t *testing.T) {
	at := ssotest.NewSAML(t)
	good := at.Metadata()
	file := filepath.Join(t.TempDir(), "company.xml")
	if err := os.WriteFile(file, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	several := `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"><md:EntityDescriptor entityID="https://other.example"/>` + good + `</md:EntitiesDescriptor>`
	for name, from := range map[string]string{"an address": at.URL, "a file": file, "the text": good, "one of several": several} {
		a := samlOf(t, func(c *sso.Config) { c.Metadata, c.Issuer = from, at.URL })
		if _, err := a.Begin(t.Context(), &sso.Pending{State: "s"}, samlRedirects); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct{ text, want string }{
		"not XML":            {"<a", "no proper XML"},
		"something else":     {"<html></html>", "cannot be read"},
		"no provider":        {`<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>`, "not those of an identity provider"},
		"another provider":   {strings.ReplaceAll(good, `entityID="`+at.URL, `entityID="https://other.example`), "the metadata are of https://other.example, not of " + at.URL},
		"no address":         {strings.ReplaceAll(good, "bindings:HTTP-Redirect", "bindings:SOAP"), "no address to sign in at"},
		"no certificate":     {strings.ReplaceAll(good, `use="signing"`, `use="encryption"`), "no certificate"},
		"a broken one":       {strings.ReplaceAll(good, "<ds:X509Certificate>", "<ds:X509Certificate>A"), "a certificate of the metadata cannot be read"},
		"an unsafe address":  {strings.ReplaceAll(good, at.URL+"/sign-in", "http://login.example.com"), "an address that is not used"},
		"a strange address":  {strings.ReplaceAll(good, at.URL+"/sign-in", "javascript:alert(1)//"), "cannot be read"},
		"an unsafe sign-out": {strings.ReplaceAll(good, at.URL+"/logout", "http://login.example.com"), "an address that is not used"},
	} {
		if err := sso.CheckMetadata([]byte(c.text), at.URL); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", name, err, c.want)
		}
	}
	expired := samlOf(t, func(c *sso.Config) {
		c.Metadata, c.Issuer = strings.Replace(good, "entityID=", `validUntil="2020-01-01T00:00:00Z" entityID=`, 1), at.URL
	})
	if _, err := expired.Begin(t.Context(), &sso.Pending{}, samlRedirects); whyOf(err) != sso.Unreachable || !strings.Contains(err.Error(), "expired") {
		t.Errorf("expired: %v", err)
	}
}

func TestSAMLOurMetadata(t *testing.T) {
	kept := ""
	a := samlOf(t, func(c *sso.Config) {
		c.SigningKey = keep(&kept)
	})
	text, err := a.Describe(t.Context(), samlRedirects)
	if err != nil {
		t.Fatal(err)
	}
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(text); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/EntityDescriptor/@entityID":             samlRedirects.Metadata,
		"//SPSSODescriptor/@AuthnRequestsSigned":  "true",
		"//SPSSODescriptor/@WantAssertionsSigned": "true",
		"//AssertionConsumerService/@Location":    samlRedirects.SignedIn,
		"//AssertionConsumerService/@Binding":     "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
		"//SingleLogoutService[@Binding='urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect']/@Location": samlRedirects.LogOut,
	} {
		at := strings.LastIndex(path, "/@")
		if e := doc.FindElement(path[:at]); e == nil || e.SelectAttrValue(path[at+2:], "") != want {
			t.Errorf("%s is not %s in\n%s", path, want, text)
		}
	}
	if doc.FindElement("//KeyDescriptor[@use='encryption']") != nil || doc.FindElement("//KeyDescriptor[@use='signing']") == nil {
		t.Errorf("keys in\n%s", text)
	}
	// The request is signed with the key of the metadata; nobody changes it on the way.
	_, address := a.leave(t)
	if err := ssotest.CheckSigned(address, text); err != nil {
		t.Error(err)
	}
	if err := ssotest.CheckSigned(strings.Replace(address, "RelayState=a", "RelayState=b", 1), text); err == nil {
		t.Error("a changed request is taken")
	}
	before := kept
	if _, address = a.leave(t); ssotest.CheckSigned(address, text) != nil || kept != before {
		t.Error("the key is another")
	}
}

// keep keeps a key as the store does.
func keep(kept *string) func(context.Context, func() (string, error)) (string, error) {
	return func(_ context.Context, fresh func() (string, error)) (string, error) {
		if *kept == "" {
			key, err := fresh()
			if err != nil {
				return "", err
			}
			*kept = key
		}
		return *kept, nil
	}
}

func TestSAMLSignOut(t *testing.T) {
	kept := ""
	a := samlOf(t, func(c *sso.Config) { c.SigningKey = keep(&kept) })
	id, err := a.signIn(t)
	if err != nil {
		t.Fatal(err)
	}
	address := a.SignOut(t.Context(), id.Proof, samlRedirects)
	request := ssotest.Request(address)
	ours, _ := a.Describe(t.Context(), samlRedirects)
	if !strings.HasPrefix(address, a.at.URL+"/logout?SAMLRequest=") || request.FindElement("./NameID").Text() != "G-ana" || request.FindElement("./SessionIndex").Text() != "session-1" || ssotest.CheckSigned(address, ours) != nil {
		t.Errorf("%s", address)
	}
	if a.SignOut(t.Context(), "", samlRedirects) != "" {
		t.Error("without a proof there is an address")
	}

	ended, err := a.LoggedOut(t.Context(), sso.Sent{Values: a.at.LogoutForm(samlRedirects.LogOut, "G-ana", "session-1")}, samlRedirects)
	if err != nil || ended.Issuer != a.at.URL || ended.Subject != "G-ana" || ended.Session != "session-1" || ended.ID == "" || ssotest.CheckSigned(ended.Back, ours) != nil || ssotest.RelayState(ended.Back) != "back" {
		t.Errorf("%+v, %v", ended, err)
	}
	query := a.at.LogoutAddress(samlRedirects.LogOut, "G-ana", "")
	ended, err = a.LoggedOut(t.Context(), sentBy(query), samlRedirects)
	if err != nil || ended.Subject != "G-ana" || ended.Session != "" {
		t.Errorf("%+v, %v", ended, err)
	}
	other := ssotest.NewSAML(t)
	for name, sent := range map[string]sso.Sent{
		"nothing":              {Values: url.Values{}},
		"for another address":  {Values: a.at.LogoutForm("https://wiki.example/logout", "G-ana", "")},
		"of nobody":            {Values: a.at.LogoutForm(samlRedirects.LogOut, "", "")},
		"of another provider":  {Values: other.LogoutForm(samlRedirects.LogOut, "G-ana", "")},
		"of yesterday":         {Values: a.at.LogoutForm(samlRedirects.LogOut, "G-ana", "", attribute("IssueInstant", "2020-01-01T00:00:00Z"))},
		"expired":              {Values: a.at.LogoutForm(samlRedirects.LogOut, "G-ana", "", attribute("NotOnOrAfter", "2020-01-01T00:00:00Z"))},
		"unsigned":             sentBy(query[:strings.Index(query, "&SigAlg")]),
		"another state":        sentBy(strings.Replace(query, "RelayState=back", "RelayState=x", 1)),
		"a second message":     sentBy(query + "&SAMLRequest=x"),
		"a hidden message":     sentBy("https://x/?SAMLReques%74=PGEvPg%3D%3D&" + query[strings.Index(query, "?")+1:]),
		"a form in an address": {Values: a.at.LogoutForm(samlRedirects.LogOut, "G-ana", ""), Query: "SAMLRequest=x"},
		"an old algorithm":     sentBy(strings.Replace(query, "rsa-sha256", "rsa-sha1", 1)),
	} {
		ended, err := a.LoggedOut(t.Context(), sent, samlRedirects)
		if name == "a hidden message" && err == nil && ended.Subject == "G-ana" {
			continue // what was signed is what counts
		}
		if whyOf(err) != sso.BadToken {
			t.Errorf("%s: %+v, %v", name, ended, err)
		}
	}
}

func sentBy(address string) sso.Sent {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return sso.Sent{Values: u.Query(), Query: u.RawQuery}
}

func attribute(name, value string) func(*etree.Element) {
	return func(e *etree.Element) { e.CreateAttr(name, value) }
}

func cut(from, to string) func(string) string {
	return func(text string) string {
		a := strings.Index(text, from)
		b := strings.Index(text, to)
		return text[:a] + text[b+len(to):]
	}
}

func without(attribute string) func(string) string {
	return func(text string) string {
		a := strings.Index(text, attribute)
		b := a + len(attribute) + strings.Index(text[a+len(attribute):], `"`) + 1
		return text[:a] + text[b:]
	}
}

func swap(old, with string) func(string) string {
	return func(text string) string { return strings.Replace(text, old, with, 1) }
}

// What browsers and databases keep of a sign-in comes back whole.
func TestSAMLIdentityIsKept(t *testing.T) {
	a := samlOf(t)
	id, err := a.signIn(t)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(id)
	var back sso.Identity
	if err := errors.Join(err, json.Unmarshal(text, &back)); err != nil || back.Subject != id.Subject || !back.Until.Equal(id.Until) || len(back.Claims) != len(id.Claims) {
		t.Errorf("%+v, %v", back, err)
	}
}
