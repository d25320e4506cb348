package text

import "time"

// Env is what one run gives its templates. The zero value works: English, UTC,
// nothing in scope, warnings dropped.
type Env struct {
	Locale       *Locale        // language and region; nil is English
	Zone         *time.Location // of dates and times; nil is UTC
	Now          time.Time      // the time of the run
	CurrencyCode string         // what an empty currency code means; empty is the region's own
	Scope        Scope
	Expr         Expressions // runs {[ … ]}; nil prints nothing and warns
	// Warn takes what the author should know, such as a path that leads
	// nowhere. It is called for every value, so the receiver drops repeats.
	Warn func(message string)
	// Lost takes, instead of Warn, that a path leads nowhere, where that is told
	// apart from other faults.
	Lost func(message string)
	// Refer appends a reference to what has a name. It is nil where none can stand.
	Refer func(dst []byte, what ReferredTo, name string) []byte
	// MostBytes is how long what a template is appended to may become, about;
	// past it the rest of the template is left out. 0 is no bound.
	MostBytes int

	codes map[codeOf]knownCode // for spreadsheets
}

// Scope gives the value of the first part of a path: "$data", "$params",
// "$dict", "$user", "$it", "$index", "$record", "$group", "$page", "$report",
// "$heading", "$figure", "$equation", or the name of a repeating source such as "customers".
type Scope interface {
	Lookup(root string) (any, bool)
}

// ScopeFunc is a function as a Scope.
type ScopeFunc func(root string) (any, bool)

// Lookup calls the function.
func (f ScopeFunc) Lookup(root string) (any, bool) { return f(root) }

// Getter is a value with members that are worked out when asked for.
type Getter interface {
	Get(name string) (any, bool)
}

// Whole is a Getter that stands for a value when no member of it is asked for.
type Whole interface {
	Getter
	Whole() any
}

// Deferred is a value that is known only after the pages are: it is written as
// an empty element that the paginator fills.
type Deferred struct {
	Name string // "page-number", "page-count", "page-run-count", "page-running", "heading-number" or "figure-number"; the class is "q-" and the name
	Ref  string // what it belongs to, as data-ref; usually empty
}

// Pages is the value of the roots $page and $report (and, with the right
// names, $heading and $figure): members that are Deferred.
type Pages map[string]Deferred

// Get is a member.
func (p Pages) Get(name string) (any, bool) {
	v, ok := p[name]
	return v, ok
}

// ofPage is $page: its number, how many pages are counted until numbers begin anew, and
// what runs on in headers: the last headings and the group that began by its end.
var ofPage = Pages{
	"number": {Name: "page-number"}, "count": {Name: "page-run-count"}, "group": {Name: "page-running", Ref: "group"},
	"h1": {Name: "page-running", Ref: "1"}, "h2": {Name: "page-running", Ref: "2"}, "h3": {Name: "page-running", Ref: "3"},
}

// LookupPages answers $page and $report.pageCount; scopes call it for the roots
// they do not know themselves.
func LookupPages(root string) (any, bool) {
	switch root {
	case "$page":
		return ofPage, true
	case "$report":
		return Pages{"pageCount": {Name: "page-count"}}, true
	}
	return nil, false
}

// Roots are the keywords a path may start with, in the order of the
// documentation.
func Roots() []string {
	return []string{"$data", "$params", "$dict", "$user", "$it", "$index", "$record", "$group", "$page", "$report", "$heading", "$figure", "$equation"}
}

func (e *Env) warn(message string) {
	if e != nil && e.Warn != nil {
		e.Warn(message)
	}
}

func (e *Env) lost(message string) {
	if e != nil && e.Lost != nil {
		e.Lost(message)
		return
	}
	e.warn(message)
}

func (e *Env) zone() *time.Location {
	if e == nil || e.Zone == nil {
		return time.UTC
	}
	return e.Zone
}

func (e *Env) locale() *Locale {
	if e == nil || e.Locale == nil {
		return LocaleFor("en")
	}
	return e.Locale
}

func (e *Env) scope() Scope {
	if e == nil {
		return nil
	}
	return e.Scope
}
