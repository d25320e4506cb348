package assets_test

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestSpeed(t *testing.T) {
	tb := chrome(t)
	for _, rows := range []int{1000, 3000, 10_000, 30_000, 10_000} {
		html := document(sheet{header: pageOfPages, footer: pageOfPages, body: table(rows)})
		if os.Getenv("PENDING") != "" {
			html = strings.Replace(html, `class="q-doc"`, `class="q-doc q-pending"`, 1)
			html = strings.Replace(html, `</style>`, `.q-pending>.q-sheet{display:none}</style>`, 1)
		}

		began := time.Now()
		tb.load(t, html)
		loaded := time.Since(began)
		var layout float64
		tb.eval(t, `(()=>{const a=performance.now();document.body.offsetHeight;return performance.now()-a})()`, &layout)
		var r result
		tb.eval(t, "quire.paginate()", &r)
		t.Logf("%6d rows %4d pages: parse %v, layout %.0f ms, paginate %.0f ms (%.1f µs a row)", rows, len(r.Pages), loaded.Round(time.Millisecond), layout, r.MS, r.MS*1000/float64(rows))
		t.Log(r.Warnings)
		began = time.Now()
		tb.eval(t, `(()=>{document.body.offsetHeight;return 0})()`, nil)
		t.Logf("layout of the pages %v", time.Since(began).Round(time.Millisecond))
	}
}
