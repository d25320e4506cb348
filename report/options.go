package report

// ExportOptions are what requests and the documents of jobs alike say about a
// file. An option is declared here once; requests, their description, the
// queue, the command line and the editor of jobs read it from the tags. Beside
// those of Field they are wire (its name in requests, where that is another;
// "!" before it: true there is false here), wirehelp (its help there), queue
// (its name in the queue, where that is another), and in (where requests may
// have it: query, body, async; default everywhere).
type ExportOptions struct {
	Format             string `json:"format,omitempty" from:"formats" default:"pdf" help:"Format of the file. Default: pdf."`
	Template           string `json:"template,omitempty" help:"Code or ID of the template. Default: the report's."`
	Theme              string `json:"theme,omitempty" help:"Code or ID of the theme. Default: the report's."`
	IncludeAttachments bool   `json:"includeAttachments,omitempty" help:"Wraps the report and its attachments in a ZIP."`
	Accessible         bool   `json:"accessible,omitempty" help:"PDF/UA-1: the PDF file is tagged for assistive technology."`
	Conformance        string `json:"conformance,omitempty" from:"conformances" help:"Makes a PDF/A file; pdf/a-3b has the data inside, pdf/a-2a is PDF/UA-1 as well. pdf/x-4 makes one for a printing house."`
	PrintCondition     string `json:"printCondition,omitempty" from:"printConditions" help:"How a pdf/x-4 file is going to be printed. Default: FOGRA39, coated paper as is usual in Europe."`
	Bleed              string `json:"bleed,omitempty" help:"How far colours and pictures go over the edges of a PDF file's pages, such as 3mm; at most 20mm. Default: not at all."`
	CropMarks          bool   `json:"cropMarks,omitempty" help:"Marks in the corners of a PDF file's pages where they are cut."`
	InvoiceXML         bool   `json:"invoiceXml,omitempty" label:"XML of the invoice" help:"The XML of an electronic invoice alone, in the place of the PDF file that it stands in."`
	Signature          string `json:"signature,omitempty" help:"Name of the connection whose key signs the PDF file (PAdES)."`
	DenyPrinting       bool   `json:"denyPrinting,omitempty" help:"Readers of the PDF do not let people print it." wire:"!allowPrinting" wirehelp:"Whether readers let people print. Default: true." in:"body,async" queue:"noPrinting"`
	DenyCopying        bool   `json:"denyCopying,omitempty" help:"Readers of the PDF do not let people copy from it." wire:"!allowCopying" wirehelp:"Whether readers let people copy. Default: true." in:"body,async" queue:"noCopying"`
}
