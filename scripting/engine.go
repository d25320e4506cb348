package scripting

import (
	"context"
	"time"

	"github.com/quire-reports/quire/report"
)

// Engine runs functions of report authors.
type Engine interface {
	// Call runs a function once, or once a row. An error is a *report.Problem
	// when the script is at fault, the error of ctx when that ended, and
	// anything else when the engine itself could not work.
	Call(ctx context.Context, call *Call) (*Result, error)
}

// Call is one round trip: a function and the values of one or many runs of it.
type Call struct {
	// Path is the place in the report; problems carry it.
	Path string
	// Source is the author's text: a function of any form, an expression, or
	// the body of a function (statements with return).
	Source string
	// Args are the values that are the same in every run. Members of an object
	// are sent only when the script reads them.
	Args []Arg
	// Names and Rows are the values that differ: the function runs once for
	// every row, whose values have these names. Without rows it runs once.
	Names []string
	Rows  [][]any

	// Library is trusted JavaScript that the script can use; nil for none.
	Library *Library

	Zone    *time.Location // of Date; default UTC
	Now     time.Time      // what new Date() starts from; default the clock
	Locale  string         // of toLocaleString and Intl without a locale; default en
	Timeout time.Duration  // of a processor, for all rows together; default the engine's
}

// Undefined is the value of an argument that is there but undefined in
// JavaScript.
var Undefined any = undefinedValue{}

type undefinedValue struct{}

// Library is JavaScript of the program, not of its users. A child compiles it
// once; every call has it in a runtime of its own.
type Library struct {
	// Source is run before the script and leaves globals.
	Source string
	// Finish is a function expression that is given each of the script's results
	// before it leaves the runtime and returns what does.
	Finish string
}

// Arg is a value by the name the script knows it by, such as "$data".
type Arg struct {
	Name  string
	Value any
}

// Result is what came of a call.
type Result struct {
	// Values are what the function returned, one a run.
	Values []any
	// Faults are runs that threw, when the call had rows; their values are nil.
	// At most maxFaults are listed, Failed counts all of them.
	Faults []Fault
	Failed int
	// Logs are the lines of console.log, bounded.
	Logs []string

	undefined map[int]bool
}

// Fault is one run that threw.
type Fault struct {
	Row     int
	Problem *report.Problem
}

// Undefined reports whether a run returned nothing, which its value, nil, does
// not tell from null.
func (r *Result) Undefined(run int) bool { return r.undefined[run] }

// Limits of one call.
const (
	maxFaults = 20
	maxLogs   = 200
	maxLine   = 2000      // bytes of one log line
	maxResult = 256 << 20 // bytes of all values together
	maxDepth  = 200       // nesting of values
	maxSource = 1 << 20   // bytes of one script
)
