package sso_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-ldap/ldap/v3"

	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/ssotest"
)

// Processes that fuzz have keys of their own. So what is made up are edits of
// what their provider has signed: of every part one can cut and put in.

// edited is a text with a part of it replaced.
func edited(text []byte, at, cut uint16, put []byte) []byte {
	from := int(at) % (len(text) + 1)
	to := min(len(text), from+int(cut))
	return slices.Concat(text[:from], put, text[to:])
}

// FuzzSAMLAnswer changes answers in two places, and those that attackers have
// made of them: nobody else comes in than who has signed in.
func FuzzSAMLAnswer(f *testing.F) {
	a := samlOf(f)
	sso.Unhurried(a.Provider)
	pending, address := a.leave(f)
	genuine, err := base64.StdEncoding.DecodeString(a.at.Answer(address, func(s *ssotest.Answer) { s.Signed = []string{"Assertion"} }).Get("SAMLResponse"))
	if err != nil {
		f.Fatal(err)
	}
	texts := [][]byte{genuine}
	for _, forged := range ssotest.Forgeries(genuine, "root") {
		texts = append(texts, forged.Text)
	}
	for i := range texts {
		f.Add(uint8(i), uint16(0), uint16(0), []byte(nil), uint16(0), uint16(0), []byte(nil))
	}
	for _, part := range []string{"NameID>G-ana", "<saml:Assertion", "</ds:Signature>", "Recipient=", "<ds:Reference", "NotOnOrAfter=", "<saml:Attribute "} {
		at := uint16(max(0, bytes.Index(genuine, []byte(part))))
		for _, put := range []string{"<!---->", "root", "<x>", "&#0;", "<![CDATA[root]]>", ` xmlns:x="y"`, "</saml:Assertion><saml:Assertion>"} {
			f.Add(uint8(0), at, uint16(len(part)), []byte(put), at, uint16(0), []byte(put))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, at, cut uint16, put []byte, at2, cut2 uint16, put2 []byte) {
		text := edited(edited(texts[int(which)%len(texts)], at, cut, put), at2, cut2, put2)
		id, err := a.Finish(t.Context(), pending, ssotest.Form(text, pending.State), samlRedirects)
		switch {
		case err != nil && whyOf(err) == "":
			t.Errorf("%v is no refusal", err)
		case err == nil && (id.Subject != "G-ana" || id.Email != "ana@company.example" || !slices.Equal(id.Groups, []string{"staff"}) || id.Session != "session-1"):
			t.Errorf("%+v came in by\n%s", id, text)
		}
	})
}

// FuzzSAMLSigningOut does the same to what ends sessions.
func FuzzSAMLSigningOut(f *testing.F) {
	a := samlOf(f)
	sso.Unhurried(a.Provider)
	form := a.at.LogoutForm(samlRedirects.LogOut, "G-ana", "session-1")
	genuine, err := base64.StdEncoding.DecodeString(form.Get("SAMLRequest"))
	if err != nil {
		f.Fatal(err)
	}
	for _, part := range []string{"G-ana", "session-1", "<ds:Signature", "Destination=", "ID="} {
		at := uint16(max(0, bytes.Index(genuine, []byte(part))))
		for _, put := range []string{"", "<!---->", "root", "<x/>", "G-ana"} {
			f.Add(at, uint16(len(part)), []byte(put))
		}
	}
	f.Fuzz(func(t *testing.T, at, cut uint16, put []byte) {
		text := edited(genuine, at, cut, put)
		ended, err := a.LoggedOut(t.Context(), sso.Sent{Values: url.Values{"SAMLRequest": {base64.StdEncoding.EncodeToString(text)}}}, samlRedirects)
		switch {
		case err != nil && whyOf(err) == "":
			t.Errorf("%v is no refusal", err)
		case err == nil && (ended.Subject != "G-ana" || ended.Session != "session-1"):
			t.Errorf("%+v was ended by\n%s", ended, text)
		}
	})
}

// FuzzLogoutToken signs whatever claims: only a message that says in all it has to
// that a session or a subject has ended ends any. Without the signature none does.
func FuzzLogoutToken(f *testing.F) {
	at := ssotest.New(f)
	p := application(f, at)
	sso.Unhurried(p)
	const event = `{"http://schemas.openid.net/event/backchannel-logout":{}}`
	for _, claims := range []string{
		`{"iss":"ISS","aud":"quire","iat":NOW,"exp":SOON,"jti":"1","sub":"1","sid":"s","events":` + event + `}`,
		`{"iss":"ISS","aud":["quire"],"iat":NOW,"exp":SOON,"jti":"1","sid":"s","events":` + event + `}`,
		`{"iss":"ISS","aud":"quire","iat":NOW,"exp":SOON,"jti":"1","sub":"1","nonce":"n","events":` + event + `}`,
		`{"iss":"ISS","aud":"quire","iat":NOW,"exp":SOON,"jti":"1","sub":"1","events":{}}`,
		`{"iss":"ISS","aud":"quire","iat":NOW,"exp":SOON,"jti":"1","events":` + event + `}`,
		`{"iss":"ISS","aud":"wiki","iat":0,"exp":SOON,"sub":"1\u0000","events":` + event + `}`, `{}`, `[]`, `"`, ``,
	} {
		f.Add([]byte(`{"alg":"RS256","typ":"logout+jwt"}`), []byte(claims), true)
		f.Add([]byte(`{"alg":"none"}`), []byte(claims), false)
	}
	f.Fuzz(func(t *testing.T, header, claims []byte, signed bool) {
		now := time.Now()
		claims = []byte(strings.NewReplacer("ISS", at.URL, "NOW", itoa(now.Unix()), "SOON", itoa(now.Unix()+60)).Replace(string(claims)))
		token := at.SignAsIs(header, claims)
		if !signed {
			token = token[:strings.LastIndex(token, ".")+1]
		}
		ended, err := p.LoggedOut(t.Context(), sso.Sent{Values: url.Values{"logout_token": {token}}}, redirects)
		if err != nil {
			if whyOf(err) == "" {
				t.Errorf("%v is no refusal", err)
			}
			return
		}
		var said map[string]any
		if err := json.Unmarshal(claims, &said); err != nil || !signed || ended.Subject+ended.Session == "" || ended.ID == "" || said["nonce"] != nil || !strings.Contains(string(claims), "backchannel-logout") ||
			!plain(ended.Subject) || !plain(ended.Session) || !plain(ended.ID) {
			t.Errorf("%+v was ended by %s", ended, claims)
		}
	})
}

func itoa(n int64) string { text, _ := json.Marshal(n); return string(text) }

// plain tells whether a text can be kept and shown as it is.
func plain(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// FuzzClaims reads whatever a provider may say of somebody: who comes in has an
// address that may, and gets what the groups give that are named, and no more.
func FuzzClaims(f *testing.F) {
	for _, claims := range []string{
		`{"sub":"1","email":"ana@company.example","email_verified":true,"name":"Ana","groups":["staff","/it"]}`,
		`{"email":"company.example","email_verified":"true","groups":"it"}`, `{"email":"a@evil.example@company.example","xms_edov":1,"groups":[["it"],{"it":1},null]}`,
		`{"preferred_username":"ana@company.example","email_verified":false}`, `{"realm_access":{"groups":["it"]},"groups":{"it":true}}`, `{"_claim_names":{"groups":"src1"}}`, `{"email":7,"name":["x"],"groups":7,"sid":[]}`,
		`{"email":"a\u0000@company.example","email_verified":true,"groups":["i\u200bt"," it","IT","//it"]}`,
	} {
		f.Add([]byte(claims), "groups", uint8(0))
		f.Add([]byte(claims), "realm_access.groups", uint8(7))
	}
	f.Fuzz(func(t *testing.T, text []byte, claim string, how uint8) {
		claims := map[string]any{}
		if json.Unmarshal(text, &claims) != nil || claims == nil {
			return
		}
		r := &sso.Rules{
			GroupsClaim: claim, NameIsEmail: how&1 != 0, FoldGroups: how&2 != 0, TrustEmail: how&4 != 0, AllowedDomains: []string{"company.example"},
			Grants: []sso.Grant{{Group: "it", Root: true}, {Group: "staff", Workspace: "demo", Role: "Viewer"}}, Provisioned: sso.Provisioned{Claim: claim},
		}
		id, err := sso.IdentityOf(r, "https://login.example", "1", "", claims)
		if err != nil {
			if whyOf(err) == "" {
				t.Errorf("%v is no refusal", err)
			}
			return
		}
		r.ProvisionedAs(id)
		if !plain(id.Email) || !plain(id.Name) || !plain(id.Session) {
			t.Errorf("%+v cannot be kept", id)
		}
		for i, name := range id.Told() {
			if name == "" || !plain(name) || i > 0 && id.Told()[i-1] >= name {
				t.Errorf("%q is told", id.Told())
			}
		}
		root := slices.ContainsFunc(r.Granted(id.Groups), func(g sso.Grant) bool { return g.Root })
		if named := slices.ContainsFunc(id.Groups, func(g string) bool { return strings.EqualFold(strings.TrimPrefix(g, "/"), "it") }); root && !named {
			t.Errorf("%q make a root user", id.Groups)
		}
		if err := r.Check(id); err == nil && (!id.EmailVerified || !strings.HasSuffix(strings.ToLower(id.Email), "@company.example")) {
			t.Errorf("%q may come in", id.Email)
		}
	})
}

// FuzzDirectoryEntry reads whatever entry: a person has a name for ever that
// finds them again, and no other.
func FuzzDirectoryEntry(f *testing.F) {
	for _, value := range []string{"5d2b4a3e-0000-4000-8000-00000000000a", "0123456789abcdef", "*", ")(uid=*", "", "\xff", "514", "132223104000000000", "000001010000Z", "TRUE", "cn=it,ou=groups,dc=example", `cn=a\,b+x=y,dc=example`, "=,", "cn=\\"} {
		f.Add([]byte(value), "entryUUID")
		f.Add([]byte(value), "objectGUID")
	}
	f.Fuzz(func(t *testing.T, value []byte, key string) {
		if key == "" || !plain(key) {
			return
		}
		d := sso.NewDirectory(sso.DirectoryConfig{KeyAttribute: key, MemberOf: "memberOf"}, nil, time.Now)
		entry := &ldap.Entry{DN: "uid=ana"}
		for _, name := range []string{key, "userAccountControl", "accountExpires", "pwdAccountLockedTime", "nsAccountLock"} {
			entry.Attributes = append(entry.Attributes, &ldap.EntryAttribute{Name: name, Values: []string{string(value)}, ByteValues: [][]byte{value}})
		}
		d.DisabledBy(entry)
		if names, err := sso.GroupsListed([]string{string(value)}, "dc=example"); err != nil || len(names) > 1 {
			t.Errorf("%q lists %q: %v", value, names, err)
		}
		subject, err := d.SubjectOf(entry)
		if err != nil {
			return
		}
		if subject == "" || len(subject) > 255 || !plain(subject) {
			t.Errorf("%q is the subject of %q", subject, value)
		}
		packet, err := ldap.CompileFilter("(key=" + sso.KeyValue(key, subject) + ")")
		if err != nil || len(packet.Children) != 2 || !strings.EqualFold(packet.Children[1].Data.String(), string(value)) {
			t.Errorf("%q of %q does not find %q: %v", subject, key, value, err)
		}
	})
}
