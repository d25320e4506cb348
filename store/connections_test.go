package store

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

func testConnections(f *fixture) {
	w, other := f.workspace("shop"), f.workspace("other")
	erp := Connection{Name: "erp", Type: "api", Address: "https://erp.example/v1?key=topsecret", Headers: []ConnectionHeader{{"X-Key", "s3cret"}, {"Accept", "application/json"}}}
	f.must(f.PutConnection(f.ctx(), w.ID, erp))
	f.must(f.PutConnection(f.ctx(), w.ID, Connection{Name: "db", Type: "postgres", Address: "postgres://u:topsecret@db/x"}))
	got := ok[*Connection](f.t)(f.Connection(f.ctx(), w.ID, "erp"))
	if got.Type != "api" || got.Address.Reveal() != erp.Address.Reveal() || len(got.Headers) != 2 || got.Headers[0].Value.Reveal() != "s3cret" {
		f.t.Errorf("%+v", got)
	}
	list := ok[[]Connection](f.t)(f.Connections(f.ctx(), w.ID))
	if len(list) != 2 || list[0].Name != "db" || list[1].Name != "erp" || list[1].Address != "" {
		f.t.Errorf("%+v", list)
	}
	// In another workspace it is not, and what is stored shows nothing.
	_, err := f.Connection(f.ctx(), other.ID, "erp")
	f.isKind(err, report.NotFound)
	var rows []struct {
		Address string `db:"address"`
		Headers string `db:"headers"`
	}
	f.must(f.db.list(f.ctx(), &rows, "SELECT address, headers FROM connections"))
	printed := fmt.Sprintf("%v %v %+v %#v", rows, got, got, got)
	bundle := ok[*report.Workspace](f.t)(f.ExportWorkspace(f.ctx(), w.Code))
	packed, err := json.Marshal(bundle)
	f.must(err)
	for _, secret := range []string{"topsecret", "s3cret"} {
		if strings.Contains(printed, secret) || strings.Contains(string(packed), secret) {
			f.t.Errorf("%s is shown: %s", secret, printed)
		}
	}
	// A secret that is moved to another row does not open.
	_, err = f.db.exec(f.ctx(), "UPDATE connections SET address = (SELECT address FROM connections WHERE name = 'db') WHERE name = 'erp'")
	f.must(err)
	if _, err = f.Connection(f.ctx(), w.ID, "erp"); !containsText(err, "does not open") {
		f.t.Error(err)
	}
	erp.Address = "https://erp.example/v2"
	f.must(f.PutConnection(f.ctx(), w.ID, erp))
	if got := ok[*Connection](f.t)(f.Connection(f.ctx(), w.ID, "erp")); got.Address.Reveal() != "https://erp.example/v2" {
		f.t.Error(got)
	}
	f.must(f.DeleteConnection(f.ctx(), w.ID, "erp"))
	f.isKind(f.DeleteConnection(f.ctx(), w.ID, "erp"), report.NotFound)
	for want, c := range map[string]Connection{
		`unknown connection type "oracle"; accepted: postgres, mysql`: {Name: "a", Type: "oracle", Address: "x"},
		"the address is missing":                    {Name: "a", Type: "api"},
		"a name has 1 to":                           {Name: " a", Type: "api", Address: "x"},
		"connections of type mysql have no headers": {Name: "a", Type: "mysql", Address: "x", Headers: []ConnectionHeader{{"A", "b"}}},
	} {
		err := f.PutConnection(f.ctx(), w.ID, c)
		f.isKind(err, report.Invalid)
		if !containsText(err, want) {
			f.t.Errorf("%v, want %s", err, want)
		}
	}
}
