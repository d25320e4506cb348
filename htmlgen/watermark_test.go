package htmlgen

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

func TestWatermarksStandWhereReadingBeginsAndFitThePaper(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, place, want string }{
		{"en-US", "top-start", "left:20px;top:20px"},
		{"ar-EG", "top-start", "left:673.7px;top:20px"},
		{"ar-EG", "bottom-end", "left:20px;top:1002.5px"},
		{"en-US", "top", "left:346.9px;top:20px"},
	} {
		in := testInput(t, []report.Element{{Type: "watermark", Props: map[string]any{"imageUrl": "logo.svg", "angle": 0, "size": "100px", "offset": "20px", "place": c.place}}})
		in.Locale = text.LocaleFor(c.language)
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc.HTML), c.want) {
			t.Errorf("%s, %s: no %s", c.language, c.place, c.want)
		}
	}
	in := testInput(t, []report.Element{{Type: "watermark", Props: map[string]any{"text": strings.Repeat("VERY LONG WORDS ", 20), "angle": 0}}})
	doc, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc.HTML), "width:682.6px") {
		t.Error("the text is not as wide as the paper has room for")
	}
}

func TestOfficeFilesWithoutWatermarksSaySo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change func(*Input)
		pages  string
		told   string
	}{
		{func(in *Input) { in.Typed = true }, "all", "workbooks have no watermarks; this one is left out"},
		{func(in *Input) { in.Charted = true }, "following", ""},
		{func(in *Input) { in.Charted = true }, "last", "documents of Word have watermarks on all pages of a section, on its first or on those after it; this one is left out"},
		{func(in *Input) { in.Charted, in.Slides = true, true }, "last", ""},
	} {
		in := testInput(t, []report.Element{{Type: "watermark", Props: map[string]any{"pages": c.pages}}})
		c.change(in)
		doc, err := Compile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		for _, w := range doc.Warnings {
			told += strings.TrimPrefix(w.Message, "watermark: ")
		}
		if told != c.told || strings.Contains(string(doc.HTML), "DRAFT") != (c.told == "") {
			t.Errorf("%q, want %q", told, c.told)
		}
	}
}
