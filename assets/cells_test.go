package assets_test

import "testing"

// TestNarrowCellsPrintSigns lets cells too narrow for their numbers print signs,
// where that was chosen, and no others.
func TestNarrowCellsPrintSigns(t *testing.T) {
	tb := chrome(t)
	r := tb.paginate(t, one(`<table data-break="auto" class="q-el q-fixed" data-id="t" data-narrow="hashes" style="table-layout:fixed;width:120px"><tbody><tr><td style="white-space:nowrap">$123,456,789,012.55</td><td>12</td></tr></tbody></table>`))
	if len(r.Warnings) != 1 || r.Warnings[0].ID != "t" {
		t.Errorf("warnings %+v, want one of the table", r.Warnings)
	}
	tb.expect(t, `(() => { const cells = all("td").map((c) => c.textContent).join(" "); return cells === "### 12" ? "" : cells; })()`)
}
