package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// BenchmarkAcknowledged is what a setting costs: how many exports, a row and a task,
// and uploads of 20 kB, a file and a row, are acknowledged in a second to eight callers
// at once, with all of it on disk and with that left to the system. Both are done in turn,
// as the machine may be busy.
func BenchmarkAcknowledged(b *testing.B) {
	const callers, each = 8, 25
	content := strings.Repeat("0123456789", 2000)
	for _, kind := range []struct {
		name string
		do   func(f *fixture, w *Workspace) error
	}{
		{"Exports", func(f *fixture, w *Workspace) error {
			_, err := f.CreateExport(b.Context(), NewExport{WorkspaceID: w.ID, UserID: f.root.ID, Kind: ExportTask, Priority: Interactive, Payload: []byte(`{"report":"invoice"}`), Lifetime: time.Hour})
			return err
		}},
		{"Uploads", func(f *fixture, w *Workspace) error {
			_, _, err := f.PutTempData(b.Context(), w.ID, f.root.ID, upload(content, nil))
			return err
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var took [2]time.Duration
			var stores [2]*fixture
			var workspaces [2]*Workspace
			for i := range stores {
				dir := b.TempDir()
				s := ok[*Store](b)(Open(b.Context(), Config{
					Database: "sqlite:" + filepath.Join(dir, "quire.db"), Storage: "file://" + filepath.Join(dir, "files"),
					Key: testKey, Vector: testVector, Unsynced: i == 1,
				}))
				defer s.Close()
				stores[i] = &fixture{Store: s, t: b}
				stores[i].root = ok[*User](b)(s.CreateRootUser(b.Context(), "root@example.com", "Root", rootSecret))
				workspaces[i] = stores[i].workspace("acme")
			}
			for b.Loop() {
				for i := range stores {
					began := time.Now()
					var all errgroup.Group
					for range callers {
						all.Go(func() error {
							for range each {
								if err := kind.do(stores[i], workspaces[i]); err != nil {
									return err
								}
							}
							return nil
						})
					}
					if err := all.Wait(); err != nil {
						b.Fatal(err)
					}
					took[i] += time.Since(began)
				}
			}
			rate := func(i int) float64 { return float64(b.N*callers*each) / took[i].Seconds() }
			b.ReportMetric(rate(0), "on-disk/s")
			b.ReportMetric(rate(1), "unsynced/s")
			b.ReportMetric(rate(0)/rate(1), "on-disk/unsynced")
		})
	}
}

func TestMakeFolder(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b", "c")
	for range 2 {
		if err := MakeFolder(deep); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(deep); err != nil || !info.IsDir() {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.WriteFile(filepath.Join(top, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := MakeFolder(filepath.Join(top, "file", "below")); err == nil {
		t.Error("a folder was made below a file")
	}
}
