package render
import ("testing";"time";"context";"os";"strings";"strconv";"fmt")
func TestDbg(t *testing.T){
	rows, _ := strconv.Atoi(os.Getenv("ROWS")); if rows==0 {rows=10000}
	per, _ := strconv.Atoi(os.Getenv("PER")); if per==0 {per=50}
	c := testConfig(t); c.Script = realScript(t); c.Flags = strings.Fields(os.Getenv("FLAGS")); c=c.withDefaults()
	pr, err := startProcess(context.Background(), c, c.Dir)
	if err != nil { t.Fatal(err) }
	defer pr.end()
	var cn counters
	b := newBrowser(pr)
	ctx := context.Background()
	mem := func(n string, t0 time.Time) { d := time.Since(t0); s := int64(0); for _, pid := range groupOf(pr.pid) { s += proportional(pid) }; t.Logf("%-30s %6d MB %v", n, s>>20, d.Round(time.Millisecond)) }
	s := &slot{pool: &Pool{c: c, dir: &workDir{base: c.Dir}}}
	tb, err := openTab(ctx, b, c.Script, &cn)
	if err != nil { t.Fatal(err) }
	tb2, err := openTab(ctx, b, c.Script, &cn)
	if err != nil { t.Fatal(err) }
	mem("open", time.Now())
	html := ourTable(rows)
	t0 := time.Now()
	p, err := tb.paginate(ctx, html)
	if err != nil { t.Fatal(err) }
	mem(fmt.Sprint("paginate ", len(p.Pages)), t0)
	if js := os.Getenv("AFTER"); js != "" { t0 = time.Now(); tb.call(ctx, js, nil); mem(js, t0) }
	head, _ := tb.evaluate(ctx, "quirePool.relink(); quirePool.head()")
	head = rawString(head)
	var ws [][]byte
	t0 = time.Now()
	for i := 1; i <= len(p.Pages); i += per {
		v, err := tb.evaluate(ctx, fmt.Sprintf("quire.extract(%d,%d)", i, min(i+per-1, len(p.Pages))))
		if err != nil { t.Fatal(err) }
		ws = append(ws, []byte(`"`+string(head)+string(rawString(v))+`</body></html>"`))
	}
	mem("extract", t0)
	t1 := time.Now()
	for i, w := range ws {
		t0 = time.Now()
		if _, err := tb2.fillRaw(ctx, newParams(0).str("frameId", tb2.target).raw("html", w), "quirePool.adopt()"); err != nil { t.Fatal(err) }
		d := time.Since(t0)
		sp, err := s.printTab(ctx, tb2, &Job{}, true); if err != nil { t.Fatal(err) }
		if i < 4 || i == len(ws)-1 { mem(fmt.Sprintf("fill %v %d size %d", d, len(w), sp.size), t0) }
		sp.remove()
	}
	t.Log("all prints", time.Since(t1), len(ws))
}
