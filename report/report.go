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
	Type        string         `json:"type,omitempty" editor:"ref:reportTypes" help:"Code of the report type. Default: other."`
	Theme       string         `json:"theme,omitempty" editor:"ref:themes" help:"Code of the theme. Default: the workspace's first, or the built-in theme."`
	Template    string         `json:"template,omitempty" editor:"ref:templates" help:"Code of the template. Default: the workspace's first, or the built-in template."`
	Language    string         `json:"language,omitempty" editor:"ref:languages" help:"Code of the report's language. Default: the workspace's default language, or en."`
	Timezone    string         `json:"timezone,omitempty" help:"IANA time zone for dates and times. Default: the server's."`
	Title       string         `json:"title,omitempty" editor:"template" help:"Title of the document and base of the file name, a text template. Default: the name."`
	Author      string         `json:"author,omitempty" editor:"template" help:"Author in the document information of the file, a text template."`
	Subject     string         `json:"subject,omitempty" editor:"template" help:"Subject in the document information of the file, a text template."`
	Keywords    string         `json:"keywords,omitempty" editor:"template" help:"Keywords in the document information of the file, separated by commas, a text template."`
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
	PageType string `json:"pageType,omitempty" editor:"ref:pageTypes" help:"Code of the page type: which layout of the template the page uses. Default: the template's first layout."`
	Count    *bool  `json:"count,omitempty" label:"Counts as a page" help:"Whether the page gets a number and enters the table of contents. Default: true."`
	TOCLabel string `json:"tocLabel,omitempty" label:"Entry in the table of contents" editor:"template" help:"Entry of the page in the table of contents. Default: none."`
	Visible  string `json:"visible,omitempty" editor:"expression" help:"Expression; the page is left out when it is false."`
	Workbook string `json:"workbook,omitempty" label:"In workbooks" enum:"sheet,leave-out" default:"sheet" help:"Whether the page becomes a sheet of an Excel workbook or is left out of it."`
	Slide    string `json:"slide,omitempty" label:"In presentations" enum:"slide,leave-out" default:"slide" help:"Whether the page becomes slides of a PowerPoint presentation or is left out of it."`
	// Of a subreport page: the pages of another report in the place of this one.
	Report     string    `json:"report,omitempty" editor:"ref:reports" help:"Code of the report whose pages stand here; of pages of type subreport."`
	Parameters []Mapping `json:"parameters,omitempty" help:"Values for the subreport's parameters."`
	Repeat     *Repeat   `json:"repeat,omitempty" help:"Repeats a subreport page for every item of an array."`
	Separate   bool      `json:"separateContents,omitempty" label:"Count separately" help:"Whether the headings and figures of the subreport are counted and listed on their own."`
	// Of a document-merge page: pages of a PDF in the place of this one.
	Document  string `json:"document,omitempty" editor:"template" help:"Name of the managed PDF file, a text template; of pages of type document-merge."`
	StartPage int    `json:"startPage,omitempty" label:"Start page" min:"1" default:"1" help:"First page of the PDF that is taken."`
	EndPage   int    `json:"endPage,omitempty" label:"End page" min:"0" help:"Last page of the PDF that is taken. Default: all."`
	// Elements fill the layout's placeholder when it has only one.
	Elements []Element `json:"elements,omitempty"`
	// Placeholders fill the layout's placeholders by their names.
	Placeholders map[string][]Element `json:"placeholders,omitempty"`
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
	Name  string `json:"name" required:"true" help:"Parameter of the subreport."`
	Value string `json:"value" editor:"template" help:"Text template; a single binding such as {$it.record.id} keeps the type of its value."`
}

// Repeat prints an element once for every item of an array; the item is
// $it.<alias> inside.
type Repeat struct {
	Source    string `json:"source" required:"true" editor:"binding" help:"Path of the array, for example $data.orders, or an expression that gives one: {[ {$data.orders}.filter(o => o.open) ]}."`
	Alias     string `json:"alias,omitempty" default:"record" help:"Name of the item in $it; $index is its place, from 0."`
	Transform []any  `json:"transform,omitempty" label:"Transform data" editor:"steps" help:"Steps that change the items, in order: those of a data transformation, except join and union."`
}
