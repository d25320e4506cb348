package hyphen

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestWordsAreDividedAsByAnotherImplementation: 10 000 words of ten languages, as the
// npm package hyphen divides them by the same patterns (internal/hyphengen/reference.mjs).
// It keeps two letters at each end, whatever the language.
func TestWordsAreDividedAsByAnotherImplementation(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/reference.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	words, divided, languages := 0, 0, 0
	for lines.Scan() {
		language, list, _ := strings.Cut(lines.Text(), " ")
		h := For(language)
		languages++
		for _, want := range strings.Fields(list) {
			word, places := parseException(want)
			places = slices.DeleteFunc(places, func(at int) bool { return at < h.left || at > utf8.RuneCountInString(word)-h.right })
			words++
			got := h.Places(word)
			divided += len(got)
			if known := !slices.ContainsFunc([]rune(word), func(r rune) bool { return !h.trie.knows(r) }); known && !slices.Equal(got, places) {
				t.Errorf("%s: %s is divided at %v, by the other at %v", language, word, got, places)
			}
		}
	}
	if lines.Err() != nil || languages != 10 || words != 10_000 || divided < 15_000 {
		t.Errorf("%d languages, %d words, %d places, %v", languages, words, divided, lines.Err())
	}
}

// TestLanguages says what there is: 54 sets of patterns, of 52 languages.
func TestLanguages(t *testing.T) {
	t.Parallel()
	licences, err := os.ReadFile("LICENSES")
	if err != nil {
		t.Fatal(err)
	}
	names := Languages()
	if len(names) != 54 {
		t.Errorf("%d sets of patterns: %v", len(names), names)
	}
	for _, name := range names {
		h := For(name)
		if h == nil || len(h.trie.nodes) < 20 || h.left < 2 || h.right < 2 {
			t.Errorf("%s is not read", name)
		}
		if !bytes.Contains(licences, []byte("\n"+name+": hyph-")) {
			t.Errorf("LICENSES does not tell of %s", name)
		}
	}
	for tag, want := range map[string]string{
		"de": "de", "de-CH": "de", "de_AT": "de", "en": "en", "en-US": "en", "en-CA": "en", "en-GB": "en-GB", "en-IE": "en-GB", "en-AU": "en-GB",
		"pt-BR": "pt", "no": "nb", "nb-NO": "nb", "nn": "nn", "el": "el", "el-polyton": "el-polyton", "kk-Cyrl": "kk", "mn": "mn", "zh-Latn": "zh-Latn", "hr": "hr",
		"kk-Arab": "", "zh": "zh", "ja": "ja", "uk-Latn": "", "pa-Arab": "", "und": "", "": "", "x": "", "ar": "ar",
	} {
		if got := nameFor(tag); got != want {
			t.Errorf("%q has the patterns of %q, not of %q", tag, got, want)
		}
	}
	for _, tag := range []string{"ja", "ko", "zh", "th", "ar", "he", "fa", "ru", "cs", "xx", ""} {
		if For(tag) != nil {
			t.Errorf("there are patterns for %q", tag)
		}
	}
}

// TestWhatIsDivided has "-" for soft hyphens, and "=" for hyphens.
func TestWhatIsDivided(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tag, text, want string }{
		{"de", "Donaudampfschifffahrtsgesellschaft", "Do-nau-dampf-schiff-fahrts-ge-sell-schaft"},
		{"de", "Die Österreichische Bundesforste AG (Leopoldstadt).", "Die Ös-ter-rei-chi-sche Bun-des-fors-te AG (Leo-pold-stadt)."},
		{"de", "Baden=Württemberg, »Verwaltung«", "Ba-den=Würt-tem-berg, »Ver-wal-tung«"},
		{"en", "hyphenation table", "hy-phen-ation ta-ble"},
		{"en-GB", "hyphenation", "hy-phen-a-tion"},
		{"fr", "l’administration, l'assurance", "l’ad-mi-nis-tra-tion, l'as-su-rance"},
		{"fi", "Työskentely järjestelmällisesti", "Työs-ken-te-ly jär-jes-tel-mäl-li-ses-ti"},
		// No words.
		{"de", "www.verwaltung.example Verwaltung@stadt.example https://verwaltung Verwaltungs/Rechnung", "www.verwaltung.example Verwaltung@stadt.example https://verwaltung Verwaltungs/Rechnung"},
		{"de", "Rechnung2026 AB=4711=Verwaltung VERWALTUNG GmbHVerwaltung McVerwaltung snake_verwaltung", "Rechnung2026 AB=4711=Verwaltung VERWALTUNG GmbHVerwaltung McVerwaltung snake_verwaltung"},
		{"de", "Ver\u00adwaltungsgericht &amp;Verwaltung Verwaltung&shy;sgericht", "Ver\u00adwaltungsgericht &amp;Verwaltung Verwaltung&shy;sgericht"},
		{"de", "Mitarbeiter:innen und Haus", "Mitarbeiter:innen und Haus"},
		{"en", "Dvořáková Соединение", "Dvořáková Соединение"}, // letters of other languages
		{"hi", "अंतरराष्ट्रीय", "अं-त-र-रा-ष्ट्रीय"},
	} {
		text, want := strings.ReplaceAll(c.text, "=", "\u2011"), strings.ReplaceAll(strings.ReplaceAll(c.want, "-", "\u00ad"), "=", "\u2011")
		text, want = strings.ReplaceAll(text, "\u2011", "-"), strings.ReplaceAll(want, "\u2011", "-")
		if got := string(For(c.tag).Divider().Append(nil, text, 5)); got != want {
			t.Errorf("%s: %s, want %s", c.tag, strings.ReplaceAll(got, "\u00ad", "·"), strings.ReplaceAll(want, "\u00ad", "·"))
		}
	}
	if got := string(For("de").Divider().Append(nil, "Haus Rathaus Verwaltung", 8)); got != "Haus Rathaus Ver\u00adwal\u00adtung" {
		t.Errorf("with at least 8 letters: %q", got)
	}
}

// FuzzAppend: soft hyphens are all that is put in, and never at an end of a word or
// beside another one.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{"Donaudampfschifffahrt", "l’eau", "''''", "a\u0301bcdef", "अंतरराष्ट्रीय", "\xff\xfeverwaltung", strings.Repeat("verwaltung", 40), "ver\u00adwaltung", "İstanbul", "x-y-verwaltung"} {
		for i := range Languages() {
			if i%9 == 0 {
				f.Add(s, i, 5)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string, language, least int) {
		names := Languages()
		d := For(names[(language%len(names)+len(names))%len(names)]).Divider()
		got := string(d.Append(nil, text, least))
		if known := string(d.Append(nil, text, least)); known != got {
			t.Errorf("%q became %q and %q", text, got, known)
		}
		if strings.Contains(text, "\u00ad") {
			if strings.ReplaceAll(got, "\u00ad", "") != strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\u00ad", "") && utf8.ValidString(text) {
				t.Errorf("%q became %q", text, got)
			}
			return
		}
		if strings.ReplaceAll(got, "\u00ad", "") != text && utf8.ValidString(text) {
			t.Errorf("%q became %q", text, got)
		}
		for word := range strings.FieldsFuncSeq(got, parts) {
			if strings.HasPrefix(word, "\u00ad") || strings.HasSuffix(word, "\u00ad") || strings.Contains(word, "\u00ad\u00ad") {
				t.Errorf("%q became %q", text, got)
			}
		}
		if again := string(d.Append(nil, got, least)); again != got {
			t.Errorf("%q became %q, and that %q", text, got, again)
		}
	})
}

// FuzzParse: patterns that are none end in an error or in words that are not divided.
func FuzzParse(f *testing.F) {
	f.Add("2 2\n.ab1c 1b a2b\nta-ble", "table")
	f.Add("0 1\n\n", "x")
	f.Add("2 2\n1 2 .. 9\n- a- -a", "aa")
	f.Fuzz(func(t *testing.T, content, word string) {
		h, err := parse(content)
		if err != nil {
			return
		}
		for _, at := range h.Places(word) {
			if at < h.left || at > utf8.RuneCountInString(word)-h.right {
				t.Errorf("%q is divided at %d", word, at)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	const text = "Die Verwaltungsgemeinschaft hat ihren Sitz in einem ehemaligen Klostergebäude, dessen Bausubstanz erneuerungsbedürftig ist."
	d := For("de").Divider()
	b.SetBytes(int64(len(text)))
	var dst []byte
	for b.Loop() {
		dst = d.Append(dst[:0], text, 5)
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		for _, f := range archive().File {
			if f.Name == "de" {
				mustRead(f)
			}
		}
	}
}
