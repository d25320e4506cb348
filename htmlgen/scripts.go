package htmlgen

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"
)

// Scripts that the program's own fonts lack are printed with those of the Noto
// family, where they are installed. A document names the ones it needs: what the
// browser finds without a name has one weight, and bold text looks smeared.

// scriptFonts are the scripts with the end of their fonts' names.
var scriptFonts = []struct {
	script *unicode.RangeTable
	font   string
}{
	{unicode.Armenian, "Armenian"},
	{unicode.Bengali, "Bengali"},
	{unicode.Devanagari, "Devanagari"},
	{unicode.Ethiopic, "Ethiopic"},
	{unicode.Georgian, "Georgian"},
	{unicode.Gujarati, "Gujarati"},
	{unicode.Gurmukhi, "Gurmukhi"},
	{unicode.Kannada, "Kannada"},
	{unicode.Khmer, "Khmer"},
	{unicode.Lao, "Lao"},
	{unicode.Malayalam, "Malayalam"},
	{unicode.Myanmar, "Myanmar"},
	{unicode.Oriya, "Oriya"},
	{unicode.Sinhala, "Sinhala"},
	{unicode.Syriac, "Syriac"},
	{unicode.Tamil, "Tamil"},
	{unicode.Telugu, "Telugu"},
	{unicode.Thaana, "Thaana"},
	{unicode.Thai, "Thai"},
	{unicode.Tibetan, "Tibetan"},
}

// fallback is what stands behind every family of a document with these
// characters.
func (c *Context) fallback(s *runeSet) string {
	var names []string
	s.each(func(r rune) {
		if name := scriptFont(r); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	if len(names) == 0 {
		return fallbackFamilies
	}
	serif := strings.Contains(strings.ToLower(c.theme.Page.FontFamily), "serif")
	list := strings.TrimSuffix(fallbackFamilies, "sans-serif")
	for _, name := range names {
		if name == eastAsian {
			name = eastAsianFont(c.Env.Locale.Tag(), s)
		}
		if serif || name == "Tibetan" { // of which there is no other
			list += `"Noto Serif ` + name + `",`
		}
		list += `"Noto Sans ` + name + `",`
	}
	return list + "sans-serif"
}

// scriptFont is the end of the name of the font for a character; empty for
// characters that need none.
func scriptFont(r rune) string {
	switch {
	case r < 0x0530:
		return ""
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo), r >= 0x3000 && r < 0x3400, r >= 0xff00 && r < 0xfff0:
		return eastAsian
	}
	for i := range scriptFonts {
		if unicode.Is(scriptFonts[i].script, r) {
			return scriptFonts[i].font
		}
	}
	return ""
}

// eastAsian stands for the fonts of Chinese, Japanese and Korean. They share
// characters, and draw many of them differently.
const eastAsian = "CJK"

// eastAsianFont is the end of the name of the font for the language of a
// document. Parts of it in another of the languages take that one's forms from
// the same font, by their attribute lang. Documents in none of them go by the
// letters that only one of them has.
func eastAsianFont(lang string, s *runeSet) string {
	tag := language.Make(lang)
	base, _ := tag.Base()
	switch base.String() {
	case "ja":
		return "CJK JP"
	case "ko":
		return "CJK KR"
	case "zh", "yue":
		if region, _ := tag.Region(); region.String() == "HK" || region.String() == "MO" {
			return "CJK HK"
		}
		if script, _ := tag.Script(); script.String() == "Hant" {
			return "CJK TC"
		}
		return "CJK SC"
	}
	switch {
	case s.has(0x3041, 0x30ff):
		return "CJK JP"
	case s.has(0xac00, 0xd7a3):
		return "CJK KR"
	}
	return "CJK SC"
}
