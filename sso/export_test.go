package sso

import (
	"github.com/go-ldap/ldap/v3"
	"golang.org/x/time/rate"
)

// What only tests reach.
var (
	UserFilterFor  = userFilter
	GroupFilterFor = groupFilter
	IdentityOf     = (*Rules).identity
	KeyValue       = keyValue
	GroupsListed   = groupsListed
)

// Unhurried takes the pace off what strangers may send.
func Unhurried(p *Provider) {
	switch p := p.Protocol.(type) {
	case *samlProvider:
		p.answers.SetLimit(rate.Inf)
	case *openID:
		p.requests.SetLimit(rate.Inf)
	}
}

// SubjectOf and DisabledBy read an entry of a directory.
func (d *Directory) SubjectOf(e *ldap.Entry) (string, error) { return d.subject(e) }
func (d *Directory) DisabledBy(e *ldap.Entry) string         { return d.disabled(e) }
