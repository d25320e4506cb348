package export

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

const ofUser = `{"name": "Mine", "title": "Of {$user.name|nobody}",
	"parameters": [{"name": "mail", "default": "{$user.email}"}],
	"pages": [
		{"id": 1, "name": "A", "elements": [
			{"type": "text", "props": {"text": "Template: {$user.name|nobody}, {$user.groups.0|none}, {$user.whatever}."}},
			{"type": "text", "props": {"text": "Parameter: {$params.mail|none}."}},
			{"type": "text", "visible": "$user.groups.includes('board')", "props": {"text": "For the board."}},
			{"type": "data-table", "props": {"source": "$data.orders", "transform": [{"type": "filter", "conditions": [{"field": "owner", "expression": "$user.email"}]}],
				"columns": [{"field": "name"}, {"field": "name", "renderer": "function", "function": "({$user, value}) => 'rendered for ' + $user.email"}]}},
			{"type": "advanced-chart", "props": {"altText": "x", "width": "300px", "height": "200px", "options": "({$user}) => ({title: {text: 'Chart of ' + $user.sub}})"}},
			{"type": "subreport", "props": {"report": "inner"}}]},
		{"id": 2, "name": "Board", "visible": "{[ $user.groups.includes('board') ]}", "elements": [{"type": "text", "props": {"text": "A page for the board."}}]}],
	"dataSources": [{"name": "orders", "type": "json", "settings": {"content": [{"name": "order one", "owner": "ana@example.com"}, {"name": "order two", "owner": "bojan@example.com"}]}}]}`

const ofInner = `{"name": "Inner", "pages": [{"id": 1, "name": "A", "elements": [{"type": "text", "props": {"text": "Inside: {$user.email|none} {$data.who}."}}]}],
	"dataSources": [{"name": "who", "type": "javascript", "settings": {"function": "({$user}) => $user.sub"}}]}`

// TestReportsKnowWhoLooks: wherever a report reads $user, it is the one who
// looks, and nobody's report shows what is somebody's.
func TestReportsKnowWhoLooks(t *testing.T) {
	s, _ := newService(t, map[string]string{"reports/mine.json": ofUser, "reports/inner.json": ofInner})
	ana := report.Person{Sub: "crm-7", Name: "Ana <b>Marić</b>", Email: "ana@example.com", Groups: []string{"board", "north"}}
	for name, c := range map[string]struct {
		who       report.Person
		has, lack []string
	}{
		"somebody": {
			ana,
			[]string{"Template: Ana &lt;b&gt;Marić&lt;/b&gt;, board, .", "Parameter: ana@example.com.", "For the board.", "order one", "rendered for ana@example.com", "Chart of crm-7", "Inside: ana@example.com crm-7.", "A page for the board."},
			[]string{"order two"},
		},
		"another": {
			report.Person{ID: 3, Email: "bojan@example.com"},
			[]string{"Template: nobody, none, .", "order two", "Inside: bojan@example.com ."},
			[]string{"order one", "for the board", "For the board", "crm-7"},
		},
		"nobody": {report.Person{}, []string{"Template: nobody, none, .", "Parameter: none.", "Inside: none ."}, []string{"order one", "order two", "For the board", "A page for"}},
	} {
		t.Run(name, func(t *testing.T) {
			html, warnings := bodyOf(t, s, Request{Report: "mine", User: c.who})
			for _, want := range c.has {
				if !strings.Contains(html, want) {
					t.Errorf("the report lacks %q: %s", want, html)
				}
			}
			for _, wrong := range c.lack {
				if strings.Contains(html, wrong) {
					t.Errorf("the report shows %q", wrong)
				}
			}
			for _, line := range strings.Split(strings.TrimSpace(warnings), "\n") {
				if line != "" && !strings.Contains(line, "$user.whatever") {
					t.Errorf("warned of %s", line)
				}
			}
		})
	}
}

// TestWhoLooksSurvivesTheQueue: an export that is made later is made for the same
// person, and two people never ask the same.
func TestWhoLooksSurvivesTheQueue(t *testing.T) {
	asked := Request{UserID: 4, Report: "7", User: report.Person{Sub: "crm-7", Name: "Ana", Email: "ana@example.com", Groups: []string{"north"}}}
	text, err := json.Marshal(asked.Stored())
	if err != nil {
		t.Fatal(err)
	}
	value, err := report.ParseValue(text)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadStored(value.(*report.Object))
	if err != nil || got.UserID != 4 || got.User.Sub != "crm-7" || got.User.Email != "ana@example.com" || len(got.User.Groups) != 1 {
		t.Errorf("%s became %+v, %v", text, got, err)
	}
	other := asked
	other.User.Sub = "crm-8"
	if text2, _ := json.Marshal(other.Stored()); string(text2) == string(text) {
		t.Error("two people ask the same")
	}
	if plain, _ := json.Marshal((&Request{UserID: 4, Report: "7"}).Stored()); strings.Contains(string(plain), "user\"") {
		t.Errorf("nobody is stored as %s", plain)
	}
}
