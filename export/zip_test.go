package export

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// object builds an object of names and values in turn.
func objectOf(pairs ...any) *report.Object {
	o := &report.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func TestDataSetsAsFiles(t *testing.T) {
	booked := time.Date(2026, 11, 20, 8, 30, 0, 0, time.UTC)
	sets := objectOf(
		"transactions", []any{
			objectOf("text", "Lunch, \"Alder\"", "amount", -12.5, "booked", booked),
			objectOf("text", "=HYPERLINK(1)", "note", "Straße"),
		},
		"account", objectOf("iban", "AT61 1904 3002 3457 3201"),
		"tree", []any{objectOf("name", "root", "kids", []any{})},
		"a/b", []any{objectOf("n", 1.0)},
		"A:B", []any{},
	)
	got := map[string]string{}
	var names []string
	for _, f := range dataFiles(sets) {
		var b bytes.Buffer
		if err := f.write(&b); err != nil {
			t.Fatal(err)
		}
		names = append(names, f.name)
		got[f.name] = b.String()
		if want := map[bool]string{true: "text/csv", false: "application/json"}[strings.HasSuffix(f.name, ".csv")]; f.contentType != want {
			t.Errorf("%s is %s", f.name, f.contentType)
		}
	}
	want := []string{"transactions.json", "transactions.csv", "account.json", "tree.json", "a-b.json", "a-b.csv", "A-B (2).json"}
	if !slices.Equal(names, want) {
		t.Errorf("files are %q, want %q", names, want)
	}
	if want := "text,amount,booked,note\r\n\"Lunch, \"\"Alder\"\"\",-12.5,2026-11-20T08:30:00.000Z,\r\n'=HYPERLINK(1),,,Straße\r\n"; got["transactions.csv"] != want {
		t.Errorf("CSV is %q, want %q", got["transactions.csv"], want)
	}
	if !strings.Contains(got["transactions.json"], `"=HYPERLINK(1)"`) || !strings.Contains(got["account.json"], `"AT61 1904 3002 3457 3201"`) {
		t.Errorf("JSON is %s and %s", got["transactions.json"], got["account.json"])
	}
}

// The data of reports inside a report goes with it, once for each of their
// parameters.
func TestTheZIPHoldsTheDataOfSubreports(t *testing.T) {
	t.Parallel()
	all := files()
	all["reports/year-book.json"] = `{"name": "Year book", "dataSources": [{"name": "orders", "type": "json", "settings": {"content": [{"year": 2024}, {"year": 2025}, {"year": 2024}]}}],
		"pages": [{"id": 1, "name": "All", "elements": [{"type": "subreport", "repeat": {"source": "$data.orders"}, "props": {"report": "orders", "parameters": [{"name": "year", "value": "{$it.record.year}"}]}}]}]}`
	s, _ := newService(t, all)
	file, err := s.Export(t.Context(), Request{Report: "year-book", ExportOptions: report.ExportOptions{Format: "html", IncludeAttachments: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := file.Open()
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if _, err := packed.ReadFrom(content); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	want := []string{
		"Year book.html", "data/orders (2)/orders.csv", "data/orders (2)/orders.json", "data/orders (2)/rates.csv", "data/orders (2)/rates.json", "data/orders (2)/sum.json",
		"data/orders.csv", "data/orders.json", "data/orders/orders.csv", "data/orders/orders.json", "data/orders/rates.csv", "data/orders/rates.json", "data/orders/sum.json",
	}
	if !slices.Equal(names, want) {
		t.Errorf("the ZIP holds %q", names)
	}
}
