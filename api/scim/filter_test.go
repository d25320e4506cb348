package scim

import (
	"strings"
	"testing"
)

// sample is a user as a filter sees one.
func sample() object {
	return object{
		"id": "7", "externalId": "A-1", "userName": "Ana.Jovic@example.com", "displayName": "Ana Jović", "active": true,
		"name": object{"familyName": "Jović", "givenName": "Ana"},
		"emails": []any{
			object{"value": "ana@example.com", "type": "work", "primary": true},
			object{"value": "ana@home.example", "type": "home"},
		},
		"meta": object{"resourceType": "User", "lastModified": "2026-11-24T08:00:00.000Z"},
	}
}

// TestFilters holds filters as directories send them against a user.
func TestFilters(t *testing.T) {
	for text, want := range map[string]bool{
		`userName eq "ana.jovic@EXAMPLE.com"`:                           true,
		`userName Eq "ana"`:                                             false,
		`USERNAME eq "ana.jovic@example.com"`:                           true,
		`urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ana."`: true,
		`externalId eq "A-1"`:                                           true,
		`externalId eq "a-1"`:                                           false, // its case counts
		`id eq "7" and active eq true`:                                  true,
		`active eq "True"`:                                              true,
		`active eq false`:                                               false,
		`not (active eq true)`:                                          false,
		`not(active eq false) and userName pr`:                          true,
		`name.familyName co "jov"`:                                      true,
		`name.formatted pr`:                                             false,
		`emails.value eq "ana@home.example"`:                            true,
		`emails eq "ana@home.example"`:                                  true,
		`emails[type eq "work" and value ew "@example.com"]`:            true,
		`emails[type eq "work"] and emails[type eq "home"]`:             true,
		`emails[type eq "home" and primary eq true]`:                    false,
		`emails[not (type eq "work")]`:                                  true,
		`displayName eq "x" or displayName eq "Ana Jović"`:              true,
		`displayName eq "Ana Jovi\u0107"`:                               true,
		`userName eq "x" or userName eq "y" and userName pr`:            false,
		`(userName eq "x" or userName pr) and userName ne "z"`:          true,
		`meta.lastModified ge "2026-11-24T09:00:00+01:00"`:              true,
		`meta.lastModified gt "2026-11-24T09:00:00+01:00"`:              false,
		`meta.lastModified lt "soon"`:                                   false,
		`externalId gt "A"`:                                             true,
		`externalId le "A-1"`:                                           true,
		`externalId lt "A-1"`:                                           false,
		`name.formatted eq null`:                                        true,
		`displayName ne null`:                                           true,
		`displayName eq 5`:                                              false,
		`userName eq "say \"hi\""`:                                      false,
		`  userName   pr  `:                                             true,
		strings.Repeat("(", mostDepth) + `userName pr` + strings.Repeat(")", mostDepth): true,
	} {
		f, err := parseFilter(users(), text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := f.match(sample()); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	for text, want := range map[string]string{
		``:                              "an attribute is expected",
		`userName`:                      "no operator",
		`userName eq`:                   "is no value",
		`userName eq ana`:               `"ana" is no value`,
		`userName eq "ana`:              "has no end",
		`userName eq "\x"`:              "no text as JSON has it",
		`userName is "ana"`:             `"is" is no operator`,
		`userName eq "a" userName pr`:   "nothing is expected",
		`userName eq "a" and`:           "an attribute is expected",
		`shoeSize eq "43"`:              "there is no attribute",
		`title eq "Boss"`:               "no attribute that is kept here",
		`name eq "Ana"`:                 "has parts",
		`name.first eq "Ana"`:           `has no "first"`,
		`active gt true`:                "true or false",
		`(userName pr`:                  "a ) is missing",
		`emails[type eq "work"`:         "a ] is missing",
		`emails[kind eq "work"]`:        `has no "kind"`,
		`emails[emails[type pr]]`:       `has no "emails"`,
		`urn:other:User:userName eq ""`: "no attribute that is kept here",
		`userName eq "` + strings.Repeat("x", mostFilter) + `"`:                               "longer than",
		strings.Repeat("(", mostDepth+1) + `userName pr` + strings.Repeat(")", mostDepth+1):   "nested more than",
		strings.Repeat(`userName pr or `, mostTerms) + `userName pr`:                          "more than",
		strings.Repeat(`not (`, mostDepth+1) + `userName pr` + strings.Repeat(")", mostDepth): "nested more than",
	} {
		if _, err := parseFilter(users(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

// FuzzFilter reads what nobody would write: it ends, and what it takes can be
// held against a user.
func FuzzFilter(f *testing.F) {
	for _, text := range []string{`userName eq "a"`, `emails[type eq "work" and not (value co "x")] or id pr`, `((active eq true))`, `meta.created gt "2026"`, `a.b[c`, `not`, `emails.value eq "\ud800"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []*schema{users(), groups()} {
			if parsed, err := parseFilter(s, text); err == nil {
				parsed.match(sample())
				mentions(parsed, "groups")
			} else if _, own := err.(*fault); !own { //nolint:errorlint // as handlers get it
				t.Errorf("%q: %T", text, err)
			}
		}
	})
}
