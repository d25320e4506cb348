package export

import (
	"bytes"

	"github.com/quire-reports/quire/render/pdf"
)

// conformance is a kind of PDF for archives or for printing houses.
type conformance struct {
	name       string
	archive    pdf.Archive
	accessible bool // is PDF/UA-1 as well
	data       bool // has the data set inside
	press      bool // is PDF/X
}

func conformances() []conformance {
	return []conformance{
		{name: "pdf/a-2b", archive: pdf.Archive2B},
		{name: "pdf/a-3b", archive: pdf.Archive3B, data: true},
		{name: "pdf/a-2a", archive: pdf.Archive2A, accessible: true},
		{name: "pdf/x-4", press: true},
	}
}

// Conformances names the kinds of PDF/A and PDF/X.
func Conformances() []string {
	var names []string
	for _, c := range conformances() {
		names = append(names, c.name)
	}
	return names
}

// conformanceOf finds the kind of PDF/A or PDF/X of a request that was checked.
func conformanceOf(req *Request) conformance {
	for _, c := range conformances() {
		if c.name == req.Conformance {
			return c
		}
	}
	return conformance{}
}

// embedded is the data set as files inside of a PDF: the same as beside it in a
// ZIP file.
func embedded(r *run) ([]pdf.Embedded, error) {
	var list []pdf.Embedded
	for _, f := range dataFiles(r.data.Data) {
		var content bytes.Buffer
		if err := f.write(&content); err != nil {
			return nil, err
		}
		list = append(list, pdf.Embedded{Name: f.name, ContentType: f.contentType, Content: content.Bytes()})
	}
	return list, nil
}

// TakesData tells whether the file that is asked for has the data set with it,
// beside what the report shows of it.
func (r *Request) TakesData() bool { return r.IncludeAttachments || conformanceOf(r).data }
