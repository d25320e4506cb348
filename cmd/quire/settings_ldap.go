package main

import (
	"crypto/x509"
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

// ldapSettings are what a provider needs besides that is an LDAP directory.
type ldapSettings struct {
	Servers                                          []string
	CAFile, BindDN, UserBase, UserFilter             string
	BindPassword                                     report.Secret
	KeyAttribute, LoginAttribute                     string
	NameAttribute, EmailAttribute                    string
	GroupBase, GroupFilter                           string
	GroupAttribute, MemberOf                         string
	StartTLS, Nested                                 bool
	MostGuesses, GuessMinutes, SyncMinutes, MostLost int
}

// ldapSettingList are the settings of a directory, with names below Ldap.
func ldapSettingList(of func(*settings) *ldapSettings) []setting {
	text := func(field func(*ldapSettings) *string) func(*settings) *string {
		return func(s *settings) *string { return field(of(s)) }
	}
	flag := func(field func(*ldapSettings) *bool) func(*settings) *bool {
		return func(s *settings) *bool { return field(of(s)) }
	}
	count := func(field func(*ldapSettings) *int, low, high int) takes {
		return number(func(s *settings) *int { return field(of(s)) }, low, high)
	}
	attribute := func(field func(*ldapSettings) *string) takes {
		return checked(text(field), isAttribute)
	}
	dn := func(field func(*ldapSettings) *string) takes {
		return checked(text(field), sso.CheckDN)
	}
	return []setting{
		{"Ldap.Servers", "", "ldaps://dc1.example.com, ldaps://dc2.example.com", "its servers, comma-separated, such as ldaps://dc1.example.com; the first that answers is asked", list(func(s *settings) *[]string { return &of(s).Servers }, func(v string) error { return sso.CheckServer(v, true) })},
		{"Ldap.StartTls", "true", "false", "whether ldap://… goes on encrypted; false only for servers on this machine", boolean(flag(func(l *ldapSettings) *bool { return &l.StartTLS }))},
		{"Ldap.CaFile", "", "/etc/ssl/certs/example-ca.pem", "file with the certificates (PEM) that those of the servers come from; empty means those that the system trusts", checked(text(func(l *ldapSettings) *string { return &l.CAFile }), isCertificateFile)},
		{"Ldap.BindDn", "", "cn=quire,ou=services,dc=example,dc=com", "account that looks people up, such as cn=quire,ou=services,dc=example,dc=com; empty means nobody, where the directory lets everybody", checked(text(func(l *ldapSettings) *string { return &l.BindDN }), isAccount)},
		{"Ldap.BindPassword", "", "secret", "its password", secret(func(s *settings) *report.Secret { return &of(s).BindPassword }, 0)},
		{"Ldap.UserBase", "", "ou=people,dc=example,dc=com", "below which people are, such as ou=people,dc=example,dc=com", dn(func(l *ldapSettings) *string { return &l.UserBase })},
		{"Ldap.UserFilter", "", "(&(objectClass=person)(uid={name}))", "whom people are found by, with {name} for what they enter; empty means that of the preset", checked(text(func(l *ldapSettings) *string { return &l.UserFilter }), sso.CheckUserFilter)},
		{"Ldap.KeyAttribute", "", "entryUUID", "attribute that is a person's for ever and never another's; empty means that of the preset", attribute(func(l *ldapSettings) *string { return &l.KeyAttribute })},
		{"Ldap.LoginAttribute", "", "uid", "attribute with the name that groups may list people by; empty means that of the preset", attribute(func(l *ldapSettings) *string { return &l.LoginAttribute })},
		{"Ldap.NameAttribute", "", "displayName", "attribute with the name to show; empty means that of the preset", attribute(func(l *ldapSettings) *string { return &l.NameAttribute })},
		{"Ldap.EmailAttribute", "", "mail", "attribute with the e-mail address; empty means mail", attribute(func(l *ldapSettings) *string { return &l.EmailAttribute })},
		{"Ldap.GroupBase", "", "ou=groups,dc=example,dc=com", "below which groups are; empty means Ldap.UserBase", dn(func(l *ldapSettings) *string { return &l.GroupBase })},
		{"Ldap.GroupFilter", "", "(&(objectClass=groupOfNames)(member={dn}))", "which groups somebody is in, with {dn} for the person and {name} for their login; empty means that of the preset", checked(text(func(l *ldapSettings) *string { return &l.GroupFilter }), sso.CheckGroupFilter)},
		{"Ldap.GroupAttribute", "", "cn", "attribute that names a group; empty means that of the preset", attribute(func(l *ldapSettings) *string { return &l.GroupAttribute })},
		{"Ldap.MemberOf", "", "memberOf", "attribute of a person that lists groups, to be read instead of looking for them; empty means that of the preset", attribute(func(l *ldapSettings) *string { return &l.MemberOf })},
		{"Ldap.NestedGroups", "false", "true", "whether groups in groups count, too; for Active Directory", boolean(flag(func(l *ldapSettings) *bool { return &l.Nested }))},
		{"Ldap.SyncMinutes", "15", "5", "how often the people of the directory are looked up, so that who is gone is out and roles follow groups; 0 means only when they sign in", count(func(l *ldapSettings) *int { return &l.SyncMinutes }, 0, 10080)},
		{"Ldap.MostLost", "20", "5", "when more of the people than so many percent, and more than two, would lose something at once, nothing is changed; 100 means no bound", count(func(l *ldapSettings) *int { return &l.MostLost }, 1, 100)},
		{"Ldap.MostGuesses", "3", "5", "wrong passwords of one person that reach the directory within Ldap.GuessMinutes; one more from a browser that they have used before", count(func(l *ldapSettings) *int { return &l.MostGuesses }, 1, 100)},
		{"Ldap.GuessMinutes", "30", "60", "within how many minutes; at least as long as the directory remembers them", count(func(l *ldapSettings) *int { return &l.GuessMinutes }, 1, 1440)},
	}
}

var attributeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)

func isAttribute(v string) error {
	if !attributeName.MatchString(v) {
		return fmt.Errorf("%q is no name of an attribute; accepted: such as mail or entryUUID", v)
	}
	return nil
}

// isAccount takes what directories take to sign in: Active Directory has other
// forms besides.
func isAccount(v string) error {
	if strings.Contains(v, "@") || strings.Contains(v, `\`) && !strings.Contains(v, "=") {
		return nil
	}
	return sso.CheckDN(v)
}

func isCertificateFile(v string) error {
	_, err := certificates(v)
	return err
}

func certificates(file string) (*x509.CertPool, error) {
	const accepted = "accepted: the path of a file with certificates in PEM"
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, accepted)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate; %s", file, accepted)
	}
	return pool, nil
}

// given tells whether something of a directory is set up.
func (l *ldapSettings) given() bool { return len(l.Servers) > 0 || l.BindDN+l.UserBase != "" }

// isDirectory tells that a preset is one of an LDAP directory.
func isDirectory(preset string) bool {
	return slices.ContainsFunc(sso.DirectoryPresets(), func(p sso.DirectoryPreset) bool { return p.Name == preset })
}

// checkDirectory finds a setting that does not go with a directory.
func (p *providerSettings) checkDirectory() (name string, err error) {
	l := &p.LDAP
	only := errors.New("is for OpenID Connect; accepted with an LDAP directory: nothing")
	for _, other := range []struct {
		name  string
		given bool
	}{
		{"Issuer", p.Issuer != ""}, {"ClientId", p.ClientID != ""}, {"ClientSecret", p.ClientSecret != ""}, {"Scopes", len(p.Scopes) > 0}, {"Metadata", p.Metadata != ""}, {"GroupsClaim", p.GroupsClaim != ""},
	} {
		if other.given {
			return other.name, only
		}
	}
	switch {
	case len(l.Servers) == 0:
		return "Ldap.Servers", errors.New("is missing; accepted: such as ldaps://dc1.example.com")
	case l.UserBase == "":
		return "Ldap.UserBase", errors.New("is missing; accepted: such as ou=people,dc=example,dc=com")
	case l.BindDN != "" && l.BindPassword == "":
		return "Ldap.BindPassword", errors.New("is missing; accepted: the password of Ldap.BindDn")
	case l.BindDN == "" && l.BindPassword != "":
		return "Ldap.BindDn", errors.New("is missing; accepted: the account whose password is given")
	case l.GroupFilter != "" && l.MemberOf != "":
		return "Ldap.MemberOf", errors.New("is another way to find groups than Ldap.GroupFilter; accepted: one of them")
	case l.Nested && (p.Preset != "ad" || l.GroupFilter != "" || l.MemberOf != ""):
		return "Ldap.NestedGroups", errors.New("true is accepted with the preset ad, without a filter of your own")
	case !p.TrustEmail && len(p.AllowedDomains) > 0:
		return "AllowedDomains", errors.New("needs addresses that nobody writes themselves; accepted with TrustEmail true, when the directory is such")
	case !p.TrustEmail && p.LinkByVerifiedEmail:
		return "LinkByVerifiedEmail", errors.New("needs addresses that nobody writes themselves; accepted with TrustEmail true, when the directory is such")
	}
	for _, server := range l.Servers {
		if err := sso.CheckServer(server, l.StartTLS); err != nil {
			return "Ldap.Servers", err
		}
	}
	return "", nil
}

// directory is one as package sso takes it.
func (p *providerSettings) directory() (sso.DirectoryConfig, error) {
	l := &p.LDAP
	c := sso.DirectoryConfig{
		Terms: p.terms(), Servers: l.Servers, StartTLS: l.StartTLS, BindDN: l.BindDN, BindPassword: l.BindPassword.Reveal(),
		UserBase: l.UserBase, UserFilter: l.UserFilter, KeyAttribute: l.KeyAttribute, LoginAttribute: l.LoginAttribute, NameAttribute: l.NameAttribute, EmailAttribute: l.EmailAttribute,
		GroupBase: l.GroupBase, GroupFilter: l.GroupFilter, GroupAttribute: l.GroupAttribute, MemberOf: l.MemberOf, Nested: l.Nested,
		MostGuesses: l.MostGuesses, GuessWindow: time.Duration(l.GuessMinutes) * time.Minute, SyncEvery: time.Duration(l.SyncMinutes) * time.Minute, MostLost: l.MostLost,
	}
	c.Fill(p.Preset)
	if c.GroupBase == "" {
		c.GroupBase = c.UserBase
	}
	if l.CAFile == "" {
		return c, nil
	}
	var err error
	if c.CA, err = certificates(l.CAFile); err != nil {
		err = fmt.Errorf("setting Ldap.CaFile of provider %s: %w", p.Name, err)
	}
	return c, err
}

// newDirectories are those whose passwords people enter here. Their hosts may be
// private: the operator has named them.
func newDirectories(s *settings, beside *egress.Guard) (directories []*sso.Directory, end func(), err error) {
	var hosts []string
	var configs []sso.DirectoryConfig
	for i := range s.Providers {
		p := &s.Providers[i]
		if !p.given() || !isDirectory(p.Preset) {
			continue
		}
		c, err := p.directory()
		if err != nil {
			return nil, nil, err
		}
		for _, server := range c.Servers {
			at, _ := url.Parse(server) // checked with the settings
			hosts = append(hosts, at.Hostname())
		}
		configs = append(configs, c)
	}
	guard, err := egress.New(egress.Config{AllowHosts: hosts, Beside: beside})
	if err != nil {
		return nil, nil, err
	}
	for _, c := range configs {
		directories = append(directories, sso.NewDirectory(c, guard, time.Now))
	}
	return directories, guard.Close, nil
}
