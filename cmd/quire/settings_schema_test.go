package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
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
		takes := func(text string) bool { return s.set(&settings{}, text) == nil }
		switch {
		case known["type"] == "integer":
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
				if !takes(fmt.Sprint(word)) {
					t.Errorf("%s: %v is refused", s.name, word)
				}
			}
			if takes("no such word") || s.def != "" && !slices.Contains(list, any(s.def)) {
				t.Errorf("%s takes what the schema lacks", s.name)
			}
		case known["type"] == "boolean":
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
