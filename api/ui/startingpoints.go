package ui

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/starter"
	"github.com/quire-reports/quire/store"
)

// startRoutes are what new reports begin with.
func (u *UI) startRoutes() []route {
	writes := access.In(access.Session, store.Reports, store.Write)
	const page = "/ws/{workspaceId}/reports/new"
	return []route{
		{http.MethodGet, page, writes, u.toSignIn, u.startPage},
		{http.MethodGet, page + "/{start}/picture", writes, u.Error, u.startPicture},
	}
}

// startBody is the content of the page of starting points.
type startBody struct {
	Address, Back, Data string
	Name, Search        string
	Shelves             []startShelf
	Fault               fault
}

// startShelf are starting points of one kind.
type startShelf struct {
	Title  string
	Points []startCard
}

type startCard struct {
	Code, Name, About, Picture string
	Words                      string // by which it is found
	Chosen                     bool
}

// startTitles are the starting points by their codes, in words of ours; others
// have the names of their reports.
func startTitles() map[string]string {
	return map[string]string{
		"letter": say("Letter"), "invoice": say("Invoice"), "list": say("List with groups"), "dashboard": say("Dashboard"),
		"balance-sheet": say("Balance sheet"), "bank-statement": say("Account statement"), "bill-of-materials": say("Bill of materials"), "catalogue": say("Catalogue"),
		"certificate": say("Certificate"), "contract": say("Contract"), "cv": say("Curriculum vitae"), "delivery-note": say("Delivery note"), "discharge-letter": say("Discharge letter"),
		"event-tickets": say("Event tickets"), "expense-claim": say("Expense claim"), "invitations": say("Invitations"), "lab-report": say("Laboratory report"), "loan-schedule": say("Loan schedule"),
		"manual": say("Manual"), "minutes": say("Minutes of a meeting"), "newsletter": say("Newsletter"), "payslip": say("Payslip"), "pick-list": say("Pick list"), "portfolio": say("Portfolio report"),
		"price-list": say("Price list"), "purchase-order": say("Purchase order"), "quality-inspection": say("Quality inspection"), "sales-report": say("Sales report"), "school-report": say("School report"), "school-report-ar": say("School report in Arabic"),
		"shipping-labels": say("Shipping labels"), "statistics-bulletin": say("Statistics bulletin"), "stock-report": say("Stock report"), "timetable": say("Timetable"), "charts": say("Charts"),
	}
}

// startAbouts say what the layouts are for.
func startAbouts() map[string]string {
	return map[string]string{
		"letter": say("Address window, date, subject and text"), "invoice": say("Customer, lines, tax and total"),
		"list": say("Rows under captions, with sums of each group and of all"), "dashboard": say("Key figures, charts and a table on one page"),
	}
}

func (u *UI) startPage(w http.ResponseWriter, r *http.Request) {
	u.showStarts(w, r, http.StatusOK, startBody{}, "")
}

// showStarts shows the starting points that a search finds.
func (u *UI) showStarts(w http.ResponseWriter, r *http.Request, status int, body startBody, chosen string) {
	back := u.workspaceAddress(*access.Of(r.Context()).Workspace)
	body.Address, body.Back, body.Data, body.Search = back+"/reports", back, back+"/reports/from-data", strings.TrimSpace(queryText(r, "q"))
	chosen = cmp.Or(chosen, queryText(r, "start"))
	titles, abouts := startTitles(), startAbouts()
	shelf := func(title, prefix string, points []starter.Point) {
		s := startShelf{Title: u.t(r, title)}
		for _, p := range points {
			card := startCard{Code: prefix + p.Code, Name: u.t(r, cmp.Or(titles[p.Code], p.Name)), Picture: back + "/reports/new/" + prefix + p.Code + "/picture?v=" + u.Version}
			if prefix == "" {
				card.About = u.t(r, abouts[p.Code])
			}
			card.Words = strings.ToLower(card.Name + " " + card.About + " " + p.Name)
			card.Chosen = card.Code == chosen
			if strings.Contains(card.Words, strings.ToLower(body.Search)) {
				s.Points = append(s.Points, card)
			}
		}
		if prefix != "" {
			slices.SortFunc(s.Points, func(a, b startCard) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
		}
		if len(s.Points) > 0 {
			body.Shelves = append(body.Shelves, s)
		}
	}
	shelf(say("Layouts in the look of this workspace"), "", u.Layouts)
	shelf(say("Examples with a look of their own"), galleryPrefix, u.Gallery)
	u.show(w, r, status, "new-report", page{Title: u.t(r, "New report"), Section: "reports", Tab: tabReports, Script: true, Body: body})
}

// galleryPrefix tells examples from layouts, which may have the same code.
const galleryPrefix = "example-"

// startingPoint finds one by its code; nil when there is none.
func (u *UI) startingPoint(code string) *starter.Point {
	points := u.Layouts
	if name, ok := strings.CutPrefix(code, galleryPrefix); ok {
		points, code = u.Gallery, name
	}
	for i := range points {
		if points[i].Code == code {
			return &points[i]
		}
	}
	return nil
}

// stills are pictures of starting points, each made once for all who ask, until
// what it is made of changes.
type stills struct {
	mu   sync.Mutex
	made map[string]*still
}

type still struct {
	turn    chan struct{} // held while it is made
	of      string        // what it was made of
	picture *export.Picture
}

// mostStills bounds how many are kept: layouts have one for each workspace.
const mostStills = 500

// of is a picture that was made before of the same, or is made now.
func (s *stills) of(ctx context.Context, name, of string, draw func() (*export.Picture, error)) (*export.Picture, error) {
	one := s.named(name)
	select {
	case one.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(pictureWait): // not one after the other, when it cannot be drawn
		return nil, &report.Problem{Kind: report.Busy, Message: "the picture is not there yet; try again later"}
	}
	defer func() { <-one.turn }()
	if one.picture != nil && one.of == of {
		return one.picture, nil
	}
	picture, err := draw()
	if err != nil {
		return nil, err
	}
	one.picture, one.of = picture, of
	return picture, nil
}

func (s *stills) named(name string) *still {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made[name] == nil {
		if s.made == nil || len(s.made) >= mostStills {
			s.made = map[string]*still{}
		}
		s.made[name] = &still{turn: make(chan struct{}, 1)}
	}
	return s.made[name]
}

// lookOf tells one state of what gives the reports of a workspace their look from
// another: its templates, themes, languages and files.
func (u *UI) lookOf(ctx context.Context, workspace int) (string, error) {
	library, err := u.Store.Library(ctx, workspace)
	if err != nil {
		return "", err
	}
	files, err := u.Store.Files(ctx, workspace)
	sum := sha256.New()
	for _, e := range library.Templates {
		fmt.Fprintln(sum, "template", e.ID, e.Revision)
	}
	for _, e := range library.Themes {
		fmt.Fprintln(sum, "theme", e.ID, e.Revision)
	}
	for _, e := range library.Languages {
		fmt.Fprintln(sum, "language", e.ID, e.Revision)
	}
	for i := range files {
		fmt.Fprintf(sum, "file %q %x\n", files[i].Name, files[i].SHA256)
	}
	return string(sum.Sum(nil)), err
}

// startPicture is the first page of a starting point. Layouts have the look of
// the workspace.
func (u *UI) startPicture(w http.ResponseWriter, r *http.Request) {
	code := pathVar(r, "start")
	point := u.startingPoint(code)
	if point == nil {
		u.Error(w, r, report.NotFoundf("there is no such starting point"))
		return
	}
	workspace := access.Of(r.Context()).Workspace.ID
	draw := func() (*export.Picture, error) {
		return waitForRoom(r.Context(), func() (*export.Picture, error) {
			return u.Export.Picture(r.Context(), export.PictureRequest{Request: export.Request{Workspace: workspace, Definition: point.Report}, Page: 1})
		})
	}
	name, look, age := code, "", "private, max-age=86400"
	var err error
	if !strings.HasPrefix(code, galleryPrefix) {
		name, age = itoa(workspace)+"/"+code, "private, max-age=60"
		look, err = u.lookOf(r.Context(), workspace)
	}
	var made *export.Picture
	if err == nil {
		made, err = u.stills.of(r.Context(), name, look, draw)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", made.ContentType)
	h.Set("Cache-Control", age)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	_, _ = w.Write(made.Content) // fails only when the client is gone
}

// A picture that finds no room, or no browser yet, is asked for again: a page asks
// for all of them at once, maybe just after the service began, and never again.
const (
	pictureWait  = 20 * time.Second
	picturePause = 250 * time.Millisecond
)

func waitForRoom(ctx context.Context, draw func() (*export.Picture, error)) (*export.Picture, error) {
	for end := time.Now().Add(pictureWait); ; {
		picture, err := draw()
		var problem *report.Problem
		if err == nil || !errors.As(err, &problem) || problem.Kind != report.Busy || time.Now().After(end) {
			return picture, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(picturePause):
		}
	}
}

// createFromForm makes a report, empty or of a starting point, and opens it in
// the designer.
func (u *UI) createFromForm(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	form, err := readForm(w, r)
	made := store.NewReport{Name: strings.TrimSpace(form.Get("name")), Owner: caller.User.ID}
	code := form.Get("start")
	if err == nil && code != "" {
		if point := u.startingPoint(code); point == nil {
			err = report.Problemf("start", "choose a starting point")
		} else {
			definition := *point.Report
			made.Name = cmp.Or(made.Name, u.t(r, cmp.Or(startTitles()[point.Code], point.Name)))
			definition.Name, made.Definition = made.Name, &definition
		}
	}
	var created *store.ReportDefinition
	if err == nil {
		created, err = u.Store.CreateReport(r.Context(), caller.Workspace.ID, made)
	}
	if wrong, status := u.faultOf(r, err); status != 0 && form.Has("start") {
		u.showStarts(w, r, status, startBody{Name: made.Name, Fault: wrong}, code)
		return
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.done(w, r, u.workspaceAddress(*caller.Workspace)+"/reports/"+itoa(created.ID)+"/design", "")
}
