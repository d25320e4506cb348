package main

import (
	"encoding/json"
	"fmt"
)

// document is what is made again and again: a batch of it in each turn.
type document struct {
	name   string
	path   string // below the workspaces
	batch  int
	format string
	rows   int // that the request brings along
}

func documents() []document {
	return []document{
		{"invoice, PDF", "demo/reports/invoice/pdf", 40, "pdf", 0},
		{"invoice, HTML", "demo/reports/invoice/pdf", 100, "html", 0},
		{"statement, PDF", "demo/reports/statement/pdf", 12, "pdf", 0},
		{"price list, PDF", "demo/reports/price-list/pdf", 12, "pdf", 0},
		{"sales report, PDF", "demo/reports/sales/pdf", 12, "pdf", 0},
		{"1,000 rows, PDF", "tables/reports/ledger/pdf", 3, "pdf", 1_000},
		{"10,000 rows, PDF", "tables/reports/ledger/pdf", 1, "pdf", 10_000},
		{"100,000 cells, HTML", "tables/reports/ledger/pdf", 10, "html", 20_000},
	}
}

// request is with rows of five cells, of which some wrap.
func (d document) request() []byte {
	type row struct {
		No       int     `json:"no"`
		Date     string  `json:"date"`
		Text     string  `json:"text"`
		Category string  `json:"category"`
		Amount   float64 `json:"amount"`
	}
	list := make([]row, d.rows)
	for i := range list {
		list[i] = row{
			i + 1, fmt.Sprintf("2026-%02d-%02d", i%12+1, i%28+1),
			fmt.Sprintf("Payment by card, merchant %d, Lindenstraße %d, terminal %04d, reference %08d", i%977, i%99, i%1000, i*7919),
			"Groceries and household", float64(i%5000) + float64(i%100)/100,
		}
	}
	request := map[string]any{"format": d.format}
	if d.rows > 0 {
		request["data"] = map[string]any{"rows": list}
	}
	body, _ := json.Marshal(request) // of nothing that JSON lacks
	return body
}

const ledger = `{
  "version": 1, "name": "Ledger", "type": "ledger", "title": "Ledger",
  "dataSources": [{"name": "rows", "type": "json", "settings": {"content": "[]"}}],
  "pages": [{"id": 1, "name": "Rows", "elements": [{"type": "data-table", "props": {
    "source": "$data.rows", "breakAcrossPages": true,
    "columns": [{"field": "no"}, {"field": "date"}, {"field": "text"}, {"field": "category"}, {"field": "amount"}]
  }}]}]
}`
