package scim

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// patched applies the operations of a patch to a user.
func patched(t *testing.T, o object, operations string) error {
	t.Helper()
	sent, err := report.ReadValue(strings.NewReader(`{"schemas":["` + patchSchema + `"],"Operations":` + operations + `}`))
	if err != nil {
		t.Fatal(err)
	}
	list, err := readPatch(sent.(*report.Object))
	if err != nil {
		return err
	}
	steps, err := users().steps(list)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if err := s.apply(o); err != nil {
			return err
		}
	}
	return nil
}

// TestPatches does what directories send, in the shapes in which they send it.
func TestPatches(t *testing.T) {
	const ana = `{"userName":"ana","active":true,"displayName":"Ana","emails":[{"value":"ana@example.com","type":"work","primary":true},{"value":"ana@home.example","type":"home"}]}`
	for name, c := range map[string]struct{ operations, want string }{
		"Entra blocks with a text":            {`[{"op":"Replace","path":"active","value":"False"}]`, `{"active":false}`},
		"Okta blocks without a path":          {`[{"op":"replace","value":{"active":false}}]`, `{"active":false}`},
		"Entra changes the work address":      {`[{"op":"Replace","path":"emails[type eq \"work\"].value","value":"a.j@example.com"}]`, `{"emails":[{"value":"a.j@example.com","type":"work","primary":true},{"value":"ana@home.example","type":"home"}]}`},
		"Entra sets one that is not there":    {`[{"op":"Add","path":"emails[type eq \"other\"].value","value":"x@example.com"}]`, `{"emails":[{"value":"ana@example.com","type":"work","primary":true},{"value":"ana@home.example","type":"home"},{"value":"x@example.com","type":"other"}]}`},
		"paths as names of a value":           {`[{"op":"add","value":{"name.givenName":"Ana","emails[type eq \"work\"].value":"w@example.com","urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department":"IT"}}]`, `{"name":{"givenName":"Ana"},"emails":[{"value":"w@example.com","type":"work","primary":true},{"value":"ana@home.example","type":"home"}]}`},
		"parts of the name, one by one":       {`[{"op":"Add","path":"name.givenName","value":"Ana"},{"op":"Add","path":"name.familyName","value":"Jović"}]`, `{"name":{"givenName":"Ana","familyName":"Jović"}}`},
		"a part stays beside another":         {`[{"op":"add","path":"name","value":{"givenName":"Ana","familyName":"J"}},{"op":"replace","path":"name","value":{"familyName":"Jović"}}]`, `{"name":{"givenName":"Ana","familyName":"Jović"}}`},
		"what is not kept is passed over":     {`[{"op":"Add","path":"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager","value":"5"},{"op":"Add","path":"title","value":"Boss"},{"op":"replace","path":"phoneNumbers[type eq \"work\"].value","value":"1"}]`, `{}`},
		"read-only members of an object":      {`[{"op":"replace","value":{"id":"9","schemas":["x"],"meta":{},"groups":[],"displayName":"A"}}]`, `{"displayName":"A"}`},
		"with the address of the schema":      {`[{"op":"replace","path":"urn:ietf:params:scim:schemas:core:2.0:User:displayName","value":"B"}]`, `{"displayName":"B"}`},
		"and of a part":                       {`[{"op":"replace","path":"URN:ietf:params:scim:schemas:core:2.0:user:name.familyName","value":"B"}]`, `{"name":{"familyName":"B"}}`},
		"an address more":                     {`[{"op":"add","path":"emails","value":[{"value":"n@example.com","primary":true}]}]`, `{"emails":[{"value":"ana@example.com","type":"work"},{"value":"ana@home.example","type":"home"},{"value":"n@example.com","primary":true}]}`},
		"one that is not a list":              {`[{"op":"add","path":"emails","value":{"value":"ANA@home.example","type":"other"}}]`, `{"emails":[{"value":"ana@example.com","type":"work","primary":true},{"value":"ANA@home.example","type":"other"}]}`},
		"all addresses anew":                  {`[{"op":"replace","path":"emails","value":[{"value":"n@example.com"}]}]`, `{"emails":[{"value":"n@example.com"}]}`},
		"one address less":                    {`[{"op":"remove","path":"emails[value eq \"ana@home.example\"]"}]`, `{"emails":[{"value":"ana@example.com","type":"work","primary":true}]}`},
		"one less by its value":               {`[{"op":"Remove","path":"emails","value":[{"value":"ana@home.example"}]}]`, `{"emails":[{"value":"ana@example.com","type":"work","primary":true}]}`},
		"one that is not there less":          {`[{"op":"remove","path":"emails[value eq \"none\"]"}]`, `{}`},
		"a part of an address less":           {`[{"op":"remove","path":"emails[type eq \"home\"].type"}]`, `{"emails":[{"value":"ana@example.com","type":"work","primary":true},{"value":"ana@home.example"}]}`},
		"no address":                          {`[{"op":"remove","path":"emails"}]`, `{"emails":null}`},
		"no name":                             {`[{"op":"remove","path":"displayName"}]`, `{"displayName":null}`},
		"null is none":                        {`[{"op":"replace","path":"displayName","value":null}]`, `{"displayName":null}`},
		"another is primary":                  {`[{"op":"replace","path":"emails[type eq \"home\"].primary","value":true}]`, `{"emails":[{"value":"ana@example.com","type":"work"},{"value":"ana@home.example","type":"home","primary":true}]}`},
		"numbers for identifiers":             {`[{"op":"replace","path":"externalId","value":4711}]`, `{"externalId":"4711"}`},
		"members of an operation in capitals": {`[{"OP":"replace","Path":"displayName","VALUE":"C"}]`, `{"displayName":"C"}`},
	} {
		var o, want, change object
		for text, into := range map[string]*object{ana: &o, c.want: &change} {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(name, err)
			}
		}
		if err := patched(t, o, c.operations); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := json.Unmarshal([]byte(ana), &want); err != nil {
			t.Fatal(err)
		}
		maps.Copy(want, change)
		maps.DeleteFunc(want, func(_ string, v any) bool { return v == nil })
		if diff := cmp.Diff(want, o); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for operations, want := range map[string]string{
		`[]`: "invalidSyntax", `[5]`: "invalidSyntax", `{}`: "invalidSyntax",
		`[{"op":"move","path":"active"}]`:                                                                         "invalidSyntax",
		`[{"op":"remove"}]`:                                                                                       "noTarget",
		`[{"op":"replace","value":"x"}]`:                                                                          "invalidValue",
		`[{"op":"replace","path":5,"value":"x"}]`:                                                                 "invalidPath",
		`[{"op":"replace","path":"shoeSize","value":"x"}]`:                                                        "invalidPath",
		`[{"op":"replace","path":"emails[","value":"x"}]`:                                                         "invalidPath",
		`[{"op":"replace","path":"emails[type eq \"x\"].kind"}]`:                                                  "invalidPath",
		`[{"op":"replace","path":"emails[type eq \"x\"] value"}]`:                                                 "invalidPath",
		`[{"op":"replace","path":"emails[type co \"x\"].value","value":"x"}]`:                                     "noTarget",
		`[{"op":"replace","path":"id","value":"x"}]`:                                                              "mutability",
		`[{"op":"add","path":"groups","value":[{"value":"1"}]}]`:                                                  "mutability",
		`[{"op":"replace","path":"active","value":"maybe"}]`:                                                      "invalidValue",
		`[{"op":"replace","path":"displayName","value":{"a":1}}]`:                                                 "invalidValue",
		`[{"op":"replace","path":"name","value":"Ana"}]`:                                                          "invalidValue",
		"[" + strings.Repeat(`{"op":"remove","path":"name"},`, mostOperations) + `{"op":"remove","path":"name"}]`: "tooMany",
	} {
		err := patched(t, sample(), operations)
		f, own := err.(*fault) //nolint:errorlint // as handlers get it
		if !own || f.scimType != want {
			t.Errorf("%.80s: %v, want %s", operations, err, want)
		}
	}
}

// TestPatchesOfGroups changes members in the shapes of directories.
func TestPatchesOfGroups(t *testing.T) {
	for operations, want := range map[string][]int{
		`[{"op":"Add","path":"members","value":[{"$ref":null,"value":"4"},{"value":"2"}]}]`:                        {1, 2, 3, 4},
		`[{"op":"add","value":{"members":[{"value":"4","display":"Bo"}]}}]`:                                        {1, 2, 3, 4},
		`[{"op":"add","path":"members","value":"4"}]`:                                                              {1, 2, 3, 4},
		`[{"op":"Remove","path":"members","value":[{"$ref":null,"value":"2"}]}]`:                                   {1, 3},
		`[{"op":"remove","path":"members[value eq \"2\"]"}]`:                                                       {1, 3},
		`[{"op":"remove","path":"members[value eq \"2\" or value eq \"3\"]"}]`:                                     {1},
		`[{"op":"remove","path":"members[value eq \"9\"]"}]`:                                                       {1, 2, 3},
		`[{"op":"remove","path":"members"}]`:                                                                       {},
		`[{"op":"replace","path":"members","value":[]}]`:                                                           {},
		`[{"op":"replace","path":"members","value":[{"value":"5","type":"User"}]}]`:                                {5},
		`[{"op":"replace","value":{"id":"1","displayName":"New","members":[{"value":"5"}]}}]`:                      {5},
		`[{"op":"remove","path":"members[value eq \"1\"]"},{"op":"add","path":"members","value":[{"value":"6"}]}]`: {2, 3, 6},
	} {
		said := store.GroupSaid{Name: "Team", ExternalID: "x", Members: map[int]bool{1: true, 2: true, 3: true}}
		if err := patchedGroup(t, &said, operations); err != nil {
			t.Errorf("%s: %v", operations, err)
		}
		if got := slices.Sorted(maps.Keys(said.Members)); !slices.Equal(got, want) || said.ExternalID != "x" {
			t.Errorf("%s: %v of %+v, want %v", operations, got, said, want)
		}
	}
	for operations, want := range map[string]string{
		`[{"op":"add","path":"members","value":[{"value":"4","type":"Group"}]}]`:              "invalidValue",
		`[{"op":"replace","path":"members[value eq \"1\"].value","value":"2"}]`:               "mutability",
		`[{"op":"replace","path":"members[value eq \"1\"]","value":{"value":"2"}}]`:           "mutability",
		`[{"op":"add","path":"members","value":[["4"]]}]`:                                     "invalidValue",
		`[{"op":"replace","path":"displayName","value":"` + strings.Repeat("x", 2000) + `"}]`: "invalidValue",
	} {
		said := store.GroupSaid{Members: map[int]bool{1: true}}
		err := patchedGroup(t, &said, operations)
		if f, own := err.(*fault); !own || f.scimType != want { //nolint:errorlint // as handlers get it
			t.Errorf("%.80s: %v, want %s", operations, err, want)
		}
	}
}

func patchedGroup(t *testing.T, said *store.GroupSaid, operations string) error {
	t.Helper()
	sent, err := report.ReadValue(strings.NewReader(`{"Operations":` + operations + `}`))
	if err != nil {
		t.Fatal(err)
	}
	list, err := readPatch(sent.(*report.Object))
	if err != nil {
		return err
	}
	steps, err := groups().steps(list)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if err := s.applyToGroup(said); err != nil {
			return err
		}
	}
	return nil
}

// FuzzPatch applies what nobody would send: it ends, and what it takes is a user
// or a fault of SCIM.
func FuzzPatch(f *testing.F) {
	for _, path := range []string{"active", `emails[type eq "work"].value`, "name", "emails", `members[value eq "2"]`, "urn:x", `emails[not (type pr)]`, "id"} {
		for _, value := range []string{`"x"`, `{"value":"a"}`, `[{"value":"a","primary":true}]`, "null", "[[]]", `{"emails[type eq \"x\"].value":[1]}`} {
			f.Add("add", path, value)
			f.Add("remove", path, value)
		}
	}
	f.Fuzz(func(t *testing.T, op, path, value string) {
		sent, err := report.ReadValue(strings.NewReader(value))
		if err != nil {
			return
		}
		for _, s := range []*schema{users(), groups()} {
			steps, err := s.steps([]operation{{op: op, path: path, value: sent}})
			if err != nil {
				if _, own := err.(*fault); !own { //nolint:errorlint // as handlers get it
					t.Errorf("%T", err)
				}
				continue
			}
			o, said := sample(), store.GroupSaid{Members: map[int]bool{1: true}}
			for _, step := range steps {
				if s.name == "User" {
					err = step.apply(o)
				} else {
					err = step.applyToGroup(&said)
				}
				if _, own := err.(*fault); err != nil && !own { //nolint:errorlint // as handlers get it
					t.Errorf("%T", err)
				}
			}
			_, _ = person(o, true)
		}
	})
}
