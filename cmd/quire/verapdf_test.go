package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// verdict is what veraPDF says of a file.
type verdict struct {
	Flavour   string
	File      string
	Rules     int // of the profile
	Checks    int
	Compliant bool
	Failed    []struct {
		Rule    string
		Count   int
		Message string
		Places  []string
	}
	Error string
}

// veraPDF validates files in one Java machine. Each is a flavour (ua1, 2b, 3b,
// 2a), an equals sign and a path.
func veraPDF(t testing.TB, files ...string) []verdict {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no folder for veraPDF: ", err)
	}
	folder := filepath.Join(cache, "quire", "verapdf")
	if _, err := os.Stat(filepath.Join(folder, "sum")); err != nil {
		t.Skip("needs veraPDF: scripts/setup.sh test fetches it")
	}
	classes := filepath.Join(folder, "lib", "*") + string(os.PathListSeparator) + filepath.Join(folder, "classes")
	cmd := exec.Command("java", append([]string{"-cp", classes, "Validate"}, files...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("veraPDF: %v", withErrors(err))
	}
	var list []verdict
	for line := range bytes.Lines(out) {
		var v verdict
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("veraPDF wrote %q: %v", line, err)
		}
		list = append(list, v)
	}
	if len(list) != len(files) {
		t.Fatalf("veraPDF judged %d of %d files", len(list), len(files))
	}
	return list
}

// withErrors adds what a program wrote to its error output.
func withErrors(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return errors.New(string(exit.Stderr))
	}
	return err
}

// qpdfCheck has qpdf look at a file.
func qpdfCheck(t testing.TB, file string) {
	t.Helper()
	if _, err := exec.LookPath("qpdf"); err != nil {
		t.Skip("needs qpdf")
	}
	if out, err := exec.Command("qpdf", "--check", file).CombinedOutput(); err != nil {
		t.Errorf("qpdf: %v\n%s", err, out)
	}
}
