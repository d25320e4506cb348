package api

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

func TestWarningsComeWithTheFile(t *testing.T) {
	h := open(t)
	warn := func(warnings ...*report.Problem) {
		h.export.export = func(export.Request) (*export.File, error) {
			f := newFile("a.pdf", "application/pdf", "%PDF")
			f.Warnings = warnings
			return f, nil
		}
	}
	warn(report.Problemf("pages[0].elements[1]", `barcode "ean": EAN13 takes 12 or 13 digits – “4006” has 4`), report.Problemf("", "späť 🙂\r\nX: y"))
	h.check(t, scenario{path: pdfPath, who: "viewer", status: 200, answer: map[string]string{
		"Quire-Warnings": `[{"path":"pages[0].elements[1]","message":"barcode \"ean\": EAN13 takes 12 or 13 digits \u2013 \u201c4006\u201d has 4"},` +
			`{"message":"sp\u00e4\u0165 \ud83d\ude42\r\nX: y"}]`,
	}})
	long := report.Problemf("p", "%s", strings.Repeat("long ", 500))
	warn(long, long, long)
	if got := h.do(scenario{path: pdfPath, who: "viewer"}).Header().Get("Quire-Warnings"); len(got) > 4100 || !strings.HasSuffix(got, `"}]`) {
		t.Errorf("a header of %d bytes: %.80s", len(got), got)
	}
	warn()
	if _, told := h.do(scenario{path: pdfPath, who: "viewer"}).Header()["Quire-Warnings"]; told {
		t.Error("a header without warnings")
	}
}

func TestWarningsOfAsynchronousExports(t *testing.T) {
	h := open(t)
	h.work()
	h.export.mu.Lock()
	h.export.export = func(export.Request) (*export.File, error) {
		f := newFile("a.pdf", "application/pdf", "%PDF")
		f.Warnings = report.Problems{report.Problemf("data.order", "the report has no data source “order”"), report.Problemf("", "{$data.x} leads to no value")}
		return f, nil
	}
	h.export.mu.Unlock()
	path := h.begin(t, "viewer", "{}")
	want := `"warnings":[{"path":"data.order","message":"the report has no data source “order”"},{"path":"","message":"{$data.x} leads to no value"}]`
	if status := h.ended(t, "viewer", path); !strings.Contains(status, want) {
		t.Errorf("%s; want %s", status, want)
	}
	h.check(t, scenario{path: path + "/content", who: "viewer", status: 200, answer: map[string]string{
		"Quire-Warnings": `[{"path":"data.order","message":"the report has no data source \u201corder\u201d"},{"message":"{$data.x} leads to no value"}]`,
	}})
}
