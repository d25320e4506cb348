package scim

import (
	"fmt"
	"strings"
)

// object is a resource, or a value that has parts, by the names that the schema
// gives them.
type object = map[string]any

// Addresses of what SCIM calls things.
const (
	userSchema  = "urn:ietf:params:scim:schemas:core:2.0:User"
	groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"
	listSchema  = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
	patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
	errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error"
)

// kind is what values of an attribute are.
type kind string

const (
	text        kind = "string"
	boolean     kind = "boolean"
	dateTime    kind = "dateTime"
	reference   kind = "reference"
	complexType kind = "complex"
)

// attribute is one that is kept here.
type attribute struct {
	name, help string
	kind       kind
	several    bool
	required   bool
	exact      bool // texts are compared as they are written
	readOnly   bool
	immutable  bool
	always     bool // it is in every answer
	unique     bool
	refers     []string
	values     []string // that are usual
	parts      []*attribute
	common     bool // of all resources; not in the schema
}

// find is a part by its name, in any case.
func (a *attribute) find(name string) *attribute {
	for _, part := range a.parts {
		if strings.EqualFold(part.name, name) {
			return part
		}
	}
	return nil
}

// schema is a kind of resources.
type schema struct {
	id, name, endpoint, help string
	attributes               []*attribute
	// elsewhere are attributes that SCIM has and that are not kept here: what is
	// said of them is passed over.
	elsewhere []string
}

// place is an attribute, or a part of one.
type place struct {
	attr, sub *attribute
	foreign   bool   // it is not kept here
	text      string // as it was written
}

// leaf is the part, or the attribute without one.
func (p place) leaf() *attribute {
	switch {
	case p.sub != nil:
		return p.sub
	case p.attr.kind == complexType && p.attr.several && p.attr.find("value") != nil:
		return p.attr.find("value")
	}
	return p.attr
}

// place finds an attribute by its name, with or without the address of its
// schema before it.
func (s *schema) place(name string) (place, error) {
	at := place{text: name}
	if rest, own := cutPrefix(name, s.id); own && (rest == "" || rest[0] == ':') {
		name = strings.TrimPrefix(rest, ":")
	} else if _, urn := cutPrefix(name, "urn:"); urn {
		at.foreign = true
		return at, nil
	}
	first, rest, hasPart := strings.Cut(name, ".")
	for _, a := range s.attributes {
		if !strings.EqualFold(a.name, first) {
			continue
		}
		at.attr = a
		if !hasPart {
			return at, nil
		}
		if at.sub = a.find(rest); at.sub == nil {
			return at, fmt.Errorf("%s has no %q", a.name, clip(rest))
		}
		return at, nil
	}
	for _, other := range s.elsewhere {
		if strings.EqualFold(other, first) {
			at.foreign = true
			return at, nil
		}
	}
	names := make([]string, len(s.attributes))
	for i, a := range s.attributes {
		names[i] = a.name
	}
	return at, fmt.Errorf("there is no attribute %q; accepted: %s", clip(first), strings.Join(names, ", "))
}

// cutPrefix is strings.CutPrefix whatever the case.
func cutPrefix(text, prefix string) (rest string, found bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// common are the attributes of all resources.
func common() []*attribute {
	return []*attribute{
		{name: "schemas", kind: text, several: true, readOnly: true, always: true, exact: true, common: true},
		{name: "id", kind: text, readOnly: true, always: true, exact: true, common: true},
		{name: "externalId", kind: text, exact: true, common: true},
		{name: "meta", kind: complexType, readOnly: true, common: true, parts: []*attribute{
			{name: "resourceType", kind: text, readOnly: true, exact: true},
			{name: "created", kind: dateTime, readOnly: true, exact: true},
			{name: "lastModified", kind: dateTime, readOnly: true, exact: true},
			{name: "location", kind: text, readOnly: true, exact: true},
		}},
	}
}

// users is the schema of accounts.
func users() *schema {
	return &schema{
		id: userSchema, name: "User", endpoint: "Users", help: "Account of a person.",
		attributes: append(common(),
			&attribute{name: "userName", kind: text, required: true, unique: true, help: "What the person is called where they are provisioned; the address of the account, when there are no emails."},
			&attribute{name: "name", kind: complexType, help: "Parts of the name.", parts: []*attribute{
				{name: "formatted", kind: text, help: "The whole name; the name of the account without displayName."},
				{name: "familyName", kind: text, help: "The last name."},
				{name: "givenName", kind: text, help: "The first name."},
			}},
			&attribute{name: "displayName", kind: text, help: "The name of the account."},
			&attribute{name: "emails", kind: complexType, several: true, required: true, help: "Addresses. That of the account is the primary one, else that for work, else the first. They may be left out when userName is an address.", parts: []*attribute{
				{name: "value", kind: text, required: true, help: "The address."},
				{name: "display", kind: text, help: "How it is shown."},
				{name: "type", kind: text, values: []string{"work", "home", "other"}, help: "What it is for."},
				{name: "primary", kind: boolean, help: "Whether it is the main one."},
			}},
			&attribute{name: "active", kind: boolean, required: true, help: "Whether the person may come in; when it turns false sessions, access tokens and previews end. Without it it is true, or stays as it is."},
			&attribute{name: "groups", kind: complexType, several: true, readOnly: true, help: "The groups of the same source that the person is in.", parts: []*attribute{
				{name: "value", kind: text, readOnly: true, exact: true, help: "The id of the group."},
				{name: "$ref", kind: reference, readOnly: true, exact: true, refers: []string{"Group"}, help: "The address of the group."},
				{name: "display", kind: text, readOnly: true, help: "The name of the group."},
				{name: "type", kind: text, readOnly: true, values: []string{"direct"}, help: "How the person is in it."},
			}},
		),
		elsewhere: []string{
			"nickName", "profileUrl", "title", "userType", "preferredLanguage", "locale", "timezone", "password", "phoneNumbers", "ims", "photos", "addresses", "entitlements", "roles", "x509Certificates",
		},
	}
}

// groups is the schema of groups.
func groups() *schema {
	return &schema{
		id: groupSchema, name: "Group", endpoint: "Groups", help: "Group of people. Its roles are given in Quire.",
		attributes: append(common(),
			&attribute{name: "displayName", kind: text, required: true, unique: true, help: "The name of the group."},
			&attribute{name: "members", kind: complexType, several: true, help: "Who is in it: users that the same source has provisioned.", parts: []*attribute{
				{name: "value", kind: text, immutable: true, exact: true, help: "The id of the user."},
				{name: "$ref", kind: reference, immutable: true, exact: true, refers: []string{"User"}, help: "The address of the user."},
				{name: "type", kind: text, immutable: true, values: []string{"User"}, help: "What it is."},
			}},
		),
	}
}

// told is an attribute as the address Schemas tells it.
func (a *attribute) told() object {
	mutability := "readWrite"
	switch {
	case a.readOnly:
		mutability = "readOnly"
	case a.immutable:
		mutability = "immutable"
	}
	uniqueness, returned := "none", "default"
	if a.unique {
		uniqueness = "server"
	}
	if a.always {
		returned = "always"
	}
	told := object{
		"name": a.name, "type": string(a.kind), "multiValued": a.several, "description": a.help, "required": a.required,
		"caseExact": a.exact, "mutability": mutability, "returned": returned, "uniqueness": uniqueness,
	}
	if len(a.values) > 0 {
		told["canonicalValues"] = a.values
	}
	if len(a.refers) > 0 {
		told["referenceTypes"] = a.refers
	}
	if len(a.parts) > 0 {
		var parts []object
		for _, part := range a.parts {
			parts = append(parts, part.told())
		}
		told["subAttributes"] = parts
	}
	return told
}

func (s *schema) told(base string) object {
	var attributes []object
	for _, a := range s.attributes {
		if !a.common {
			attributes = append(attributes, a.told())
		}
	}
	return object{
		"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:Schema"}, "id": s.id, "name": s.name, "description": s.help, "attributes": attributes,
		"meta": object{"resourceType": "Schema", "location": base + "/Schemas/" + s.id},
	}
}

func (s *schema) resourceType(base string) object {
	return object{
		"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:ResourceType"}, "id": s.name, "name": s.name, "endpoint": "/" + s.endpoint, "description": s.help, "schema": s.id, "schemaExtensions": []object{},
		"meta": object{"resourceType": "ResourceType", "location": base + "/ResourceTypes/" + s.name},
	}
}

// provider tells what is done here, and what is not.
func provider(base string) object {
	no := object{"supported": false}
	return object{
		"schemas":          []string{"urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"},
		"documentationUri": "https://github.com/quire-reports/quire/blob/main/docs/provisioning.md",
		"patch":            object{"supported": true},
		"bulk":             object{"supported": false, "maxOperations": 0, "maxPayloadSize": 0},
		"filter":           object{"supported": true, "maxResults": mostResults},
		"changePassword":   no, "sort": no, "etag": no,
		"authenticationSchemes": []object{{
			"type": "oauthbearertoken", "name": "Token for provisioning", "description": "Authorization: Bearer with a token that a root user has made on the page Provisioning.", "primary": true,
		}},
		"meta": object{"resourceType": "ServiceProviderConfig", "location": base + "/ServiceProviderConfig"},
	}
}
