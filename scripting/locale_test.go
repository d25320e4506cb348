package scripting

import (
	"context"
	"strings"
	"testing"
	"time"
)

// spaces makes the blanks of CLDR comparable by eye.
var spaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

func TestLocaleFormatting(t *testing.T) {
	p := testPool(t, Config{Processes: 1})
	zone, err := time.LoadLocation("Europe/Belgrade")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ source, want string }{
		{`(1234567.891).toLocaleString()`, `1.234.567,891`},
		{`(1234567.891).toLocaleString("en-US")`, `1,234,567.891`},
		{`(1234.5).toLocaleString(["fr-FR"], {minimumFractionDigits: 2})`, `1 234,50`},
		{`(1234.5).toLocaleString(undefined, {style: "currency", currency: "EUR"})`, `1.234,50 €`},
		{`(1234.5).toLocaleString("en-US", {style: "currency", currency: "USD", maximumFractionDigits: 0})`, `$1,235`},
		{`(0.256).toLocaleString("en-US", {style: "percent", maximumFractionDigits: 1})`, `25.6%`},
		{`new Intl.NumberFormat("en-US", {notation: "compact"}).format(105000)`, `105K`},
		{`Intl.NumberFormat("de-DE").format(1234)`, `1.234`},
		{`new Date(Date.UTC(2024, 1, 29, 17, 5, 9)).toLocaleDateString()`, `29.2.2024`},
		{`new Date(Date.UTC(2024, 1, 29, 17, 5, 9)).toLocaleDateString("en-US", {year: "numeric", month: "long", day: "numeric"})`, `February 29, 2024`},
		{`new Date(Date.UTC(2024, 1, 29, 17, 5, 9)).toLocaleTimeString("en-US")`, `6:05:09 PM`},
		{`new Date(Date.UTC(2024, 1, 29, 17, 5, 9)).toLocaleString("en-US", {timeZone: "America/New_York"})`, `2/29/2024, 12:05:09 PM`},
		{`new Intl.DateTimeFormat("de-DE", {dateStyle: "medium"}).format(new Date(Date.UTC(2024, 1, 29)))`, `29. Feb. 2024`},
		{`new Date(NaN).toLocaleString()`, `Invalid Date`},
		{`NaN.toLocaleString("de")`, `NaN`},
		{`new Date(Date.UTC(2024, 1, 29, 23, 30)).getDate().toString()`, `1`},
		{`["ö", "z", "o"].sort(new Intl.Collator("de").compare).join("")`, `oöz`},
		{`"İ".toLocaleLowerCase("tr").length > 0 ? "ok" : ""`, `ok`},
		{`(12).toLocaleString("not a locale") === undefined ? "" : "ok"`, `ok`},
		{`[1.5, new Date(0)].toLocaleString("en-US").length > 5 ? "ok" : ""`, `ok`},
	}
	for _, tt := range tests {
		r, err := p.Call(context.Background(), &Call{Source: tt.source, Zone: zone, Locale: "de-DE"})
		if err != nil {
			t.Errorf("%s: %v", tt.source, err)
			continue
		}
		got, _ := r.Values[0].(string)
		if spaces.Replace(got) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.source, got, tt.want)
		}
	}
}
