// Package accounts says what an identity of a provider is good for in the
// store: which account, which roles, and why not. It knows no protocol and no
// pages.
package accounts

import (
	"errors"
	"slices"
	"strings"

	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/store"
)

// Identity is a person as the store takes them.
func Identity(id *sso.Identity) store.Identity {
	return store.Identity{Issuer: id.Issuer, Subject: id.Subject, Email: id.Email, Name: id.Name, EmailVerified: id.EmailVerified, Groups: id.Told()}
}

// Rules are what a provider decides, and what follows from groups.
func Rules(terms *sso.Terms, groups []string) store.IdentityRules {
	rules := store.IdentityRules{Create: terms.CreateUsers, Link: terms.LinkByVerifiedEmail, Grants: Grants(terms.Granted(groups))}
	for _, g := range terms.Grants {
		if g.Root {
			rules.DecidesRoot = true
		} else if !slices.ContainsFunc(rules.Decided, func(code string) bool { return strings.EqualFold(code, g.Workspace) }) {
			rules.Decided = append(rules.Decided, g.Workspace)
		}
	}
	return rules
}

// RulesFor are Rules for somebody who signs in: with the account that was
// provisioned for them, if there is one.
func RulesFor(terms *sso.Terms, id *sso.Identity) store.IdentityRules {
	rules := Rules(terms, id.Groups)
	rules.Provisioned = store.ProvisionedLink{Source: terms.Name, ByUserName: terms.Provisioned.ByUserName, Value: terms.ProvisionedAs(id)}
	return rules
}

// Grants are what follows from groups, as the store takes it.
func Grants(grants []sso.Grant) (list []store.IdentityGrant) {
	for _, g := range grants {
		list = append(list, store.IdentityGrant{Workspace: g.Workspace, Role: g.Role, Root: g.Root})
	}
	return list
}

// Refusal words what the store has against an identity; other errors stay as
// they are.
func Refusal(err error) error {
	for known, why := range map[error]sso.Why{
		store.ErrNoAccount: sso.NoAccount, store.ErrAddressTaken: sso.AddressTaken, store.ErrBlocked: sso.Blocked, store.ErrNoRole: sso.NoRole,
	} {
		if errors.Is(err, known) {
			return &sso.Refusal{Why: why}
		}
	}
	return err
}
