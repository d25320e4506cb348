package render

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/render/layout"
)

// countFrames is a paginator that says for how many frames the window was drawn while
// its timers ran. Timers and observers of tabs have stood still in headless printing
// before.
const countFrames = `var quire = { async paginate() {
	let drawn = 0;
	const count = () => { drawn++; requestAnimationFrame(count); };
	requestAnimationFrame(count);
	for (let i = 0; i < 20; i++) await new Promise(r => setTimeout(r, 10));
	return { pages: [{ number: 1, width: 1, height: 1, name: '', sourcePage: 7 }], anchors: [], warnings: [{ id: 'a', message: '' + drawn }], ms: 1 };
} };`

func framesDrawn(t *testing.T, p *Pool) int {
	t.Helper()
	res := mustPrint(t, p, Job{HTML: page("x"), Paginate: true, Timeout: 30 * time.Second})
	if res.Pages[0].SourcePage != "7" {
		t.Fatalf("%+v", res)
	}
	n, err := strconv.Atoi(res.Warnings[0].Message)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestWindowsAreDrawnForPictures: no tab draws its window for nobody; one that has made
// a picture does for a while, as the next may be one, too, and is replaced then.
func TestWindowsAreDrawnForPictures(t *testing.T) {
	t.Parallel()
	p := newPool(t, func(c *Config) { c.Tabs, c.Script = 1, []byte(countFrames) })
	if n := framesDrawn(t, p); n != 0 {
		t.Errorf("%d frames before there was a picture", n)
	}
	box := []byte(`<!doctype html><html><body><div data-drawn style="width:20px;height:10px;background:#123456"></div></body></html>`)
	for range 3 {
		if drawings, _, err := p.Draw(t.Context(), Job{HTML: box}, "data-drawn"); err != nil || len(drawings) != 1 || len(drawings[0].PNG) == 0 {
			t.Fatalf("%v, %v", drawings, err)
		}
	}
	if n := framesDrawn(t, p); n == 0 {
		t.Error("the tab that has made pictures was given up at once")
	}
	for range windowKept {
		mustPrint(t, p, Job{HTML: page("x")})
	}
	for left := windowKept; framesDrawn(t, p) != 0; left-- { // the new tab is opened beside the documents
		if left == 0 {
			t.Fatal("the window is drawn for ever")
		}
	}
}

// TestReadingNeedsNoWindow: a document is read in a tab that does not draw, and only one
// with a drawing that the reader cannot paint goes to one that does.
func TestReadingNeedsNoWindow(t *testing.T) {
	t.Parallel()
	p := readerPool(t)
	read := func(style string) {
		t.Helper()
		html := `<!doctype html><html><body class="q-doc q-pending"><section class="q-sheet" data-width="500px" data-height="500px" data-margin="0"><div class="q-body"><div style="` + style + `"><svg width="40" height="24"><circle cx="20" cy="12" r="9"/></svg></div></div></section></body></html>`
		r, err := p.Read(t.Context(), Job{HTML: []byte(html)}, Reading{State: layout.Flow, Draw: func(*layout.ImageOf) bool { return true }})
		if err != nil || len(r.Drawings) != 1 || len(r.Drawings[0].PNG) == 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	read("")
	if n := p.stats.tabsRenewed.Load(); n != 0 {
		t.Errorf("%d tabs were opened for a drawing that the reader paints", n)
	}
	read("opacity:0.5")
	if n := p.stats.tabsRenewed.Load(); n != 1 {
		t.Errorf("%d tabs were opened for a drawing that only the window shows", n)
	}
}

// TestPicturesAndDocumentsAtOnce: many pictures asked for at once have crashed the
// browser, and lost the documents beside them, when windowless tabs were told
// to draw for them.
func TestPicturesAndDocumentsAtOnce(t *testing.T) {
	t.Parallel()
	p := newPool(t, func(c *Config) {
		c.Tabs, c.Queue, c.Script = 4, 1000, realScript(t)
		c.Timeout, c.Stall = 5*time.Minute, 5*time.Minute // not what this is about, on a busy machine
	})
	box := []byte(`<!doctype html><html><body><div data-drawn style="width:600px;height:400px;background:linear-gradient(red,blue)"></div></body></html>`)
	sheet := []byte(`<!doctype html><html><body class="q-doc q-pending"><section class="q-sheet" data-width="500px" data-height="700px" data-margin="0"><div class="q-body">a picture</div></section></body></html>`)
	var all sync.WaitGroup
	for i := range 80 {
		all.Go(func() {
			switch i % 4 {
			case 0:
				_, err := p.Print(t.Context(), Job{HTML: page("beside pictures")})
				noError(t, err)
			case 1:
				_, _, err := p.Draw(t.Context(), Job{HTML: box}, "data-drawn")
				noError(t, err)
			default:
				_, _, err := p.Picture(t.Context(), Job{HTML: sheet}, Still{Page: 1, Width: 400})
				noError(t, err)
			}
		})
	}
	all.Wait()
	if s := p.Stats(); s.BrowserLost > 0 || s.Retried > 0 {
		t.Errorf("%+v", s)
	}
}

func noError(t *testing.T, err error) {
	if err != nil {
		t.Error(err)
	}
}
