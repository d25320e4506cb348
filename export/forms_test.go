package export

import (
	"regexp"
	"strings"
	"testing"
)

// machineWords are what help says of files that people who fill in a form never see.
var machineWords = regexp.MustCompile(`\b(?:[Cc]ode (?:of|or ID)|IANA|BCP 47|[Aa]rray|[Ii]dentifier, |Path (?:of|in|or)|[Tt]ext template|CSS declarations|CSS border|Symbology|data: URI|bundle)\b|^(?:Expression|Template)[;:,]`)

// TestFormsSpeakToPeople looks at every setting that a form has: screens B16.
func TestFormsSpeakToPeople(t *testing.T) {
	schema := Schema()
	forms := map[string][]Setting{}
	for name, form := range schema.Schemas {
		if name != "jobs" { // whose editor has words of its own
			forms[name] = form
		}
	}
	for _, c := range schema.Components {
		forms[c.Name] = c.Settings
	}
	for _, s := range schema.SourceTypes {
		forms[s.Name] = s.Settings
	}
	for _, s := range schema.Steps {
		forms["step "+s.Name] = s.Settings
	}
	for name, form := range forms {
		speaks(t, name, form)
	}
}

func speaks(t *testing.T, form string, settings []Setting) {
	t.Helper()
	for _, s := range settings {
		at := form + "." + s.Name
		if found := machineWords.FindString(s.Help); found != "" {
			t.Errorf("%s says %q: %s", at, found, s.Help)
		}
		for _, option := range s.Enum { // forms show what options are called
			if words := strings.ReplaceAll(option, "-", " "); words != option && strings.Contains(s.Help, option) {
				t.Errorf("%s says %q in place of %q: %s", at, option, words, s.Help)
			}
		}
		speaks(t, at, s.Settings)
		if s.Item == nil {
			continue
		}
		if fields := s.Item.Settings != nil || s.Shape == "array" && s.Item.Shape == "string"; fields && s.Editor != "steps" && s.Item.Label == "" {
			t.Errorf("%s does not say what one of it is called", at)
		}
		speaks(t, at, s.Item.Settings)
	}
}
