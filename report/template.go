package report

// Template is the frame that pages are filled into: one layout per page type.
type Template struct {
	Name    string   `json:"name" required:"true"`
	Code    string   `json:"code" help:"Short name by which reports and the API refer to it. Default in a bundle: the name of the file." ask:"A short name by which reports and programs know it."`
	Theme   string   `json:"theme,omitempty" editor:"ref:themes" help:"Code of the theme the template is designed with; used when the report names none." ask:"The theme it is designed with; reports without one of their own have it, too."`
	Layouts []Layout `json:"layouts" required:"true"`
}

// Layout is the frame of one page type: paper, margins, header, footer and a
// body with content placeholders.
type Layout struct {
	PageType    string     `json:"pageType,omitempty" editor:"ref:pageTypes" help:"Code of the page type." ask:"Pages that choose this type have this layout."`
	Size        string     `json:"size,omitempty" enum:"A3,A4,A5,A6,Letter,Legal,Tabloid,Custom" default:"A4"`
	Orientation string     `json:"orientation,omitempty" enum:"portrait,landscape" default:"portrait"`
	Width       string     `json:"width,omitempty" editor:"length" help:"Paper width when size is Custom, for example 100mm." ask:"Width of paper in a size of your own, such as 100mm."`
	Height      string     `json:"height,omitempty" editor:"length" help:"Paper height when size is Custom." ask:"Height of paper in a size of your own, such as 150mm."`
	Margin      Margin     `json:"margin,omitzero"`
	Background  string     `json:"background,omitempty" editor:"color" help:"Paper colour. Default: the theme's page colour." ask:"Colour of the paper. Left empty, that of the theme."`
	Header      []Element  `json:"header,omitempty" help:"Printed above the body on every sheet; its height makes room for itself."`
	FirstHeader []Element  `json:"firstHeader,omitempty" help:"Printed instead of header on the first sheet of a page, when not empty."`
	Footer      []Element  `json:"footer,omitempty" help:"Printed below the body on every sheet."`
	Body        []Element  `json:"body,omitempty" help:"Elements of the layout, content placeholders among them. Default: one placeholder."`
	Design      PageDesign `json:"design,omitzero" help:"What only the designer minds; nothing that is printed depends on it."`
}

// Margin is the paper's edge that stays free, as CSS lengths.
type Margin struct {
	Top    string `json:"top,omitempty" editor:"length" default:"18mm"`
	Right  string `json:"right,omitempty" editor:"length" default:"18mm"`
	Bottom string `json:"bottom,omitempty" editor:"length" default:"16mm"`
	Left   string `json:"left,omitempty" editor:"length" default:"18mm"`
}
