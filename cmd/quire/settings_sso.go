package main

import (
	"errors"
	"fmt"
	"net/url"
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
	Name, Preset, Label, Issuer, ClientID, GroupsClaim string
	ClientSecret                                       report.Secret
	Enabled, CreateUsers, LinkByVerifiedEmail          bool
	Scopes, Grants, RequiredGroups, AllowedDomains     []string
	preset                                             sso.Preset
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
	list := []setting{
		{"Name", "", "a provider to sign in at, see sso.md: its name in addresses, such as company; further ones are Sso.Providers.1 to 9", checked(text(func(p *providerSettings) *string { return &p.Name }), isProviderName)},
		{"Preset", "oidc", "what it is: " + strings.Join(presets, ", "), checked(text(func(p *providerSettings) *string { return &p.Preset }), oneOf(presets...))},
		{"Label", "", "what its button says after “Continue with”; empty means that of the preset", plain(text(func(p *providerSettings) *string { return &p.Label }))},
		{"Enabled", "true", "whether people may come in by it; while it is false root users can try it on the page Sign-in", boolean(flag(func(p *providerSettings) *bool { return &p.Enabled }))},
		{"Issuer", "", "its address, with or without /.well-known/openid-configuration", checked(text(func(p *providerSettings) *string { return &p.Issuer }), sso.CheckAddress)},
		{"ClientId", "", "what the provider calls this application", plain(text(func(p *providerSettings) *string { return &p.ClientID }))},
		{"ClientSecret", "", "password of this application there; empty for one that has none", secret(func(s *settings) *report.Secret { return &of(s).ClientSecret }, 0)},
		{"Scopes", "", "what is asked for, comma-separated; empty means what the preset does", list(texts(func(p *providerSettings) *[]string { return &p.Scopes }), isScope)},
		{"GroupsClaim", "", "claim that holds the groups, a dot leads into an object; empty means that of the preset", plain(text(func(p *providerSettings) *string { return &p.GroupsClaim }))},
		{"Groups", "", "roles that follow from groups, comma-separated: group = workspace:role, or group = *root; of a workspace the first that fits counts", list(texts(func(p *providerSettings) *[]string { return &p.Grants }), isGrant)},
		{"RequiredGroups", "", "groups one of which lets people in, comma-separated; empty means everybody", list(texts(func(p *providerSettings) *[]string { return &p.RequiredGroups }), anything)},
		{"AllowedDomains", "", "domains of verified e-mail addresses that are let in, comma-separated; empty means all", list(texts(func(p *providerSettings) *[]string { return &p.AllowedDomains }), anything)},
		{"CreateUsers", "true", "whether who signs in first gets an account", boolean(flag(func(p *providerSettings) *bool { return &p.CreateUsers }))},
		{"LinkByVerifiedEmail", "false", "whether the provider opens accounts that were there before, by their e-mail address; never those of root users", boolean(flag(func(p *providerSettings) *bool { return &p.LinkByVerifiedEmail }))},
	}
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

// fill takes from the preset what is not given.
func (p *providerSettings) fill() {
	all := sso.Presets()
	preset := all[slices.IndexFunc(all, func(o sso.Preset) bool { return o.Name == p.Preset })]
	p.preset = preset
	if p.Label == "" {
		p.Label = preset.Label
	}
	if p.Issuer = sso.Issuer(p.Issuer); p.Issuer == "" {
		p.Issuer = preset.Issuer
	}
	if p.GroupsClaim == "" {
		p.GroupsClaim = preset.GroupsClaim
	}
	if len(p.Scopes) == 0 {
		p.Scopes = preset.Scopes
	}
}

// given tells whether somebody has set up the provider.
func (p *providerSettings) given() bool { return p.Name+p.Issuer+p.ClientID != "" }

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
		case p.Issuer == "":
			return missing("Issuer", "the address of the provider")
		case p.ClientID == "":
			return missing("ClientId", "what the provider calls this application")
		case !slices.Contains(p.Scopes, "openid"):
			return fmt.Errorf("setting Sso.Providers.%d.Scopes: openid is missing; accepted: such as openid, email, profile", i)
		case s.PublicURL == "":
			return errors.New("setting PublicUrl: is missing, and providers send people back there; accepted with Sso.Providers: such as https://reports.example.com")
		}
		names[p.Name] = true
	}
	return nil
}

// config is a provider as package sso takes it.
func (p *providerSettings) config() sso.Config {
	c := sso.Config{
		Name: p.Name, Label: p.Label, Enabled: p.Enabled, Issuer: p.Issuer, ClientID: p.ClientID, ClientSecret: p.ClientSecret.Reveal(), Scopes: p.Scopes,
		Rules: sso.Rules{
			GroupsClaim: p.GroupsClaim, NameIsEmail: p.preset.NameIsEmail, RequiredGroups: p.RequiredGroups, AllowedDomains: p.AllowedDomains,
			CreateUsers: p.CreateUsers, LinkByVerifiedEmail: p.LinkByVerifiedEmail,
		},
	}
	for _, text := range p.Grants {
		grant, _ := sso.ParseGrant(text) // checked with the settings
		c.Grants = append(c.Grants, grant)
	}
	return c
}

// newProviders are those that people sign in at. The hosts of their issuers may
// be private: the operator has named them.
func newProviders(s *settings) (providers []*sso.Provider, end func(), err error) {
	hosts := slices.Clone(s.AllowHosts)
	var configs []sso.Config
	for i := range s.Providers {
		if p := &s.Providers[i]; p.given() {
			configs = append(configs, p.config())
			issuer, _ := url.Parse(p.Issuer) // checked with the settings
			hosts = append(hosts, issuer.Hostname())
		}
	}
	guard, err := egress.New(egress.Config{AllowHosts: hosts, Timeout: 10 * time.Second})
	if err != nil {
		return nil, nil, err
	}
	for _, c := range configs {
		providers = append(providers, sso.New(c, guard, time.Now))
	}
	return providers, guard.Close, nil
}
