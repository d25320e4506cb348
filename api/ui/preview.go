package ui

import (
	"cmp"
	"errors"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// sandbox is what a report may do beside its Content-Security-Policy: it is a
// document of nobody's origin, so whatever HTML an author brought in can reach
// neither our cookies nor our pages.
const sandbox = "sandbox allow-scripts allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads"

// policyOf is what a shown report may do. One that has to be a page of our
// origin gets no more scripts for it: only the one of previews is left.
func (u *UI) policyOf(r *http.Request, shown *export.Preview) string {
	policy := shown.CSP + "; " + sandbox
	if access.Of(r.Context()).NeedsOrigin && plainHost.MatchString(r.Host) {
		policy = strings.Replace(policy, "script-src 'self'", "script-src http://"+r.Host+u.Assets+"/preview.js", 1) + " allow-same-origin"
	}
	ancestors := u.ancestors(true)
	if access.Of(r.Context()).Way == access.Session && ancestors != "*" {
		ancestors = "'self' " + strings.TrimPrefix(ancestors, "'none'") // the page with the comments
	}
	return policy + "; frame-ancestors " + strings.TrimSpace(ancestors)
}

// plainHost is a host that may stand in a policy.
var plainHost = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]+)?$`)

// preview shows a report as pages on the screen. The option hidePrintButton is
// read by the page's script.
func (u *UI) preview(w http.ResponseWriter, r *http.Request) {
	asked, err := u.readExport(r)
	var shown *export.Preview
	if err == nil {
		shown, err = u.view(r, asked)
	}
	if err != nil {
		u.askOrExplain(w, r, asked, err)
		return
	}
	u.writePreview(w, r, http.StatusOK, shown)
}

func (u *UI) writePreview(w http.ResponseWriter, r *http.Request, status int, shown *export.Preview) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address may hold a nonce and data
	h.Set("Content-Security-Policy", u.policyOf(r, shown))
	h.Set("Content-Length", strconv.Itoa(len(shown.HTML)))
	w.WriteHeader(status)
	_, _ = w.Write(shown.HTML) // fails only when the client is gone
}

// pdf is the file of a report for people: the browser shows it, and what is
// missing is asked for.
func (u *UI) pdf(w http.ResponseWriter, r *http.Request) {
	asked, err := u.readExport(r)
	if err == nil {
		err = access.Of(r.Context()).RequireRun(&asked.definition.Row)
	}
	var file *export.File
	if err == nil {
		file, err = u.Export.Export(r.Context(), asked.req)
	}
	if err != nil {
		u.askOrExplain(w, r, asked, err)
		return
	}
	defer file.Close()
	content, err := file.Open()
	if err != nil {
		u.Error(w, r, err)
		return
	}
	defer content.Close()
	u.Store.Note(r.Context(), store.Exported(&asked.definition.Row, access.Of(r.Context()).Workspace.ID, file.ContentType, file.Size))
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'self'") // unlike previews, it needs a sign-in
	_ = answer.File(w, r, answer.Download{Name: file.Name, ContentType: file.ContentType, Size: file.Size, Inline: isPDF(file.ContentType), Warnings: file.Warnings, Timing: file.Timing}, content)
}

// isPDF tells what may open in the browser: an HTML export would run there as
// one of our pages.
func isPDF(contentType string) bool {
	name, _, err := mime.ParseMediaType(contentType)
	return err == nil && name == "application/pdf"
}

// readExport reads the options of the address and finds the report.
func (u *UI) readExport(r *http.Request) (s shownReport, err error) {
	options, err := input.Query(r.URL.RawQuery)
	if err != nil {
		return s, err
	}
	if s.definition, err = u.definition(r); err != nil {
		return s, err
	}
	ask := r.URL.Query().Get("ask")
	s.req, err = u.Options.Read(options, input.InQuery)
	s.req.Samples = r.URL.Query().Get("thumbnail") == "true" // a picture of the list shows how it looks
	if s.given = s.req.Params; err == nil && ask != "" && ask != besideReport {
		err = errAsked
	}
	if refused := access.Of(r.Context()).Ask(r.Context(), &s.req, s.definition.ID); refused != nil {
		err = refused
	}
	return s, err
}

// besideReport as the option ask is where the viewer asks for parameters that are
// missing: where it has those of the report that it shows.
const besideReport = "beside"

// askOrExplain asks for parameters when those are what is wrong, and else says
// what is.
func (u *UI) askOrExplain(w http.ResponseWriter, r *http.Request, s shownReport, err error) {
	problems := answer.ProblemsIn(err)
	query := r.URL.Query()
	if s.definition == nil || query.Get("thumbnail") == "true" || !onlyParameters(problems) && !errors.Is(err, errAsked) {
		u.frameError(w, r, err)
		return
	}
	form, err := u.form(r, s, problems)
	if err != nil {
		u.frameError(w, r, err)
		return
	}
	if query.Get("ask") == besideReport {
		told := u.viewer(r.Context(), s, form, nil)
		told.Asking, told.Formats = true, []string{}
		empty := export.EmptyPreview(cmp.Or(s.req.Lang, u.language(r)), form.Report, u.Assets)
		empty.HTML = tell(empty.HTML, told)
		u.writePreview(w, r, http.StatusBadRequest, empty)
		return
	}
	if s.req.TempDataID != 0 {
		query.Set("tempDataId", itoa(s.req.TempDataID)) // tells which of several previews is meant
	}
	form.Hidden = keptOptions(query)
	if scope := access.Of(r.Context()).Scope; scope != nil && scope.User != nil && query.Get("nonce") != "" {
		// Used up, it still tells whose preview is meant where somebody is signed in, too.
		form.Hidden = append(form.Hidden, hiddenOption{"nonce", query.Get("nonce")})
	}
	status := http.StatusBadRequest
	if len(problems) == 0 {
		status = http.StatusOK
	}
	u.show(w, r, status, "parameters", page{Title: form.Report, Bare: true, Script: form.Leads, Body: form})
}

// errAsked is a form that was sent only to see what its lookups offer now.
var errAsked = errors.New("the parameters are asked for")

func onlyParameters(problems report.Problems) bool {
	for _, p := range problems {
		if !strings.HasPrefix(p.Path, "params.") || p.Kind != report.Invalid {
			return false
		}
	}
	return len(problems) > 0
}
