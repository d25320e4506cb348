package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/sso"
)

// mostProviders is how many there can be to sign in at.
const mostProviders = 10

// providerSettings are a provider at which people sign in.
type providerSettings struct {
	Name, Type, Preset, Label, Issuer, ClientID, GroupsClaim, Metadata, ProvisionedBy string
	ClientSecret                                                                      report.Secret
	Enabled, CreateUsers, LinkByVerifiedEmail, TrustEmail                             bool
	Scopes, Grants, RequiredGroups, AllowedDomains                                    []string
	LDAP                                                                              ldapSettings
	preset                                                                            sso.Preset
}

// signInSettingList are the settings of all providers together.
func signInSettingList() []setting {
	return []setting{
		{"Sso.LocalSignIn", "true", "false", "whether people sign in with passwords and passkeys of Quire; false leaves these to root users, and all others sign in at a provider", boolean(func(s *settings) *bool { return &s.LocalSignIn })},
		{"Sso.AutoRedirect", "", "company", "name of the provider to which who has to sign in is sent at once, such as company; empty means that they choose; /sign-in itself always shows the choice", plain(func(s *settings) *string { return &s.AutoRedirect })},
		{"Sso.TokenMaxIdleDays", "0", "30", "after how many days without a sign-in at their provider the access tokens and previews of people stop, until they sign in again; 0 means never", number(func(s *settings) *int { return &s.TokenMaxIdleDays }, 0, 3650)},
	}
}

// checkSignIn checks what the providers together say.
func (s *settings) checkSignIn() error {
	if err := s.checkProviders(); err != nil {
		return err
	}
	var open, leads []string // by which people come in, and to which they can be sent
	for i := range s.Providers {
		p := &s.Providers[i]
		if !p.given() || !p.Enabled {
			continue
		}
		open = append(open, p.Name)
		if !isDirectory(p.Preset) {
			leads = append(leads, p.Name)
		}
	}
	if !s.LocalSignIn && len(open) == 0 {
		return errors.New("setting Sso.LocalSignIn: false without a provider by which people come in; accepted: true, or a provider with Enabled")
	}
	if s.AutoRedirect != "" && !slices.Contains(leads, s.AutoRedirect) {
		return fmt.Errorf("setting Sso.AutoRedirect: %q is no provider to which people can be sent; accepted: %s", s.AutoRedirect, cmp.Or(strings.Join(leads, ", "), "nothing, or a provider of Type oidc or saml with Enabled"))
	}
	return nil
}

// ssoSettingList are the settings of provider i.
func ssoSettingList(i int) []setting {
	of := func(s *settings) *providerSettings { return &s.Providers[i] }
	text := func(field func(*providerSettings) *string) func(*settings) *string {
		return func(s *settings) *string { return field(of(s)) }
	}
	texts := func(field func(*providerSettings) *[]string) func(*settings) *[]string {
		return func(s *settings) *[]string { return field(of(s)) }
	}
	flag := func(field func(*providerSettings) *bool) func(*settings) *bool {
		return func(s *settings) *bool { return field(of(s)) }
	}
	anything := func(string) error { return nil }
	var presets []string
	for _, p := range sso.Presets() {
		presets = append(presets, p.Name)
	}
	for _, p := range sso.DirectoryPresets() {
		presets = append(presets, p.Name)
	}
	list := []setting{
		{"Name", "", "company", "a provider to sign in at, see sso.md: its name in addresses, such as company; further ones are Sso.Providers.1 to 9", checked(text(func(p *providerSettings) *string { return &p.Name }), isProviderName)},
		{"Type", sso.OpenID, "ldap", "what it speaks: oidc (OpenID Connect), saml (SAML 2.0) or ldap (an LDAP directory, whose passwords people enter here)", chosen(text(func(p *providerSettings) *string { return &p.Type }), sso.OpenID, sso.SAML, "ldap")},
		{"Preset", "oidc", "entra", "what it is: " + strings.Join(presets, ", "), chosen(text(func(p *providerSettings) *string { return &p.Preset }), presets...)},
		{"Label", "", "Example Ltd", "what its button says after “Continue with”; empty means that of the preset", plain(text(func(p *providerSettings) *string { return &p.Label }))},
		{"Enabled", "true", "false", "whether people may come in by it; while it is false root users can try it on the page Sign-in", boolean(flag(func(p *providerSettings) *bool { return &p.Enabled }))},
		{"Issuer", "", "https://id.example.com/realms/company", "its address, with or without /.well-known/openid-configuration; of SAML its entity ID", plain(text(func(p *providerSettings) *string { return &p.Issuer }))},
		{"Metadata", "", "https://id.example.com/realms/company/protocol/saml/descriptor", "of SAML: the address of its metadata, which are read every day, the path of a file with them, or the XML itself", plain(text(func(p *providerSettings) *string { return &p.Metadata }))},
		{"ClientId", "", "quire", "what the provider calls this application; of SAML our entity ID, and empty means the address of our metadata", plain(text(func(p *providerSettings) *string { return &p.ClientID }))},
		{"ClientSecret", "", "secret", "password of this application there; empty for one that has none", secret(func(s *settings) *report.Secret { return &of(s).ClientSecret }, 0)},
		{"Scopes", "", "openid, email, profile, groups", "what is asked for, comma-separated; empty means what the preset does", list(texts(func(p *providerSettings) *[]string { return &p.Scopes }), isScope)},
		{"GroupsClaim", "", "realm_access.roles", "claim, or attribute of SAML, that holds the groups, a dot leads into an object; empty means that of the preset", plain(text(func(p *providerSettings) *string { return &p.GroupsClaim }))},
		{"Groups", "", "sales = demo:Viewer, admins = *root", "roles that follow from groups, comma-separated: group = workspace:role, or group = *root; of a workspace the first that fits counts", list(texts(func(p *providerSettings) *[]string { return &p.Grants }), isGrant)},
		{"RequiredGroups", "", "staff", "groups one of which lets people in, comma-separated; empty means everybody", list(texts(func(p *providerSettings) *[]string { return &p.RequiredGroups }), anything)},
		{"AllowedDomains", "", "example.com", "domains of verified e-mail addresses that are let in, comma-separated; empty means all", list(texts(func(p *providerSettings) *[]string { return &p.AllowedDomains }), anything)},
		{"CreateUsers", "true", "false", "whether who signs in first gets an account", boolean(flag(func(p *providerSettings) *bool { return &p.CreateUsers }))},
		{"LinkByVerifiedEmail", "false", "true", "whether the provider opens accounts that were there before, by their e-mail address; never those of root users", boolean(flag(func(p *providerSettings) *bool { return &p.LinkByVerifiedEmail }))},
		{"ProvisionedBy", "", "oid = externalId", "how the provider names who was provisioned for it by SCIM: claim = externalId, or claim = userName; empty means that of the preset, mostly sub = externalId", checked(text(func(p *providerSettings) *string { return &p.ProvisionedBy }), isProvisioned)},
		{"TrustEmail", "false", "true", "of SAML and LDAP directories: whether only administrators there write people's e-mail addresses, so that these count as verified where nothing is said of it", boolean(flag(func(p *providerSettings) *bool { return &p.TrustEmail }))},
	}
	list = append(list, ldapSettingList(func(s *settings) *ldapSettings { return &of(s).LDAP })...)
	for n := range list {
		list[n].name = fmt.Sprintf("Sso.Providers.%d.%s", i, list[n].name)
	}
	return list
}

// moreProviders are the settings of the providers after the first.
func moreProviders() (list []setting) {
	for i := 1; i < mostProviders; i++ {
		list = append(list, ssoSettingList(i)...)
	}
	return list
}

var (
	providerName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	scopeText    = regexp.MustCompile(`^[!#-\[\]-~]+$`)
)

func isProviderName(v string) error {
	if !providerName.MatchString(v) || len(v) > 40 {
		return fmt.Errorf("%q is no name; accepted: small letters, digits and dashes, such as company", v)
	}
	return nil
}

func isScope(v string) error {
	if !scopeText.MatchString(v) {
		return fmt.Errorf("%q is no scope; accepted: such as openid, email, profile, comma-separated", v)
	}
	return nil
}

func isGrant(v string) error {
	_, err := sso.ParseGrant(v)
	return err
}

func isProvisioned(v string) error {
	if v == "" {
		return nil
	}
	_, err := sso.ParseProvisioned(v)
	return err
}

// fill takes from the preset what is not given. A preset of a directory says what
// it speaks.
func (p *providerSettings) fill() {
	if p.Type == "ldap" && p.Preset == sso.Presets()[0].Name {
		p.Preset = sso.DirectoryPresets()[0].Name
	}
	if isDirectory(p.Preset) {
		return
	}
	all := sso.Presets()
	preset := all[slices.IndexFunc(all, func(o sso.Preset) bool { return o.Name == p.Preset })]
	p.preset = preset
	if p.Label == "" {
		p.Label = preset.Label
	}
	if p.Type == sso.SAML {
		if p.GroupsClaim == "" {
			p.GroupsClaim = preset.GroupsAttribute
		}
		return
	}
	if p.Issuer = sso.Issuer(p.Issuer); p.Issuer == "" {
		p.Issuer = preset.Issuer
	}
	if p.GroupsClaim == "" {
		p.GroupsClaim = preset.GroupsClaim
	}
	if p.ProvisionedBy == "" {
		p.ProvisionedBy = cmp.Or(preset.Provisioned, "sub = externalId")
	}
	if len(p.Scopes) == 0 {
		p.Scopes = preset.Scopes
	}
}

// given tells whether somebody has set up the provider.
func (p *providerSettings) given() bool {
	return p.Name+p.Issuer+p.ClientID+p.Metadata != "" || p.LDAP.given()
}

// checkProviders checks what each provider says together.
func (s *settings) checkProviders() error {
	names := map[string]bool{}
	for i := range s.Providers {
		p := &s.Providers[i]
		if !p.given() {
			continue
		}
		p.fill()
		missing := func(name, accepted string) error {
			return fmt.Errorf("setting Sso.Providers.%d.%s: is missing; accepted: %s", i, name, accepted)
		}
		switch {
		case p.Name == "":
			return missing("Name", "such as company")
		case names[p.Name]:
			return fmt.Errorf("setting Sso.Providers.%d.Name: there is another %s; accepted: a name of its own", i, p.Name)
		case isDirectory(p.Preset) && p.Type == sso.SAML:
			return fmt.Errorf("setting Sso.Providers.%d.Preset: %s is an LDAP directory; accepted with Type saml: such as oidc, entra, okta, keycloak", i, p.Preset)
		case isDirectory(p.Preset):
			if name, err := p.checkDirectory(); err != nil {
				return fmt.Errorf("setting Sso.Providers.%d.%s: %w", i, name, err)
			}
		case p.Type == "ldap":
			return fmt.Errorf("setting Sso.Providers.%d.Preset: %s is no LDAP directory; accepted with Type ldap: openldap, ad, freeipa, 389", i, p.Preset)
		case p.LDAP.given():
			return fmt.Errorf("setting Sso.Providers.%d.Ldap: is for LDAP directories; accepted: nothing, or Type ldap beside it", i)
		case p.Issuer == "" && p.Type == sso.SAML:
			return missing("Issuer", "the entity ID of the provider, which its metadata name as entityID")
		case p.Issuer == "":
			return missing("Issuer", "the address of the provider")
		case s.PublicURL == "":
			return errors.New("setting PublicUrl: is missing, and providers send people back there; accepted with Sso.Providers: such as https://reports.example.com")
		}
		if name, err := p.check(); err != nil && !isDirectory(p.Preset) {
			return fmt.Errorf("setting Sso.Providers.%d.%s: %w", i, name, err)
		}
		names[p.Name] = true
	}
	return nil
}

// check finds a setting that does not go with what the provider speaks.
func (p *providerSettings) check() (name string, err error) {
	if p.Type == sso.SAML {
		return p.checkSAML()
	}
	only := errors.New("is for SAML only; accepted: nothing, or Type saml beside it")
	switch {
	case p.ClientID == "":
		return "ClientId", errors.New("is missing; accepted: what the provider calls this application")
	case !slices.Contains(p.Scopes, "openid"):
		return "Scopes", errors.New("openid is missing; accepted: such as openid, email, profile")
	case p.Metadata != "":
		return "Metadata", only
	case p.TrustEmail:
		return "TrustEmail", only
	}
	return "Issuer", sso.CheckAddress(p.Issuer)
}

// checkSAML reads metadata that are on this machine; those elsewhere are read
// when they are first needed.
func (p *providerSettings) checkSAML() (name string, err error) {
	only := errors.New("is for OpenID Connect only; accepted with Type saml: nothing")
	switch {
	case p.ClientSecret != "":
		return "ClientSecret", only
	case len(p.Scopes) > 0:
		return "Scopes", only
	case p.Metadata == "":
		return "Metadata", errors.New("is missing; accepted: the address of the provider's metadata, the path of a file with them, or the XML itself")
	case sso.IsMetadata(p.Metadata):
		return "Metadata", sso.CheckMetadata([]byte(p.Metadata), p.Issuer)
	case strings.Contains(p.Metadata, "://"):
		return "Metadata", sso.CheckAddress(p.Metadata)
	}
	text, err := os.ReadFile(p.Metadata)
	if err != nil {
		return "Metadata", fmt.Errorf("%q cannot be read; accepted: the path of a file, an address, or the XML itself", p.Metadata)
	}
	return "Metadata", sso.CheckMetadata(text, p.Issuer)
}

// config is a provider as package sso takes it.
func (p *providerSettings) config() sso.Config {
	return sso.Config{
		Terms: p.terms(), Type: p.Type, Metadata: p.Metadata, Issuer: p.Issuer, ClientID: p.ClientID, ClientSecret: p.ClientSecret.Reveal(), Scopes: p.Scopes,
	}
}

// terms are what does not depend on what the provider speaks.
func (p *providerSettings) terms() sso.Terms {
	terms := sso.Terms{Name: p.Name, Label: p.Label, Enabled: p.Enabled, Rules: sso.Rules{
		GroupsClaim: p.GroupsClaim, NameIsEmail: p.preset.NameIsEmail, RequiredGroups: p.RequiredGroups, AllowedDomains: p.AllowedDomains,
		CreateUsers: p.CreateUsers, LinkByVerifiedEmail: p.LinkByVerifiedEmail, TrustEmail: p.TrustEmail,
	}}
	terms.Provisioned, _ = sso.ParseProvisioned(p.ProvisionedBy) // checked with the settings
	for _, text := range p.Grants {
		grant, _ := sso.ParseGrant(text) // checked with the settings
		terms.Grants = append(terms.Grants, grant)
	}
	return terms
}

// providerKeys keep what requests to providers are signed with.
type providerKeys interface {
	ProviderKey(ctx context.Context, provider string, fresh func() (string, error)) (string, error)
}

// hosts are those that the service itself asks.
func (p *providerSettings) hosts() []string {
	address := p.Issuer
	if p.Type == sso.SAML {
		address = p.Metadata
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil // metadata that are here
	}
	return []string{u.Hostname()}
}

// newProviders are those that people sign in at. The hosts of their issuers and
// metadata may be private: the operator has named them.
func newProviders(s *settings, beside *egress.Guard, keys providerKeys) (providers []*sso.Provider, end func(), err error) {
	var hosts []string
	var configs []sso.Config
	for i := range s.Providers {
		if p := &s.Providers[i]; p.given() && !isDirectory(p.Preset) {
			c := p.config()
			c.SigningKey = func(ctx context.Context, fresh func() (string, error)) (string, error) {
				return keys.ProviderKey(ctx, c.Name, fresh)
			}
			configs = append(configs, c)
			hosts = append(hosts, p.hosts()...)
		}
	}
	guard, err := egress.New(egress.Config{AllowHosts: hosts, Beside: beside, Timeout: 10 * time.Second})
	if err != nil {
		return nil, nil, err
	}
	for _, c := range configs {
		providers = append(providers, sso.New(c, guard, time.Now))
	}
	return providers, guard.Close, nil
}
