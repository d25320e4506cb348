package report

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind says what sort of trouble a Problem is. It decides the HTTP status, once,
// in package api.
type Kind int

// The kinds of problems.
const (
	Invalid     Kind = iota // the input is wrong; 400
	NotFound                // what was asked for does not exist or is not visible; 404
	Forbidden               // the caller may not do this; 403
	Busy                    // no capacity now, try again; 503
	TimedOut                // the work took longer than its limit; 504
	TooLarge                // the input is over a limit; 413
	Failed                  // the report could not be rendered, for a reason its author can mend; 422 inside, 400 outside
	Conflict                // somebody else changed it meanwhile; 409
	Unsupported             // the media type or method is not one we take; 415
	Exhausted               // the share of the caller is used up, try later; 429
)

// Problem is something a person can mend: what is wrong, and where.
// Every error or warning a user sees is a Problem; it is made where the fact is
// known and carried up unchanged. Anything that is no Problem is an internal
// error and is only logged.
type Problem struct {
	Kind Kind `json:"-"`
	// Path is the place, as a path into the JSON document that was read
	// ("pages[1].elements[0].props.color") or, for a setting or a request
	// option, its name. Empty when there is no better place than the whole.
	Path string `json:"path"`
	// Message says what is wrong, naming the value and what is accepted.
	Message string `json:"message"`
	// Line and Column are the place within the text that Path leads to, such as
	// a query or a script, counted from 1; 0 when it is not known.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// By is the name of the user who made the change that this conflicts with;
	// empty when unknown.
	By string `json:"-"`
	// Wait is after what time another try may succeed; 0 when it is not known.
	Wait time.Duration `json:"-"`
}

// Problemf makes a Problem of kind Invalid.
func Problemf(path, format string, args ...any) *Problem {
	return &Problem{Path: path, Message: fmt.Sprintf(format, args...)}
}

// NotFoundf makes a Problem of kind NotFound.
func NotFoundf(format string, args ...any) *Problem {
	return &Problem{Kind: NotFound, Message: fmt.Sprintf(format, args...)}
}

// Error is the place and the message in one line.
func (p *Problem) Error() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// Problems are several problems found in one go.
type Problems []*Problem

// Error names the first problem and how many more there are.
func (ps Problems) Error() string {
	switch len(ps) {
	case 0:
		return "no problem"
	case 1:
		return ps[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", ps[0].Error(), len(ps)-1)
}

// Unwrap lets errors.As find the first problem.
func (ps Problems) Unwrap() []error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = p
	}
	return errs
}

// Err is nil when there are no problems.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// AtMost is the list cut after n problems, with one more that tells how many
// were left out.
func (ps Problems) AtMost(n int) Problems {
	if len(ps) <= n {
		return ps
	}
	return append(slices.Clone(ps[:n]), &Problem{Kind: ps[0].Kind, Message: fmt.Sprintf("… and %d more", len(ps)-n)})
}

// Under puts every path below a parent path.
func (ps Problems) Under(parent string) Problems {
	for _, p := range ps {
		p.Path = JoinPath(parent, p.Path)
	}
	return ps
}

// Within keeps the problems below a path, and takes it off.
func (ps Problems) Within(parent string) Problems {
	var found Problems
	for _, p := range ps {
		if rest, below := strings.CutPrefix(p.Path, parent); below {
			p.Path = strings.TrimPrefix(rest, ".")
			found = append(found, p)
		}
	}
	return found
}

// JoinPath joins two parts of a problem's path: "a" and "b" to "a.b",
// "a" and "[1]" to "a[1]".
func JoinPath(parent, child string) string {
	if parent == "" || child == "" || strings.HasPrefix(child, "[") {
		return parent + child
	}
	return parent + "." + child
}
