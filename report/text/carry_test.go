package text

import "testing"

func TestWordsForCarriedSums(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"de-AT": {"Übertrag", "Übertrag"}, "fr": {"À reporter", "Report"}, "en-GB": {"Carried forward", "Brought forward"},
		"zh-TW": {"過次頁", "承前頁"}, "tlh": {"Carried forward", "Brought forward"},
	} {
		if forward, brought := LocaleFor(name).Carries(); forward != want[0] || brought != want[1] {
			t.Errorf("%s: %s, %s", name, forward, brought)
		}
	}
	for name, want := range map[string]string{"de-CH": "Seitensumme", "zh-HK": "本頁合計", "tlh": "Page total"} {
		if got := LocaleFor(name).PageSum(); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	var none *Locale
	if forward, _ := none.Carries(); forward != "Carried forward" {
		t.Error(forward)
	}
}
