package htmlgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

var subreport = define("subreport", "Subreport", "Layout", "The content of another report, with data and parameters of its own.", compileSubreport, icon("file-stack"))

type subreportProps struct {
	Report     string           `json:"report" editor:"report" help:"Code of the report." ask:"The report whose content stands here."`
	Parameters []report.Mapping `json:"parameters" help:"Values for the subreport's parameters." ask:"What the other report is asked for." one:"Parameter"`
	Separate   bool             `json:"separateContents" label:"Count separately" help:"Whether its headings and figures are counted and listed on their own, and stay out of this report's tables of contents." ask:"Its headings and figures are counted and listed on their own, and not in the tables of contents of this report."`
	NewPages   bool             `json:"pageBreaks" label:"Page breaks" help:"Whether each page of the subreport begins on a new page." ask:"Each of its pages begins a new page."`
	Break      bool             `json:"breakAcrossPages" label:"Break across pages" default:"true"`
	Box
}

// maxSubreports is how deep reports may stand inside each other.
const maxSubreports = 10

func compileSubreport(c *Context, e *Element, p *subreportProps) {
	if p.Report == "" {
		c.noSubreport(e, &p.Box, "the subreport names no report")
		return
	}
	sub, err := c.openSubreport(p.Report, p.Parameters)
	if err != nil {
		c.noSubreport(e, &p.Box, err.Error())
		return
	}
	c.subreportWarnings(e.path, sub)
	c.Open(e, tag{name: "div", breaks: p.Break, box: &p.Box})
	c.Raw(">\n")
	c.inside(&p.Box, func() {
		c.inSubreport(e.path, p.Report, sub, p.Separate, func(plans []sheetPlan) {
			for i := range plans {
				c.subreportPage(e, &plans[i], i > 0 && p.NewPages)
			}
		})
	})
	c.Raw("</div>\n")
}

// subreportPage writes the elements of one of the subreport's pages.
func (c *Context) subreportPage(e *Element, plan *sheetPlan, breakBefore bool) {
	if !c.pageVisible(plan) {
		return
	}
	if t := plan.page.Type; t == report.PageTypeSubreport || t == report.PageTypeDocumentMerge {
		c.Warn(e, "the page %q of the subreport is a %s page, which has no place inside a page; use a subreport page", plan.page.Name, t)
		return
	}
	c.Raw(`<div data-break="auto"`)
	if breakBefore {
		c.Raw(` data-break-before="page"`)
	}
	c.Raw(">\n")
	c.Children(plan.single)
	for _, name := range sortedKeys(plan.placeholders) {
		c.Children(plan.placeholders[name])
	}
	c.Raw("</div>\n")
}

// subreportPages writes the pages of another report in the place of a page, for
// every item when the page repeats.
func (c *Context) subreportPages(plan *sheetPlan) {
	if plan.repeat == nil {
		c.subreportSheets(plan)
		return
	}
	owner := &Element{path: plan.path + ".repeat", label: plan.label()}
	c.repeat(owner, plan.repeat, func(rowItem) { c.subreportSheets(plan) })
}

func (c *Context) subreportSheets(plan *sheetPlan) {
	page := plan.page
	sub, err := c.openSubreport(page.Report, page.Parameters)
	if err != nil {
		c.notePage(plan, err.Error())
		return
	}
	c.subreportWarnings(plan.path, sub)
	c.inSubreport(plan.path, page.Report, sub, page.Separate, func(plans []sheetPlan) {
		anew, startOn := c.beginsAnew, c.startOn
		c.beginsAnew = anew || page.Restart
		if startOn == "" && page.StartOn != "any" {
			c.startOn = page.StartOn
		}
		for i := range plans {
			inner := plans[i]
			shown := *inner.page
			shown.ID = page.ID // excludePages and the preview know the outer page
			if !page.Counts() {
				shown.Count = page.Count
			}
			if page.Workbook != "" {
				shown.Workbook = page.Workbook
			}
			if page.Slide != "" {
				shown.Slide = page.Slide
			}
			inner.page = &shown
			c.sheet(&inner)
		}
		// Where it has no page that is there, what comes after it begins as it would without.
		if c.beginsAnew {
			c.beginsAnew = anew
		}
		if c.startOn != "" {
			c.startOn = startOn
		}
	})
}

// openSubreport loads a report and its data.
func (c *Context) openSubreport(code string, mappings []report.Mapping) (*Subreport, error) {
	if code == "" {
		return nil, fmt.Errorf("the subreport page names no report")
	}
	if at := slices.IndexFunc(c.within, func(outer string) bool { return strings.EqualFold(outer, code) }); at >= 0 {
		return nil, fmt.Errorf("the report contains itself: %s → %s", strings.Join(c.within[at:], " → "), code)
	}
	if len(c.within) >= maxSubreports {
		return nil, fmt.Errorf("reports stand more than %d deep inside each other", maxSubreports)
	}
	if c.in.Subreports == nil {
		return nil, fmt.Errorf("subreports cannot be loaded here")
	}
	params := report.ObjectOf()
	for _, m := range mappings {
		params.Set(m.Name, c.Parse(m.Value).Value(c.Env))
	}
	return c.in.Subreports.Subreport(c.ctx, code, params)
}

// inSubreport writes something with the subreport's values in scope. It sees
// nothing of the outer report but its parameters.
func (c *Context) inSubreport(path, code string, sub *Subreport, separate bool, write func(plans []sheetPlan)) {
	plans, known := c.prepared[sub.Report]
	if !known {
		plans = c.preparePages(sub.Report, path+" → "+code+": ")
		if c.prepared == nil {
			c.prepared = map[*report.Report][]sheetPlan{}
		}
		c.prepared[sub.Report] = plans
	}
	outer, filling, listed := c.scope, c.filling, c.contents
	c.scope = scope{words: c, data: sub.Data, params: sub.Params, dict: sub.Dict, user: outer.user, items: report.ObjectOf()}
	c.filling = nil
	if separate {
		c.contents = newContents()
	}
	c.within = append(c.within, code)
	write(plans)
	c.within = c.within[:len(c.within)-1]
	c.scope, c.filling, c.contents = outer, filling, listed
}

// Owners of elements that are no subreport's; no code of a report is like them.
const (
	ofTemplate = "*"
	ofNobody   = "?" // of another, with an ID that was made and may be another's tomorrow
)

// owner tells whose an element is: the code of the subreport that it belongs to,
// or that it is the template's; empty for the report's own. Two owners may have
// elements of the same ID.
func (c *Context) owner(e *Element) string {
	owner := ""
	if strings.HasPrefix(e.path, "template.") && !strings.Contains(e.path, " → ") {
		owner = ofTemplate
	} else if len(c.within) > 0 {
		owner = c.within[len(c.within)-1]
	}
	if owner != "" && e.Def.ID == "" {
		return ofNobody
	}
	return owner
}

// subreportWarnings takes over what was found while the data was loaded.
func (c *Context) subreportWarnings(path string, sub *Subreport) {
	for _, w := range sub.Warnings {
		c.Warn(&Element{path: path, label: w.Path}, "%s", w.Message)
	}
}

// noSubreport prints a box with the reason where the subreport should be.
func (c *Context) noSubreport(e *Element, box *Box, reason string) {
	c.Warn(e, "%s", reason)
	c.Open(e, tag{name: "div", classes: "q-missing", box: box})
	c.Raw(">")
	c.Text(reason)
	c.Raw("</div>\n")
}

// notePage writes a page with a note where its content cannot be had.
func (c *Context) notePage(plan *sheetPlan, reason string) {
	c.Warn(&Element{path: plan.path, label: plan.label()}, "%s", reason)
	c.sheetStart(plan)
	c.Raw(`<div class="q-body"><div class="q-missing">`)
	c.Text(reason)
	c.Raw("</div></div></section>\n")
}

// label names the page in warnings.
func (p *sheetPlan) label() string {
	if p.page.Name == "" {
		return fmt.Sprintf("page %d", p.page.ID)
	}
	return fmt.Sprintf("page %q", p.page.Name)
}

// pageVisible evaluates a page's visibility; an expression that fails shows it.
func (c *Context) pageVisible(plan *sheetPlan) bool {
	if c.in.Slides && plan.page.Slide == "leave-out" {
		return false
	}
	if plan.visible.IsEmpty() {
		return true
	}
	v, err := plan.visible.Eval(c.Env)
	if err != nil {
		c.warnings = append(c.warnings, report.Problemf(plan.path+".visible", "the expression failed: %v", err))
		return true
	}
	return text.Truthy(v)
}
