package pdf

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
)

type bytesPart []byte

func (p bytesPart) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(p)), nil }

func TestTry(t *testing.T) {
	var parts []bytesPart
	for _, n := range []string{"tag.pdf", "x.pdf", "tag.pdf"} {
		b, err := os.ReadFile(filepath.Join("/tmp/w/render", n))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, b)
	}
	for _, prot := range []*Protection{nil, {UserPassword: "geheim", AllowPrinting: true}} {
		var out bytes.Buffer
		info, err := Finish(context.Background(), &out, parts, Options{Title: "Größe", Lang: "de-DE", Outline: true, Protect: prot,
			Anchors: []Anchor{{ID: "a", Page: 1, Level: 1, Text: "One"}, {ID: "b", Page: 2, Level: 3, Text: "Two ж", Y: 100}, {ID: "c", Page: 3, Level: 1, Text: "Three"}}})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(info)
		os.WriteFile("/tmp/w/render/merged.pdf", out.Bytes(), 0o644)
		if prot != nil {
			os.WriteFile("/tmp/w/render/enc.pdf", out.Bytes(), 0o644)
		}
		f, err := ReadFacts(context.Background(), out.Bytes(), "geheim")
		if err != nil {
			t.Fatal(err)
		}
		t.Log(f)
	}
}
