package sso

import (
	"fmt"
	"slices"
	"strings"
)

// Rules decide who comes in, and with which roles.
type Rules struct {
	GroupsClaim    string // where groups are; a dot leads into an object
	NameIsEmail    bool   // a user name that looks like an address is one
	FoldGroups     bool   // names of groups are the same in any case of letters
	Grants         []Grant
	RequiredGroups []string // one of them is enough
	AllowedDomains []string
	CreateUsers    bool
	// LinkByVerifiedEmail lets somebody into an account that was there before
	// when the provider vouches for its address.
	LinkByVerifiedEmail bool
	// Provisioned is how the provider names who was provisioned for it.
	Provisioned Provisioned
	TrustEmail  bool // addresses count as verified where nothing is said of it
}

// Provisioned is by what somebody who was provisioned is known when they sign in
// first: a claim that has to equal their externalId or their userName.
type Provisioned struct {
	Claim      string
	ByUserName bool
}

// ParseProvisioned reads "claim = externalId" and "claim = userName".
func ParseProvisioned(text string) (Provisioned, error) {
	claim, what, ok := strings.Cut(text, "=")
	claim, what = strings.TrimSpace(claim), strings.TrimSpace(what)
	if ok && claim != "" && (what == "externalId" || what == "userName") {
		return Provisioned{claim, what == "userName"}, nil
	}
	return Provisioned{}, fmt.Errorf("%q is not accepted; accepted: claim = externalId or claim = userName, such as sub = externalId", text)
}

// ProvisionedAs is the value of that claim; empty: none that counts. An address
// counts only when the provider vouches for it.
func (r *Rules) ProvisionedAs(id *Identity) string {
	switch r.Provisioned.Claim {
	case "":
		return ""
	case "sub":
		return id.Subject
	case "email":
		if !id.EmailVerified {
			return ""
		}
		return id.Email
	}
	switch value := claimAt(id.Claims, r.Provisioned.Claim).(type) {
	case string:
		return value
	case []any: // as attributes of SAML come
		if len(value) == 1 {
			one, _ := value[0].(string)
			return one
		}
	}
	return ""
}

// Grant is what members of a group get: a role in a workspace, or everything.
type Grant struct {
	Group           string
	Workspace, Role string
	Root            bool
}

// ParseGrant reads "group = workspace:role" and "group = *root".
func ParseGrant(text string) (Grant, error) {
	wrong := fmt.Errorf("%q is not accepted; accepted: group = workspace:role, such as Sales = demo:Viewer, or group = *root", text)
	at := strings.LastIndex(text, "=")
	if at < 0 {
		return Grant{}, wrong
	}
	group, what := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])
	workspace, role, ok := strings.Cut(what, ":")
	workspace, role = strings.TrimSpace(workspace), strings.TrimSpace(role)
	switch {
	case group == "":
		return Grant{}, wrong
	case what == "*root":
		return Grant{Group: group, Root: true}, nil
	case !ok || workspace == "" || role == "":
		return Grant{}, wrong
	}
	return Grant{Group: group, Workspace: workspace, Role: role}, nil
}

// Granted are the roles that follow from groups: the first line of a workspace
// counts.
func (r *Rules) Granted(groups []string) []Grant {
	var granted []Grant
	for _, g := range r.Grants {
		same := func(o Grant) bool { return o.Root == g.Root && strings.EqualFold(o.Workspace, g.Workspace) }
		if r.isMember(groups, g.Group) && !slices.ContainsFunc(granted, same) {
			granted = append(granted, g)
		}
	}
	return granted
}

// Check tells whether somebody may come in at all.
func (r *Rules) Check(id *Identity) error {
	switch {
	case id.Email == "":
		return refuse(NoEmail, "")
	case id.EmailDisowned:
		return refuse(Unverified, id.Email)
	case len(id.Groups) > mostGroups:
		return refuse(NoGroups, fmt.Sprintf("%d; at most %d are taken", len(id.Groups), mostGroups))
	}
	if len(r.AllowedDomains) > 0 {
		at := strings.LastIndex(id.Email, "@")
		domain := id.Email[at+1:]
		switch {
		case at < 1 || !slices.ContainsFunc(r.AllowedDomains, func(d string) bool { return strings.EqualFold(strings.TrimPrefix(d, "@"), domain) }):
			return refuse(OtherDomain, strings.Join(r.AllowedDomains, ", "))
		case !id.EmailVerified:
			return refuse(Unverified, id.Email)
		}
	}
	if len(r.RequiredGroups) > 0 && !slices.ContainsFunc(r.RequiredGroups, func(g string) bool { return r.isMember(id.Groups, g) }) {
		return refuse(NoGroup, strings.Join(r.RequiredGroups, ", "))
	}
	return nil
}

// isMember compares groups as providers write them: Keycloak's are paths.
func (r *Rules) isMember(groups []string, group string) bool {
	group = strings.TrimPrefix(group, "/")
	return slices.ContainsFunc(groups, func(g string) bool {
		g = strings.TrimPrefix(g, "/")
		return g == group || r.FoldGroups && strings.EqualFold(g, group)
	})
}

// mostGroups bounds the groups of a person.
const mostGroups = 1000

// Told are the groups of a person by the names that rules compare, for those who
// read them and do not compare. A name with characters that nobody sees could be
// taken for another and is none.
func (id *Identity) Told() (names []string) {
	for _, group := range id.Groups {
		if name := strings.TrimPrefix(group, "/"); name != "" && name == short(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// identity reads claims.
func (r *Rules) identity(issuer, subject, proof string, claims map[string]any) (*Identity, error) {
	id := &Identity{Issuer: issuer, Subject: subject, Proof: proof, Claims: claims}
	if id.Session, _ = claims["sid"].(string); !isName(id.Session) {
		return nil, refuse(BadToken, "its session has no name that can be kept")
	}
	id.Email, _ = claims["email"].(string)
	id.Name, _ = claims["name"].(string)
	if name, _ := claims["preferred_username"].(string); r.NameIsEmail && id.Email == "" && strings.Contains(name, "@") {
		id.Email = name
	} else {
		// Entra says by xms_edov what others say by email_verified.
		id.EmailVerified = isTrue(claims["email_verified"]) || claims["email_verified"] == nil && isTrue(claims["xms_edov"])
		id.EmailDisowned = claims["email_verified"] != nil && !id.EmailVerified
	}
	if r.TrustEmail && claims["email_verified"] == nil {
		id.EmailVerified = true
	}
	id.Email, id.Name = short(id.Email), short(id.Name)
	if r.GroupsClaim == "" {
		return id, nil
	}
	switch groups := claimAt(claims, r.GroupsClaim).(type) {
	case string:
		id.Groups = []string{groups}
	case []any:
		for _, g := range groups {
			if name, ok := g.(string); ok {
				id.Groups = append(id.Groups, name)
			}
		}
	case nil:
		if elsewhere, _ := claims["_claim_names"].(map[string]any); elsewhere[r.GroupsClaim] != nil {
			return nil, refuse(NoGroups, r.GroupsClaim)
		}
	}
	return id, nil
}

func isTrue(v any) bool { return v == true || v == "true" || v == "1" || v == float64(1) }

// claimAt is a claim by its name, or by a path such as realm_access.roles.
func claimAt(claims map[string]any, path string) any {
	if value, ok := claims[path]; ok {
		return value
	}
	if first, rest, ok := strings.Cut(path, "."); ok {
		if inner, isObject := claims[first].(map[string]any); isObject {
			return claimAt(inner, rest)
		}
	}
	return nil
}
