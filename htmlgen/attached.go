package htmlgen

import (
	"fmt"
	"strconv"
	"strings"
)

// attachedPages writes a sheet for each page of a PDF that stands in the place
// of a document-merge page. The sheets have the sizes of the PDF's pages and say
// what belongs there; in the PDF the pages themselves take their places.
func (c *Context) attachedPages(plan *sheetPlan) {
	page := plan.page
	name := strings.TrimSpace(c.Expand(page.Document))
	key, sizes, err := c.document(name)
	if err != nil {
		c.notePage(plan, err.Error())
		return
	}
	from, to := max(page.StartPage, 1), page.EndPage
	if to == 0 || to > len(sizes) {
		to = len(sizes)
	}
	if from > to {
		c.notePage(plan, fmt.Sprintf("%s has %d pages; page %d does not exist", name, len(sizes), from))
		return
	}
	for n := from; n <= to; n++ {
		c.attachedSheet(plan, name, key, n, sizes[n-1])
	}
}

// document finds a PDF file.
func (c *Context) document(name string) (key string, sizes []PageSize, err error) {
	switch {
	case name == "":
		return "", nil, fmt.Errorf("the document-merge page names no file")
	case c.in.Documents == nil:
		return "", nil, fmt.Errorf("documents cannot be attached here")
	}
	return c.in.Documents.Document(c.ctx, name)
}

func (c *Context) attachedSheet(plan *sheetPlan, name, key string, n int, size PageSize) {
	c.Raw(`<section class="q-sheet q-attached" data-page="`)
	c.Int(plan.page.ID)
	c.Raw(`"`)
	c.Attr("data-name", plan.page.Name)
	c.Attr("data-count", map[bool]string{true: "1", false: "0"}[plan.page.Counts()])
	first := n == max(plan.page.StartPage, 1)
	c.sheetNumbers(plan.page.Restart && first)
	c.sheetStartsOn(map[bool]string{true: plan.page.StartOn}[first])
	c.Attr("data-width", cssPixels(size.Width))
	c.Attr("data-height", cssPixels(size.Height))
	c.Attr("data-attached", key+"#"+strconv.Itoa(n))
	c.inWorkbook(plan.page.Workbook)
	c.Raw(` data-margin="0 0 0 0"><div class="q-body"`)
	c.counts = plan.page.Counts()
	if first {
		c.pageAnchor(plan)
	}
	c.counts = false
	c.Raw(`><div class="q-attached-note">`)
	c.Text(name)
	c.Raw(" · ")
	c.Int(n)
	c.Raw("</div></div></section>\n")
}

// cssPixels writes a length in px with at most two decimals.
func cssPixels(v float64) string {
	return strconv.FormatFloat(float64(int(v*100+0.5))/100, 'f', -1, 64) + "px"
}
