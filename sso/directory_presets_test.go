package sso_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-ldap/ldap/v3"

	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/ssotest"
)

// preset is a directory as a product keeps people and groups, in slapd.
func preset(t *testing.T, at *ssotest.Directory, name string, change ...func(*sso.DirectoryConfig)) *sso.Directory {
	t.Helper()
	return directoryAt(t, at, func(c *sso.DirectoryConfig) {
		c.UserFilter, c.KeyAttribute, c.LoginAttribute, c.NameAttribute, c.EmailAttribute, c.GroupFilter, c.GroupAttribute, c.MemberOf = "", "", "", "", "", "", "", ""
		for _, f := range change {
			f(c)
		}
		c.Fill(name)
	})
}

func TestActiveDirectory(t *testing.T) {
	at := ssotest.NewDirectory(t)
	guid := "\x78\x56\x34\x12\xbc\x9a\xf0\xde\x01\x02\x03\x04\x05\x06\x07\x08"
	ana := at.AddPerson("ana", "correct horse", "objectGUID="+guid, "sAMAccountName=ana.company", "userPrincipalName=ana@corp.example", "displayName=Ana Ćosić", "userAccountControl=512", "accountExpires=0")
	at.AddGroup("Vertrieb (Süd)", ana)
	d := preset(t, at, "ad")
	for _, name := range []string{"ana.company", "ANA.Company", "ana@corp.example"} {
		id, err := d.SignIn(t.Context(), name, "correct horse", always)
		if err != nil || id.Subject != "12345678-9abc-def0-0102-030405060708" || id.Name != "Ana Ćosić" || !slices.Equal(id.Groups, []string{"Vertrieb (Süd)"}) {
			t.Errorf("%s: %+v %v", name, id, err)
		}
	}
	if _, err := d.SignIn(t.Context(), "ana", "correct horse", always); why(err) != sso.WrongPassword {
		t.Errorf("by a name of another product: %v", err)
	}
	found, err := d.Look(t.Context(), []string{"12345678-9abc-def0-0102-030405060708", "00000000-0000-0000-0000-000000000000", "no guid", "*", ")(objectClass=*"})
	if err != nil || len(found) != 1 || found["12345678-9abc-def0-0102-030405060708"].Disabled != "" {
		t.Errorf("looked up: %v %v", found, err)
	}
	// A GUID with a byte that means something in filters is found, too.
	bytes := "\x2a\x28\x29\x5c\x00\x2a\x28\x29\x5c\x00\x2a\x28\x29\x5c\x00\xff"
	at.AddPerson("bo", "correct horse", "objectGUID="+bytes, "sAMAccountName=bo")
	id, err := d.SignIn(t.Context(), "bo", "correct horse", always)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := d.Look(t.Context(), []string{id.Subject}); err != nil || found[id.Subject] == nil {
		t.Errorf("by %s: %v %v", id.Subject, found, err)
	}
	for _, c := range []struct{ attribute, value, want string }{
		{"userAccountControl", "514", "userAccountControl 514"},
		{"userAccountControl", "66050", "userAccountControl 66050"},
		{"userAccountControl", "66048", ""},
		{"accountExpires", "132223104000000000", "accountExpires 2020-01-01"},
		{"accountExpires", "9223372036854775807", ""},
		{"accountExpires", "9000000000000000000", ""},
	} {
		at.Set(ana, "userAccountControl", "512")
		at.Set(ana, "accountExpires", "0")
		at.Set(ana, c.attribute, c.value)
		_, err := d.SignIn(t.Context(), "ana.company", "correct horse", always)
		if c.want == "" && err != nil || c.want != "" && (why(err) != sso.Disabled || !strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("%s %s: %v", c.attribute, c.value, err)
		}
	}
	// Nobody comes in whose key the account that looks people up cannot read.
	at.AddPerson("cy", "correct horse", "sAMAccountName=cy")
	if _, err := d.SignIn(t.Context(), "cy", "correct horse", always); why(err) != sso.BadEntry || !strings.Contains(err.Error(), "0 values of objectGUID") {
		t.Errorf("without a key: %v", err)
	}
	if _, err := d.SignIn(t.Context(), "cy", "wrong", always); why(err) != sso.WrongPassword {
		t.Errorf("without a key and password: %v", err)
	}
}

func TestFreeIPA(t *testing.T) {
	at := ssotest.NewDirectory(t)
	ana := at.AddPerson("ana", "correct horse", "ipaUniqueID=F3A1B2C4-0000-11ED-8000-001122334455")
	at.AddGroup("sales", ana)
	outside := "cn=it," + ssotest.Base // not below the base of groups
	at.Add(outside, "objectClass=groupOfNames", "cn=it", "member="+ana)
	at.AddGroup("a, b + c", ana)
	d := preset(t, at, "freeipa")
	id, err := d.SignIn(t.Context(), "ana", "correct horse", always)
	if err != nil || id.Subject != "f3a1b2c4-0000-11ed-8000-001122334455" || !slices.Equal(id.Groups, []string{"a, b + c", "sales"}) {
		t.Errorf("%+v %v", id, err)
	}
}

func TestGroupsOfOtherKinds(t *testing.T) {
	at := ssotest.NewDirectory(t)
	ana := at.AddPerson("ana", "correct horse")
	at.AddPerson("bo", "correct horse")
	at.Add("cn=unique,"+ssotest.Groups, "objectClass=groupOfUniqueNames", "cn=unique", "uniqueMember="+ana)
	at.Add("cn=unix,"+ssotest.Groups, "objectClass=posixGroup", "cn=unix", "gidNumber=100", "memberUid=ana")
	at.Add("cn=trap,"+ssotest.Groups, "objectClass=posixGroup", "cn=trap", "gidNumber=101", "memberUid=ANA*")
	d := preset(t, at, "openldap")
	id, err := d.SignIn(t.Context(), "aNa", "correct horse", always) // the login is that of the entry
	if err != nil || !slices.Equal(id.Groups, []string{"unique", "unix"}) {
		t.Errorf("%+v %v", id, err)
	}
	if id, err := d.SignIn(t.Context(), "bo", "correct horse", always); err != nil || len(id.Groups) != 0 {
		t.Errorf("%+v %v", id, err)
	}
	// Whoever is called like a place in a filter is in no other's groups.
	at.AddPerson("{dn}", "correct horse")
	if id, err := d.SignIn(t.Context(), "{dn}", "correct horse", always); err != nil || len(id.Groups) != 0 {
		t.Errorf("%+v %v", id, err)
	}
	d.GroupBase = "ou=gone," + ssotest.Base
	if _, err := d.SignIn(t.Context(), "ana", "correct horse", always); why(err) != sso.Unreachable || !strings.Contains(err.Error(), "No Such Object") {
		t.Errorf("no groups: %v", err)
	}
}

func TestPeopleThatAreNotClear(t *testing.T) {
	at := ssotest.NewDirectory(t)
	at.AddPerson("ana", "correct horse", "employeeNumber=7")
	at.AddPerson("bo", "correct horse", "employeeNumber=7", "ou=staff")
	d := preset(t, at, "openldap", func(c *sso.DirectoryConfig) { c.UserFilter = "(&(objectClass=inetOrgPerson)(sn={name}))" })
	if _, err := d.SignIn(t.Context(), "Person", "correct horse", always); why(err) != sso.WrongPassword || !strings.Contains(err.Error(), "several people have the name") {
		t.Errorf("two of the name: %v", err)
	}
	d = preset(t, at, "openldap", func(c *sso.DirectoryConfig) { c.KeyAttribute = "employeeNumber" })
	if _, err := d.Look(t.Context(), []string{"7"}); why(err) != sso.BadEntry || !strings.Contains(err.Error(), "have the same employeeNumber") {
		t.Errorf("two of the key: %v", err)
	}
	// Who does not fit the filter any more is not found.
	d = preset(t, at, "openldap", func(c *sso.DirectoryConfig) { c.UserFilter = "(&(ou=staff)(uid={name}))" })
	id, err := d.SignIn(t.Context(), "bo", "correct horse", always)
	if err != nil {
		t.Fatal(err)
	}
	ana, err := preset(t, at, "openldap").Find(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	if found, err := d.Look(t.Context(), []string{id.Subject, ana.Subject}); err != nil || len(found) != 1 || found[id.Subject] == nil {
		t.Errorf("%v %v", found, err)
	}
}

func TestManyAreLookedUp(t *testing.T) {
	at := ssotest.NewDirectory(t)
	var members []string
	for i := range 130 {
		members = append(members, at.AddPerson(fmt.Sprintf("p%d", i), "correct horse"))
	}
	at.AddGroup("all", members...)
	d := preset(t, at, "openldap")
	var subjects []string
	for i := range 130 {
		id, err := d.Find(t.Context(), fmt.Sprintf("p%d", i))
		if i == 60 && why(err) == sso.Busy { // there is a pace for what strangers cause
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		subjects = append(subjects, id.Subject)
	}
	found, err := d.Look(t.Context(), subjects)
	if err != nil || len(found) != len(subjects) || len(subjects) < 60 {
		t.Errorf("%d of %d: %v", len(found), len(subjects), err)
	}
	for _, f := range found {
		if !slices.Equal(f.Groups, []string{"all"}) {
			t.Errorf("%s is in %v", f.Email, f.Groups)
		}
	}
}

// What the policy of the directory says of a password reaches who enters it.
func TestPasswordPolicy(t *testing.T) {
	at := ssotest.NewDirectory(t)
	at.Add("cn=policy,"+ssotest.Base, "objectClass=device", "objectClass=pwdPolicy", "cn=policy", "pwdAttribute=userPassword", "pwdMaxAge=1", "pwdMustChange=TRUE", "pwdLockout=TRUE", "pwdMaxFailure=2")
	at.AddPerson("ana", "correct horse", "pwdReset=TRUE")
	d := preset(t, at, "openldap")
	if _, err := d.SignIn(t.Context(), "ana", "correct horse", always); why(err) != sso.Expired {
		t.Errorf("to be changed: %v", err)
	}
	for range 3 {
		if _, err := d.SignIn(t.Context(), "ana", "wrong", always); why(err) != sso.WrongPassword {
			t.Errorf("wrong: %v", err)
		}
	}
	// An account that is locked is not told apart from a wrong password.
	if _, err := d.SignIn(t.Context(), "ana", "correct horse", always); why(err) != sso.WrongPassword {
		t.Errorf("locked: %v", err)
	}
}

func TestServersThatAreAccepted(t *testing.T) {
	for address, want := range map[string]bool{
		"ldaps://dc1.example.com": true, "ldaps://10.1.2.3:3269": true, "ldap://dc1.example.com": false, "ldap://127.0.0.1:389": true, "ldap://[::1]:389": true, "ldap://localhost": true,
		"ldap://127.0.0.1.example.com": false, "ldap://localhost.": false, "ldap://": false, "": false, "ldapi:///var/run/ldapi": false, "http://dc1": false, "ldaps://a:b@dc1": false,
		"ldaps://dc1/dc=example": false, "ldaps://dc1?x": false, "ldaps://dc1#x": false, "dc1:636": false,
	} {
		if err := sso.CheckServer(address, false); (err == nil) != want {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// Whatever somebody enters, a filter keeps its form, and what is compared is
// what was entered.
func FuzzNamesInFilters(f *testing.F) {
	for _, name := range []string{"ana", "*", "a*b", ")(uid=*", `\2a`, `\`, "(", "\x00", "\xff\xfe", "{name}", "{dn}", "ana)(|(objectClass=*", "ä ö", "&|!=~<>"} {
		f.Add(name, "uid="+name+",dc=example")
	}
	shape := func(t *testing.T, filter string) (leaves []string, text string) {
		packet, err := ldap.CompileFilter(filter)
		if err != nil {
			t.Fatalf("%q: %v", filter, err)
		}
		text, err = ldap.DecompileFilter(packet)
		if err != nil {
			t.Fatalf("%q: %v", filter, err)
		}
		for _, child := range packet.Children {
			if len(child.Children) == 2 {
				leaves = append(leaves, child.Children[1].Data.String())
			}
		}
		return leaves, text
	}
	f.Fuzz(func(t *testing.T, name, dn string) {
		leaves, text := shape(t, sso.UserFilterFor("(&(objectClass=person)(uid={name}))", name))
		if len(leaves) != 2 || leaves[1] != name || !strings.HasPrefix(text, "(&(objectClass=person)(uid=") {
			t.Errorf("%q became %q: %s", name, leaves, text)
		}
		leaves, text = shape(t, sso.GroupFilterFor("(|(member={dn})(memberUid={name}))", dn, name))
		if len(leaves) != 2 || leaves[0] != dn || leaves[1] != name {
			t.Errorf("%q of %q became %q: %s", name, dn, leaves, text)
		}
	})
}
