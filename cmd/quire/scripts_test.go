package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/font"
)

// specimens are a line of text in each of the scripts in use, with a language.
var specimens = []struct{ lang, text string }{
	{"en", "The quick fox, fifty-two"},
	{"sr-Latn", "Čačak, Đakovo, Šabac"},
	{"vi", "Trăm năm trong cõi người ta"},
	{"el", "Ξεσκεπάζω την βδελυγμία"},
	{"ru", "Съешь же ещё булок"},
	{"ar", "نص حكيم له سر قاطع"},
	{"he", "דג סקרן שט בים"},
	{"hi", "ऋषियों को दुष्ट राक्षसों"},
	{"bn", "বিষণ্ন ঔদাসীন্যে বাংলা"},
	{"ta", "நெஞ்சம் அனைத்தும் யாழ்"},
	{"te", "జలచరాల రక్షణ బాధ్యత"},
	{"kn", "ಮಹಾಪ್ರಾಣ ಕ್ಷೇತ್ರದ ಜ್ಞಾನ"},
	{"ml", "അജവും ആനയും ഐരാവതവും"},
	{"gu", "ઋષિઓને સતાવનાર દુષ્ટ"},
	{"pa", "ਪੰਜਾਬੀ ਲਿਖਤ ਸ੍ਰੀ ਗੁਰੂ"},
	{"or", "ଓଡ଼ିଆ ଭାଷା ଶ୍ରେଷ୍ଠ"},
	{"si", "ශ්\u200dරී ලංකාවේ ප්\u200dරජාව"},
	{"th", "เป็นมนุษย์ สุดประเสริฐ"},
	{"lo", "ຂ້ອຍກິນແກ້ວ ໄດ້ໂດຍ"},
	{"km", "ខ្ញុំអាចញុំ កញ្ចក់បាន"},
	{"my", "သီဟိုဠ်မှ ဉာဏ်ကြီးရှင်"},
	{"am", "ጽሑፍ በአማርኛ ሰማይ"},
	{"ka", "ვეპხის ტყაოსანი შოთა"},
	{"hy", "Բել դղյակի ձախ ժամն"},
	{"bo", "བོད་སྐད་ ཨོཾ་མ་ཎི"},
	{"zh-Hans", "天地玄黄 直角骨令"},
	{"zh-Hant", "天地玄黃 直角骨令"},
	{"ja", "いろはにほへと 直角骨令"},
	{"ko", "다람쥐 헌 쳇바퀴"},
	{"en", "✅ 😀 🚀 🇷🇸 👩\u200d💻 ☎ ♞"},
}

// notoFonts is a service with fonts for all scripts: those of the machine, or of
// the folder that Fonts__Dir names.
func notoFonts(t testing.TB, ws *report.Workspace) *export.Service {
	t.Helper()
	dir := os.Getenv("Fonts__Dir")
	library := font.Library{Dirs: append(font.SystemDirs(), dir)}
	for _, s := range specimens[7:] {
		for _, r := range s.text {
			if !unicode.Is(unicode.Cf, r) && r > 0x590 && !library.Has(r) {
				judges.Missing(t, fmt.Sprintf("no font has %q (%s): scripts/setup.sh test installs them", r, s.lang))
			}
		}
	}
	return serviceWith(t, ws, map[string]string{"Fonts.Dir": dir})
}

// specimen is a report that shows a text in every kind of place.
func specimen(lang, text string) string {
	definition, _ := json.Marshal(map[string]any{
		"version": 1, "name": "S", "title": text, "language": lang,
		"include":     map[string]any{"languages": []any{map[string]any{"name": lang, "code": lang, "culture": lang}}},
		"dataSources": []any{map[string]any{"name": "r", "type": "json", "settings": map[string]any{"content": []any{map[string]any{"name": text, "v": 3}}}}},
		"pages": []any{map[string]any{"id": 1, "elements": []any{
			map[string]any{"type": "paragraph", "props": map[string]any{"text": text}},
			map[string]any{"type": "heading", "props": map[string]any{"level": "H1", "title": text}},
			map[string]any{"type": "data-table", "props": map[string]any{"source": "$data.r", "columns": []any{map[string]any{"field": "name", "title": text}, map[string]any{"field": "v", "title": "1"}}}},
			map[string]any{"type": "generic-chart", "props": map[string]any{"source": "$data.r", "width": "620px", "height": "150px", "altText": text, "series": []any{map[string]any{"chartType": "bar", "xField": "name", "yField": "v"}}}},
			map[string]any{"type": "barcode", "props": map[string]any{"text": "ABC-123"}},
			map[string]any{"type": "figure-caption", "props": map[string]any{"title": text}},
		}}},
	})
	return string(definition)
}

// asRead is a text without what only says how it is to be laid out.
func asRead(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 0x202a && r <= 0x202e || r == 0x200e || r == 0x200f || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(norm.NFC.String(s)), " ")
}

// In every script text is printed in all its places, read again as it was
// written, and the file conforms to what it says.
func TestEveryScriptIsPrintedAndReadAgain(t *testing.T) {
	ofDocuments(t)
	dir := t.TempDir()
	ws := &report.Workspace{}
	for i, s := range specimens {
		part := one(t, specimen(s.lang, s.text)).Reports[0]
		part.Code = fmt.Sprintf("s%d", i)
		ws.Reports = append(ws.Reports, part)
	}
	service := notoFonts(t, ws)
	var files []string
	for i, s := range specimens {
		code := fmt.Sprintf("s%d", i)
		for _, kind := range []string{"", "pdf/a-2a"} {
			f, err := service.Export(t.Context(), export.Request{Workspace: 1, Report: code, ExportOptions: report.ExportOptions{Conformance: kind}})
			if err != nil {
				t.Fatal(err)
			}
			content := contentOf(t, f)
			if len(f.Warnings) > 0 {
				t.Errorf("%s: %s", s.lang, allOf(f.Warnings))
			}
			if want := s.text + ".pdf"; f.Name != want {
				t.Errorf("%s: the file is named %q", s.lang, f.Name)
			}
			f.Close()
			path := filepath.Join(dir, fmt.Sprintf("%s-%s.pdf", code, strings.ReplaceAll(kind, "/", "")))
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if read := asRead(pdfToText(t, path)); strings.Count(read, asRead(s.text)) < 6 {
				t.Errorf("%s %s: %q is read as %q", s.lang, kind, s.text, read)
			}
			if word := outside(t, path); word != "" {
				t.Errorf("%s %s: %q stands beside the text of the page", s.lang, kind, word)
			}
			if kind != "" {
				files = append(files, "ua1="+path, "2a="+path)
				if !bytes.Contains(inflated(t, content), []byte("pdfuaid:part")) {
					t.Errorf("%s: the file does not say that it conforms", s.lang)
				}
			}
		}
	}
	judge(t, files, new(tally))
}

// outside is a word beyond the margins: farther left or right than the first line of
// the page, which is at one of them, and the same way from the other edge.
func outside(t testing.TB, path string) string {
	t.Helper()
	out, err := exec.Command("pdftotext", "-bbox", path, "-").Output()
	if err != nil {
		t.Fatal(withErrors(err))
	}
	var page struct {
		Width float64 `xml:"width,attr"`
		Words []struct {
			Top   float64 `xml:"yMin,attr"`
			Left  float64 `xml:"xMin,attr"`
			Right float64 `xml:"xMax,attr"`
			Text  string  `xml:",chardata"`
		} `xml:"word"`
	}
	_, inner, _ := strings.Cut(string(out), "<page")
	inner, _, _ = strings.Cut(inner, "</page>")
	if err := xml.Unmarshal([]byte("<page"+inner+"</page>"), &page); err != nil || len(page.Words) == 0 {
		t.Fatalf("%s: %d words, %v", path, len(page.Words), err)
	}
	const rounding = 1
	margin := page.Width
	for _, w := range page.Words {
		if w.Top < page.Words[0].Top+rounding {
			margin = min(margin, w.Left-rounding, page.Width-w.Right-rounding)
		}
	}
	for _, w := range page.Words {
		if w.Left < margin || w.Right > page.Width-margin {
			return w.Text
		}
	}
	return ""
}

func pdfToText(t testing.TB, path string) string {
	t.Helper()
	out, err := exec.Command("pdftotext", path, "-").Output()
	if err != nil {
		t.Fatal(withErrors(err))
	}
	return string(out)
}

// Chinese characters have one code in all languages, and a form in each.
func TestHanIsDrawnAsItsLanguageAsks(t *testing.T) {
	ofDocuments(t)
	dir := t.TempDir()
	const text = "直角骨令 誤 将"
	langs := []string{"zh-Hans", "zh-Hant", "ja", "ko"}
	ws := &report.Workspace{}
	for _, lang := range langs {
		part := one(t, specimen(lang, text)).Reports[0]
		part.Code = lang
		ws.Reports = append(ws.Reports, part)
	}
	// In a document of one language a part in another has that one's form.
	part := one(t, strings.Replace(specimen("zh-Hans", text), `"type":"paragraph"`, `"type":"html"`, 1)).Reports[0]
	part.Code = "inner"
	part.Report.Pages[0].Elements[0].Props = map[string]any{"html": `<p lang="ja">` + text + `</p>`}
	ws.Reports = append(ws.Reports, part)
	service := notoFonts(t, ws)
	pictures := map[string][]byte{}
	for _, code := range append(langs, "inner") {
		content, warnings := finished(t, service, export.Request{Report: code})
		if len(warnings) > 0 {
			t.Errorf("%s: %s", code, allOf(warnings))
		}
		file := filepath.Join(dir, code+".pdf")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		// The first line of the page.
		picture, err := exec.Command("pdftoppm", "-r", "150", "-png", "-x", "0", "-y", "100", "-W", "1200", "-H", "75", file).Output()
		if err != nil {
			t.Fatal(withErrors(err))
		}
		for other, known := range pictures {
			if same := bytes.Equal(picture, known); same != (code == "inner" && other == "ja") {
				t.Errorf("%s looks like %s: %t", code, other, same)
			}
		}
		pictures[code] = picture
	}
}
