package text

import (
	"fmt"
	"sync"
	"testing"
)

func TestLocalesAreFound(t *testing.T) {
	cases := []struct{ tag, name, full string }{
		{"de", "de", "de"},
		{"de-DE", "de", "de-DE"},
		{"de_CH", "de-CH", "de-CH"},
		{"DE-ch", "de-CH", "de-CH"},
		{"en-US", "en", "en-US"},
		{"en-GB", "en-GB", "en-GB"},
		{"sr-RS", "sr-Cyrl", "sr-RS"},
		{"sr-Latn-RS", "sr-Latn", "sr-Latn-RS"},
		{"sr-Cyrl-RS", "sr-Cyrl", "sr-Cyrl-RS"},
		{"zh-TW", "zh-Hant", "zh-TW"},
		{"zh-HK", "zh-Hant-HK", "zh-HK"},
		{"zh-CN", "zh-Hans", "zh-CN"},
		{"pt-BR", "pt", "pt-BR"},
		{"pt-PT", "pt-PT", "pt-PT"},
		{"nb-NO", "no", "nb-NO"},
		{"iw", "he", "he"},
		{"tl", "fil", "fil"},
		{"ar", "ar", "ar"},
		{"ar-EG", "ar-EG", "ar-EG"},
		{"de-XX", "de", "de-XX"},
		{"xx", "en", "en"},
		{"", "en", "en"},
		{"not a tag", "en", "en"},
		{"sr-Arab", "en", "sr-Arab"},
	}
	for _, c := range cases {
		l := LocaleFor(c.tag)
		if l.name != c.name || l.Tag() != c.full {
			t.Errorf("%q: found %s with tag %s, want %s with %s", c.tag, l.name, l.Tag(), c.name, c.full)
		}
	}
	if first := LocaleFor("de-DE"); first != LocaleFor("de-DE") {
		t.Error("a locale is made twice")
	}
	for tag, want := range map[string]bool{"de-DE": true, "sr-Latn": true, "xx": false, "not a tag": false, "": false, "de_AT": true} {
		if KnownLocale(tag) != want {
			t.Errorf("KnownLocale(%q) is %v", tag, !want)
		}
	}
}

func TestDirection(t *testing.T) {
	for tag, want := range map[string]bool{"ar-EG": true, "he-IL": true, "fa": true, "ur-PK": true, "en": false, "az": false, "az-Arab": true, "ckb": true} {
		if LocaleFor(tag).RightToLeft() != want {
			t.Errorf("%s: right to left is %v", tag, !want)
		}
	}
}

func TestMadeUpTagsDoNotGrowTheCache(t *testing.T) {
	for i := range 3 * maxLocales {
		LocaleFor(fmt.Sprintf("en-x-t%d", i))
	}
	if n := len(made.byTag); n > maxLocales {
		t.Errorf("%d locales are kept", n)
	}
}

func TestLettersFollowTheLanguage(t *testing.T) {
	cases := []struct{ locale, format, in, want string }{
		{"tr-TR", "uppercase", "istanbul ılık", "İSTANBUL ILIK"},
		{"tr-TR", "lowercase", "IĞDIR İL", "ığdır il"},
		{"az", "uppercase", "i", "İ"},
		{"en-US", "uppercase", "istanbul", "ISTANBUL"},
		{"de-DE", "uppercase", "Straße", "STRASSE"},
		{"tr-TR", "capitalize", "izmir", "İzmir"},
		{"hr-HR", "titlecase", "ǆep u-ravni 2nd", "ǅep U-Ravni 2nd"},
	}
	for _, c := range cases {
		if got := ParseFormat(c.format).Apply(c.in, &Env{Locale: LocaleFor(c.locale)}); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.locale, c.in, got, c.want)
		}
	}
}

// TestOneTemplateInManyGoroutines is for the race detector.
func TestOneTemplateInManyGoroutines(t *testing.T) {
	tpl := Parse("{$record.amount:c;EUR} {$record.when:dt;DDDDyyyyMMMMdHHmmtttt} {$data.orders.0.lines.1.sku:ellipsis;8}")
	scope := scopeOf(t, invoice)
	tags := []string{"en-US", "de-DE", "ar-EG", "th-TH", "fa-IR", "ja-JP"}
	want := map[string]string{}
	for _, tag := range tags {
		want[tag] = tpl.Text(&Env{Locale: LocaleFor(tag), Scope: scope})
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 200 {
				tag := tags[(i+j)%len(tags)]
				if got := tpl.Text(&Env{Locale: LocaleFor(tag), Scope: scope}); got != want[tag] {
					t.Errorf("%s: got %q, want %q", tag, got, want[tag])
				}
			}
		})
	}
	wg.Wait()
}

func TestStrings(t *testing.T) {
	for _, r := range rows(t, `
		This is a very long text. | ellipsis;7 | This...
		This is a very long text. | ellipsis;8;start | ...text.
		First (Middle) Last | ellipsis;11;middle | Firs...Last
		First (Middle) Last | ellipsis;10;middle | Firs...ast
		This is a very long text. | ellipsis | This is...
		This is a very long text. | ellipsis;3 | This is...
		This is a very long text. | ellipsis;0 | This is...
		short | ellipsis;5 | short
		Größenänderung | ellipsis;8 | Größe...
		日本語のテキスト | ellipsis;5;middle | 日...ト
		12 | prefix;No. | No.12
		12 | prefix;No. :suffix; pcs | No. 12 pcs
		a | wrap;(;) | (a)
		a | wrap;" | "a
		a | wrap | a
		net weight | capitalize | Net weight
		(net) weight/kg 5th o'neil | titlecase | (Net) Weight/Kg 5th O'neil
		ä b&c/ü | urlencode | %C3%A4%20b%26c%2F%C3%BC
		42 | leftpad;5 |    42
		42 | leftpad;5;. | ...42
		42 | leftpad;1;. | 42
		ä | zeropad;3 | 00ä
		x | s | x
		x | str:string:S | x
	`) {
		want := r[2]
		if r[1] == "leftpad;5" {
			want = "   42"
		}
		if got := ParseFormat(r[1]).Apply(r[0], nil); got != want {
			t.Errorf("%s | %s: got %q, want %q", r[0], r[1], got, want)
		}
	}
}
