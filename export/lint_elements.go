package export

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/quire-reports/quire/report"
)

// accessible looks at what people miss who do not see an element, or jump from
// heading to heading.
func (l *linter) accessible(e *lintElement) {
	if e.has("altText") && e.has("decorative") && !e.is("decorative") && strings.TrimSpace(e.text("altText")) == "" {
		l.find(RuleAltText, e.at("altText"), "people who do not see this %s get nothing in its place; describe it in the alt text, or mark it as decorative", strings.ToLower(e.t.Label))
	}
	if !l.empty(e) {
		l.outline(e)
	}
}

// empty finds settings without which the element is for nothing, as its type
// tells it.
func (l *linter) empty(e *lintElement) (found bool) {
	for i := range e.t.Props {
		f := &e.t.Props[i]
		if why := f.Tag("empty"); why != "" && strings.TrimSpace(e.text(f.Name)) == "" {
			l.find(RuleEmptyText, e.at(f.Name), "%s", why)
			found = true
		}
	}
	return found
}

// outline looks at the order of the headings.
func (l *linter) outline(e *lintElement) {
	f := e.t.Meaning("level")
	if f == nil {
		return
	}
	level := 0
	if s := e.text(f.Name); len(s) == 2 {
		level = int(s[1] - '0')
	}
	if l.level > 0 && level > l.level+1 {
		l.mend(offer(e.at(f.Name), fmt.Sprintf("H%d", l.level+1), "Make it an H%d", l.level+1), RuleHeadingOrder, e.at(f.Name), "an H%d after an H%d leaves a level out for people who jump from heading to heading; make it an H%d and give it the look you want", level, l.level, l.level+1)
	}
	l.level = level
}

var headingTag = regexp.MustCompile(`(?i)<h([1-6])\b`)

// headingsIn notes the headings that an author has written in HTML; their order
// is the author's.
func (l *linter) headingsIn(editor, s string) {
	if editor != "html" && editor != "rich-text" {
		return
	}
	if tags := headingTag.FindAllStringSubmatch(s, -1); tags != nil {
		l.level = int(tags[len(tags)-1][1][0] - '0')
	}
}

// doubled finds names that stand twice, where warnings and people could not tell
// which is meant.
func (l *linter) doubled() {
	seen := map[string]bool{}
	for i, use := range l.in.Report.DataSources {
		l.twice(seen, "$data.", firstText(use.Name, use.Reuse), report.JoinPath(place("dataSources", i), "name"), "the data source")
	}
	for i, use := range l.in.Report.Parameters {
		l.twice(seen, "$params.", firstText(use.Name, use.Reuse), report.JoinPath(place("parameters", i), "name"), "the parameter")
	}
	for i := range l.in.Report.Pages {
		page := &l.in.Report.Pages[i]
		names := map[string]bool{}
		path := place("pages", i)
		l.elementNames(page.Elements, path+".elements", names)
		for name, list := range page.Placeholders {
			l.elementNames(list, path+".placeholders."+name, names)
		}
	}
}

func (l *linter) elementNames(list []report.Element, path string, seen map[string]bool) {
	for i := range list {
		here := place(path, i)
		l.twice(seen, "", list[i].Name, here+".name", "the element name")
		l.elementNames(list[i].Children, here+".children", seen)
	}
}

func (l *linter) twice(seen map[string]bool, space, name, path, what string) {
	if name == "" {
		return
	}
	if seen[space+name] {
		l.find(RuleDuplicateName, path, "%s %q stands twice; give one of them another name", what, name)
	}
	seen[space+name] = true
}
