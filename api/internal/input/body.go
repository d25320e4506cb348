package input

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
)

// Body reads the JSON object that a request carries; no bytes at all and null
// count as an empty object. What is larger than the limit is refused with 413.
func Body(r *http.Request, limit int64) (*report.Object, error) {
	if r.ContentLength > 0 {
		if err := checkHeader(r, limit); err != nil {
			return nil, err
		}
	}
	body, empty := begin(r, limit)
	if empty {
		return report.ObjectOf(), nil
	}
	if err := checkHeader(r, limit); err != nil {
		return nil, err
	}
	return readObject(r, body, limit)
}

// begin is a body within the limit, without a byte order mark.
func begin(r *http.Request, limit int64) (body *bufio.Reader, empty bool) {
	body = bufio.NewReader(http.MaxBytesReader(nil, r.Body, limit))
	start, _ := body.Peek(3)
	if bytes.HasPrefix(start, []byte("\ufeff")) {
		_, _ = body.Discard(3)
	}
	return body, len(start) == 0
}

func readObject(r *http.Request, body io.Reader, limit int64) (*report.Object, error) {
	value, err := report.Reading{Spend: budget.Meter(r.Context())}.Value(body)
	switch {
	case err != nil:
		return nil, bodyProblem(r, limit, err)
	case value == nil:
		return report.ObjectOf(), nil
	}
	object, ok := value.(*report.Object)
	if !ok {
		return nil, report.Problemf("", "the body must be a JSON object, not %s", describe(value))
	}
	return object, nil
}

// bodyProblem words why a body cannot be read.
func bodyProblem(r *http.Request, limit int64, err error) error {
	var tooLarge *http.MaxBytesError
	var problem *report.Problem
	var corrupt base64.CorruptInputError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &tooLarge):
		return refuseLarge(r, limit)
	case errors.As(err, &problem):
		return problem
	case errors.As(err, &corrupt):
		return report.Problemf("content", "must be an object as JSON text, or base64 of it")
	}
	return report.Problemf("", "the body could not be read to its end")
}

// checkHeader refuses what can be refused before a byte of the body is asked
// for.
func checkHeader(r *http.Request, limit int64) error {
	if err := checkMediaType(r.Header); err != nil {
		return err
	}
	if r.ContentLength > limit {
		return refuseLarge(r, limit)
	}
	return nil
}

// refuseLarge reads on for as long as the limit once more: a client that is
// still sending would otherwise see a broken connection instead of the answer.
// One that waits to be asked for the body is not asked.
func refuseLarge(r *http.Request, limit int64) error {
	if r.Header.Get("Expect") == "" && r.ContentLength <= 2*limit {
		_, _ = io.CopyN(io.Discard, r.Body, 2*limit)
	}
	return &http.MaxBytesError{Limit: limit}
}

func checkMediaType(h http.Header) error {
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return unsupported("Content-Encoding %q is not accepted; send the body as it is", encoding)
	}
	given := h.Get("Content-Type")
	if given == "" {
		return nil
	}
	name, params, err := mime.ParseMediaType(given)
	if err != nil || name != "application/json" && name != "text/json" && !strings.HasSuffix(name, "+json") {
		return unsupported("Content-Type %q is not accepted; accepted: application/json", given)
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "utf8") {
		return unsupported("charset %q is not accepted; JSON is UTF-8", charset)
	}
	return nil
}

func unsupported(format, value string) error {
	p := report.Problemf("", format, value)
	p.Kind = report.Unsupported
	return p
}
