package sso

// DirectoryPreset is how people and groups are found in a product.
type DirectoryPreset struct {
	Name, Label                                                 string
	UserFilter                                                  string
	KeyAttribute, LoginAttribute, NameAttribute, EmailAttribute string
	GroupFilter, GroupAttribute, MemberOf                       string
	NestedFilter                                                string // of groups in groups, too; empty: it cannot, or does so anyway
}

// DirectoryPresets lists the products that are known; the first is any other.
func DirectoryPresets() []DirectoryPreset {
	return []DirectoryPreset{
		{
			Name: "openldap", Label: "OpenLDAP", UserFilter: "(&(objectClass=inetOrgPerson)(uid={name}))",
			KeyAttribute: "entryUUID", LoginAttribute: "uid", NameAttribute: "cn", EmailAttribute: "mail", GroupAttribute: "cn",
			GroupFilter: "(|(&(objectClass=groupOfNames)(member={dn}))(&(objectClass=groupOfUniqueNames)(uniqueMember={dn}))(&(objectClass=posixGroup)(memberUid={name})))",
		},
		{
			// The name of before Windows 2000 is the one that a domain has once only.
			Name: "ad", Label: "Active Directory", UserFilter: "(&(objectClass=user)(!(objectClass=computer))(|(sAMAccountName={name})(userPrincipalName={name})))",
			KeyAttribute: objectGUID, LoginAttribute: "sAMAccountName", NameAttribute: "displayName", EmailAttribute: "mail", GroupAttribute: "sAMAccountName",
			GroupFilter:  "(&(objectClass=group)(member={dn}))",
			NestedFilter: "(&(objectClass=group)(member:1.2.840.113556.1.4.1941:={dn}))",
		},
		{
			Name: "freeipa", Label: "FreeIPA", UserFilter: "(&(objectClass=person)(uid={name}))",
			KeyAttribute: "ipaUniqueID", LoginAttribute: "uid", NameAttribute: "cn", EmailAttribute: "mail", GroupAttribute: "cn", MemberOf: "memberOf",
		},
		{
			Name: "389", Label: "389 Directory Server", UserFilter: "(&(objectClass=inetOrgPerson)(uid={name}))",
			KeyAttribute: "nsUniqueId", LoginAttribute: "uid", NameAttribute: "cn", EmailAttribute: "mail", GroupAttribute: "cn",
			GroupFilter: "(|(&(objectClass=groupOfNames)(member={dn}))(&(objectClass=groupOfUniqueNames)(uniqueMember={dn})))",
		},
	}
}

// Fill takes from a preset what is not given.
func (c *DirectoryConfig) Fill(preset string) {
	for _, p := range DirectoryPresets() {
		if p.Name != preset {
			continue
		}
		for _, field := range []struct {
			to   *string
			from string
		}{
			{&c.Label, p.Label},
			{&c.UserFilter, p.UserFilter},
			{&c.KeyAttribute, p.KeyAttribute},
			{&c.LoginAttribute, p.LoginAttribute},
			{&c.NameAttribute, p.NameAttribute},
			{&c.EmailAttribute, p.EmailAttribute},
			{&c.GroupAttribute, p.GroupAttribute},
		} {
			if *field.to == "" {
				*field.to = field.from
			}
		}
		if c.GroupFilter == "" && c.MemberOf == "" {
			if c.GroupFilter, c.MemberOf = p.GroupFilter, p.MemberOf; c.Nested && p.NestedFilter != "" {
				c.GroupFilter = p.NestedFilter
			}
		}
	}
}
