package export

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// mostBleed is how far colours go over the edge of a page at most, in CSS pixels: 20 mm.
const mostBleed = 20 / 25.4 * 96

// printConditions names the kinds of printing, the usual one first.
func printConditions() []string {
	var names []string
	for _, c := range pdf.Conditions() {
		names = append(names, c.Name)
	}
	return names
}

// checkPress judges what a request asks of the press.
func (r *Request) checkPress(isPDF bool) report.Problems {
	var problems report.Problems
	fault := func(at, format string, args ...any) {
		problems = append(problems, report.Problemf(at, format, args...))
	}
	isPress := conformanceOf(r).press
	if isPress && r.Accessible {
		fault("accessible", "pdf/x-4 files are for a printing house and not tagged; leave one of the two out")
	}
	switch {
	case r.PrintCondition == "":
	case !slices.Contains(printConditions(), r.PrintCondition):
		fault("printCondition", "unknown printing condition %q; accepted: %s", r.PrintCondition, strings.Join(printConditions(), ", "))
	case !isPress:
		fault("printCondition", "is for pdf/x-4 files only; set conformance to pdf/x-4")
	}
	if r.Bleed != "" && !isPDF {
		fault("bleed", "is for format pdf only, not %s", r.Format)
	} else if px, ok := lengthOf(r.Bleed); r.Bleed != "" && (!ok || px > mostBleed) {
		fault("bleed", "%q is no bleed; accepted: a length from 0 to 20mm, such as 3mm or 0.125in", r.Bleed)
	}
	if r.CropMarks && !isPDF {
		fault("cropMarks", "is for format pdf only, not %s", r.Format)
	}
	return problems
}

// bleed is that of a request that was checked, in whole CSS pixels: no less than it says.
func (r *Request) bleed() int {
	px, _ := lengthOf(r.Bleed)
	return int(math.Ceil(px))
}

var lengthPattern = regexp.MustCompile(`^([0-9]{0,4}(?:\.[0-9]{1,4})?)(mm|cm|in|pt|px)$`)

// lengthOf reads a length of the paper, in CSS pixels.
func lengthOf(s string) (float64, bool) {
	parts := lengthPattern.FindStringSubmatch(s)
	if parts == nil {
		return 0, s == "0"
	}
	n, err := strconv.ParseFloat(parts[1], 64)
	units := map[string]float64{"mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "pt": 96.0 / 72, "px": 1}
	return n * units[parts[2]], err == nil
}

// press is how the pages of a request that was checked are printed, with the inks of the
// theme. What is wrong with an ink is told, and it is left out.
func (r *run) press() (*pdf.Press, report.Problems) {
	var problems report.Problems
	conditions := pdf.Conditions()
	at := slices.IndexFunc(conditions, func(c pdf.Condition) bool { return c.Name == r.req.PrintCondition })
	p := &pdf.Press{Condition: conditions[max(at, 0)]}
	palette := htmlgen.NewPalette(r.found.theme)
	for i, ink := range palette.Theme.Inks {
		color, ok := palette.Color(ink.Color)
		if !ok {
			problems = append(problems, report.Problemf(inkPlace(i)+".color", "%q is no colour that an ink can stand for; accepted: such as #1d4ed8, or var(--color-primary)", ink.Color))
			continue
		}
		one := pdf.Ink{Place: inkPlace(i), Color: color, Spot: strings.TrimSpace(ink.Spot), CMYK: [4]float64{ink.Cyan / 100, ink.Magenta / 100, ink.Yellow / 100, ink.Black / 100}}
		if problem := inkProblem(one, p.Inks); problem != nil {
			problems = append(problems, problem)
			continue
		}
		p.Inks = append(p.Inks, one)
	}
	return p, problems
}

// ownMeaning are names of inks that have a meaning of their own in PDF files: all inks,
// none, and those of each press.
var ownMeaning = []string{"All", "None", "Cyan", "Magenta", "Yellow", "Black"}

// inkProblem is why an ink cannot stand beside those before it; nil where it can.
func inkProblem(ink pdf.Ink, before []pdf.Ink) *report.Problem {
	if slices.ContainsFunc(ownMeaning, func(name string) bool { return strings.EqualFold(name, ink.Spot) }) {
		return report.Problemf(ink.Place+".spot", "%q is no ink of its own: the name has another meaning in PDF files; leave it empty to mix the colour", ink.Spot)
	}
	for _, b := range before {
		switch {
		case b.Color == ink.Color:
			return report.Problemf(ink.Place+".color", "the colour has an ink already, %s", b.Place)
		case ink.Spot != "" && b.Spot == ink.Spot && b.CMYK != ink.CMYK:
			return report.Problemf(ink.Place+".spot", "%q has other shares in %s; one ink is one colour", ink.Spot, b.Place)
		}
	}
	return nil
}

func inkPlace(i int) string { return fmt.Sprintf("theme.inks[%d]", i) }

// unusedInks tells of inks that no page shows the colours of: a colour that is only
// nearly the same is printed as any other.
func unusedInks(unused []pdf.Ink) report.Problems {
	var list report.Problems
	for _, ink := range unused {
		list = append(list, report.Problemf(ink.Place, "no text, line or plain area has the colour #%s, so nothing is printed with this ink", strings.ToLower(htmlgen.RGB(ink.Color).Hex())))
	}
	return list
}
