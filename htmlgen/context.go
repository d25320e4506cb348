package htmlgen

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/report/text/hyphen"
)

// Context is the state of one compile: where HTML is written, what is in
// scope, and what was found wrong.
type Context struct {
	Writer
	Env *text.Env // scope, language, zone and clock of the run

	ctx        context.Context
	in         *Input
	types      map[string]*Type
	theme      *report.Theme
	scope      scope
	templates  map[string]*text.Template
	maps       map[string]readShapes // by what they were read from
	paths      map[string]*text.Path
	formats    map[string]text.Format
	at         *Element // whose settings are being printed
	seen       map[string]bool
	warnings   report.Problems
	contents   *contents // what tables of contents list
	counts     bool      // whether what is written now enters them
	inBody     bool      // whether it is in the text, and not in a header or footer
	apart      bool      // whether it is kept apart from the document
	later      []deferred
	anchors    map[string]int                 // that are taken, with the last number behind each
	targets    map[string]*target             // of references, by their names
	references []reference                    // that are written when all targets are known
	referred   map[reference]int              // where they stand among them
	room       float64                        // width for what is being compiled, in pixels
	sheetWidth float64                        // of the sheet that is being compiled
	paper      [2]float64                     // width and height of its paper, in pixels
	sheetTop   float64                        // its upper margin
	headed     bool                           // whether it has a header
	inRow      bool                           // it stands in a horizontal flow
	beside     bool                           // it or what it stands in does
	filling    *sheetPlan                     // whose placeholders are being filled
	drawings   int                            // advanced charts drawn so far; their ids are made of it
	most       int                            // bytes the document may have
	behind     int                            // bytes of it that stand behind what is being written
	over       error                          // that it has more
	rows       []packedRows                   // of large tables, apart from it
	packed     int                            // bytes of them, before they were packed
	paid       int                            // bytes of it whose memory was told of
	anew       int                            // places where numbers of pages begin anew, so far
	beginsAnew bool                           // the next sheet is one
	startOn    string                         // the page on which the next sheet begins, where the subreport that begins with it says so
	elements   int                            // elements prepared so far; ids are made of it
	within     []string                       // codes of the subreports being written, outermost first
	prepared   map[*report.Report][]sheetPlan // of subreports
	telling    []string                       // entries of the dictionary that are being filled
	places     map[string]Place               // of elements, by their ids
	faces      []FontFace                     // that may be used
	askedOwn   bool                           // the workspace's are among them
	named      map[string]bool                // families of them that are named, in lower case
	elsewhere  bool                           // a family is named that none of them is of
	fields     map[string]string              // elements of form fields, by the names of the fields
	carries    bool                           // a table carries sums over pages
	formulas   bool                           // it has some
	installed  bool                           // and it is installed
	codes      []string                       // number format codes of a typed document
	codeAt     map[string]int                 // where they stand
	rules      []string                       // of style, of the components that have some
	dividers   **hyphen.Divider               // of the report's language, once it was asked for
	dividing   []byte                         // room to divide words
}

// maxWarnings bounds the warnings of one run; repeats of one are dropped.
const maxWarnings = 200

// Warn reports something about an element that its author should know.
func (c *Context) Warn(e *Element, format string, args ...any) {
	c.warnAt(e, "", format, args...)
}

// warnAt is Warn for one of the element's settings, such as "columns[1].field".
func (c *Context) warnAt(e *Element, setting, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	path, label := "", ""
	if e != nil {
		path, label = e.path, e.label+": "
		if setting != "" {
			path = report.JoinPath(path, "props."+setting)
		}
	}
	c.warnPath(path, label+message)
}

func (c *Context) warnPath(path, message string) {
	key := path + "\x00" + message
	if c.seen[key] || len(c.warnings) >= maxWarnings {
		return
	}
	c.seen[key] = true
	c.warnings = append(c.warnings, &report.Problem{Kind: report.Invalid, Path: path, Message: message})
}

// Parse parses a text template, once for each text of a compile.
func (c *Context) Parse(source string) *text.Template {
	return c.parsed(source, text.Parse)
}

// ParseHTML is Parse for a template that is HTML.
func (c *Context) ParseHTML(source string) *text.Template {
	return c.parsed("<"+source, func(string) *text.Template { return text.ParseHTML(source) })
}

func (c *Context) parsed(key string, parse func(string) *text.Template) *text.Template {
	if t, ok := c.templates[key]; ok {
		return t
	}
	t := parse(key)
	for _, p := range t.Problems {
		c.Warn(c.at, "%s", p.Message)
	}
	c.templates[key] = t
	return t
}

// Expand is the plain text of a template.
func (c *Context) Expand(source string) string {
	return c.Parse(source).Text(c.Env)
}

// Shown is the trimmed text of a template as people see it on the page; what
// programs read is what Expand gives.
func (c *Context) Shown(source string) string {
	return strings.TrimSpace(string(c.Parse(source).Append(nil, c.Env, text.Printed)))
}

// Print writes a template as escaped text.
func (c *Context) Print(source string) {
	c.Template(c.Parse(source), c.Env, text.EscapeText)
}

// Lookup follows a path such as "$data.orders"; one that leads nowhere is a
// warning and no value. A path in braces is accepted too, and an expression.
func (c *Context) Lookup(e *Element, source string) any {
	if isExpression(source) {
		v, err := c.evaluate(e, source)
		if err != nil {
			c.Warn(e, "the expression %s failed: %v", source, err)
		}
		return v
	}
	p, ok := c.paths[source]
	if !ok {
		p = text.ParsePath(bare(source))
		c.paths[source] = p
	}
	v, found := p.Get(c.Env.Scope)
	if !found {
		c.Warn(e, "%s leads nowhere", p)
	}
	return v
}

// bare takes the braces off a binding: "{$data.rows}" is "$data.rows".
func bare(binding string) string {
	if n := len(binding); n > 1 && binding[0] == '{' && binding[n-1] == '}' {
		return binding[1 : n-1]
	}
	return binding
}

// isExpression reports whether a binding works out its value.
func isExpression(binding string) bool {
	s := strings.TrimSpace(binding)
	return strings.HasPrefix(s, "{[") || strings.HasPrefix(s, "%{")
}

// Rows is the array a binding leads to. Null is no rows, an object is one, and
// anything else is a warning.
func (c *Context) Rows(e *Element, binding string) []any {
	switch v := c.Lookup(e, binding).(type) {
	case nil:
		return nil
	case []any:
		return v
	case *report.Object:
		return []any{v}
	default:
		c.Warn(e, "%s is no list of rows", binding)
		return nil
	}
}

// A document takes some times its size, as what holds it grows; it is told of
// in pieces.
const (
	memoryFactor = 4
	payAt        = 64 << 10
)

// stopped is why nothing more is to be written: the run has ended, or the
// document is as large as one may be.
func (c *Context) stopped() error {
	if c.over == nil && len(c.buf)+c.behind+c.packed > c.most {
		path := ""
		if c.at != nil {
			path = c.at.path
		}
		c.over = &report.Problem{Kind: report.TooLarge, Path: path, Message: fmt.Sprintf(
			"the document becomes larger than %d MB here; print fewer rows, or make several reports of it", max(1, c.most>>20))}
	}
	if grown := len(c.buf) - c.paid; c.over == nil && c.in.Spend != nil && grown >= payAt {
		c.paid += grown
		c.over = c.in.Spend(memoryFactor * int64(grown))
	}
	if c.over != nil {
		return c.over
	}
	return c.ctx.Err()
}

// each yields the rows that something repeats for, until nothing more is to be
// written.
func (c *Context) each(rows []any) iter.Seq2[int, any] {
	return func(yield func(int, any) bool) {
		for i, row := range rows {
			if c.stopped() != nil || !yield(i, row) {
				return
			}
		}
	}
}

// holds evaluates a visible or condition expression; an empty one holds, and so
// does one that fails, with a warning: showing too much is found, showing too
// little is not.
func (c *Context) holds(e *Element, source string) bool {
	if source == "" {
		return true
	}
	v, err := c.evaluate(e, source)
	if err != nil {
		c.Warn(e, "the expression %s failed: %v", source, err)
		return true
	}
	return text.Truthy(v)
}

// isTrue evaluates an expression that hides something: one that fails hides
// nothing.
func (c *Context) isTrue(e *Element, source string) bool {
	v, err := c.evaluate(e, source)
	if err != nil {
		c.Warn(e, "the expression %s failed: %v", source, err)
		return false
	}
	return text.Truthy(v)
}

func (c *Context) evaluate(e *Element, source string) (any, error) {
	expr := once(e, "expr:"+source, func() *text.Expression { return text.ParseExpression(source) })
	return expr.Eval(c.Env)
}

// Child compiles an element and whatever it repeats into.
func (c *Context) Child(e *Element) {
	if e.repeat == nil {
		c.element(e)
		return
	}
	c.repeat(e, e.repeat, func(rowItem) { c.element(e) })
}

// Children compiles the elements inside a container.
func (c *Context) Children(list []*Element) {
	for _, e := range list {
		c.Child(e)
	}
}

func (c *Context) element(e *Element) {
	if c.stopped() != nil {
		return
	}
	before := c.at
	c.at = e
	if c.holds(e, e.Def.Visible) {
		if e.typ.rules != "" && !slices.Contains(c.rules, e.typ.rules) {
			c.rules = append(c.rules, e.typ.rules)
		}
		e.typ.compile(c, e)
		_ = c.stopped() // while it is known where
	}
	c.at = before
}

// scope is what paths of a run can start with.
type scope struct {
	data, params, dict *report.Object
	user               *report.Object // $user
	items              *report.Object // $it: alias to item
	record             any
	hasRecord          bool
	place              counter // of the innermost item or record among its like
	group              text.Getter
	words              *Context // that fills the entries of the dictionary
	origin             *origin  // of items and record, when it is asked for
}

// Lookup implements text.Scope.
func (s *scope) Lookup(root string) (any, bool) {
	switch root {
	case "$data":
		return s.data, true
	case "$params":
		return s.params, true
	case "$dict":
		return words{s.words, s.dict}, true
	case "$user":
		return s.user, true
	case "$it":
		return s.items, true
	case "$record":
		return s.record, s.hasRecord
	case "$group":
		return s.group, s.group != nil
	case "$index":
		return &s.place, s.place.outer != nil
	}
	return text.LookupPages(root)
}

// counter is $index: the place of an item, from 0. That of an item further out has
// its name: $index.order.
type counter struct {
	index int
	alias string
	outer *counter
}

// Whole implements text.Whole.
func (p *counter) Whole() any { return int64(p.index) }

// Get implements text.Getter.
func (p *counter) Get(alias string) (any, bool) {
	for ; p.outer != nil; p = p.outer {
		if p.alias == alias {
			return int64(p.index), true
		}
	}
	return nil, false
}

// pushItem puts an item of a repeat in scope until the returned function is
// called.
func (s *scope) pushItem(alias string, item any, index int) func() {
	outer := *s
	s.place = counter{index, alias, &outer.place}
	s.items = s.items.Clone()
	s.items.Set(alias, item)
	return func() { *s = outer }
}

// covered is what a row of a table covers while it is in scope.
type covered struct {
	record    any
	hasRecord bool
	place     counter
	origin    *origin
}

// pushRecord puts a row of a table in scope until popRecord is called with what it
// covers. Rows that follow each other may share one.
func (s *scope) pushRecord(row any, index int, outer *covered) {
	*outer = covered{s.record, s.hasRecord, s.place, s.origin}
	s.place = counter{index, "", &outer.place}
	s.record, s.hasRecord = row, true
}

func (s *scope) popRecord(outer *covered) {
	s.record, s.hasRecord, s.place, s.origin = outer.record, outer.hasRecord, outer.place, outer.origin
}
