package htmlgen

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

var groupCaption = regexp.MustCompile(`q-group-caption[^<]*<th[^>]*>([^<]*)<`)

// TestGroupsAndSortsAreInTheOrderOfTheLanguage: the groups of a table and the
// rows of the sort step have one order.
func TestGroupsAndSortsAreInTheOrderOfTheLanguage(t *testing.T) {
	t.Parallel()
	latin := "Apple Cetinje Čačak Ćuprija Dubrovnik džep Đakovo Lopta Ljubav Nula Njiva Sombor Šabac Zebra Žabalj"
	cyrillic := "Ада Дом Ђак Јама Лопта Љубав Нос Њива Тата Ћуп Час Џеп Шума"
	for _, c := range []struct{ tag, want string }{
		{"sr-Latn-RS", latin},
		{"sr-Latn", latin},
		{"hr-HR", latin},
		{"bs-BA", latin},
		{"bs-Latn-BA", latin},
		{"sr-ME", latin},
		{"sr", cyrillic},
		{"sr-RS", cyrillic},
		{"sr-Cyrl-RS", cyrillic},
		{"bs-Cyrl-BA", cyrillic},
		{"de-DE", "apple Apple Ärger Österreich zebra Zoo"},
		{"sv-SE", "apple Apple zebra Zoo Ärger Österreich"},
	} {
		names := strings.Fields(c.want)
		rows := make([]any, len(names))
		for i, name := range names {
			rows[(i*7+3)%len(names)] = report.ObjectOf("k", name)
			if len(names)%7 == 0 {
				t.Fatal("the rows are not mixed")
			}
		}
		table := map[string]any{"source": "$data.r", "groups": []any{report.ObjectOf("field", "k", "caption", report.ObjectOf("text", "{$group.$key}"))}, "columns": []any{report.ObjectOf("field", "k")}}
		list := map[string]any{"source": "$data.r", "transform": []any{report.ObjectOf("type", "sort", "by", []any{report.ObjectOf("field", "k")})}, "columns": []any{report.ObjectOf("field", "k")}}
		in := testInput(t, []report.Element{{Type: "data-table", Props: table}, {Type: "data-table", Props: list}})
		in.Data, in.Locale = report.ObjectOf("r", rows), text.LocaleFor(c.tag)
		doc, err := Compile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		groups, sorted, _ := strings.Cut(string(doc.HTML), "</table>")
		if got := texts(groupCaption, groups); got != c.want {
			t.Errorf("%s: the groups are %s", c.tag, got)
		}
		if got := texts(regexp.MustCompile(`<td>([^<]+)<`), sorted); got != c.want {
			t.Errorf("%s: the rows are %s", c.tag, got)
		}
	}
}

func texts(pattern *regexp.Regexp, html string) string {
	var found []string
	for _, m := range pattern.FindAllStringSubmatch(html, -1) {
		found = append(found, m[1])
	}
	return strings.Join(found, " ")
}
