package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/sso"
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
	providers, end, err := newProviders(s)
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
		{is + "Groups=sales", `"sales" is not accepted; accepted: group = workspace:role`},
		{is + "Scopes=email", "setting Sso.Providers.0.Scopes: openid is missing"},
		{is + "ClientSecrets=x", "did you mean Sso.Providers.0.ClientSecret?"},
		{"PublicUrl=", "setting PublicUrl: is missing, and providers send people back there"},
		{"Sso__Providers__1__ClientId=x", "setting Sso.Providers.1.Name: is missing"},
		{"Sso__Providers__10__Name=x", "unknown setting Sso.Providers.10.Name"},
	} {
		if _, err := loadSettings("", append(slices.Clone(good), c.env), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.env, err, c.want)
		}
	}
	twice := append(slices.Clone(good), "Sso__Providers__1__Name=company", "Sso__Providers__1__Issuer=https://b.example", "Sso__Providers__1__ClientId=x")
	if _, err := loadSettings("", twice, nil); err == nil || !strings.Contains(err.Error(), "Sso.Providers.1.Name: there is another company") {
		t.Errorf("the same name twice: %v", err)
	}
}
