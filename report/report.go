package report

// Version is the version of the definition format that this program writes.
// Older files are upgraded when they are read; see upgrade.go.
const Version = 1

// Report is one report: its pages, and what they are bound to.
// All references to other resources are codes.
type Report struct {
	Schema      string         `json:"$schema,omitempty" help:"Address of the JSON Schema, for editors."`
	Version     int            `json:"version" help:"Version of the file format; 1."`
	Kind        string         `json:"kind,omitempty" help:"Always report." enum:"report"`
	Name        string         `json:"name" required:"true" help:"Name that people see."`
	Description string         `json:"description,omitempty"`
	Type        string         `json:"type,omitempty" label:"Report type" editor:"ref:reportTypes" help:"Code of the report type. Default: other." ask:"What kind of report it is; lists are filtered by it."`
	Theme       string         `json:"theme,omitempty" editor:"ref:themes" help:"Code of the theme. Default: the workspace's first, or the built-in theme." ask:"Its colours, fonts and spacing."`
	Template    string         `json:"template,omitempty" editor:"ref:templates" help:"Code of the template. Default: the workspace's first, or the built-in template." ask:"Its header, footer and paper, which several reports can share."`
	Language    string         `json:"language,omitempty" editor:"ref:languages" help:"Code of the report's language. Default: the workspace's default language, or en." ask:"The language of dates, numbers and translated words."`
	Timezone    string         `json:"timezone,omitempty" label:"Time zone" help:"IANA time zone for dates and times. Default: the server's." ask:"Where its dates and times are, such as Europe/Berlin. Left empty, where the server is."`
	Title       string         `json:"title,omitempty" editor:"template" help:"Title of the document and base of the file name, a text template. Default: the name." ask:"Title of the document and name of its file. Left empty, the name of the report."`
	Author      string         `json:"author,omitempty" editor:"template" help:"Author in the document information of the file, a text template." ask:"Who is named as the author in the file."`
	Subject     string         `json:"subject,omitempty" editor:"template" help:"Subject in the document information of the file, a text template." ask:"What is named as the subject in the file."`
	Keywords    string         `json:"keywords,omitempty" editor:"template" help:"Keywords in the document information of the file, separated by commas, a text template." ask:"Words by which the file is found, with commas between them."`
	Invoice     *Invoice       `json:"invoice,omitempty" label:"Electronic invoice" help:"Makes the PDF files of the report electronic invoices by Factur-X (ZUGFeRD): PDF/A-3 with the invoice as XML inside." ask:"Its PDF files have the invoice inside, for programs: Factur-X, ZUGFeRD."`
	Subreport   bool           `json:"subreport,omitempty" help:"Whether this report is only used inside others."`
	Pages       []Page         `json:"pages,omitempty"`
	DataSources []SourceUse    `json:"dataSources,omitempty"`
	Parameters  []ParameterUse `json:"parameters,omitempty"`
	Include     *Include       `json:"include,omitempty" help:"Resources carried inside the file, so that it can stand alone; they come before the workspace's."`
}

// Include holds resources that a report file carries with it.
type Include struct {
	Templates    []Template   `json:"templates,omitempty"`
	Themes       []Theme      `json:"themes,omitempty"`
	Languages    []Language   `json:"languages,omitempty"`
	Dictionaries []Dictionary `json:"dictionaries,omitempty"`
	DataSources  []DataSource `json:"dataSources,omitempty"`
	Parameters   []Parameter  `json:"parameters,omitempty"`
}

// Invoice says that a report is an electronic invoice, and where its data are.
type Invoice struct {
	Profile string `json:"profile" required:"true" enum:"minimum,basic-wl,basic,en16931,extended,xrechnung" help:"How much the XML says: en16931 is what European law calls an electronic invoice, xrechnung what German authorities ask for; minimum and basic-wl are no invoices without the pages." ask:"How much the XML says. EN 16931 is right for most; XRechnung for German authorities."`
	Source  string `json:"source" label:"Data" required:"true" editor:"binding" help:"Path of the object that the XML is made of, for example $data.invoice; docs/invoices.md has its members." ask:"The data that the XML is made of, such as $data.invoice: an object with number, date, seller, buyer and lines."`
}

// Page types, the values of Page.Type.
const (
	PageTypePage          = "page"
	PageTypeSubreport     = "subreport"
	PageTypeDocumentMerge = "document-merge"
)

// Page is one page definition; it prints as one or more sheets.
type Page struct {
	ID       int    `json:"id" help:"Number of the page, unique in the report; excludePages names it."`
	Name     string `json:"name"`
	Type     string `json:"type,omitempty" enum:"page,subreport,document-merge" default:"page"`
	PageType string `json:"pageType,omitempty" label:"Layout" editor:"ref:pageTypes" help:"Code of the page type: which layout of the template the page uses. Default: the template's first layout." ask:"Which layout of the template it has: header, footer and paper."`
	Count    *bool  `json:"count,omitempty" label:"Counts as a page" help:"Whether the page gets a number and enters the table of contents. Default: true." ask:"It gets a page number, and stands in the table of contents."`
	Restart  bool   `json:"restartPageNumbers,omitempty" label:"Restart page numbers" help:"Whether the numbers of pages begin anew with this page; of a subreport page that repeats, with each item. $page.count counts the pages up to where they begin anew." ask:"Page numbers begin anew here; where the page repeats, with each item."`
	StartOn  string `json:"startOn,omitempty" label:"Begins on" enum:"any,odd,even" default:"any" help:"On which page of the document it begins, counted as they are printed: any, an odd one (the front of a sheet that is printed on both sides, the right-hand page of a book) or an even one. Where needed a blank page comes before it; of a subreport page that repeats, before each item. The blank page has a number unless numbers begin anew after it." ask:"The front of a sheet that is printed on both sides is an odd page: where needed, a blank one comes before."`
	TOCLabel string `json:"tocLabel,omitempty" label:"Entry in the table of contents" editor:"template" help:"Entry of the page in the table of contents. Default: none." ask:"What the table of contents calls it. Left empty, it is not listed."`
	Visible  string `json:"visible,omitempty" label:"Visible when" editor:"expression" help:"Expression; the page is left out when it is false." ask:"A formula such as {$params.showAll}: the page is left out when it gives no. Left empty, it is always there."`
	Workbook string `json:"workbook,omitempty" label:"In workbooks" enum:"sheet,leave-out" default:"sheet" help:"Whether the page becomes a sheet of an Excel workbook or is left out of it." ask:"What becomes of the page in an Excel workbook."`
	Slide    string `json:"slide,omitempty" label:"In presentations" enum:"slide,leave-out" default:"slide" help:"Whether the page becomes slides of a PowerPoint presentation or is left out of it." ask:"What becomes of the page in a PowerPoint presentation."`
	// Of a subreport page: the pages of another report in the place of this one.
	Report     string    `json:"report,omitempty" editor:"ref:reports" help:"Code of the report whose pages stand here; of pages of type subreport." ask:"The report whose pages stand here."`
	Parameters []Mapping `json:"parameters,omitempty" help:"Values for the subreport's parameters." ask:"What the other report is asked for." one:"Parameter"`
	Repeat     *Repeat   `json:"repeat,omitempty" label:"Repeat for" help:"Repeats a subreport page for every item of an array." ask:"The pages are there once for each item of a list."`
	Separate   bool      `json:"separateContents,omitempty" label:"Count separately" help:"Whether the headings and figures of the subreport are counted and listed on their own." ask:"Its headings and figures are counted and listed on their own."`
	// Of a document-merge page: pages of a PDF in the place of this one.
	Document  string `json:"document,omitempty" label:"PDF file" editor:"template" help:"Name of the managed PDF file, a text template; of pages of type document-merge." ask:"The name of a PDF file of the workspace."`
	StartPage int    `json:"startPage,omitempty" label:"First page" min:"1" default:"1" help:"First page of the PDF that is taken." ask:"The first page of the file that is taken."`
	EndPage   int    `json:"endPage,omitempty" label:"Last page" min:"0" help:"Last page of the PDF that is taken. Default: all." ask:"The last page of the file that is taken. Left empty, all the rest."`
	// Elements fill the layout's placeholder when it has only one.
	Elements []Element `json:"elements,omitempty"`
	// Placeholders fill the layout's placeholders by their names.
	Placeholders map[string][]Element `json:"placeholders,omitempty"`
	Design       PageDesign           `json:"design,omitzero" help:"What only the designer minds; nothing that is printed depends on it."`
}

// PageDesign is what only the designer minds of a page or layout.
type PageDesign struct {
	Guides []Guide `json:"guides,omitempty" help:"Lines over every sheet, by which things are placed."`
}

// Guide is a line that the designer shows.
type Guide struct {
	Axis string `json:"axis" required:"true" enum:"x,y" help:"x: an upright line, so far from the left; y: a level one, so far from the top."`
	At   string `json:"at" required:"true" editor:"length" help:"Length from the corner of the paper, for example 40mm."`
}

// Counts reports whether the page gets a page number.
func (p *Page) Counts() bool { return p.Count == nil || *p.Count }

// Element is one component on a page. Props are the settings of its type,
// decoded by htmlgen; only values that differ from the default are written.
type Element struct {
	ID       string         `json:"id,omitempty" help:"Identifier, unique in the report. Given by the designer when absent."`
	Type     string         `json:"type" required:"true"`
	Name     string         `json:"name,omitempty" help:"Name in the outline; warnings use it."`
	Visible  string         `json:"visible,omitempty" editor:"expression" help:"Expression; the element is left out when it is false."`
	Repeat   *Repeat        `json:"repeat,omitempty" help:"Repeat this component for every item of an array."`
	Props    map[string]any `json:"props,omitempty" help:"Settings of the element type."`
	Children []Element      `json:"children,omitempty" help:"Elements inside a container."`
	Design   Design         `json:"design,omitzero" help:"What only the designer minds; nothing that is printed depends on it."`
}

// Design is what only the designer minds of an element.
type Design struct {
	Locked bool `json:"locked,omitempty" help:"Whether the designer keeps the element, with all inside, from being moved, resized, edited and deleted."`
	Hidden bool `json:"hidden,omitempty" help:"Whether the canvas of the designer leaves the element out. It is printed all the same: visible keeps an element out of print."`
}

// Mapping gives a parameter of a subreport its value.
type Mapping struct {
	Name  string `json:"name" required:"true" help:"Parameter of the subreport." ask:"What the other report calls it."`
	Value string `json:"value" editor:"template" help:"Text template; a single binding such as {$it.record.id} keeps the type of its value." ask:"A text, or a value such as {$it.record.id}."`
}

// Repeat prints an element once for every item of an array; the item is
// $it.<alias> inside.
type Repeat struct {
	Source    string `json:"source" label:"List" required:"true" editor:"binding" help:"Path of the array, for example $data.orders, or an expression that gives one: {[ {$data.orders}.filter(o => o.open) ]}." ask:"A list of the data, such as $data.orders, or a formula that gives one."`
	Alias     string `json:"alias,omitempty" label:"Name of an item" default:"record" help:"Name of the item in $it; $index is its place, from 0." ask:"What is printed reads the item by it, such as {$it.record}, and its number from 0 by {$index}."`
	Transform []any  `json:"transform,omitempty" label:"Transform data" editor:"steps" help:"Steps that change the items, in order: those of a data transformation, except join and union."`
}
