package assets_test

import (
	"bytes"
	"io/fs"
	"testing"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/assets/build/bundle"
)

// TestFresh builds the bundles in memory and compares them with those that are
// committed and embedded.
func TestFresh(t *testing.T) {
	files, err := bundle.Build(".")
	must(t, err)
	for name, want := range files {
		got, err := fs.ReadFile(assets.Dist(), name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("dist/%s is not what web builds to: run go generate ./assets", name)
		}
	}
	entries, err := fs.ReadDir(assets.Dist(), ".")
	must(t, err)
	for _, e := range entries {
		if files[e.Name()] == nil {
			t.Errorf("dist/%s is built by nothing", e.Name())
		}
	}
}

func TestBuildNamesTheFault(t *testing.T) {
	if _, err := bundle.Build(t.TempDir()); err == nil {
		t.Error("no error without sources")
	}
}
