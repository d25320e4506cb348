package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestArchitectureIsTrue: ARCHITECTURE.md knows every room, and what it names is
// there: files, folders, functions beside the file that has them, and tests.
func TestArchitectureIsTrue(t *testing.T) {
	root := filepath.Join("..", "..")
	content, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(content)
	for room := range rooms {
		top, _, _ := strings.Cut(room, "/")
		if !strings.Contains(page, "`"+room+"`") && !strings.Contains(page, "`"+room+"/`") && !strings.Contains(page, "`"+top+"/`") {
			t.Errorf("it does not know the room %s", room)
		}
	}
	quoted := regexp.MustCompile("`([a-z]+/[a-z0-9/_.]*)`").FindAllStringSubmatch(page, -1)
	if len(quoted) < 30 {
		t.Errorf("only %d paths are found in it", len(quoted))
	}
	for _, q := range quoted {
		if strings.HasPrefix(q[1], "web/") || strings.HasPrefix(q[1], "dist/") {
			continue // they stand below assets
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(q[1]))); err != nil {
			t.Errorf("it names %s, which is not there", q[1])
		}
	}
	functions := regexp.MustCompile("`(?:\\w+\\.)?(\\w+)`[^`]{0,3}\\(`([a-z0-9/]+\\.go)`\\)").FindAllStringSubmatch(page, -1)
	if len(functions) < 10 {
		t.Errorf("only %d functions are found in it", len(functions))
	}
	for _, f := range functions {
		source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f[2])))
		if err == nil && !regexp.MustCompile(`(?m)^func (\(\w+ \*?\w+\) )?`+f[1]+`\(`).Match(source) {
			t.Errorf("%s has no function %s", f[2], f[1])
		}
	}
}
