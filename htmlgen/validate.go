package htmlgen

import (
	"strconv"

	"github.com/quire-reports/quire/report"
)

// Validate finds what is wrong with a report and with the templates it carries:
// unknown element types, unknown and ill-typed settings, doubled ids. Paths
// lead into the report file.
func Validate(r *report.Report) report.Problems {
	prep := newPreparer(typesByName())
	for i := range r.Pages {
		page := &r.Pages[i]
		at := place("pages", i)
		prep.page(page, at)
		prep.elements(page.Elements, at+".elements")
		for _, name := range sortedKeys(page.Placeholders) {
			prep.elements(page.Placeholders[name], at+".placeholders."+name)
		}
	}
	problems := prep.problems
	if r.Include != nil {
		for i := range r.Include.Templates {
			problems = append(problems, ValidateTemplate(&r.Include.Templates[i]).Under(place("include.templates", i))...)
		}
	}
	return problems
}

// page finds settings that do not fit the page's type.
func (p *preparer) page(page *report.Page, path string) {
	says := func(name, text string) {
		p.problems = append(p.problems, report.Problemf(report.JoinPath(path, name), "%s", text))
	}
	switch page.Type {
	case report.PageTypeSubreport:
		if page.Report == "" {
			says("report", "a subreport page names the code of a report")
		}
	case report.PageTypeDocumentMerge:
		if page.Document == "" {
			says("document", "a document-merge page names a managed PDF file")
		}
		if page.EndPage != 0 && page.EndPage < page.StartPage {
			says("endPage", "the end page lies before the start page")
		}
	}
	if page.Type != "" && page.Type != report.PageTypePage && len(page.Elements)+len(page.Placeholders) > 0 {
		says("elements", "a "+page.Type+" page has no elements of its own")
	}
}

// ValidateTemplate finds what is wrong with a template's elements.
func ValidateTemplate(t *report.Template) report.Problems {
	var problems report.Problems
	for i := range t.Layouts {
		prep := newPreparer(typesByName())
		planSheet(prep, &report.Page{}, &t.Layouts[i], "", place("layouts", i))
		problems = append(problems, prep.problems...)
	}
	return problems
}

func place(list string, i int) string { return report.JoinPath(list, "["+strconv.Itoa(i)+"]") }
