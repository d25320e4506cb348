package sso

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-ldap/ldap/v3"
)

// Attributes by which directories say that an account is disabled.
const (
	userAccountControl = "userAccountControl"   // Active Directory
	accountExpires     = "accountExpires"       // Active Directory
	lockedTime         = "pwdAccountLockedTime" // OpenLDAP
	accountLock        = "nsAccountLock"        // 389 and FreeIPA
)

// attributes are those of a person that are read.
func (d *Directory) attributes() []string {
	list := []string{d.KeyAttribute, d.LoginAttribute, d.NameAttribute, d.EmailAttribute, userAccountControl, accountExpires, lockedTime, accountLock}
	if d.MemberOf != "" {
		list = append(list, d.MemberOf)
	}
	return slices.DeleteFunc(list, func(name string) bool { return name == "" })
}

// search asks for entries; more than most are an error.
func (c *directoryConn) search(base string, scope, most int, filter string, attributes []string) ([]*ldap.Entry, error) {
	request := ldap.NewSearchRequest(base, scope, ldap.NeverDerefAliases, most, int(directoryAnswer.Seconds()), false, filter, attributes, nil)
	result, err := c.Search(request) // referrals in it are left alone
	if ldap.IsErrorWithCode(err, ldap.LDAPResultSizeLimitExceeded) || err == nil && len(result.Entries) > most {
		return nil, errTooMany
	}
	if err != nil {
		return nil, unreachable(fmt.Errorf("search below %q for %s: %w", base, filter, err))
	}
	return result.Entries, nil
}

var errTooMany = errors.New("there are more entries than may be")

// person finds the one person that a name means; nil: there is none.
func (c *directoryConn) person(name string) (*ldap.Entry, error) {
	found, err := c.search(c.of.UserBase, ldap.ScopeWholeSubtree, 2, userFilter(c.of.UserFilter, name), c.of.attributes())
	if errors.Is(err, errTooMany) || len(found) > 1 {
		return nil, &Refusal{Why: WrongPassword, Err: fmt.Errorf("several people have the name %q; UserFilter can tell them apart", name)}
	}
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// people finds those with one of the subjects, who still fit the filter.
func (c *directoryConn) people(subjects []string) ([]*ldap.Entry, error) {
	// A base that is gone must not look like people who are.
	if _, err := c.search(c.of.UserBase, ldap.ScopeBaseObject, 1, "(objectClass=*)", []string{"1.1"}); err != nil {
		return nil, unreachable(err)
	}
	var filter strings.Builder
	filter.WriteString("(&" + anyoneFilter(c.of.UserFilter) + "(|")
	for _, subject := range subjects {
		fmt.Fprintf(&filter, "(%s=%s)", c.of.KeyAttribute, keyValue(c.of.KeyAttribute, subject))
	}
	filter.WriteString("))")
	found, err := c.search(c.of.UserBase, ldap.ScopeWholeSubtree, 2*len(subjects), filter.String(), c.of.attributes())
	if err != nil {
		return nil, unreachable(err)
	}
	return found, nil
}

// identity reads an entry, and finds its groups.
func (c *directoryConn) identity(entry *ldap.Entry) (*Identity, error) {
	d := c.of
	subject, err := d.subject(entry)
	if err != nil {
		return nil, &Refusal{Why: BadEntry, Err: err}
	}
	id := &Identity{
		Issuer: d.Issuer(), Subject: subject, Email: short(valueOf(entry, d.EmailAttribute)), Name: short(valueOf(entry, d.NameAttribute)),
		EmailVerified: d.TrustEmail, Claims: map[string]any{"dn": entry.DN, d.KeyAttribute: subject},
	}
	for _, name := range d.attributes() {
		if values := valuesOf(entry, name); len(values) > 0 && !strings.EqualFold(name, d.KeyAttribute) {
			id.Claims[name] = values
		}
	}
	if id.Groups, err = c.groups(entry); err != nil {
		return nil, err
	}
	slices.Sort(id.Groups)
	id.Groups = slices.Compact(id.Groups)
	return id, nil
}

// groups are the names of those that a person is in.
func (c *directoryConn) groups(entry *ldap.Entry) (names []string, err error) {
	d := c.of
	switch {
	case d.MemberOf != "":
		return groupsListed(valuesOf(entry, d.MemberOf), d.GroupBase)
	case d.GroupFilter == "":
		return nil, nil
	}
	found, err := c.search(d.GroupBase, ldap.ScopeWholeSubtree, mostGroups, groupFilter(d.GroupFilter, entry.DN, valueOf(entry, d.LoginAttribute)), []string{d.GroupAttribute})
	if errors.Is(err, errTooMany) {
		return nil, refuse(NoGroups, "")
	}
	for _, group := range found {
		names = append(names, valuesOf(group, d.GroupAttribute)...)
	}
	return names, err
}

// groupsListed reads the names of groups below a base out of where they are.
func groupsListed(places []string, base string) (names []string, err error) {
	below, err := ldap.ParseDN(base)
	if err != nil {
		return nil, err
	}
	for _, place := range places {
		dn, err := ldap.ParseDN(place)
		if err != nil || len(dn.RDNs) == 0 || base != "" && !below.AncestorOfFold(dn) {
			continue
		}
		names = append(names, dn.RDNs[0].Attributes[0].Value)
	}
	return names, nil
}

func valuesOf(entry *ldap.Entry, name string) []string {
	return entry.GetEqualFoldAttributeValues(name)
}

func valueOf(entry *ldap.Entry, name string) string {
	if name == "" {
		return ""
	}
	return entry.GetEqualFoldAttributeValue(name)
}

const objectGUID = "objectGUID"

var uuidText = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)

// subject is the value of the key of a person, of which there is one.
func (d *Directory) subject(entry *ldap.Entry) (string, error) {
	values := valuesOf(entry, d.KeyAttribute)
	if len(values) != 1 {
		return "", fmt.Errorf("%q has %d values of %s, which names people for ever; it takes one, which the account that looks people up may read", entry.DN, len(values), d.KeyAttribute)
	}
	key := values[0]
	if strings.EqualFold(d.KeyAttribute, objectGUID) {
		if len(key) != 16 {
			return "", fmt.Errorf("the %s of %q has %d bytes; 16 are expected", d.KeyAttribute, entry.DN, len(key))
		}
		return guidText([]byte(key)), nil
	}
	if key == "" || len(key) > 255 || !utf8.ValidString(key) || strings.IndexFunc(key, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		return "", fmt.Errorf("the %s of %q is no text of 1 to 255 bytes", d.KeyAttribute, entry.DN)
	}
	if uuidText.MatchString(key) {
		key = strings.ToLower(key)
	}
	return key, nil
}

// guidText writes a GUID as Active Directory does: its first parts are stored
// backwards.
func guidText(b []byte) string {
	b = slices.Clone(b)
	slices.Reverse(b[:4])
	slices.Reverse(b[4:6])
	slices.Reverse(b[6:8])
	text := hex.EncodeToString(b)
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

// guidBytes reads what guidText writes.
func guidBytes(text string) ([]byte, bool) {
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(b) != 16 {
		return nil, false
	}
	slices.Reverse(b[:4])
	slices.Reverse(b[4:6])
	slices.Reverse(b[6:8])
	return b, true
}

// disabled tells why an account must not be used; empty: it may. An account that
// guesses have locked for a while is none: whoever guesses would take its owner's
// sessions.
func (d *Directory) disabled(entry *ldap.Entry) string {
	const disabledThere = 2
	if flags, err := strconv.Atoi(valueOf(entry, userAccountControl)); err == nil && flags&disabledThere != 0 {
		return userAccountControl + " " + strconv.Itoa(flags)
	}
	if at, ok := fileTime(valueOf(entry, accountExpires)); ok && at.Before(d.clock()) {
		return accountExpires + " " + at.UTC().Format(time.DateOnly)
	}
	if valueOf(entry, lockedTime) == "000001010000Z" { // until an administrator unlocks it
		return lockedTime + " 000001010000Z"
	}
	if strings.EqualFold(valueOf(entry, accountLock), "true") {
		return accountLock + " TRUE"
	}
	return ""
}

// fileTime reads a time of Active Directory: 100 nanoseconds since 1601. Two
// values mean never.
func fileTime(text string) (time.Time, bool) {
	const never, since1601 = 1<<63 - 1, 11_644_473_600
	ticks, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ticks <= 0 || ticks == never {
		return time.Time{}, false
	}
	return time.Unix(ticks/10_000_000-since1601, 0), true
}
