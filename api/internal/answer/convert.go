package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/quire-reports/quire/report"
)

// retryAfter is what a full queue asks clients to wait: about the
// time of one export.
const retryAfter = 2 * time.Second

// statusGivenUp is what the log shows when the client went away; nobody reads it.
const statusGivenUp = 499

// From is the Problem for any error. What a person can mend keeps its words;
// everything else becomes a 500 without a detail.
func From(err error, requestID string) *Problem {
	var (
		done     *Problem
		refusal  *Refusal
		tooLarge *http.MaxBytesError
	)
	switch problems := ProblemsIn(err); {
	case errors.As(err, &done):
		return done
	case errors.As(err, &refusal):
		p := newProblem(refusal.Status, refusal.Message, requestID)
		p.header = refusal.Header
		return p
	case errors.As(err, &tooLarge):
		return newProblem(http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d MB", tooLarge.Limit>>20), requestID)
	case len(problems) > 0:
		return fromProblems(problems, requestID)
	case errors.Is(err, context.DeadlineExceeded):
		return newProblem(http.StatusGatewayTimeout, "the time limit of the request was reached", requestID)
	case errors.Is(err, context.Canceled):
		return newProblem(statusGivenUp, "the client went away", requestID)
	}
	return newProblem(http.StatusInternalServerError, "something went wrong on our side; the log has it under request "+requestID, requestID)
}

// ProblemsIn finds what a person can mend in an error.
func ProblemsIn(err error) report.Problems {
	var all report.Problems
	if errors.As(err, &all) {
		return all
	}
	var one *report.Problem
	if errors.As(err, &one) {
		return report.Problems{one}
	}
	return nil
}

// maxText bounds a message, in bytes: it may quote what was sent.
const maxText = 4 << 10

// clipped is the beginning of a text, in whole characters.
func clipped(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// maxDetails bounds the list of what is wrong: nobody reads on.
const maxDetails = 100

func fromProblems(problems report.Problems, requestID string) *Problem {
	p := newProblem(statusOf(problems[0].Kind), clipped(problems.Error()), requestID)
	for _, problem := range problems.AtMost(maxDetails) {
		if len(problems) > 1 || problem.Path != "" { // else detail says it all
			p.Details = append(p.Details, Detail{Path: clipped(problem.Path), Message: clipped(problem.Message)})
		}
	}
	p.By = problems[0].By
	if kind := problems[0].Kind; kind == report.Busy || kind == report.Exhausted {
		p.header.Set("Retry-After", seconds(cmp.Or(problems[0].Wait, retryAfter)))
	}
	return p
}

// fromHuma is the Problem for an error that huma found or passes on. Its 422
// is our 400.
func fromHuma(status int, message string, errs []error, requestID string) *Problem {
	var problems report.Problems
	for _, err := range errs {
		var detailed huma.ErrorDetailer
		switch found := ProblemsIn(err); {
		case found != nil:
			problems = append(problems, found...)
		case errors.As(err, &detailed):
			problems = append(problems, fromDetail(detailed.ErrorDetail()))
		default:
			return From(err, requestID)
		}
	}
	if len(problems) > 0 {
		return fromProblems(problems, requestID)
	}
	if status == http.StatusUnprocessableEntity {
		status = http.StatusBadRequest
	}
	return newProblem(status, message, requestID)
}

// fromDetail rewords huma's findings on path and query values.
func fromDetail(d *huma.ErrorDetail) *report.Problem {
	_, name, found := strings.Cut(d.Location, ".")
	if !found {
		name = d.Location
	}
	message := d.Message
	if message == "invalid integer" {
		message = fmt.Sprintf("must be a whole number, not %q", fmt.Sprint(d.Value))
	}
	return report.Problemf(name, "%s", message)
}
