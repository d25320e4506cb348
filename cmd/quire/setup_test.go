package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Debian's own Go is too old, and would complain only of a line of go.mod, after
// minutes of installing.
func TestSetupNamesAGoThatIsTooOld(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, prints, says string }{
		{"as Debian has it", "echo go1.19.8", "Go 1.19.8 is too old: install Go 1."},
		{"one that cannot fetch a newer one", `[ "$GOTOOLCHAIN" = local ] && echo go1.23.0`, "Go 1.23.0 is too old: install Go 1."},
		{"none", "exit 127", "Go is missing: install Go 1."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\n"+tt.prints+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			setup := exec.Command("bash", filepath.Join("..", "..", "scripts", "setup.sh"), "run")
			setup.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "GOTOOLCHAIN=auto")
			said, err := setup.CombinedOutput()
			if err == nil || !strings.HasPrefix(string(said), tt.says) {
				t.Errorf("it says %q, %v; want %q", said, err, tt.says)
			}
		})
	}
}

// The first pages say which Go it takes.
func TestTheFirstPagesSayWhichGo(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	for _, page := range []string{"README.md", filepath.Join("docs", "index.md")} {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil || version == nil || !strings.Contains(string(text), "Go "+string(version[1])+" or newer") {
			t.Errorf("%s does not say that it takes Go %s or newer, as go.mod does: %v", page, version, err)
		}
	}
}
