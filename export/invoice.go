package export

import (
	"errors"
	"strings"

	"github.com/quire-reports/quire/export/einvoice"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// invoice is the electronic invoice that a file is to be.
type invoice struct {
	einvoice.Profile
	xml []byte
}

// invoiceOf makes the XML of an electronic invoice of the data that there are. What
// is wrong with them is named by its path in the data.
func invoiceOf(of *report.Invoice, data *report.Object) (*invoice, error) {
	profile, err := einvoice.ProfileOf(of.Profile)
	if err != nil {
		return nil, err
	}
	source := bare(of.Source)
	value, found := text.ParsePath(source).Get(text.ScopeFunc(func(root string) (any, bool) { return data, root == "$data" }))
	if !found || value == nil {
		return nil, report.Problemf("invoice.source", "%s leads to no value; accepted: the path of an object of the data, such as $data.invoice", of.Source)
	}
	content, err := einvoice.XML(value, profile, source)
	if err != nil {
		return nil, err
	}
	return &invoice{profile, content}, nil
}

// bill makes the electronic invoice of a run, where its report is one and the file
// can hold it.
func (r *run) bill() error {
	of := r.found.report.Invoice
	isPDF := formatOf(&r.req).name == "pdf"
	switch {
	case of == nil && r.req.InvoiceXML:
		return report.Problemf("invoiceXml", "the report is no electronic invoice; set its invoice, with profile and source")
	case of == nil || !isPDF:
		return nil
	case r.req.protected():
		return report.Problemf("password", "an electronic invoice cannot be protected: it is PDF/A-3; leave out the password, and let people print and copy")
	case r.req.Conformance != "" && r.req.Conformance != "pdf/a-3b":
		return report.Problemf("conformance", "an electronic invoice is pdf/a-3b, not %s; leave conformance out, or ask for pdf/a-3b", r.req.Conformance)
	}
	var err error
	r.invoice, err = invoiceOf(of, r.data.Data)
	return err
}

// invoiceFile is the XML alone.
func (r *run) invoiceFile() *File {
	return NewFile(fileName(strings.TrimSuffix(r.invoice.File, ".xml"), "xml"), "application/xml", r.invoice.xml)
}

// archived refuses a document that would call itself an electronic invoice and is
// no PDF/A-3.
func (i *invoice) archived(info *pdf.Info) error {
	if info.Archive == pdf.Archive3B {
		return nil
	}
	problems := report.Problems{report.Problemf("invoice", "the pages cannot be PDF/A-3, which an electronic invoice is")}
	for _, u := range info.Unmet {
		problems = append(problems, report.Problemf("invoice", "%s", u.Message))
	}
	return problems
}

// embedded is the XML as a file of the document.
func (i *invoice) embedded() pdf.Embedded {
	return pdf.Embedded{Name: i.File, ContentType: "text/xml", Content: i.xml, Description: "Electronic invoice", Alternative: i.Whole}
}

// invoice finds what keeps an electronic invoice from being one.
func (l *linter) invoice() {
	of := l.in.Report.Invoice
	if of == nil || l.in.Data == nil || of.Profile == "" || of.Source == "" {
		return
	}
	_, err := invoiceOf(of, l.in.Data)
	var list report.Problems
	var one *report.Problem
	if !errors.As(err, &list) && errors.As(err, &one) {
		list = report.Problems{one}
	}
	for _, p := range list {
		l.find(RuleInvoice, "invoice.source", "%s", p.Error())
	}
}
