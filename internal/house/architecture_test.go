package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
		top, below, _ := strings.Cut(room, "/")
		if !strings.Contains(page, "`"+room+"`") && !strings.Contains(page, "`"+room+"/`") && !strings.Contains(page, "`"+top+"/`") {
			t.Errorf("it does not know the room %s", room)
		}
		if row := rowOf(page, top); top == "internal" && !strings.Contains(row, "`"+below+"`") {
			t.Errorf("its row of internal/ does not say what %s is for", below)
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

// rowOf is the line of a table that begins with a folder.
func rowOf(page, folder string) string {
	return regexp.MustCompile("(?m)^\\| `" + folder + "/` .*$").FindString(page)
}

// TestWatchLooksAtAllSources: make watch builds again whatever has changed.
func TestWatchLooksAtAllSources(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", "scripts", "watch.sh"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^sources=\((.*)\)$`).FindSubmatch(script)
	if list == nil {
		t.Fatal("the script has no list of sources")
	}
	sources := strings.Fields(string(list[1]))
	for room := range rooms {
		if top, _, _ := strings.Cut(room, "/"); !slices.Contains(sources, top) {
			t.Errorf("it does not look at %s", top)
		}
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		if !slices.Contains(sources, file) {
			t.Errorf("it does not look at %s", file)
		}
	}
}

// TestTheChangelogSaysNothingTwice: lines that are there twice are what two changes
// left of each other.
func TestTheChangelogSaysNothingTwice(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		begin := strings.TrimSpace(line)
		if len(begin) > 60 {
			begin = begin[:60]
		}
		if len(begin) > 30 && seen[begin] {
			t.Errorf("it says twice: %s", line)
		}
		seen[begin] = true
	}
}
