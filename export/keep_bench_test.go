package export

import (
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
)

// bundleService serves a bundle as it lies on the disk.
func bundleService(t testing.TB, bundle fs.FS) (*Service, *report.Workspace) {
	t.Helper()
	ws, problems := report.ReadWorkspace(bundle)
	if problems != nil {
		t.Fatal(problems)
	}
	guard, err := egress.New(egress.Config{})
	if err != nil {
		t.Fatal(err)
	}
	scripts := scripting.New(scripting.Config{Processes: 1, Timeout: time.Minute}) // other work takes most of the clock
	t.Cleanup(scripts.Stop)
	loader := data.NewLoader(data.Config{Scripts: scripts, Egress: guard})
	t.Cleanup(loader.Close)
	return New(Config{
		Timeout:     10 * time.Minute, // the race detector watches how pages of PDF files become pictures
		Definitions: Bundle{ws}, Loader: loader, Scripts: scripts, Printer: &printer{}, Guard: guard, Zone: time.UTC,
		Clock: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) },
	}), ws
}

// bundles are the demo and the gallery.
func bundles() map[string]fs.FS {
	return map[string]fs.FS{"demo": assets.Demo(), "gallery": os.DirFS("../examples/gallery")}
}

// BenchmarkEdit draws a report of the demo as an edit of the designer does, with
// the data loaded anew and with the data kept.
func BenchmarkEdit(b *testing.B) {
	s, ws := bundleService(b, assets.Demo())
	for _, code := range []string{"invoice", "sales-report"} {
		for i := range ws.Reports {
			if ws.Reports[i].Code != code {
				continue
			}
			for name, refresh := range map[string]bool{"loaded": true, "kept": false} {
				b.Run(code+"/"+name, func(b *testing.B) {
					req := PreviewRequest{AssetBase: "/assets", Request: Request{Report: code, Definition: &ws.Reports[i].Report, Refresh: refresh}}
					for b.Loop() {
						if _, err := s.Preview(b.Context(), req); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
