package api

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs"
)

// spellings are how clients in the field write the formats of Office (FACTS.md, 1.2):
// in queries, and as JSON in bodies.
var spellings = map[string]struct{ queries, bodies []string }{
	"docx": {
		[]string{"format=docx", "format=Docx", "format=DOCX", "format=+docx", "format=1", "format[name]=docx", "format[name]=Docx", "format%5Bname%5D=DOCX", "format[name]=1"},
		[]string{`"docx"`, `"Docx"`, `"DOCX"`, `" docx "`, `1`, `"1"`, `{"name":"docx"}`, `{"name":"DOCX"}`, `{"name":1}`},
	},
	"xlsx": {
		[]string{"format=xlsx", "format=Xlsx", "format=XLSX", "format=2", "format[name]=xlsx", "format%5Bname%5D=Xlsx"},
		[]string{`"xlsx"`, `"Xlsx"`, `"XLSX"`, `2`, `"2"`, `{"name":"Xlsx"}`},
	},
	"pptx": {
		[]string{"format=pptx", "format=Pptx", "format=PPTX", "format=3", "format[name]=pptx", "format%5Bname%5D=Pptx"},
		[]string{`"pptx"`, `"Pptx"`, `"PPTX"`, `3`, `"3"`, `{"name":"Pptx"}`},
	},
}

const pagePath = "/ws/demo/reports/invoice/pdf"

// way is one to an export, of a person who is signed in or of a token.
type way struct {
	name   string
	path   string
	cookie bool
}

// inQueries are the ways on which the format stands in the query.
var inQueries = []way{{"GET pdf", pdfPath, false}, {"the page of a browser", pagePath, true}}

func (h *house) ask(t *testing.T, w way, query string, status int, has ...string) {
	t.Helper()
	s := scenario{path: w.path + "?" + query, status: status, has: has}
	if w.cookie {
		s.header = header("Cookie", h.session("viewer"))
	} else {
		s.who = "viewer"
	}
	h.check(t, s)
}

// TestOfficeFormatsInEverySpelling asks on every way to an export.
func TestOfficeFormatsInEverySpelling(t *testing.T) {
	h := open(t)
	h.work()
	for format, spelled := range spellings {
		for _, w := range inQueries {
			for _, query := range spelled.queries {
				h.ask(t, w, query, http.StatusOK)
				if got := h.lastFormat(); got != format {
					t.Errorf("%s?%s is %q; want %q", w.name, query, got, format)
				}
			}
		}
		for _, body := range spelled.bodies {
			h.check(t, scenario{path: pdfPath, who: "viewer", body: `{"format":` + body + `}`, status: http.StatusOK})
			if got := h.lastFormat(); got != format {
				t.Errorf("POST pdf %s is %q; want %q", body, got, format)
			}
			h.endedMeanwhile(t, "viewer", h.begin(t, "viewer", `{"format":`+body+`}`), func() {})
			if got := h.lastFormat(); got != format {
				t.Errorf("POST export %s is %q; want %q", body, got, format)
			}
		}
	}
	// Nothing is negotiated: the type of a file is asked for by its format alone.
	for _, f := range []string{"wordprocessingml.document", "spreadsheetml.sheet", "presentationml.presentation"} {
		h.check(t, scenario{path: pdfPath, who: "viewer", header: header("Accept", "application/vnd.openxmlformats-officedocument."+f), status: http.StatusOK})
		if got := h.lastFormat(); got != "" {
			t.Errorf("Accept asks for %q", got)
		}
	}
	for _, unknown := range []string{".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "doc", "word", "xls", "ppt", "5", "1.0"} {
		for _, w := range inQueries {
			h.ask(t, w, "format="+url.QueryEscape(unknown), http.StatusBadRequest, "unknown format", "accepted: pdf, html, docx, xlsx, pptx")
		}
		body := `{"format":"` + unknown + `"}`
		for _, path := range []string{pdfPath, asyncPath} {
			h.check(t, scenario{path: path, who: "viewer", body: body, status: http.StatusBadRequest, has: []string{"unknown format", "accepted: pdf, html, docx, xlsx, pptx"}})
		}
	}
}

// lastFormat is the format that was asked for last.
func (h *house) lastFormat() string {
	h.export.mu.Lock()
	defer h.export.mu.Unlock()
	return h.export.last.Format
}

// TestOfficeFormatsThatAreSwitchedOff: every spelling on every way is refused by the name
// of the setting, and the job that asks for one as well.
func TestOfficeFormatsThatAreSwitchedOff(t *testing.T) {
	h := open(t)
	h.withJobs()
	formats := export.FormatsWith(false)
	h.jobs = jobs.New(jobs.Config{Store: h.store, Export: h.export, Batch: &rows{}, Clock: h.clock.Now, Formats: formats})
	h.handler, h.routes = build(Config{Store: h.store, Export: h.export, Jobs: h.jobs, Clock: h.clock.Now, Formats: formats})
	for format, spelled := range spellings {
		says := []string{"format " + format + " is switched off here by the setting Office.Enabled", "accepted: pdf, html"}
		for _, w := range inQueries {
			for _, query := range spelled.queries {
				h.ask(t, w, query, http.StatusBadRequest, says...)
			}
		}
		for _, body := range spelled.bodies {
			for _, path := range []string{pdfPath, asyncPath} {
				h.check(t, scenario{path: path, who: "viewer", body: `{"format":` + body + `}`, status: http.StatusBadRequest, has: says})
			}
		}
		job := strings.Replace(editedJob, `"report":`, `"format":"`+format+`","report":`, 1)
		if got := h.asked(t, "check", `{"job":`+job+`}`, http.StatusOK); !strings.Contains(got, says[0]) {
			t.Error(got)
		}
	}
}

// TestProtectionIsOfPDFAlone: an Office file that was to be protected is not made without.
func TestProtectionIsOfPDFAlone(t *testing.T) {
	h := open(t)
	for format := range spellings {
		for _, protection := range []string{`"password":"x"`, `"allowPrinting":false`, `"allowCopying":"False"`} {
			for _, path := range []string{pdfPath, asyncPath} {
				h.check(t, scenario{path: path, who: "viewer", body: `{"format":"` + format + `",` + protection + `}`, status: http.StatusBadRequest, has: []string{"protect PDF files only, not " + format}})
			}
		}
		h.check(t, scenario{path: pdfPath, who: "viewer", body: `{"format":"` + format + `","conformance":"pdf/a-2b"}`, status: http.StatusBadRequest, has: []string{"conformance: is for format pdf only, not " + format}})
		h.check(t, scenario{path: pdfPath, who: "viewer", body: `{"format":"` + format + `","password":null,"allowPrinting":true,"allowCopying":null}`, status: http.StatusOK})
	}
}
