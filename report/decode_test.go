package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestParseReportNamesThePlaceOfEveryFault(t *testing.T) {
	tests := []struct{ name, doc, want string }{
		{"not JSON", `{"name": "Invoice",}`, `not valid JSON at byte 18`},
		{"ends early", `{"name": "Invoice"`, `the JSON ends too early`},
		{"text after the end", `{"name": "Invoice"} x`, `text after the end`},
		{"not an object", `[1, 2]`, `must be an object, not a list`},
		{"null", `null`, `must be an object, not null`},
		{"name missing", `{}`, `"name" is missing`},
		{"two lines", `{"name": "In\nvoice"}`, `name: the name "In\nvoice" has characters that no line of text has`},
		{"endless", `{"name": "` + strings.Repeat("ü", 201) + `"}`, `name: the name has 201 characters; at most 200 are accepted`},
		{"no text", `{"name": "In\u0000voice"}`, `name: the name "In\x00voice" has characters that no line of text has`},
		{"wrong type", `{"name": 7}`, `name: must be text, not the number 7`},
		{"unknown name", `{"name": "Invoice", "thema": "dark"}`, `thema: unknown name; did you mean "theme"?`},
		{"unknown value", `{"name": "I", "pages": [{"id": 1, "name": "A", "type": "cover"}]}`, `pages[0].type: unknown value "cover"; accepted: page, subreport, document-merge`},
		{"deep in a list", `{"name": "I", "pages": [{"id": 1, "name": "A", "elements": [{"type": "text"}, {"type": "text", "children": {}}]}]}`, `pages[0].elements[1].children: must be a list, not an object`},
		{"null in a list", `{"name": "I", "pages": [null]}`, `pages[0]: must be an object, not null`},
		{"fraction", `{"name": "I", "pages": [{"id": 1.5, "name": "A"}]}`, `pages[0].id: must be a whole number within 32 bits, not 1.5`},
		{"too large", `{"name": "I", "pages": [{"id": 3000000000, "name": "A"}]}`, `pages[0].id: must be a whole number within 32 bits`},
		{"page twice", `{"name": "I", "pages": [{"id": 1, "name": "A"}, {"id": 1, "name": "B"}]}`, `pages[1].id: page id 1 is used twice`},
		{"source twice", `{"name": "I", "dataSources": [{"name": "a", "type": "json"}, {"name": "a", "type": "json"}]}`, `dataSources[1].name: the name "a" stands twice`},
		{"newer version", `{"name": "I", "version": 99}`, `version: the file has format version 99`},
		{"version of a wrong type", `{"name": "I", "version": "one"}`, `version: must be a whole number`},
		{"invalid UTF-8", "{\"name\": \"\xff\"}", `not valid JSON`},
		{"name twice", `{"name": "I", "name": "J"}`, `duplicate`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, problems := ParseReport([]byte(test.doc))
			if problems == nil || !strings.Contains(problems.Error(), test.want) {
				t.Errorf("got %v, want %s", problems, test.want)
			}
		})
	}
}

// Of a document that is wrong throughout the first places are named, and the
// rest counted.
func TestListsOfProblemsAreCut(t *testing.T) {
	elements := strings.Repeat(`{"type": "text", "colour": "red"},`, 5_000)
	_, problems := ParseReport([]byte(`{"name": "I", "pages": [{"id": 1, "name": "A", "elements": [` + elements[:len(elements)-1] + `]}]}`))
	if len(problems) != maxProblems+1 || problems[maxProblems].Message != "… and 4901 more" {
		t.Errorf("%d problems, the last %v", len(problems), problems[len(problems)-1])
	}
	if cut := problems.AtMost(10); len(cut) != 11 || cut[10].Message != "… and 90 more" || len(problems) != maxProblems+1 {
		t.Errorf("%d problems, the last %v", len(cut), cut[len(cut)-1])
	}
	if few := problems[:10]; len(few.AtMost(10)) != 10 {
		t.Error("a list of ten was cut")
	}
}

func TestParseValueRefusesEndlessNesting(t *testing.T) {
	for _, open := range []string{"[", `{"a":`} {
		_, err := ParseValue([]byte(strings.Repeat(open, 100_000)))
		if err == nil || !strings.Contains(err.Error(), "levels deep") {
			t.Errorf("%s: got %v", open, err)
		}
	}
}

func TestValuesStayAsWritten(t *testing.T) {
	const doc = `{"zebra":12345678901234567890,"apple":0.10,"list":[1e2,null,true,"<b>"],"rows":[{"a":1,"b":2},{"a":3,"b":4},{"b":5}]}`
	v, err := ParseValue([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(b.String()); got != doc {
		t.Errorf("got  %s\nwant %s", got, doc)
	}
	rows, _ := v.(*Object).Get("rows")
	list := rows.([]any)
	if list[0].(*Object).Shape() != list[1].(*Object).Shape() {
		t.Error("rows with the same members do not share their shape")
	}
}

type boxProps struct {
	Color string   `json:"color" default:"#333"`
	Width *float64 `json:"width" min:"0"`
	Inner struct {
		Size int  `json:"size" default:"3" min:"1" max:"9"`
		On   bool `json:"on" default:"true"`
	} `json:"inner"`
	Columns []struct {
		Title string `json:"title" default:"Column"`
		Align string `json:"align" enum:"left,right" default:"left"`
	} `json:"columns"`
}

func TestDecodePropsFillsDefaultsAndKeepsWhatIsRight(t *testing.T) {
	v, err := ParseValue([]byte(`{"inner": {"on": false, "size": 12}, "columns": [{"align": "right"}, {"titel": "x"}], "width": -1}`))
	if err != nil {
		t.Fatal(err)
	}
	props := map[string]any{}
	for n, m := range v.(*Object).All() {
		props[n] = m
	}
	got, problems := DecodeProps[boxProps](props, "props")
	var messages []string
	for _, p := range problems {
		messages = append(messages, p.Error())
	}
	want := []string{
		"props.width: -1 is out of range; accepted: 0 or more",
		"props.inner.size: 12 is out of range; accepted: 1 to 9",
		`props.columns[1].titel: unknown name; did you mean "title"?`,
	}
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Error(diff)
	}
	if got.Color != "#333" || got.Inner.Size != 3 || got.Inner.On || got.Columns[0].Align != "right" || got.Columns[1].Title != "Column" || got.Width != nil {
		t.Errorf("decoded %+v", got)
	}
}

func TestBundleRoundTrip(t *testing.T) {
	bundle := fstest.MapFS{
		"workspace.json":          {Data: []byte(`{"version": 1, "name": "Acme", "code": "acme", "languages": [{"name": "English", "code": "en", "culture": "en-GB"}]}`)},
		"reports/invoice.json":    {Data: []byte(`{"name": "Invoice", "pages": [{"id": 4, "name": "Main", "elements": [{"type": "text", "props": {"text": "a < b & \"c\""}}]}]}`)},
		"themes/classic.json":     {Data: []byte(`{"name": "Classic", "colors": [{"name": "primary", "value": "#123456"}]}`)},
		"templates/letter.json":   {Data: []byte(`{"name": "Letter", "layouts": [{"pageType": "portrait"}]}`)},
		"dictionaries/words.json": {Data: []byte(`{"name": "Words", "entries": {"total": {"en": "Total", "de": "Summe"}}}`)},
		"files/logo.svg":          {Data: []byte(`<svg/>`)},
	}
	first, problems := ReadWorkspace(bundle)
	if problems != nil {
		t.Fatal(problems)
	}
	written := fstest.MapFS{}
	put := func(name string, content []byte) error {
		written[name] = &fstest.MapFile{Data: content}
		return nil
	}
	if err := WriteWorkspace(first, put); err != nil {
		t.Fatal(err)
	}
	second, problems := ReadWorkspace(written)
	if problems != nil {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(first, second, cmp.AllowUnexported(Object{}), cmp.Comparer(func(a, b *Shape) bool { return cmp.Equal(a.names, b.names) })); diff != "" {
		t.Error(diff)
	}
}

func TestBundleNamesTheFile(t *testing.T) {
	bundle := fstest.MapFS{
		"workspace.json":     {Data: []byte(`{"name": "Acme", "code": "123"}`)},
		"reports/a b.json":   {Data: []byte(`{"name": 1}`)},
		"themes/broken.json": {Data: []byte(`{`)},
	}
	_, problems := ReadWorkspace(bundle)
	text := ""
	for _, p := range problems {
		text += p.Error() + "\n"
	}
	for _, want := range []string{`workspace.json: code: "123" is no code`, `reports/a b.json: "a b" is no code`, "reports/a b.json: name: must be text", "themes/broken.json: the JSON ends too early"} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %q in\n%s", want, text)
		}
	}
}

func FuzzParseReport(f *testing.F) {
	f.Add([]byte(`{"version":1,"name":"I","pages":[{"id":1,"name":"A","elements":[{"type":"flow","children":[{"type":"text","props":{"text":"x"}}]}]}]}`))
	f.Add([]byte(`{"name":null,"include":{"themes":[{"name":"t","page":{"fontSize":"9pt"}}]}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		r, problems := ParseReport(doc)
		if r == nil && problems == nil {
			t.Fatal("neither a report nor a problem")
		}
		if r != nil && problems == nil {
			again, err := MarshalDefinition(r)
			if err != nil {
				t.Fatal(err)
			}
			if _, problems := ParseReport(again); problems != nil {
				t.Fatalf("written and read back: %v\n%s", problems, again)
			}
		}
	})
}

func TestAnyObjectIsTakenAsItIs(t *testing.T) {
	var into struct {
		Params *Object `json:"params"`
	}
	if problems := DecodeInto([]byte(`{"params": {"year": 2026, "months": {"from": 1}}}`), &into); problems != nil {
		t.Fatal(problems)
	}
	if year, _ := into.Params.Get("year"); fmt.Sprint(year) != "2026" || into.Params.Len() != 2 {
		t.Errorf("%v", into.Params)
	}
	if problems := DecodeInto([]byte(`{"params": [1]}`), &into); len(problems) != 1 || problems[0].Path != "params" {
		t.Errorf("%v", problems)
	}
}
