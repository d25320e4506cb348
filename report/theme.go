package report

// Theme is how everything looks. Each value becomes a CSS variable; see
// htmlgen's theme.go for the names. An empty value means the default.
type Theme struct {
	Name          string         `json:"name" required:"true"`
	Code          string         `json:"code" help:"Short name by which reports and the API refer to it. Default in a bundle: the name of the file." ask:"A short name by which reports and programs know it."`
	Colors        []Color        `json:"colors,omitempty" help:"Named colours; each becomes the CSS variable --color-<name>." ask:"Colours with names. Your own CSS reads them as var(--color-name)." one:"Color"`
	Inks          []Ink          `json:"inks,omitempty" help:"How colours are printed in pdf/x-4 files; all others are turned into the inks of the press from sRGB, and greys are printed with black alone." ask:"How colours are printed by a printing house, in pdf/x-4 files." one:"Ink"`
	Page          PageStyle      `json:"page,omitzero"`
	Text          TextStyles     `json:"text,omitzero"`
	Table         TableStyles    `json:"table,omitzero"`
	Chart         ChartStyle     `json:"chart,omitzero"`
	Legend        LegendStyle    `json:"legend,omitzero"`
	Figure        TextStyle      `json:"figure,omitzero" help:"Captions of figures."`
	Separator     Separator      `json:"separator,omitzero"`
	KeyValue      KeyValue       `json:"keyValue,omitzero" label:"Key-value grid"`
	Formats       Formats        `json:"formats,omitzero"`
	CustomCSS     string         `json:"customCss,omitempty" label:"Own CSS" editor:"css" help:"CSS added after the theme's own rules." ask:"Rules of your own, read after those of the theme."`
	ExternalCSS   []string       `json:"externalCss,omitempty" label:"CSS files" help:"Names of managed CSS files added before the custom CSS." ask:"Files of the workspace, read before your own CSS." one:"File"`
	AdvancedChart map[string]any `json:"advancedChart,omitempty" help:"Theme object of the advanced chart (Apache ECharts)." ask:"How advanced charts look, as a theme of Apache ECharts."`
}

// Color is a named colour of a theme.
type Color struct {
	Name  string `json:"name" required:"true" help:"For example primary." ask:"Such as primary."`
	Value string `json:"value" required:"true" editor:"color" help:"Hex, RGBA or HSLA." ask:"Such as #1d4ed8, or with transparency rgba(29, 78, 216, .5)."`
}

// Ink is how a printing house prints a colour: mixed of its four inks, or with an ink of
// its own.
type Ink struct {
	Color   string  `json:"color" required:"true" editor:"color" help:"Text, lines and plain areas of this colour are printed so; gradients and pictures are not." ask:"The colour on the pages, such as #1d4ed8."`
	Spot    string  `json:"spot,omitempty" help:"Name of an ink of its own, such as PANTONE 186 C; the four shares stand for it where there is no such ink." ask:"The name of an ink of its own, such as PANTONE 186 C. Left empty, it is mixed."`
	Cyan    float64 `json:"cyan,omitempty" min:"0" max:"100" help:"Percent."`
	Magenta float64 `json:"magenta,omitempty" min:"0" max:"100" help:"Percent."`
	Yellow  float64 `json:"yellow,omitempty" min:"0" max:"100" help:"Percent."`
	Black   float64 `json:"black,omitempty" min:"0" max:"100" help:"Percent."`
}

// PageStyle is the paper and the defaults of all text on it.
type PageStyle struct {
	Background string `json:"background,omitempty" editor:"color" default:"#ffffff"`
	Color      string `json:"color,omitempty" editor:"color" default:"#1f2430"`
	FontFamily string `json:"fontFamily,omitempty" editor:"font" default:"Inter"`
	FontSize   string `json:"fontSize,omitempty" editor:"length" default:"9.5pt"`
	LineHeight string `json:"lineHeight,omitempty" default:"1.45"`
}

// TextStyle is how one kind of text looks. Empty values are inherited.
type TextStyle struct {
	FontFamily    string `json:"fontFamily,omitempty" editor:"font"`
	FontSize      string `json:"fontSize,omitempty" editor:"length"`
	FontWeight    string `json:"fontWeight,omitempty" enum:",300,400,500,600,700,800"`
	FontStyle     string `json:"fontStyle,omitempty" enum:",normal,italic"`
	LineHeight    string `json:"lineHeight,omitempty"`
	LetterSpacing string `json:"letterSpacing,omitempty" editor:"length"`
	TextTransform string `json:"textTransform,omitempty" enum:",none,uppercase,lowercase,capitalize"`
	Color         string `json:"color,omitempty" editor:"color"`
	MarginTop     string `json:"marginTop,omitempty" editor:"length"`
	MarginBottom  string `json:"marginBottom,omitempty" editor:"length"`
}

// TextStyles are the kinds of text a theme knows.
type TextStyles struct {
	Paragraph TextStyle `json:"paragraph,omitzero"`
	H1        TextStyle `json:"h1,omitzero" label:"Heading 1"`
	H2        TextStyle `json:"h2,omitzero" label:"Heading 2"`
	H3        TextStyle `json:"h3,omitzero" label:"Heading 3"`
	H4        TextStyle `json:"h4,omitzero" label:"Heading 4"`
	H5        TextStyle `json:"h5,omitzero" label:"Heading 5"`
	H6        TextStyle `json:"h6,omitzero" label:"Heading 6"`
	Link      TextStyle `json:"link,omitzero"`
	Small     TextStyle `json:"small,omitzero" help:"Class small." ask:"Texts that have the CSS class small."`
	Muted     TextStyle `json:"muted,omitzero" help:"Class muted." ask:"Texts that have the CSS class muted."`
}

// CellStyle is how one part of a table looks.
type CellStyle struct {
	TextStyle
	Background    string `json:"background,omitempty" editor:"color"`
	AltBackground string `json:"altBackground,omitempty" label:"Every second row" editor:"color" help:"Background of every second row." ask:"Its background."`
	Padding       string `json:"padding,omitempty" editor:"lengths"`
	BorderTop     string `json:"borderTop,omitempty" editor:"border" help:"CSS border, for example 1px solid #ccc." ask:"Such as 1px solid #ccc."`
	BorderBottom  string `json:"borderBottom,omitempty" editor:"border"`
	VerticalLine  string `json:"verticalLine,omitempty" editor:"border" help:"Line between columns when the table shows vertical lines."`
	VerticalAlign string `json:"verticalAlign,omitempty" enum:",top,middle,bottom"`
}

// TableStyles are the parts of a table.
type TableStyles struct {
	Table  CellStyle   `json:"table,omitzero" help:"The table as a whole: outer borders, background."`
	Header CellStyle   `json:"header,omitzero"`
	Cells  CellStyle   `json:"cells,omitzero"`
	Footer CellStyle   `json:"footer,omitzero"`
	Group  []CellStyle `json:"group,omitempty" help:"Group captions and footers, outermost level first; at most 3." ask:"Lines above and below groups, the outermost first; three at most." one:"Level"`
}

// ChartStyle is how charts look.
type ChartStyle struct {
	Palette         []string `json:"palette,omitempty" help:"At most 16 colours; series take them in order." ask:"16 colours at most; the series of a chart take them one by one." one:"Color"`
	LabelSize       string   `json:"labelSize,omitempty" editor:"length" default:"8pt"`
	LabelColor      string   `json:"labelColor,omitempty" editor:"color"`
	TitleSize       string   `json:"titleSize,omitempty" editor:"length" default:"9pt"`
	GuidelineColor  string   `json:"guidelineColor,omitempty" editor:"color"`
	GuidelineWidth  string   `json:"guidelineWidth,omitempty" editor:"length" default:"0.5px"`
	ZeroMarkerColor string   `json:"zeroMarkerColor,omitempty" editor:"color"`
	ZeroMarkerWidth string   `json:"zeroMarkerWidth,omitempty" editor:"length" default:"1px"`
}

// LegendStyle is how chart legends look.
type LegendStyle struct {
	TextStyle
	MarkerSize string `json:"markerSize,omitempty" editor:"length" default:"8px"`
	Gap        string `json:"gap,omitempty" editor:"length" default:"14px"`
}

// Separator is the default look of separators.
type Separator struct {
	Color string `json:"color,omitempty" editor:"color"`
	Size  string `json:"size,omitempty" editor:"length" default:"1px"`
}

// KeyValue is the default look of key-value grids.
type KeyValue struct {
	Key            TextStyle `json:"key,omitzero"`
	Value          TextStyle `json:"value,omitzero"`
	OddBackground  string    `json:"oddBackground,omitempty" editor:"color"`
	EvenBackground string    `json:"evenBackground,omitempty" editor:"color"`
	RowGap         string    `json:"rowGap,omitempty" editor:"length" default:"4px"`
	CellGap        string    `json:"cellGap,omitempty" editor:"length" default:"12px"`
	Border         string    `json:"border,omitempty" editor:"border"`
}

// Formats are the default formats of data tables, as text formats without
// braces and leading colon.
type Formats struct {
	Number       string `json:"number,omitempty" default:"n"`
	Percent      string `json:"percent,omitempty" default:"p"`
	Date         string `json:"date,omitempty" default:"d"`
	Currency     string `json:"currency,omitempty" default:"currency;;2"`
	CurrencyCode string `json:"currencyCode,omitempty" help:"ISO code that an empty currency code means. Default: the currency of the report language's region." ask:"The currency where none is named, such as EUR. Left empty, that of the region of the language."`
}
