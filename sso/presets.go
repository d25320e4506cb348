package sso

import "strings"

// Preset is what is the same for all who use a product.
type Preset struct {
	Name, Label string
	Issuer      string // where it is the same for all
	Scopes      []string
	GroupsClaim string
	// GroupsAttribute is where groups are by SAML.
	GroupsAttribute string
	// NameIsEmail: only administrators give user names, which are addresses.
	NameIsEmail bool
	// Provisioned is the claim that names who was provisioned, as
	// ParseProvisioned has it; empty: sub = externalId.
	Provisioned string
}

// Presets lists the products that are known; the first is any other.
func Presets() []Preset {
	usual := []string{"openid", "email", "profile"}
	return []Preset{
		{Name: "oidc", Label: "Single sign-on", Scopes: usual, GroupsClaim: "groups", GroupsAttribute: "groups"},
		{Name: "entra", Label: "Microsoft", Scopes: usual, GroupsClaim: "groups", GroupsAttribute: entraGroupsURI, NameIsEmail: true, Provisioned: "oid = externalId"},
		{Name: "google", Label: "Google", Issuer: "https://accounts.google.com", Scopes: usual, GroupsAttribute: "groups"},
		{Name: "okta", Label: "Okta", Scopes: append(usual[:3:3], "groups"), GroupsClaim: "groups", GroupsAttribute: "groups"},
		{Name: "keycloak", Label: "Keycloak", Scopes: usual, GroupsClaim: "groups", GroupsAttribute: "groups"},
		{Name: "auth0", Label: "Auth0", Scopes: usual, GroupsClaim: "groups", GroupsAttribute: "groups"},
		{Name: "gitlab", Label: "GitLab", Issuer: "https://gitlab.com", Scopes: usual, GroupsClaim: "groups", GroupsAttribute: "groups"},
	}
}

// Issuer is an issuer as people write it: some add what comes after.
func Issuer(text string) string {
	return strings.TrimSuffix(strings.TrimSpace(text), "/.well-known/openid-configuration")
}
