package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
)

// compiled is a folder for what is compiled of WebAssembly: below the data of a service,
// and in the user's cache of commands that have no data. Empty means that nothing is kept.
func compiled(s *settings, command bool, name string) string {
	parent := s.DataDir
	if cache, err := os.UserCacheDir(); command && err == nil {
		parent = filepath.Join(cache, "quire")
	}
	folder, err := filepath.Abs(filepath.Join(parent, name))
	if err != nil || !knowsCompiler() {
		return ""
	}
	return folder
}

// knowsCompiler reports whether the program knows which version of the compiler it has:
// tests do not, and must not run what another version compiled.
func knowsCompiler() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == "github.com/tetratelabs/wazero" })
}
