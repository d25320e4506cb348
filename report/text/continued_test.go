package text

import "testing"

func TestWhatGoesOnSaysSoInTheLanguage(t *testing.T) {
	for tag, want := range map[string]string{"de-AT": "(Fortsetzung)", "sr-Latn-RS": "(nastavak)", "sr": "(наставак)", "zh-Hant-TW": "(續)", "xx": "(continued)", "en-GB": "(continued)"} {
		if got := LocaleFor(tag).Continued(); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}
