package layout

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// letter is a page as the tab writes it.
const letter = `{
  "state": "flow", "language": "de", "rtl": false, "drawings": 1,
  "styles": [{"font": "Inter", "size": 13.33, "color": "1F2933"}, {"name": "h1", "font": "Inter", "size": 32, "weight": 700, "margin": [0, 0, 12, 0]}],
  "sheets": [{
    "id": "1", "name": "Letter", "width": 793.7, "height": 1122.5, "margin": [75, 60, 75, 60],
    "footer": {"kind": "block", "style": 0, "children": [{"kind": "paragraph", "style": 0, "children": [
      {"kind": "text", "style": 0, "text": "Seite "}, {"kind": "field", "style": 0, "field": "page", "text": "1"}]}]},
    "body": {"kind": "block", "style": 0, "children": [
      {"kind": "paragraph", "role": "heading", "level": 1, "style": 1, "text": "Angebot", "keep": 2, "anchors": ["h-1"]},
      {"kind": "table", "style": 0, "table": {"columns": [120, 80.5], "head": 1, "repeat": true}, "children": [
        {"kind": "row", "style": 0, "children": [{"kind": "cell", "style": 1, "text": "Ware", "cell": {"head": true}}, {"kind": "cell", "style": 1, "text": "Preis"}]},
        {"kind": "row", "style": 0, "children": [{"kind": "cell", "style": 0, "text": "Tisch", "cell": {"columns": 2}}]}]},
      {"kind": "image", "style": 0, "box": [60, 300.5, 120, 40], "image": {"svg": "<svg/>", "drawing": 1, "alt": "Unterschrift"}}]}
  }]
}`

func TestDecode(t *testing.T) {
	d, err := Decode([]byte(letter))
	if err != nil {
		t.Fatal(err)
	}
	s := d.Sheets[0]
	if len(s.Body.Children) != 3 || *s.Body.Children[2].Box != (Box{60, 300.5, 120, 40}) || s.Footer.Children[0].Children[1].Field != PageNumber {
		t.Errorf("read as %+v", s)
	}
	written, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(written)
	if err != nil || !reflect.DeepEqual(d, again) {
		t.Errorf("written and read again it is another: %v\n%s", err, written)
	}
}

// What a node holds is the same however the tab writes it.
func TestContent(t *testing.T) {
	cell := Node{Kind: Cell, Style: 3, Text: "12.50"}
	inside := cell.Content()
	if len(inside) != 1 || inside[0].Kind != Paragraph || inside[0].Style != 3 || inside[0].Children[0].Text != "12.50" || !inside[0].Bare {
		t.Errorf("a cell with a text holds %+v", inside)
	}
	paragraph := Node{Kind: Paragraph, Text: "Ware"}
	if inside := paragraph.Content(); len(inside) != 1 || inside[0].Kind != Text {
		t.Errorf("a paragraph with a text holds %+v", inside)
	}
	empty := Node{Kind: Cell}
	if inside := empty.Content(); len(inside) != 0 {
		t.Errorf("an empty cell holds %+v", inside)
	}
}

func TestDecodeRefuses(t *testing.T) {
	deep := strings.Repeat(`{"kind": "block", "style": 0, "children": [`, MostDepth+2) + strings.Repeat(`]}`, MostDepth+2)
	body := func(nodes string) string {
		return `{"state": "pages", "styles": [{}], "sheets": [{"width": 100, "height": 100, "body": {"kind": "block", "style": 0, "children": [` + nodes + `]}}]}`
	}
	for name, test := range map[string]struct{ text, want string }{
		"no JSON":                     {`{"state": "flow"`, "unreadable"},
		"no state":                    {`{"styles": [{}]}`, "accepted: flow, pages"},
		"no styles":                   {`{"state": "flow"}`, "0 styles"},
		"a sheet without a size":      {`{"state": "flow", "styles": [{}], "sheets": [{"width": 0, "height": 3}]}`, "size"},
		"an unknown kind":             {body(`{"kind": "blink", "style": 0}`), `holds a blink`},
		"a style that is not there":   {body(`{"kind": "block", "style": 1}`), "there are 1"},
		"text beside blocks":          {body(`{"kind": "text", "style": 0, "text": "x"}`), "holds a text"},
		"blocks in lines":             {body(`{"kind": "paragraph", "style": 0, "children": [{"kind": "block", "style": 0}]}`), "holds a block"},
		"text and children":           {body(`{"kind": "paragraph", "style": 0, "text": "x", "children": [{"kind": "text", "style": 0, "text": "y"}]}`), "both"},
		"a table without columns":     {body(`{"kind": "table", "style": 0}`), "columns"},
		"a header larger than itself": {body(`{"kind": "table", "style": 0, "table": {"columns": [1], "head": 1}}`), "header"},
		"a span of a million":         {body(`{"kind": "table", "style": 0, "table": {"columns": [1]}, "children": [{"kind": "row", "style": 0, "children": [{"kind": "cell", "style": 0, "cell": {"columns": 1000000}}]}]}`), "1000000 columns"},
		"a drawing that nobody makes": {body(`{"kind": "image", "style": 0, "image": {"drawing": 1}}`), "drawings"},
		"a picture of nothing":        {body(`{"kind": "image", "style": 0}`), "picture"},
		"a place far away":            {body(`{"kind": "rule", "style": 0, "box": [1e9, 0, 1, 1]}`), "stands at"},
		"nodes that have no end":      {body(deep), "deep"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Decode([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("read with %v; want one of %q", err, test.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(letter))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Decode(text)
		if err != nil {
			return
		}
		written, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(written); err != nil {
			t.Errorf("%s is read, but not when written again: %v", text, err)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	d, err := Decode([]byte(letter))
	if err != nil {
		b.Fatal(err)
	}
	table := &d.Sheets[0].Body.Children[1]
	for range 5000 {
		table.Children = append(table.Children, Node{Kind: Row, Children: []Node{
			{Kind: Cell, Box: &Box{10.5, 20.25, 300, 18}, Children: []Node{{Kind: Paragraph, Text: "Tisch", Bare: true, Lines: []Box{{10.5, 20.25, 40, 18}}}}},
			{Kind: Cell, Text: "1.234,50", Box: &Box{310.5, 20.25, 300, 18}},
		}})
	}
	text, err := json.Marshal(d)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Decode(text); err != nil {
			b.Fatal(err)
		}
	}
}
