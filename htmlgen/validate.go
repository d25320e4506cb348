package htmlgen

import (
	"strconv"

	"github.com/quire-reports/quire/report"
)

// Validate finds what is wrong with a report and with the templates it carries:
// unknown element types, unknown and ill-typed settings, doubled ids. Paths
// lead into the report file.
func Validate(r *report.Report) report.Problems {
	prep := newPreparer()
	for i := range r.Pages {
		page := &r.Pages[i]
		at := place("pages", i)
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

// ValidateTemplate finds what is wrong with a template's elements.
func ValidateTemplate(t *report.Template) report.Problems {
	var problems report.Problems
	for i := range t.Layouts {
		prep := newPreparer()
		planSheet(prep, &report.Page{}, &t.Layouts[i], "", place("layouts", i))
		problems = append(problems, prep.problems...)
	}
	return problems
}

func place(list string, i int) string { return report.JoinPath(list, "["+strconv.Itoa(i)+"]") }
