package render
import ("testing";"time")
func TestDbg(t *testing.T){
	p := newPool(t, func(c *Config) { c.Script = realScript(t) })
	mustPrint(t, p, Job{HTML: page("warm")})
	for p.ready.Load() < 2 { time.Sleep(10 * time.Millisecond) }
	time.Sleep(50*time.Millisecond)
	for i:=0;i<2;i++{
	dbgT0 = time.Now()
	res := mustPrint(t, p, Job{HTML: ourTable(10000), Paginate: true})
	t.Logf("%+v %d parts %d helped %d", res.Timings, len(res.Pages), len(res.Parts), p.Stats().Helped)
	res.Close()
	time.Sleep(time.Second)
	}
	dbgT0 = time.Now()
	res := mustPrint(t, p, Job{HTML: ownPrint(10000)})
	t.Log(res.Timings)
}
