package text

import (
	"strings"
	"testing"
)

func TestTruthIsInWordsOfTheLanguage(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"en-US": "Yes No", "": "Yes No", "de-CH": "Ja Nein", "sr": "Да Не", "sr-Latn-RS": "Da Ne", "sr-Cyrl-BA": "Да Не",
		"pt-BR": "Sim Não", "zh-TW": "是 否", "nb-NO": "Ja Nei", "fr-CA": "Oui Non", "ar-EG": "نعم لا", "tlh": "Yes No",
	} {
		l := LocaleFor(tag)
		if got := l.Truth(true) + " " + l.Truth(false); got != want {
			t.Errorf("%s: %s; want %s", tag, got, want)
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(truths), "\n") {
		if len(strings.Fields(line)) != 3 || !KnownLocale(strings.Fields(line)[0]) {
			t.Errorf("%q", line)
		}
	}
}
