package assets_test

import (
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	tb := chrome(t)
	html := document(sheet{header: "H", footer: pageOfPages, body: table(1700)})
	for range 3 {
	for name, css := range map[string]string{"base": "", "noprecision": ".q-doc{text-rendering:auto!important}", "nocontain": ".q-page{contain:none!important}", "hidden": ".q-page-body{overflow:hidden;contain:strict}", "visible": ".q-page{overflow:visible!important}", "static":".q-page-body,.q-page-header,.q-page-footer{position:static!important}", "nobreakinside":".q-page{break-inside:auto!important}", "separate":"table{border-collapse:separate!important}","noborder":"td,th{border:0!important}"} {
		tb.paginate(t, html)
		tb.eval(t, "{const s=document.createElement('style');s.textContent=`"+css+"`;document.head.append(s);document.body.offsetHeight;null}", nil)
		b := time.Now()
		tb.pdf(t)
		t.Logf("%-15s %v", name, time.Since(b).Round(time.Millisecond))
	}}
}
