package render
import ("testing";"time";"os")
func TestDbg(t *testing.T){
	p := newPool(t, func(c *Config) { c.Script = realScript(t) })
	mustPrint(t, p, Job{HTML: page("warm")})
	for p.ready.Load() < 2 { time.Sleep(10 * time.Millisecond) }
	time.Sleep(50*time.Millisecond)
	w := watchMemory(p.Health().Browsers[0].PID)
	t.Log(p.queue.idle())
	for i:=0;i<2;i++{
	res := mustPrint(t, p, Job{HTML: ourTable(10000), Paginate: true})
	t.Logf("%+v %d %+v", res.Timings, len(res.Pages), res.Warnings)
	t.Log(p.queue.idle(), w.most.Load()>>20)
	}
	r2, err := p.Paginate(t.Context(), Job{HTML: ourTable(60), Paginate: true})
	t.Log(err)
	os.WriteFile("/tmp/w/render/pag.html", r2.HTML, 0o644)
	w.end()
}
