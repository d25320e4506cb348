package starter

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Point is a report that another can begin with. It needs nothing of the
// workspace in which it is made.
type Point struct {
	Code, Name, Description string
	Report                  *report.Report
}

// Points makes starting points of the reports of a workspace: each carries its
// template, theme, language, dictionaries and pictures with it. Reports that
// stand inside others, hold others or print attached files are left out.
func Points(ws *report.Workspace) ([]Point, error) {
	var points []Point
	for i := range ws.Reports {
		named := &ws.Reports[i]
		if !standsAlone(&named.Report) {
			continue
		}
		whole, err := carried(ws, &named.Report)
		if err != nil {
			return nil, fmt.Errorf("the starting point %s: %w", named.Code, err)
		}
		if whole == nil {
			continue
		}
		points = append(points, Point{named.Code, named.Report.Name, named.Report.Description, whole})
	}
	return points, nil
}

func standsAlone(r *report.Report) bool {
	return !r.Subreport && !slices.ContainsFunc(r.Pages, func(p report.Page) bool { return p.Type != "" && p.Type != report.PageTypePage })
}

// carried is a report with all that it takes from its workspace; nil when it
// takes other reports.
func carried(ws *report.Workspace, r *report.Report) (*report.Report, error) {
	out := *r
	out.Type, out.Schema = "", "" // types are each workspace's own
	out.Include = &report.Include{}
	for _, t := range ws.Templates {
		if strings.EqualFold(t.Code, r.Template) {
			out.Include.Templates = append(out.Include.Templates, t)
		}
	}
	for _, t := range ws.Themes {
		if strings.EqualFold(t.Code, r.Theme) {
			out.Include.Themes = append(out.Include.Themes, t)
		}
	}
	for _, l := range ws.Languages {
		if strings.EqualFold(l.Code, r.Language) {
			out.Include.Languages = append(out.Include.Languages, l)
		}
	}
	text, err := json.Marshal(&out)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(text, []byte(`"type":"subreport"`)) {
		return nil, nil
	}
	if bytes.Contains(text, []byte("$dict.")) {
		out.Include.Dictionaries = ws.Dictionaries
		if text, err = json.Marshal(&out); err != nil {
			return nil, err
		}
	}
	whole, problems := report.Parse[report.Report](pictured(ws, text))
	return whole, problems.Err()
}

// pictured writes the pictures of a workspace in the place of their names.
func pictured(ws *report.Workspace, document []byte) []byte {
	var pairs []string
	for _, f := range ws.Files {
		if strings.HasPrefix(f.ContentType, "image/") {
			uri := "data:" + f.ContentType + ";base64," + base64.StdEncoding.EncodeToString(f.Content)
			pairs = append(pairs, `"`+f.Name+`"`, `"`+uri+`"`, `\"`+f.Name+`\"`, `\"`+uri+`\"`)
		}
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(document)))
}
