package text

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/quire-reports/quire/report/text/internal/cldr"
	"golang.org/x/text/language"
)

//go:embed locales.bin
var localesFile []byte

//go:embed zones.bin
var zonesFile []byte

// locales and longZones are the decoded files; each is made once, at its first
// use, and never changed.
var (
	locales   = sync.OnceValue(func() *cldr.Data { return decoded(localesFile) })
	longZones = sync.OnceValue(func() *cldr.Data { return decoded(zonesFile) })
)

func decoded(file []byte) *cldr.Data {
	data, err := cldr.Decode(file)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	return data
}

// Locale is the way a language is written in a region: its numbers, dates and
// names. It is safe for use by several goroutines.
type Locale struct {
	tag     string // as asked for
	name    string // the locale of CLDR it was found under
	region  string
	special unicode.SpecialCase
	numbers numberData
	dates   func() *dateData // read at the first date
	dated   patternCache
	printed func() *Locale // the same with a true minus; made when first asked for
}

// made keeps the locales of LocaleFor; it is bounded by maxLocales.
var made struct {
	sync.RWMutex
	byTag map[string]*Locale
}

// maxLocales bounds what is kept: more than there are, against made-up tags.
const maxLocales = 1000

// LocaleFor is the locale of a BCP 47 tag such as "de-CH" or "sr-Latn-RS". A
// tag that is not known falls back to its language, an unknown language to
// English. The extensions nu (latn or native) and ca (gregory) are followed.
func LocaleFor(tag string) *Locale {
	made.RLock()
	l := made.byTag[tag]
	made.RUnlock()
	if l != nil {
		return l
	}
	l = newLocale(tag)
	made.Lock()
	defer made.Unlock()
	if made.byTag == nil || len(made.byTag) >= maxLocales {
		made.byTag = map[string]*Locale{}
	}
	if known := made.byTag[tag]; known != nil {
		return known
	}
	made.byTag[tag] = l
	return l
}

// KnownLocale reports whether a tag is well-formed and its language is known,
// so that nothing falls back to English.
func KnownLocale(tag string) bool {
	parsed, err := language.Parse(strings.ReplaceAll(tag, "_", "-"))
	return err == nil && findLocale(parsed) != ""
}

// LocaleTags are the locales there is data for, in no order.
func LocaleTags() []string {
	var tags []string
	for tag := range locales().Locales {
		if tag != "und" {
			tags = append(tags, tag)
		}
	}
	return tags
}

func newLocale(tag string) *Locale {
	parsed, err := language.Parse(strings.ReplaceAll(tag, "_", "-"))
	if err != nil || tag == "" {
		parsed = language.English
	}
	name := findLocale(parsed)
	if name == "" {
		name = "en" // the tag stays: it is the language of the document
	}
	l := &Locale{tag: parsed.String(), name: name, special: specialCase(name)}
	region, _ := parsed.Region()
	l.region = region.String()
	f := fieldsOf(locales(), name)
	l.numbers = readNumbers(f, parsed)
	l.dates = sync.OnceValue(func() *dateData { return readDates(l, parsed) })
	l.printed = sync.OnceValue(func() *Locale {
		own := newLocale(tag)
		own.numbers.minus = strings.ReplaceAll(own.numbers.minus, "-", trueMinus)
		return own
	})
	return l
}

// Tag is the BCP 47 tag, such as "de-CH".
func (l *Locale) Tag() string { return l.tag }

// Collation is the tag whose order of letters is the language's. Bosnian and
// Serbian in Latin letters have the order of Croatian.
func (l *Locale) Collation() language.Tag {
	tag := language.Make(l.tag)
	base, _ := tag.Base()
	script, _ := tag.Script()
	if b := base.String(); script.String() == "Latn" && (b == "sr" || b == "bs" || b == "sh") {
		return language.Croatian
	}
	return tag
}

// RightToLeft reports whether the language is written from right to left.
func (l *Locale) RightToLeft() bool {
	script, _ := language.Make(l.tag).Script()
	switch script.String() {
	case "Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand", "Samr":
		return true
	}
	return false
}

// Currency is the currency of the region; USD when there is none.
func (l *Locale) Currency() string {
	if c := global("currency", l.region); c != "" {
		return c
	}
	return "USD"
}

// findLocale is the closest locale with data; empty when there is none. A
// language is not taken in another script than the one asked for.
func findLocale(tag language.Tag) string {
	all := locales().Locales
	base, _ := tag.Base()
	script, _ := tag.Script()
	region, sure := tag.Region()
	b, s, r := canonicalBase(base.String()), script.String(), region.String()
	if sure != language.Exact {
		r = "" // the data of "ar" are not those of Egypt
	}
	for _, candidate := range []string{b + "-" + s + "-" + r, b + "-" + r, b + "-" + s, b} {
		if all[candidate] != nil && scriptOf(candidate) == s {
			return candidate
		}
	}
	return ""
}

// canonicalBase is the language whose data serves another code.
func canonicalBase(base string) string {
	switch base {
	case "nb":
		return "no" // CLDR keeps Bokmål under Norwegian
	case "tl":
		return "fil"
	}
	return base
}

func scriptOf(tag string) string {
	s, _ := language.Make(tag).Script()
	return s.String()
}

// specialCase are the letter rules of a language.
func specialCase(name string) unicode.SpecialCase {
	switch base, _, _ := strings.Cut(name, "-"); base {
	case "tr", "az":
		return unicode.TurkishCase
	}
	return nil
}

// fields looks up the data of a locale and its ancestors.
type fields struct{ chain []*cldr.Locale }

func fieldsOf(data *cldr.Data, name string) fields {
	var f fields
	for l := data.Locales[name]; l != nil; l = data.Locales[l.Parent] {
		f.chain = append(f.chain, l)
	}
	return f
}

func (f fields) get(field cldr.Field) string {
	for _, l := range f.chain {
		if s, ok := l.Fields[field]; ok {
			return s
		}
	}
	return ""
}

// items are the parts of a field.
func (f fields) items(field cldr.Field, n int) []string {
	parts := strings.Split(f.get(field), cldr.Sep)
	for len(parts) < n {
		parts = append(parts, "")
	}
	return parts
}

// list is a field that holds differences, put together.
func (f fields) list(field cldr.Field) map[string]string {
	out := map[string]string{}
	for i := len(f.chain) - 1; i >= 0; i-- {
		eachEntry(f.chain[i].Fields[field], func(k, v string) {
			if out[k] = v; v == "" {
				delete(out, k)
			}
		})
	}
	return out
}

func eachEntry(list string, yield func(k, v string)) {
	for item := range strings.SplitSeq(list, cldr.Sep) {
		if k, v, ok := strings.Cut(item, cldr.Sub); ok {
			yield(k, v)
		}
	}
}

// global is an entry of a list that belongs to no locale.
func global(list, key string) string {
	all := globals()[list]
	return all[key]
}

var globals = sync.OnceValue(func() map[string]map[string]string {
	out := map[string]map[string]string{}
	for name, text := range locales().Globals {
		out[name] = map[string]string{}
		eachEntry(text, func(k, v string) { out[name][k] = v })
	}
	return out
})

func firstRuneOf(s string) rune {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return '0'
	}
	return r
}
