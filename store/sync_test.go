package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkAcknowledge is what a setting costs: the time until an upload of 20 kB,
// a file and a row, is acknowledged, with all of it on disk and with that left to
// the system.
func BenchmarkAcknowledge(b *testing.B) {
	for name, unsynced := range map[string]bool{"OnDisk": false, "Unsynced": true} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			s := ok[*Store](b)(Open(b.Context(), Config{
				Database: "sqlite:" + filepath.Join(dir, "quire.db"), Storage: "file://" + filepath.Join(dir, "files"),
				Key: testKey, Vector: testVector, Unsynced: unsynced,
			}))
			defer s.Close()
			f := &fixture{Store: s, t: b}
			f.root = ok[*User](b)(s.CreateRootUser(b.Context(), "root@example.com", "Root", rootSecret))
			w, content := f.workspace("acme"), bytes.Repeat([]byte("0123456789"), 2000)
			for b.Loop() {
				if _, _, err := s.PutTempData(b.Context(), w.ID, f.root.ID, upload(string(content), nil)); err != nil {
					b.Fatal(err)
				}
			}
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
