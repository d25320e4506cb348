package export

import (
	"bytes"
	"strings"

	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// conformance is a kind of PDF for archives.
type conformance struct {
	name       string
	archive    pdf.Archive
	accessible bool // is PDF/UA-1 as well
	data       bool // has the data set inside
}

func conformances() []conformance {
	return []conformance{
		{name: "pdf/a-2b", archive: pdf.Archive2B},
		{name: "pdf/a-3b", archive: pdf.Archive3B, data: true},
		{name: "pdf/a-2a", archive: pdf.Archive2A, accessible: true},
	}
}

// Conformances names the kinds of PDF/A.
func Conformances() []string {
	var names []string
	for _, c := range conformances() {
		names = append(names, c.name)
	}
	return names
}

// conformanceOf finds the kind of PDF/A that a request asks for.
func conformanceOf(req *Request) (conformance, error) {
	if req.Conformance == "" {
		return conformance{}, nil
	}
	for _, c := range conformances() {
		if c.name == req.Conformance {
			return c, nil
		}
	}
	return conformance{}, report.Problemf("conformance", "unknown conformance %q; accepted: %s", req.Conformance, strings.Join(Conformances(), ", "))
}

// checkConformance refuses what PDF/A cannot be.
func checkConformance(req *Request, format string) error {
	c, err := conformanceOf(req)
	switch {
	case err != nil || c.name == "":
		return err
	case format != "pdf":
		return report.Problemf("conformance", "is for format pdf only, not %s", format)
	case req.protected():
		return report.Problemf("conformance", "%s files cannot be protected; leave out password, allowPrinting and allowCopying", c.name)
	}
	return nil
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
