package htmlgen

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// fileImages are files of a workspace.
type fileImages struct {
	noImages
	files map[string]string
	read  *int
}

func (f fileImages) File(_ context.Context, name string) ([]byte, error) {
	if f.read != nil {
		*f.read++
	}
	if content, ok := f.files[name]; ok {
		return []byte(content), nil
	}
	return nil, errors.New("there is no managed file " + name)
}

// squares are shapes beside each other, with the keys s0, s1 and so on.
func squares(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"type":"Feature","id":"s%d","geometry":{"type":"Polygon","coordinates":[[[%d,0],[%d,0],[%d,1],[%d,1],[%d,0]]]}}`, i, i, i+1, i+1, i, i))
	}
	return `{"type":"FeatureCollection","features":[` + strings.Join(list, ",") + `]}`
}

func mapOf(t *testing.T, values []any, props map[string]any, files map[string]string) (html, said string) {
	t.Helper()
	props["source"], props["valueField"] = "$data.rows", "v"
	var rows []any
	for i, v := range values {
		rows = append(rows, report.ObjectOf("key", fmt.Sprint("s", i), "v", v))
	}
	in := testInput(t, []report.Element{{ID: "m", Type: "map", Props: props}})
	in.Data, in.Images = report.ObjectOf("rows", rows), fileImages{files: files}
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, w := range doc.Warnings {
		all = append(all, w.Error())
	}
	return string(doc.HTML), strings.Join(all, "\n")
}

// TestMapsOfManyRowsReadTheirFileOnce: a map in each row of a source has the same file.
func TestMapsOfManyRowsReadTheirFileOnce(t *testing.T) {
	for name, files := range map[string]map[string]string{"there": {"a.json": squares(3)}, "missing": nil} {
		read := 0
		in := testInput(t, []report.Element{{ID: "m", Type: "map", Repeat: &report.Repeat{Source: "$data.rows"}, Props: map[string]any{"file": "a.json"}}})
		in.Data, in.Images = report.ObjectOf("rows", []any{1.0, 2.0, 3.0}), fileImages{files: files, read: &read}
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(doc.HTML), "q-map"); read != 1 || n < 3 {
			t.Errorf("%s: the file was read %d times for %d maps", name, read, n)
		}
	}
}

func TestClassesOfMaps(t *testing.T) {
	values := []any{1.0, 2.0, 3.0, 4.0, 100.0, -1.0}
	for _, c := range []struct {
		classes string
		legend  []string
	}{
		{`{"count":3}`, []string{"−1 – 2", "2 – 4", "4 – 100"}},
		{`{"method":"equal","count":2}`, []string{"−1 – 49.5", "49.5 – 100"}},
		{`{"method":"own","breaks":["50","0"]}`, []string{"&lt; 0", "0 – 50", "≥ 50"}},
		{`{"count":1}`, []string{"−1 – 100"}},
	} {
		classes, err := report.ParseValue([]byte(c.classes))
		if err != nil {
			t.Fatal(err)
		}
		doc, said := mapOf(t, values, map[string]any{"file": "a.geojson", "classes": classes}, map[string]string{"a.geojson": squares(6)})
		_, legend, _ := strings.Cut(doc, `<g class="q-c-legend">`)
		for _, label := range c.legend {
			if !strings.Contains(legend, ">"+label+"</text>") {
				t.Errorf("%s: no class %q in %s", c.classes, label, legend)
			}
		}
		if n := strings.Count(legend, "</text>"); n != len(c.legend) || said != "" {
			t.Errorf("%s: %d classes; %s", c.classes, n, said)
		}
	}
}

// Every shape has the colour of its class, also at the ends of classes.
func TestShapesHaveTheColorOfTheirClass(t *testing.T) {
	doc, _ := mapOf(t, []any{0.0, 5.0, 10.0, 15.0, 20.0}, map[string]any{"geojson": squares(5), "classes": report.ObjectOf("method", "own", "breaks", []any{"5", "15"})}, nil)
	_, shapes, _ := strings.Cut(doc, `fill-rule="evenodd"`)
	shapes, _, _ = strings.Cut(shapes, "</g>")
	var got []string
	for _, path := range strings.Split(shapes, "<path ")[1:] {
		share := "1"
		if _, rest, ok := strings.Cut(path, `fill-opacity="`); ok {
			share, _, _ = strings.Cut(rest, `"`)
		}
		got = append(got, share)
	}
	if want := "0.18 0.59 0.59 1 1"; strings.Join(got, " ") != want {
		t.Errorf("shares %v, want %s", got, want)
	}
}

func TestMapsNameWhatDoesNotMatch(t *testing.T) {
	_, said := mapOf(t, []any{1.0, 2.0, nil, 4.0, 5.0}, map[string]any{"geojson": squares(4)}, nil)
	for _, want := range []string{"rows whose key no shape has: s4", "shapes without a value: s2"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, said)
		}
	}
	if _, said := mapOf(t, nil, map[string]any{"file": "b.geojson"}, nil); !strings.Contains(said, "there is no managed file b.geojson") {
		t.Error(said)
	}
	if _, said := mapOf(t, nil, map[string]any{"geojson": `{"type":`}, nil); !strings.Contains(said, "the GeoJSON cannot be read") {
		t.Error(said)
	}
}
