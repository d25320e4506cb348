package ui

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/internal/live"
	"github.com/quire-reports/quire/store"
)

//go:embed pages/*.html static/* texts/*.json texts/faults/*.json
var embedded embed.FS

var files = live.FS(embedded, "api/ui")

// pages are the templates: each page is the layout with its own blocks, once in each
// language. One is parsed when it is first shown: all together are some megabytes, and
// most services show few of them.
type pages struct {
	base  string
	named map[string]*sheet // by language and name: de/home
	style string            // address of the style sheet, which changes with it
}

// sheet is a page in a language. Each who fills it in has a copy of their own
// meanwhile, with their time zone; the next ones take it again.
type sheet struct {
	pristine func() *template.Template // never executed, so that it can be copied
	say      func(english string, args ...any) string
	copies   sync.Pool
}

type sheetCopy struct {
	*template.Template
	zone *time.Location
}

func newSheet(parse func() *template.Template, say func(string, ...any) string) *sheet {
	s := &sheet{pristine: sync.OnceValue(parse), say: say}
	s.copies.New = func() any {
		c := &sheetCopy{Template: template.Must(s.pristine().Clone())}
		c.Funcs(template.FuncMap{
			"date": func(at any) string { return showDate(s.say, at, c.zone) },
			"day":  func(at time.Time) string { return at.In(c.zone).Format(s.say("2 Jan 2006")) },
		})
		return c
	}
	return s
}

// execute fills the page in, with times in a zone.
func (s *sheet) execute(w io.Writer, content page, zone *time.Location) error {
	c, _ := s.copies.Get().(*sheetCopy)
	defer s.copies.Put(c)
	c.zone = zone
	return c.Execute(w, content)
}

func newPages(base string, texts *texts, set fs.FS) *pages {
	p := &pages{base: base, named: map[string]*sheet{}}
	p.style = p.static("style.css")
	names, err := fs.Glob(files, "pages/*.html")
	if err != nil {
		panic(err)
	}
	shared := []string{"pages/layout.html", "pages/cards.html", "pages/parts.html"}
	always := template.FuncMap{"inc": func(i int) int { return i + 1 }, "base": func() string { return base }, "static": p.static, "icon": icons(set), "pair": countOf, "ask": askWhole, "face": faceOf}
	for _, l := range Languages() {
		functions := maps.Clone(always)
		maps.Copy(functions, texts.functions(l.Code))
		for _, file := range names {
			name := l.Code + "/" + strings.TrimSuffix(strings.TrimPrefix(file, "pages/"), ".html")
			if !slices.Contains(shared, file) {
				p.named[name] = newSheet(func() *template.Template {
					return template.Must(template.New("layout.html").Funcs(functions).ParseFS(files, append(slices.Clone(shared), file)...))
				}, texts.in(l.Code))
			}
		}
	}
	return p
}

// static is the address of a file, which changes with it.
func (p *pages) static(name string) string {
	content, err := fs.ReadFile(files, "static/"+name)
	if err != nil {
		panic(err) // it is embedded
	}
	return p.base + "/ui/" + name + "?v=" + fingerprint(content)
}

func fingerprint(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:6])
}

func showDate(say func(string, ...any) string, t any, zone *time.Location) string {
	switch t := t.(type) {
	case time.Time:
		return t.In(zone).Format(say("2 Jan 2006, 15:04 MST"))
	case *time.Time:
		if t != nil {
			return showDate(say, *t, zone)
		}
	}
	return say("never")
}

// page is what the layout shows around a page's own content.
type page struct {
	Title     string
	Style     string
	User      *store.User // nil: nobody is signed in, so no navigation
	Section   string      // the marked entry of the navigation
	Tab       string      // of a page about a workspace: the marked tab
	Place     *place      // the workspace that the page is about, if any
	Switch    []tab       // the workspaces to change to
	Install   []tab       // what there is about the whole installation
	Notice    string      // what has just been done
	Fault     fault       // why something was not done that no form of the page shows
	Explorer  bool
	Version   string
	Lang      string
	Languages []Language // to choose from
	Here      string     // the address of the page, to come back to it
	Bare      bool       // inside a frame: no navigation at all
	Script    bool       // whether the page has the script of forms
	Fetch     bool       // whether that script asks the service for something
	Live      bool       // whether the page hears of what happens
	Refresh   bool       // whether browsers without scripts load the page anew
	Policy    string     // Content-Security-Policy of the page; empty is the usual one
	Body      any
}

// contentPolicy is what our own pages may do; {ancestors} are who may frame
// them.
const contentPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "

// show answers with a page.
func (u *UI) show(w http.ResponseWriter, r *http.Request, status int, name string, p page) {
	p.Style, p.Explorer, p.Version = u.pages.style, u.Explorer, u.Version
	if caller := access.Of(r.Context()); caller != nil && !p.Bare {
		p.User = caller.User
		if caller.Workspace != nil && p.Tab != "" {
			p.Place = u.placeOf(u.language(r), &caller.Access, p.Tab)
		}
	}
	if p.User != nil {
		p.Switch, p.Install = u.workspacesOf(r), u.installation(u.language(r), p.User, p.Section)
	}
	p.Lang, p.Languages, p.Here = u.language(r), Languages(), u.PathBase+"/"
	if r.Method == http.MethodGet {
		p.Here = u.PathBase + r.URL.EscapedPath()
	}
	var out bytes.Buffer
	if err := u.pages.named[p.Lang+"/"+name].execute(&out, p, zoneOf(r)); err != nil {
		panic(err) // a fault of the template
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin") // without a referrer browsers hide the origin of forms, too
	policy := contentPolicy
	switch {
	case p.Live || p.Fetch || p.User != nil: // the finder is on every page of signed-in users
		policy = "script-src 'self'; connect-src 'self'; " + policy
	case p.Script:
		policy = "script-src 'self'; " + policy
	}
	if policy += u.ancestors(p.Bare); p.Policy != "" {
		policy = p.Policy
	}
	h.Set("Content-Security-Policy", policy)
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // fails only when the client is gone
}

// ancestors are who may put a page into a frame: for pages in frames those of
// the settings, else nobody.
func (u *UI) ancestors(framed bool) string {
	if !framed || len(u.FrameAncestors) == 0 {
		return "'none'"
	}
	return strings.Join(u.FrameAncestors, " ")
}

// Error answers with a page that says what went wrong.
func (u *UI) Error(w http.ResponseWriter, r *http.Request, err error) { u.showError(w, r, err, false) }

// frameError is Error inside a frame of another site. Who opens the link of a
// report by itself is asked to sign in, as on every other page.
func (u *UI) frameError(w http.ResponseWriter, r *http.Request, err error) {
	if isStranger(err) && openedAlone(r) {
		u.toSignIn(w, r, err)
		return
	}
	u.showError(w, r, err, true)
}

// openedAlone tells whether a browser asks for a page of its own, and nothing says
// that it has been embedded. Where browsers do not tell that, it is not known.
func openedAlone(r *http.Request) bool {
	ofPreview := func(c *http.Cookie) bool { return strings.HasPrefix(c.Name, access.PreviewCookie) }
	return r.Header.Get("Sec-Fetch-Dest") == "document" && !r.URL.Query().Has("nonce") && !slices.ContainsFunc(r.Cookies(), ofPreview)
}

// errorPage is the content of the page that says what went wrong.
type errorPage struct {
	*answer.Problem
	SignIn string // address of the sign-in page, when signing in may help
	Factor string // address of the page of second factors, when one is missing
	Home   string // address of the start page, when nothing else leads on
	Ended  bool   // a preview has ended: its readers know of no credentials
	Small  bool   // inside the thumbnail of a list
}

func (u *UI) showError(w http.ResponseWriter, r *http.Request, err error, framed bool) {
	problem := answer.Explain(r.Context(), err)
	for name, values := range problem.Header() {
		if name != "Www-Authenticate" { // a browser would ask for a password
			w.Header()[name] = values
		}
	}
	body := errorPage{Problem: problem, Small: r.URL.Query().Get("thumbnail") == "true"}
	problem.Detail = u.said(r, problem.Detail)
	for i := range problem.Details {
		problem.Details[i].Message = u.said(r, problem.Details[i].Message)
	}
	title := errorTitle(problem.Status)
	if problem.Status == http.StatusUnauthorized {
		body.SignIn = u.signInAddress(r)
	}
	if store.IsFactorNeeded(err) {
		// What is done next is on that page; the address of the fault says nothing to people.
		title, body.Factor, problem.Details = say("A second factor is needed"), u.PathBase+"/second-factor", nil
		problem.Detail = sentence(u.t(r, say("your role here needs a second factor, and your account has none yet")))
	}
	if problem.Status == http.StatusUnauthorized && framed {
		title, body.Ended = say("This page has expired"), true
		if r.URL.Query().Has("nonce") || r.Header.Get("Sec-Fetch-Dest") == "iframe" {
			body.SignIn = "" // it was embedded for somebody who has no account
		}
	}
	if !framed && body.SignIn == "" && body.Factor == "" {
		body.Home = u.PathBase + "/"
	}
	u.show(w, r, problem.Status, "error", page{Title: u.t(r, title), Bare: framed, Body: body})
}

func errorTitle(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return say("This link is no longer valid")
	case http.StatusForbidden:
		return say("Not allowed")
	case http.StatusNotFound:
		return say("Not found")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return say("Busy right now")
	case http.StatusGatewayTimeout:
		return say("This took too long")
	case http.StatusInternalServerError:
		return say("Something went wrong")
	}
	return say("This cannot be shown")
}

// static serves the style sheet and the icon. Their address changes with them.
func (u *UI) static(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeFileFS(w, r, files, "static/"+pathVar(r, "file"))
}

// showSize is a number of bytes for people.
func showSize(say func(string, ...any) string, bytes int64) string {
	switch {
	case bytes == 1:
		return say("1 byte")
	case bytes < 1<<10:
		return say("{0} bytes", bytes)
	case bytes < 1<<20-1<<9: // else it would round to 1024 kB
		return fmt.Sprintf("%.0f kB", float64(bytes)/(1<<10))
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(bytes)/(1<<20)), ".0") + " MB"
}
