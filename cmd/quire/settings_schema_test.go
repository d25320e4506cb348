package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// inSchema is what the schema says of a setting.
func inSchema(t *testing.T, name string) map[string]any {
	t.Helper()
	var at map[string]any
	if err := json.Unmarshal(settingsSchema(), &at); err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(name, ".") {
		if part == "0" {
			at, _ = at["items"].(map[string]any)
			continue
		}
		properties, _ := at["properties"].(map[string]any)
		at, _ = properties[part].(map[string]any)
	}
	return at
}

// The schema that editors read says of every setting what the service takes.
func TestTheSchemaOfSettingsIsWhatIsTaken(t *testing.T) {
	const file = "../../docs/schema/settings.schema.json"
	if got, err := os.ReadFile(file); err != nil || string(got) != string(settingsSchema()) {
		if !*update {
			t.Errorf("%s is stale (%v); run make golden", file, err)
		} else if err := os.WriteFile(file, settingsSchema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	numbers, words := 0, 0
	for _, s := range settingList() {
		known := inSchema(t, s.name)
		if known["description"] != s.help {
			t.Errorf("%s: the schema says %v", s.name, known)
		}
		kind := any(nil) // how it is best written
		if kinds, _ := known["type"].([]any); len(kinds) > 0 {
			kind = kinds[0]
		}
		takes := func(text string) bool { return s.set(&settings{}, text) == nil }
		switch {
		case kind == "integer":
			numbers++
			low, _ := known["minimum"].(float64)
			high, _ := known["maximum"].(float64)
			for n, want := range map[float64]bool{low: true, high: true, low - 1: false, high + 1: false} {
				if takes(fmt.Sprintf("%.0f", n)) != want {
					t.Errorf("%s: %.0f is taken: %v", s.name, n, !want)
				}
			}
		case known["enum"] != nil:
			words++
			list, _ := known["enum"].([]any)
			for _, word := range list {
				if word != nil && !takes(fmt.Sprint(word)) {
					t.Errorf("%s: %v is refused", s.name, word)
				}
			}
			if takes("no such word") || s.def != "" && !slices.Contains(list, any(s.def)) {
				t.Errorf("%s takes what the schema lacks", s.name)
			}
		case kind == "boolean":
			if !takes("true") || !takes("false") || takes("perhaps") {
				t.Errorf("%s is no boolean", s.name)
			}
		}
		if s.isSecret() && inSchema(t, s.name+inFile) == nil {
			t.Errorf("the schema lacks %s%s", s.name, inFile)
		}
	}
	if numbers < 20 || words < 5 {
		t.Errorf("%d numbers and %d words", numbers, words)
	}
}

// nested is a settings file with one setting, in groups.
func nested(name, value string) string {
	parts := strings.Split(name, ".")
	slices.Reverse(parts)
	for _, part := range parts {
		if part == "0" {
			value = "[" + value + "]"
		} else {
			value = fmt.Sprintf("{%q: %s}", part, value)
		}
	}
	return value
}

// Whatever the service takes from a settings file, editors find nothing wrong with:
// numbers as texts, names in any case, null, lists as texts.
func TestTheSchemaOfSettingsIsNotNarrower(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(settingsSchema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("settings.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("settings.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "settings.json")
	both := func(text string) (taken, valid bool) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = loadSettings(file, nil, nil)
		return err == nil, schema.Validate(value) == nil
	}
	values := []string{`null`, `""`, `"x"`, `"4"`, `" 4"`, `"+4"`, `"007"`, `4`, `4.5`, `-1`, `1`, `0`, `true`, `"TRUE"`, `"t"`, `"no"`, `[]`, `["a", 4, true]`, `[null]`, `[[1]]`, `{}`, `"warn"`, `"WARN"`, `"10.0.0.1"`, `["10.0.0.1", "::1"]`, `":8080"`, `"https://example.com"`}
	accepted := 0
	try := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			taken, valid := both(text)
			if taken && !valid {
				t.Errorf("%s is taken, but not by the schema", text)
			}
			if taken {
				accepted++
			}
		}
	}
	kinds := map[string]bool{} // of each kind of setting, one takes all values
	for _, s := range settingList() {
		try(nested(strings.ToLower(s.name), `null`), nested(strings.ToUpper(s.name), `"1"`), fmt.Sprintf("{%q: %s}", s.name, `"1"`))
		kind := fmt.Sprint(s.schema["type"], s.schema["items"])
		if kinds[kind] {
			continue
		}
		kinds[kind] = true
		for _, value := range values {
			try(nested(s.name, value))
		}
	}
	if accepted < 200 {
		t.Errorf("only %d were accepted", accepted)
	}
	for _, wrong := range []string{`{"Brwser": {"Workers": 4}}`, `{"Browser": {"Worker": 4}}`, `{"Log": {"Level": "loud"}}`, `{"Browser": {"Workers": 65}}`, `{"Browser": {"Workers": "many"}}`, `{"PublicUrl": ["https://example.com"]}`, `{"PublicUrl": {}}`, `{"Egress": {"AllowHosts": [null]}}`} {
		if taken, valid := both(wrong); taken || valid {
			t.Errorf("%s is taken: %t, by the schema: %t", wrong, taken, valid)
		}
	}
}

// The example of the guide is a settings file that is accepted.
func TestTheExampleOfSettingsIsAccepted(t *testing.T) {
	doc, err := os.ReadFile("../../docs/deployment.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)`settings.json`:\n\n```\n(.*?)```").FindSubmatch(doc)
	if example == nil {
		t.Fatal("the guide has no example")
	}
	file := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(file, example[1], 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := loadSettings(file, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.BrowserWorkers != 4 || len(s.TrustedProxies) != 1 || s.Mail.Port != 465 || s.Providers[0].Issuer == "" {
		t.Errorf("%+v", s)
	}
}

// Every setting has an example in the documentation and the schema: a value that is
// not its default, and that is taken where the files are that it names.
func TestEverySettingHasAnExample(t *testing.T) {
	ofThisMachine := []string{"Browser.Path", "Fonts.Dir", "Deliveries.Folders", "Sso.Providers.0.Ldap.CaFile"}
	for _, s := range settingList() {
		if s.example == "" || s.example == s.def {
			t.Errorf("%s has no example of its own", s.name)
		}
		if err := s.set(&settings{}, s.example); err != nil && !slices.Contains(ofThisMachine, s.name) {
			t.Errorf("%s: its example is refused: %v", s.name, err)
		}
		want := schemaValue(s, s.example)
		if n, ok := want.(int); ok {
			want = float64(n)
		}
		if known, _ := inSchema(t, s.name)["examples"].([]any); !slices.Equal(known, []any{want}) {
			t.Errorf("%s: the schema has the examples %v; want %v", s.name, known, want)
		}
	}
}
