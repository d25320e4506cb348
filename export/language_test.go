package export

import (
	"context"
	"strings"
	"testing"
)

func TestTheLanguageOfAReport(t *testing.T) {
	s, _ := newService(t, map[string]string{
		"workspace.json": `{"name": "Acme", "code": "acme", "languages": [{"name": "English", "code": "en", "culture": "en-GB"}, {"name": "Deutsch", "code": "de", "culture": "de-AT"}, {"name": "العربية", "code": "ar", "culture": "ar-EG"}, {"name": "עברית", "code": "he", "culture": "he-IL"}]}`,
		"dictionaries/words.json": `{"name": "Words", "code": "words", "entries": {
			"total": {"en": "Total", "de": "Summe", "ar": "المجموع"}, "only": {"en": "only English"}, "none": {"de": "nur Deutsch"}}}`,
		"reports/sums.json": `{"name": "Sums", "pages": [{"id": 1, "name": "A", "elements": [{"type": "text", "props": {"text": "[{$dict.total}|{$dict.only}|{$dict.none}|{$dict.missing|?}|{$data.n.0:n;2}|typed]"}}]}],
			"dataSources": [{"name": "n", "type": "json", "settings": {"content": [1234.5]}}]}`,
	})
	for lang, want := range map[string]struct{ document, text string }{
		"":      {`<html lang="en-GB" dir="ltr">`, "[Total|only English||?|1,234.50|typed]"},
		"de":    {`<html lang="de-AT" dir="ltr">`, "[Summe|only English|nur Deutsch|?|1\u00a0234,50|typed]"},
		"fr":    {`<html lang="fr" dir="ltr">`, "[Total|only English||?|1\u202f234,50|typed]"}, // not of the workspace, but formats know it
		"de_DE": {`<html lang="de-DE" dir="ltr">`, "[Summe|"},                                  // as other systems write it
		"de_at": {`<html lang="de-AT" dir="ltr">`, "[Summe|"},
		"DE":    {`<html lang="de-AT" dir="ltr">`, "[Summe|"},
		"ar":    {`<html lang="ar-EG" dir="rtl">`, "[المجموع|only English|"},
		"he":    {`<html lang="he-IL" dir="rtl">`, "[Total|only English|"},
	} {
		p, err := s.Preview(context.Background(), PreviewRequest{Request: Request{Report: "sums", Lang: lang}})
		if err != nil {
			t.Errorf("%q: %v", lang, err)
			continue
		}
		html := string(p.HTML)
		if !strings.Contains(html, want.document) || !strings.Contains(html, want.text) {
			i := strings.Index(html, "[")
			t.Errorf("%q: %s … %s", lang, html[:60], html[max(0, i):min(len(html), i+120)])
		}
	}
	_, err := s.Preview(context.Background(), PreviewRequest{Request: Request{Report: "sums", Lang: "klingon!"}})
	if err == nil || !strings.Contains(err.Error(), `"klingon!" is no language; accepted: en, de, ar, he`) {
		t.Error(err)
	}
}
