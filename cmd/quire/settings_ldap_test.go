package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// directoryEnvironment is what a directory needs at least.
func directoryEnvironment(more ...string) (env []string) {
	for _, line := range append([]string{
		"Name=example", "Type=ldap", "Ldap__Servers=ldaps://dc1.example.com, ldaps://dc2.example.com:3269", "Ldap__BindDn=cn=quire,dc=example,dc=com", "Ldap__BindPassword=hush",
		"Ldap__UserBase=ou=people,dc=example,dc=com",
	}, more...) {
		env = append(env, "Sso__Providers__0__"+line)
	}
	return env
}

func TestDirectoriesComeFromSettings(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hush\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := slices.DeleteFunc(directoryEnvironment("Ldap__BindPassword_FILE="+secret, "Preset=ad", "Ldap__NestedGroups=true", "Groups=sales = demo:Viewer", "Ldap__SyncMinutes=5"), func(line string) bool {
		return strings.Contains(line, "BindPassword=") || strings.Contains(line, "Type=")
	})
	s, err := loadSettings("", env, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Providers[0].directory()
	if err != nil {
		t.Fatal(err)
	}
	if c.BindPassword != "hush" || c.KeyAttribute != "objectGUID" || c.Label != "Active Directory" || !c.StartTLS || len(c.Servers) != 2 || c.SyncEvery != 5*time.Minute ||
		c.GroupBase != c.UserBase || c.GroupFilter != "(&(objectClass=group)(member:1.2.840.113556.1.4.1941:={dn}))" || c.MostGuesses != 3 || c.GuessWindow != 30*time.Minute || c.MostLost != 20 || len(c.Grants) != 1 {
		t.Errorf("got %+v", c)
	}
	providers, end, err := newProviders(s, nil, nil)
	if err != nil || len(providers) != 0 {
		t.Errorf("%d providers to go to: %v", len(providers), err)
	}
	end()
	directories, end, err := newDirectories(s, nil)
	if err != nil || len(directories) != 1 {
		t.Errorf("%d directories: %v", len(directories), err)
	}
	end()
	for _, c := range []struct{ preset, key, groups, memberOf string }{
		{"openldap", "entryUUID", "memberUid={name}", ""}, {"oidc", "entryUUID", "memberUid={name}", ""}, {"freeipa", "ipaUniqueID", "", "memberOf"}, {"389", "nsUniqueId", "uniqueMember={dn}", ""},
	} {
		s, err := loadSettings("", directoryEnvironment("Preset="+c.preset), nil)
		if err != nil {
			t.Errorf("%s: %v", c.preset, err)
			continue
		}
		got, err := s.Providers[0].directory()
		if err != nil || got.KeyAttribute != c.key || !strings.Contains(got.GroupFilter, c.groups) || got.MemberOf != c.memberOf {
			t.Errorf("%s: %v %+v", c.preset, err, got)
		}
	}
}

func TestWrongDirectories(t *testing.T) {
	if _, err := loadSettings("", directoryEnvironment(), nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, want string }{
		{"Ldap__Servers=", "setting Sso.Providers.0.Ldap.Servers: is missing"},
		{"Ldap__Servers=dc1.example.com", `"dc1.example.com" is not accepted; accepted: such as ldaps://dc1.example.com`},
		{"Ldap__Servers=https://dc1.example.com", "is not accepted; accepted: such as ldaps://"},
		{"Ldap__Servers=ldaps://user:pw@dc1.example.com", "is not accepted; accepted: such as ldaps://"},
		{"Ldap__StartTls=false\nLdap__Servers=ldap://dc1.example.com", `"ldap://dc1.example.com" would carry passwords unencrypted`},
		{"Ldap__StartTls=false\nLdap__Servers=ldap://127.0.0.1:389", ""},
		{"Ldap__StartTls=false\nLdap__Servers=ldap://localhost.example.com", "would carry passwords unencrypted"},
		{"Ldap__CaFile=/nowhere/ca.pem", "setting Sso.Providers.0.Ldap.CaFile: open /nowhere/ca.pem"},
		{"Ldap__CaFile=settings_ldap_test.go", "holds no certificate"},
		{"Ldap__BindDn=", "setting Sso.Providers.0.Ldap.BindDn: is missing"},
		{"Ldap__BindPassword=", "setting Sso.Providers.0.Ldap.BindPassword: is missing"},
		{"Ldap__BindDn=quire", `"quire" is no distinguished name`},
		{"Ldap__BindDn=quire@example.com", ""},
		{`Ldap__BindDn=EXAMPLE\quire`, ""},
		{"Ldap__UserBase=", "setting Sso.Providers.0.Ldap.UserBase: is missing"},
		{"Ldap__UserBase=people", `"people" is no distinguished name`},
		{"Ldap__UserFilter=(uid=ana)", "has no {name}"},
		{"Ldap__UserFilter=(uid={name}", "it is no LDAP filter"},
		{"Ldap__UserFilter=(uid:caseExactMatch:={name})", "by a matching rule"},
		{"Ldap__GroupFilter=(cn=staff)", "has neither {dn} nor {name}"},
		{"Ldap__KeyAttribute=(uid)", `"(uid)" is no name of an attribute`},
		{"Ldap__NestedGroups=true", "setting Sso.Providers.0.Ldap.NestedGroups: true is accepted with the preset ad"},
		{"Ldap__GroupFilter=(member={dn})\nLdap__MemberOf=memberOf", "is another way to find groups"},
		{"Ldap__SyncMinutes=-1", `"-1" is not accepted; accepted: a whole number from 0`},
		{"AllowedDomains=example.com", "setting Sso.Providers.0.AllowedDomains: needs addresses that nobody writes themselves"},
		{"LinkByVerifiedEmail=true", "setting Sso.Providers.0.LinkByVerifiedEmail: needs addresses"},
		{"AllowedDomains=example.com\nTrustEmail=true", ""},
		{"Preset=entra", "setting Sso.Providers.0.Preset: entra is no LDAP directory"},
		{"Issuer=https://login.example.com", "setting Sso.Providers.0.Issuer: is for OpenID Connect"},
		{"Type=oidc", "setting Sso.Providers.0.Ldap: is for LDAP directories"},
		{"Ldap__Server=ldaps://dc1", "did you mean Sso.Providers.0.Ldap.Servers?"},
	} {
		_, err := loadSettings("", directoryEnvironment(strings.Split(c.line, "\n")...), nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %s", c.line, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: the error shows a password: %v", c.line, err)
		}
	}
}
