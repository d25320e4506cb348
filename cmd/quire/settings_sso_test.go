package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/ssotest"
)

func TestProvidersComeFromFileAndEnvironment(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	doc := `{"PublicUrl": "https://reports.example.com", "Sso": {"Providers": [
		{"Name": "company", "Preset": "keycloak", "Issuer": "https://login.example.com/realms/company/.well-known/openid-configuration", "ClientId": "quire", "Groups": ["sales = demo:Viewer", "it = *root"], "Enabled": false},
		{"name": "ms", "preset": "entra", "issuer": "https://login.microsoftonline.com/0000/v2.0", "clientid": "q"}]}}`
	if err := os.WriteFile(file, []byte(doc), 0o600); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hush\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := loadSettings(file, []string{"Sso__Providers__0__ClientSecret_FILE=" + secret, "SSO__PROVIDERS__1__ALLOWEDDOMAINS=a.example, b.example", "Sso__Providers__2__Name=g", "Sso__Providers__2__Preset=google", "Sso__Providers__2__ClientId=x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, second, third := s.Providers[0].config(), s.Providers[1].config(), s.Providers[2].config()
	if first.Issuer != "https://login.example.com/realms/company" || first.ClientSecret != "hush" || first.Enabled || first.Label != "Keycloak" || first.GroupsClaim != "groups" || first.NameIsEmail ||
		!slices.Equal(first.Grants, []sso.Grant{{Group: "sales", Workspace: "demo", Role: "Viewer"}, {Group: "it", Root: true}}) {
		t.Errorf("the first is %+v", first)
	}
	if !second.Enabled || !second.NameIsEmail || !second.CreateUsers || second.LinkByVerifiedEmail || strings.Join(second.AllowedDomains, " ") != "a.example b.example" {
		t.Errorf("the second is %+v", second)
	}
	if third.Issuer != "https://accounts.google.com" || third.GroupsClaim != "" {
		t.Errorf("the third is %+v", third)
	}
	providers, end, err := newProviders(s, nil, nil)
	if err != nil || len(providers) != 3 {
		t.Fatalf("%d providers: %v", len(providers), err)
	}
	end()
}

func TestWrongProviders(t *testing.T) {
	const is = "Sso__Providers__0__"
	good := []string{is + "Name=company", is + "Issuer=https://login.example.com", is + "ClientId=quire", "PublicUrl=https://reports.example.com"}
	if _, err := loadSettings("", good, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ env, want string }{
		{is + "Name=My Company", `setting Sso.Providers.0.Name: "My Company" is no name; accepted: small letters`},
		{is + "Name=", "setting Sso.Providers.0.Name: is missing"},
		{is + "Issuer=http://login.example.com", `"http://login.example.com" is not accepted; accepted: https://…, and http://… on this machine only`},
		{is + "Issuer=", "setting Sso.Providers.0.Issuer: is missing"},
		{is + "ClientId=", "setting Sso.Providers.0.ClientId: is missing"},
		{is + "Preset=saml", `"saml" is not accepted; accepted: oidc, entra`},
		{is + "Type=wsfed", `"wsfed" is not accepted; accepted: oidc, saml, ldap`},
		{is + "Metadata=https://login.example.com", "setting Sso.Providers.0.Metadata: is for SAML only"},
		{is + "TrustEmail=true", "setting Sso.Providers.0.TrustEmail: is for SAML only"},
		{is + "Groups=sales", `"sales" is not accepted; accepted: group = workspace:role`},
		{is + "Scopes=email", "setting Sso.Providers.0.Scopes: openid is missing"},
		{is + "ClientSecrets=x", "did you mean Sso.Providers.0.ClientSecret?"},
		{"PublicUrl=", "setting PublicUrl: is missing, and providers send people back there"},
		{"Sso__Providers__1__ClientId=x", "setting Sso.Providers.1.Name: is missing"},
		{"Sso__LocalSignIn=maybe", `setting Sso.LocalSignIn: "maybe" is neither true nor false`},
		{"Sso__AutoRedirect=google", `setting Sso.AutoRedirect: "google" is no provider to which people can be sent; accepted: company`},
		{"Sso__TokenMaxIdleDays=-1", `setting Sso.TokenMaxIdleDays: "-1" is not accepted; accepted: a whole number from 0 to 3650`},
		{"Sso__TokenMaxIdleDays=a week", "setting Sso.TokenMaxIdleDays"},
		{"Sso__Providers__10__Name=x", "unknown setting Sso.Providers.10.Name"},
	} {
		if _, err := loadSettings("", append(slices.Clone(good), c.env), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.env, err, c.want)
		}
	}
	off := append(slices.Clone(good), is+"Enabled=false")
	for _, c := range []struct{ env, want string }{
		{"Sso__LocalSignIn=false", "setting Sso.LocalSignIn: false without a provider by which people come in"},
		{"Sso__AutoRedirect=company", `setting Sso.AutoRedirect: "company" is no provider to which people can be sent; accepted: nothing, or a provider of Type oidc or saml with Enabled`},
	} {
		if _, err := loadSettings("", append(slices.Clone(off), c.env), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.env, err, c.want)
		}
	}
	all, err := loadSettings("", append(slices.Clone(good), "Sso__LocalSignIn=false", "Sso__AutoRedirect=company", "Sso__TokenMaxIdleDays=30"), nil)
	if err != nil || all.LocalSignIn || all.AutoRedirect != "company" || all.TokenMaxIdleDays != 30 {
		t.Errorf("%+v %v", all, err)
	}
	twice := append(slices.Clone(good), "Sso__Providers__1__Name=company", "Sso__Providers__1__Issuer=https://b.example", "Sso__Providers__1__ClientId=x")
	if _, err := loadSettings("", twice, nil); err == nil || !strings.Contains(err.Error(), "Sso.Providers.1.Name: there is another company") {
		t.Errorf("the same name twice: %v", err)
	}
}

func TestSAMLProviders(t *testing.T) {
	at := ssotest.NewSAML(t)
	file := filepath.Join(t.TempDir(), "company.xml")
	if err := os.WriteFile(file, []byte(at.Metadata()), 0o600); err != nil {
		t.Fatal(err)
	}
	const is = "Sso__Providers__0__"
	good := []string{is + "Name=company", is + "Type=saml", is + "Preset=entra", is + "Issuer=" + at.URL, is + "Metadata=https://10.1.2.3/metadata", "PublicUrl=https://reports.example.com"}
	for _, from := range []string{"https://10.1.2.3/metadata", file, at.Metadata()} {
		s, err := loadSettings("", append(slices.Clone(good), is+"Metadata="+from), nil)
		if err != nil {
			t.Errorf("%.30s: %v", from, err)
			continue
		}
		c := s.Providers[0].config()
		if c.Type != sso.SAML || c.Issuer != at.URL || c.Metadata != from || c.GroupsClaim != "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups" || !c.NameIsEmail || c.Label != "Microsoft" {
			t.Errorf("%.30s: %+v", from, c)
		}
	}
	for _, c := range []struct{ env, want string }{
		{is + "Issuer=", "setting Sso.Providers.0.Issuer: is missing; accepted: the entity ID of the provider"},
		{is + "Metadata=", "setting Sso.Providers.0.Metadata: is missing"},
		{is + "Metadata=http://login.example.com/metadata", "setting Sso.Providers.0.Metadata: \"http://login.example.com/metadata\" is not accepted"},
		{is + "Metadata=" + file + "x", "cannot be read; accepted: the path of a file"},
		{is + "Metadata=<html/>", "setting Sso.Providers.0.Metadata: the metadata cannot be read"},
		{is + "ClientSecret=hush", "setting Sso.Providers.0.ClientSecret: is for OpenID Connect only"},
		{is + "Scopes=openid", "setting Sso.Providers.0.Scopes: is for OpenID Connect only"},
		{is + "TrustEmail=perhaps", "Sso.Providers.0.TrustEmail"},
		{is + "Preset=ad", "setting Sso.Providers.0.Preset: ad is an LDAP directory"},
		{"PublicUrl=", "setting PublicUrl: is missing"},
	} {
		if _, err := loadSettings("", append(slices.Clone(good), c.env), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.env, err, c.want)
		}
	}
	other := append(slices.Clone(good), is+"Metadata="+file, is+"Issuer=https://other.example")
	if _, err := loadSettings("", other, nil); err == nil || !strings.Contains(err.Error(), "the metadata are of "+at.URL+", not of https://other.example") {
		t.Errorf("metadata of another: %v", err)
	}
}
