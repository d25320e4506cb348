package report

// Workspace is everything that belongs together: reports and what they use.
// It is what a bundle (a folder or ZIP of JSON files) holds.
type Workspace struct {
	Version      int           `json:"version"`
	Name         string        `json:"name" required:"true"`
	Code         string        `json:"code" required:"true"`
	Description  string        `json:"description,omitempty"`
	Languages    []Language    `json:"languages,omitempty" help:"The first is the default."`
	ReportTypes  []ReportType  `json:"reportTypes,omitempty"`
	PageTypes    []PageType    `json:"pageTypes,omitempty"`
	Parameters   []Parameter   `json:"parameters,omitempty" help:"Reusable and global parameters."`
	Dictionaries []Dictionary  `json:"-"`
	DataSources  []DataSource  `json:"-"`
	Templates    []Template    `json:"-"`
	Themes       []Theme       `json:"-"`
	Jobs         []Job         `json:"-"`
	Reports      []NamedReport `json:"-"`
	Files        []File        `json:"-"`
}

// NamedReport is a report with the code by which a bundle knows it: the name
// of its file without .json.
type NamedReport struct {
	Code   string
	Report Report
}

// File is a managed file of a workspace: an image or document used in reports.
type File struct {
	Name        string // unique in the workspace, for example "logo.svg"
	ContentType string
	Content     []byte
}

// FileStamp says which content a managed file has.
type FileStamp struct {
	Name   string
	SHA256 string // its bytes
}

// ReportType groups reports of one kind; its default report is what exports by
// type code address.
type ReportType struct {
	Name          string `json:"name" required:"true"`
	Code          string `json:"code" required:"true"`
	Description   string `json:"description,omitempty"`
	DefaultReport string `json:"defaultReport,omitempty" help:"Code of the report (its file name in a bundle)." ask:"The report that programs get when they ask for the type."`
}

// PageType names a kind of page; templates have a layout for each.
type PageType struct {
	Name        string `json:"name" required:"true"`
	Code        string `json:"code" required:"true"`
	Description string `json:"description,omitempty"`
}

// Language is a language that reports can be printed in.
type Language struct {
	Name    string `json:"name" required:"true"`
	Code    string `json:"code" required:"true" help:"Short code that lang takes, for example de." ask:"A short name such as de, by which the language is asked for."`
	Culture string `json:"culture" label:"Region" help:"Culture for formats, a BCP 47 tag such as de-CH. Default: the code." ask:"How numbers and dates are written, such as de-CH. Left empty, as the short name says."`
}

// Dictionary holds texts in several languages; $dict.<entry> in templates.
type Dictionary struct {
	Name    string                       `json:"name" required:"true"`
	Code    string                       `json:"code" help:"Short name by which reports and the API refer to it. Default in a bundle: the name of the file." ask:"A short name by which reports and programs know it."`
	Entries map[string]map[string]string `json:"entries" help:"Entry name to language code to text."`
}
