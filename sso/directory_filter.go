package sso

import (
	"fmt"
	"strings"

	"github.com/go-ldap/ldap/v3"
)

// What stands in filters for what is looked for. Values are escaped, so that
// they are values whatever they hold.
const (
	placeName = "{name}"
	placeDN   = "{dn}"
)

// userFilter is the filter of people for a name.
func userFilter(filter, name string) string {
	return strings.ReplaceAll(filter, placeName, ldap.EscapeFilter(name))
}

// anyoneFilter is the filter of people for any name.
func anyoneFilter(filter string) string { return strings.ReplaceAll(filter, placeName, "*") }

// groupFilter is the filter of groups for a person. Both are put in at once: the
// one may hold what stands for the other.
func groupFilter(filter, dn, login string) string {
	return strings.NewReplacer(placeDN, ldap.EscapeFilter(dn), placeName, ldap.EscapeFilter(login)).Replace(filter)
}

// keyValue is a subject as a filter takes it.
func keyValue(attribute, subject string) string {
	if strings.EqualFold(attribute, objectGUID) {
		if b, ok := guidBytes(subject); ok {
			var text strings.Builder
			for _, c := range b {
				fmt.Fprintf(&text, `\%02x`, c)
			}
			return text.String()
		}
	}
	return ldap.EscapeFilter(subject)
}

// CheckUserFilter accepts a filter of people.
func CheckUserFilter(filter string) error {
	const accepted = "accepted: such as (&(objectClass=inetOrgPerson)(uid={name}))"
	if !strings.Contains(filter, placeName) {
		return fmt.Errorf("%q has no {name}, for which the name goes that people enter; %s", filter, accepted)
	}
	if strings.Contains(filter, ":={name}") {
		return fmt.Errorf("%q compares {name} by a matching rule, with which nobody is found by all names; %s", filter, accepted)
	}
	return checkFilter(accepted, userFilter(filter, "ana"), anyoneFilter(filter))
}

// CheckGroupFilter accepts a filter of groups.
func CheckGroupFilter(filter string) error {
	const accepted = "accepted: such as (&(objectClass=groupOfNames)(member={dn})), or with {name} for the login of the person"
	if !strings.Contains(filter, placeDN) && !strings.Contains(filter, placeName) {
		return fmt.Errorf("%q has neither {dn} nor {name}, for which the person goes; %s", filter, accepted)
	}
	return checkFilter(accepted, groupFilter(filter, "uid=ana,dc=example,dc=com", "ana"))
}

func checkFilter(accepted string, filters ...string) error {
	for _, filter := range filters {
		if _, err := ldap.CompileFilter(filter); err != nil {
			return fmt.Errorf("it is no LDAP filter (%w); %s", err, accepted)
		}
	}
	return nil
}

// CheckDN accepts the name of an entry.
func CheckDN(dn string) error {
	if parsed, err := ldap.ParseDN(dn); err != nil || len(parsed.RDNs) == 0 {
		return fmt.Errorf("%q is no distinguished name; accepted: such as ou=people,dc=example,dc=com", dn)
	}
	return nil
}
