package ui

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
)

// fault is why a form was not carried out: the field that is wrong, if it is
// one, and a sentence.
type fault struct{ Path, Text string }

// faultOf is what a form says about an error, and the status of the answer;
// 0 when the form is not to blame.
func (u *UI) faultOf(r *http.Request, err error) (fault, int) {
	problems := answer.ProblemsIn(err)
	if len(problems) == 0 {
		return fault{}, 0
	}
	var sentences []string
	for _, p := range problems {
		sentences = append(sentences, sentence(u.said(r, p.Message)))
	}
	said := fault{problems[0].Path, strings.Join(sentences, " ")}
	switch problems[0].Kind {
	case report.Invalid, report.Unsupported:
		return said, http.StatusUnprocessableEntity
	case report.Conflict:
		return said, http.StatusConflict
	case report.Forbidden:
		return said, http.StatusForbidden
	case report.TooLarge:
		return said, http.StatusRequestEntityTooLarge
	}
	return fault{}, 0
}

// readForm reads what a form of ours has sent: text that a database takes.
func readForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	return readFormUpTo(w, r, maxForm)
}

// readFormUpTo is readForm with another bound.
func readFormUpTo(w http.ResponseWriter, r *http.Request, most int64) (url.Values, error) {
	r.Body = http.MaxBytesReader(w, r.Body, most)
	if err := r.ParseForm(); err != nil {
		return nil, unreadForm(err)
	}
	for _, values := range r.PostForm {
		for _, value := range values {
			if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
				return nil, report.Problemf("", "the form could not be read")
			}
		}
	}
	return r.PostForm, nil
}

// unreadForm is what is said when a form could not be read: that it came too
// slowly, or no more.
func unreadForm(err error) error {
	var refusal *answer.Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	return report.Problemf("", "the form could not be read")
}

// queryText is a value of the address, or nothing when it is no text.
func queryText(r *http.Request, name string) string {
	value := r.URL.Query().Get(name)
	if !utf8.ValidString(value) || strings.ContainsRune(value, 0) || len(value) > 1000 {
		return ""
	}
	return value
}

// number is an ID in an address or a form; 0 is none.
func number(text string) int {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return int(n)
}

// done sends the browser on after a form was carried out; what names the
// sentence that the next page begins with.
func (u *UI) done(w http.ResponseWriter, r *http.Request, address, what string) {
	if what != "" {
		address += "?done=" + what
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// notice is the sentence for what has just been done.
func (u *UI) notice(r *http.Request, sentences map[string]string) string {
	return u.t(r, sentences[r.URL.Query().Get("done")])
}

// optional is a text that may be missing.
func optional(text string) *string {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return &text
}

func isNotFound(err error) bool {
	problems := answer.ProblemsIn(err)
	return len(problems) > 0 && problems[0].Kind == report.NotFound
}

// finish answers a form: when it was carried out the browser goes on to an
// address, whose page says so; when the form is to blame it is shown again.
func (u *UI) finish(w http.ResponseWriter, r *http.Request, err error, address, what string, again func(status int, wrong fault)) {
	switch wrong, status := u.faultOf(r, err); {
	case err == nil:
		u.done(w, r, address, what)
	case status != 0:
		again(status, wrong)
	default:
		u.Error(w, r, err)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
