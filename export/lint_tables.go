package export

import "github.com/quire-reports/quire/report"

// footers finds columns with a footer that no row prints: a column's footer
// prints in that of the table or of a group, and those are off until switched on.
func (l *linter) footers(e *lintElement) {
	if printsFooter(e.props) {
		return
	}
	groups, _ := e.props.Get("groups")
	for _, group := range listOf(groups) {
		if printsFooter(object(group)) {
			return
		}
	}
	columns, _ := e.props.Get("columns")
	for i, column := range listOf(columns) {
		footer, ok := object(column).Get("footer")
		if ok && footer != nil && says(object(footer)) {
			l.mend(offer(e.at("footer.enabled"), true, "Print the footer of the table"), RuleHiddenFooter, place(e.at("columns"), i)+".footer", "the column has a footer, but that of the table is off; enable the footer of the table, or of a group")
			return
		}
	}
}

// runningSums finds columns of running totals whose totals would be added up, in the
// footer of the table or of a group, or in a caption.
func (l *linter) runningSums(e *lintElement) {
	columns, _ := e.props.Get("columns")
	for i, c := range listOf(columns) {
		column := object(c)
		running, _ := column.Get("runningTotal")
		if !filled(running) || running == "none" {
			continue
		}
		at := place(e.at("columns"), i)
		footer, _ := column.Get("footer")
		l.runningSum(column, object(footer), at+".footer")
		for _, name := range []string{"groupFooters", "groupCaptions"} {
			bands, _ := column.Get(name)
			for level, band := range listOf(bands) {
				l.runningSum(column, object(band), place(at+"."+name, level))
			}
		}
	}
}

func (l *linter) runningSum(column, band *report.Object, at string) {
	aggregate, _ := band.Get("aggregate")
	field, _ := band.Get("aggregateField")
	if !says(band) || aggregate != "sum" && aggregate != "average" || filled(field) {
		return
	}
	title, _ := column.Get("title")
	name, _ := column.Get("field")
	l.find(RuleRunningSum, at+".aggregate", "column %q prints running totals, and its %s is that of these totals; name the field of the values in aggregateField, or use the aggregate last", firstText(words(title), words(name)), aggregate)
}

func words(v any) string { s, _ := v.(string); return s }

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// printsFooter reports whether a table or a group has its footer on.
func printsFooter(o *report.Object) bool {
	footer, _ := o.Get("footer")
	on, _ := object(footer).Get("enabled")
	return on == true
}

// says reports whether the footer of a column is on and would print something.
func says(footer *report.Object) bool {
	on, given := footer.Get("enabled")
	aggregate, _ := footer.Get("aggregate")
	text, _ := footer.Get("text")
	return (!given || on == true) && (filled(aggregate) || filled(text))
}

func filled(v any) bool { s, _ := v.(string); return s != "" }
