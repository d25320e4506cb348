package htmlgen

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/quire-reports/quire/htmlgen/formula"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// Input is everything a compile needs. Nothing of it is changed.
type Input struct {
	Report   *report.Report
	Template *report.Template // nil: the built-in one
	Theme    *report.Theme    // nil: the built-in one
	Data     *report.Object   // results of the data sources by name
	Params   *report.Object
	Dict     *report.Object
	User     report.Person      // who looks: $user
	Shown    []report.Parameter // parameters printed at the top of the report

	Locale       *text.Locale
	Zone         *time.Location
	Now          time.Time
	CurrencyCode string

	Scripts    Scripts
	Images     Images
	Subreports Subreports // nil: reports cannot be embedded
	Documents  Documents  // nil: PDF files cannot be attached
	Fonts      []FontFace
	Glyphs     Glyphs // nil: nobody asks whether fonts have the letters
	// TeX makes MathML of formulas; nil prints their TeX.
	TeX *formula.TeX
	// OwnFonts are the fonts that the workspace has; asked for when a family is
	// named that is not among Fonts.
	OwnFonts func() []FontFace
	AssetURL func(kind, name string) string // address of a font ("font") or stylesheet
	Files    func(name string) ([]byte, bool)
	Head     string // markup added to the head, such as the preview's script
	// Origins marks what prints values with where they come from, as data-from, and
	// says on the page what a layout has no place for, which the canvas of the
	// designer shows; nothing else of the document changes.
	Origins bool
	// Typed marks what prints one value with the value, for workbooks; see typed.go.
	// Nothing else of the document changes but that cells of tables are not merged.
	Typed bool
	// Charted marks charts with what they show, as Typed does. Nothing else changes.
	Charted bool
	// Signer is who signs the file; nil where nobody does.
	Signer *Signer
	// Slides leaves out the pages that the report keeps out of presentations.
	Slides bool
	// TableRows is how many rows of a data table are written; 0 is all. Sums are
	// those of all rows anyway. The canvas of the designer has such a limit, so
	// that every edit is drawn at once.
	TableRows int
	// Printed says that the document is printed here: whoever prints it sees which
	// letters have no glyphs, and warns of them.
	Printed bool
	// Alone is set for a document that brings everything along.
	Alone *Alone
	// MostBytes is how large the document may become; 0 is 256 MB. A larger one
	// is a Problem of kind TooLarge.
	MostBytes int
	// Spend is told of memory before it is taken; an error ends the compile. May
	// be nil.
	Spend func(bytes int64) error
}

// Signer is shown in a signature field: the one of its name, or else the first.
type Signer struct {
	Field string
	Lines []string
	shown bool
}

// mostBytes is how large a document becomes at most by default: some hundred
// thousand rows. Whoever reads it takes many times as much memory.
const mostBytes = 256 << 20

// Scripts runs the report's JavaScript; package scripting is behind it.
type Scripts interface {
	text.Expressions
	// Render calls a renderer function once for each row of values and gives
	// what it returned. Rows that failed are nil; the error tells of the first.
	Render(ctx context.Context, call *RenderCall) ([]any, error)
	// Chart runs a function that returns the option object of an advanced chart
	// and gives its SVG, which is not to be trusted.
	Chart(ctx context.Context, call *ChartCall) (svg string, err error)
}

// ChartCall is the function of an advanced chart and what it is called with.
type ChartCall struct {
	Path, Source       string
	Data, Params, Dict *report.Object
	Items, Record      any // $it and $record of what is repeated around the chart
	Width, Height      float64
	Theme              any               // of the library
	Colors             map[string]string // of the theme, by the names of their CSS variables
}

// RenderCall is a renderer function and what it is called with.
type RenderCall struct {
	Path               string // of the function in the definition
	Source             string
	Names              []string // of the arguments that each row has a value for
	Rows               [][]any
	Data, Params, Dict *report.Object // $data, $params and $dict
}

// Subreports finds the reports that stand inside others and loads their data.
type Subreports interface {
	// Subreport is the report of a code with its data for the parameters given.
	Subreport(ctx context.Context, code string, params *report.Object) (*Subreport, error)
}

// Subreport is a report inside another, ready to compile.
type Subreport struct {
	Report             *report.Report
	Data, Params, Dict *report.Object
	Warnings           report.Problems
}

// Documents finds PDF files whose pages stand among those of the report.
type Documents interface {
	// Document is the PDF of a managed file's name: a key by which the printer
	// knows it, and the sizes of its pages.
	Document(ctx context.Context, name string) (key string, pages []PageSize, err error)
}

// PageSize is the size of a page in CSS pixels.
type PageSize struct{ Width, Height float64 }

// Images gives the address of a picture in the document, having fetched it
// where that is needed. The reference is a managed file's name, a data: URI or
// an http(s) address. An error says why there is none.
type Images interface {
	Image(ctx context.Context, ref string, space Space) (url string, err error)
}

// Lettered are Images that tell what is wrong with the letters of a picture that
// was found.
type Lettered interface {
	Letters(ref string) (told []string)
}

// Space is what a picture is drawn into, in CSS pixels; 0 when nothing is known.
type Space struct {
	Width, Height float64
	Cover         bool // all of it is filled, and what stands over is cut off
}

// Document is a compiled report.
type Document struct {
	HTML     []byte
	Info     // about the document
	Language string
	Warnings report.Problems
	Letters  Letters
	Places   map[string]Place // of the elements, by the identifiers that the HTML has
	Codes    []string         // number format codes of a typed document, in the order of data-f
	rows     []packedRows     // of large tables of a typed document
}

// Info is what a file tells about its document.
type Info struct {
	Title, Author, Subject, Keywords string
}

// Compile makes the document of a report. What is wrong with the report is in
// the document's warnings; the error is that of the context, or that the
// document is too large.
func Compile(ctx context.Context, in *Input) (*Document, error) {
	c := newContext(ctx, in)
	pages := c.preparePages(c.in.Report, "")
	info := c.info()
	for i := range pages {
		c.sheet(&pages[i])
	}
	c.writeDeferred()
	c.writeReferences()
	c.Raw("</body></html>\n")
	if err := c.stopped(); err != nil {
		return nil, err
	}
	doc := &Document{Info: info, Language: c.Env.Locale.Tag(), Places: c.places, Codes: c.codes, rows: c.rows}
	doc.HTML, doc.Letters = c.whole(&info)
	doc.Warnings = c.warnings
	return doc, nil
}

// whole puts the head before the body, which says what fonts it needs. The body
// was written behind room for the head, so that it need not be moved.
func (c *Context) whole(info *Info) ([]byte, Letters) {
	body := c.buf[headRoom:]
	runes := runesOf(body)
	css := c.styleSheets(c.fallback(runes))
	small := c.in.Alone != nil && len(body) <= manyBytes
	if small {
		c.spare(css, body)
	}
	sheets := css.String()
	faces := c.usedFaces(sheets, body, runes)
	letters, faces := c.letters(runes, faces)
	address := func(i int) string { return c.in.AssetURL("font", faces[i].File) }
	if small {
		var of []*Shown
		if faces, of = c.aloneFaces(css, body, faces); of != nil {
			address = func(i int) string { return c.in.Alone.Font(&faces[i], of[i]) }
		}
	}
	if !c.in.Printed {
		c.lacking(body, letters.Lacking)
	}
	written := c.buf
	c.buf = written[:0:headRoom]
	c.documentStart(info, sheets, func() { c.fontFaces(faces, address) })
	if len(c.buf) > headRoom {
		return append(c.buf, body...), letters
	}
	start := headRoom - len(c.buf)
	copy(written[start:], c.buf)
	return written[start:], letters
}

// headRoom is what the head usually fits into.
const headRoom = 48 << 10

// initialSize is the room a document starts with: a one-page report fits.
const initialSize = 64 << 10

func newContext(ctx context.Context, in *Input) *Context {
	c := &Context{
		ctx: ctx, in: in, theme: completeTheme(in.Theme),
		templates: map[string]*text.Template{}, maps: map[string]readShapes{}, paths: map[string]*text.Path{}, formats: map[string]text.Format{}, seen: map[string]bool{}, anchors: map[string]int{},
		contents: newContents(), targets: map[string]*target{}, types: typesByName(), places: map[string]Place{}, named: map[string]bool{}, faces: in.Fonts, codeAt: map[string]int{},
	}
	if c.most = in.MostBytes; c.most == 0 {
		c.most = mostBytes
	}
	c.buf = make([]byte, headRoom, headRoom+initialSize)
	c.scope = scope{words: c, data: in.Data, params: in.Params, dict: in.Dict, user: in.User.Value(), items: report.ObjectOf()}
	locale := in.Locale
	if locale == nil {
		locale = text.LocaleFor("en")
	}
	c.Env = &text.Env{
		Locale: locale, Zone: in.Zone, Now: in.Now, CurrencyCode: firstOf(c.theme.Formats.CurrencyCode, in.CurrencyCode),
		Scope: &c.scope, Expr: in.Scripts, MostBytes: c.most,
		Warn:  func(message string) { c.Warn(c.at, "%s", message) },
		Refer: c.refer,
	}
	return c
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// info is what the report's templates say about the document. Its title is the
// report's name when they say none.
func (c *Context) info() Info {
	value := func(template string) string { return strings.TrimSpace(c.Expand(template)) }
	r := c.in.Report
	return Info{Title: firstOf(value(r.Title), r.Name), Author: value(r.Author), Subject: value(r.Subject), Keywords: value(r.Keywords)}
}

// documentStart writes the document up to its first page.
func (c *Context) documentStart(info *Info, css string, fonts func()) {
	c.Raw("<!doctype html>\n<html")
	c.Attr("lang", c.Env.Locale.Tag())
	if c.Env.Locale.RightToLeft() {
		c.Raw(` dir="rtl"`)
	} else {
		c.Raw(` dir="ltr"`)
	}
	c.Raw(`><head><meta charset="utf-8"><title>`)
	c.Text(info.Title)
	c.Raw("</title>")
	for _, about := range [][2]string{{"author", info.Author}, {"description", info.Subject}, {"keywords", info.Keywords}} {
		if about[1] != "" {
			c.Raw(`<meta name="` + about[0] + `"`)
			c.Attr("content", about[1])
			c.Raw(">")
		}
	}
	fonts()
	c.Raw(css)
	c.Raw(c.in.Head)
	c.Raw("</head>\n<body class=\"q-doc q-pending\">\n")
}

// sheetPlan is a page with its layout, ready to compile.
type sheetPlan struct {
	page                        *report.Page
	layout                      *report.Layout
	visible                     *text.Expression
	header, firstHeader, footer []*Element
	body                        []*Element
	repeat                      *repeat // of a subreport page
	placeholders                map[string][]*Element
	single                      []*Element // the page's own
	places                      []*Element // placeholders of the body
	filled                      map[*Element][]*Element
	placed                      bool // whether one of them prints the page's own elements
	path                        string
}

// preparePages decodes every element of a report and of the template once. The
// prefix stands before the paths of what is wrong: subreports have one.
func (c *Context) preparePages(def *report.Report, prefix string) []sheetPlan {
	template := c.in.Template
	if template == nil || len(template.Layouts) == 0 {
		template = builtinTemplate()
	}
	prep := newPreparer(c.types)
	prep.count, prep.stands = c.elements, c.places
	var plans []sheetPlan
	for i := range def.Pages {
		page := &def.Pages[i]
		path := fmt.Sprintf("%spages[%d]", prefix, i)
		index := LayoutFor(template, page.PageType)
		if index < 0 {
			c.warnings = append(c.warnings, report.Problemf(path+".pageType", "the template %q has no layout for the page type %q; its first is used", template.Name, page.PageType))
			index = 0
		}
		plans = append(plans, planSheet(prep, page, &template.Layouts[index], path, fmt.Sprintf("template.layouts[%d]", index)))
	}
	c.elements = prep.count
	c.warnings = append(c.warnings, prep.problems.AtMost(maxWarnings)...)
	return plans
}

func planSheet(prep *preparer, page *report.Page, layout *report.Layout, path, layoutPath string) sheetPlan {
	outer := *prep
	prep.ids = map[string]bool{} // ids are unique in a report; the template's repeat on each page
	plan := sheetPlan{
		page: page, layout: layout, path: path, visible: text.ParseExpression(page.Visible),
		header:      prep.elements(layout.Header, layoutPath+".header"),
		firstHeader: prep.elements(layout.FirstHeader, layoutPath+".firstHeader"),
		footer:      prep.elements(layout.Footer, layoutPath+".footer"),
	}
	prep.places = nil
	plan.body = prep.elements(layout.Body, layoutPath+".body")
	places := prep.places
	prep.ids = outer.ids
	plan.repeat = prep.repeat(page.Repeat, path+".repeat")
	plan.single = prep.elements(page.Elements, path+".elements")
	plan.placeholders = map[string][]*Element{}
	for _, name := range sortedKeys(page.Placeholders) {
		plan.placeholders[name] = prep.elements(page.Placeholders[name], path+".placeholders."+name)
	}
	plan.fill(places)
	return plan
}

// LayoutFor is the place of the layout for a page type; the empty one means the
// first.
func LayoutFor(t *report.Template, pageType string) int {
	if pageType == "" {
		return 0
	}
	for i := range t.Layouts {
		if strings.EqualFold(t.Layouts[i].PageType, pageType) {
			return i
		}
	}
	return -1
}

// builtinTemplate frames reports of workspaces that have no template.
func builtinTemplate() *report.Template {
	number := report.Element{Type: "text", Props: map[string]any{
		"text": "{$page.number} / {$report.pageCount}", "textAlign": "right", "fontSize": "7.5pt", "color": "var(--muted)",
	}}
	return &report.Template{Name: "Plain", Code: "plain", Layouts: []report.Layout{
		{PageType: "portrait", Footer: []report.Element{number}},
		{PageType: "landscape", Orientation: "landscape", Footer: []report.Element{number}},
	}}
}
