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
			l.find(RuleHiddenFooter, place(e.at("columns"), i)+".footer", "the column has a footer, but that of the table is off; enable the footer of the table, or of a group")
			return
		}
	}
}

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
