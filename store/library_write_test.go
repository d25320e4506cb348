package store

import (
	"fmt"

	"github.com/quire-reports/quire/report"
)

func testLibraryIsWritten(f *fixture) {
	w := f.workspace("shop")
	before := len(ok[[]Resource](f.t)(f.Resources(f.ctx(), w.ID, ThemeKind)))
	id := ok[int](f.t)(f.CreateResource(f.ctx(), w.ID, ThemeKind, []byte(`{"name": "Meadow", "code": "Meadow"}`)))
	list := ok[[]Resource](f.t)(f.Resources(f.ctx(), w.ID, ThemeKind))
	last := list[len(list)-1]
	if len(list) != before+1 || last.ID != id || last.Revision != 1 || last.Definition.(*report.Theme).Name != "Meadow" {
		f.t.Errorf("%+v", list)
	}
	_, err := f.CreateResource(f.ctx(), w.ID, ThemeKind, []byte(`{"name": "Again", "code": "meadow"}`))
	f.isKind(err, report.Conflict)
	if got := ok[int](f.t)(f.SaveResource(f.ctx(), w.ID, ThemeKind, id, 1, []byte(`{"name": "Meadow green", "code": "meadow"}`))); got != 2 {
		f.t.Errorf("revision %d", got)
	}
	_, err = f.SaveResource(f.ctx(), w.ID, ThemeKind, id, 1, []byte(`{"name": "Late", "code": "meadow"}`))
	f.isKind(err, report.Conflict)
	if !containsText(err, "somebody else has saved this theme meanwhile: it is at revision 2") {
		f.t.Error(err)
	}
	if theme := ok[*report.Theme](f.t)(f.ThemeByRef(f.ctx(), w.ID, "meadow")); theme.Name != "Meadow green" {
		f.t.Error(theme.Name)
	}
	// Rows are of one workspace and of one kind.
	_, err = f.SaveResource(f.ctx(), f.workspace("other").ID, ThemeKind, id, 2, []byte(`{"name": "x", "code": "meadow"}`))
	f.isKind(err, report.NotFound)
	f.isKind(f.DeleteResource(f.ctx(), w.ID, TemplateKind, id), report.NotFound)

	var ids []int
	for _, r := range list {
		ids = append([]int{r.ID}, ids...)
	}
	f.must(f.OrderResources(f.ctx(), w.ID, ThemeKind, ids))
	if first := ok[[]Resource](f.t)(f.Resources(f.ctx(), w.ID, ThemeKind))[0]; first.ID != id {
		f.t.Errorf("%+v is first", first)
	}
	for _, wrong := range [][]int{nil, append(ids, 999), append([]int{id}, ids...)} {
		f.isKind(f.OrderResources(f.ctx(), w.ID, ThemeKind, wrong), report.Invalid)
	}
	f.must(f.DeleteResource(f.ctx(), w.ID, ThemeKind, id))
	f.isKind(f.DeleteResource(f.ctx(), w.ID, ThemeKind, id), report.NotFound)

	for text, want := range map[string]string{
		`{"name": "x", "code": "1"}`:              "digits only",
		`{"name": "x", "code": "a", "wibble": 1}`: "wibble: unknown name",
		`[`: "",
	} {
		_, err := f.CreateResource(f.ctx(), w.ID, ThemeKind, []byte(text))
		f.isKind(err, report.Invalid)
		if !containsText(err, want) {
			f.t.Errorf("%s: %v", text, err)
		}
	}
	_, err = f.Resources(f.ctx(), w.ID, "colours")
	f.isKind(err, report.NotFound)
	for _, kind := range Kinds() {
		if _, err := f.Resources(f.ctx(), w.ID, kind); err != nil || kind.Category() == "" {
			f.t.Error(fmt.Sprint(kind), err)
		}
	}
}
