package data

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
)

func TestMain(m *testing.M) {
	scripting.ChildMain()
	os.Exit(m.Run())
}

// scripts is one engine for a test.
func scripts(t testing.TB) *scripting.Pool {
	t.Helper()
	p := scripting.New(scripting.Config{Processes: 2})
	t.Cleanup(p.Stop)
	return p
}

func loader(t testing.TB, config Config) *Loader {
	t.Helper()
	l := NewLoader(config)
	t.Cleanup(l.Close)
	return l
}

func source(name, kind string, settings map[string]any, dependencies ...string) report.SourceUse {
	return report.SourceUse{DataSource: report.DataSource{Name: name, Type: kind, Settings: settings}, Dependencies: dependencies}
}

// loadOne loads one source and gives its value as JSON.
func loadOne(t *testing.T, l *Loader, kind string, settings map[string]any) (string, error) {
	t.Helper()
	set, err := l.Load(context.Background(), Request{Sources: []report.SourceUse{source("rows", kind, settings)}, Params: testParams(t), Dict: report.ObjectOf("hello", "Guten Tag"), Zone: belgrade(t)})
	if err != nil {
		return "", err
	}
	v, _ := set.Data.Get("rows")
	return toJSON(t, v), nil
}

func testParams(t *testing.T) *report.Object {
	t.Helper()
	return parse(t, `{"customerId": 42, "name": "O'Brien", "from": "2024-02-01", "range": {"from": "2024-02-01", "to": "2024-03-01"},
		"ids": [1, 2, 3], "none": null, "empty": [], "price": 12.50, "big": 12345678901234567890, "on": true, "tricky": "'; DROP TABLE orders; --"}`).(*report.Object)
}

func belgrade(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Belgrade")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func parse(t testing.TB, text string) any {
	t.Helper()
	v, err := report.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func toJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
