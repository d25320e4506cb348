package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/quire-reports/quire/render/pdfium"
)

// newDrawer makes what draws pages of attached PDF files. What it compiles lies below the
// data of a service, and in the user's cache of commands that have no data.
func newDrawer(s *settings, command bool) *pdfium.Drawer {
	parent := s.DataDir
	if cache, err := os.UserCacheDir(); command && err == nil {
		parent = filepath.Join(cache, "quire")
	}
	folder, err := filepath.Abs(filepath.Join(parent, "pdfium"))
	if err != nil || !knowsCompiler() {
		folder = ""
	}
	return pdfium.NewDrawer(folder)
}

// knowsCompiler reports whether the program knows which version of the compiler it has:
// tests do not, and must not run what another version compiled.
func knowsCompiler() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == "github.com/tetratelabs/wazero" })
}
