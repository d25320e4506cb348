package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest = regexp.MustCompile(`(?:\b([a-z][a-z/]*)\.)?\b((?:Test|Fuzz|Benchmark)\w+)`)
	namedCase = regexp.MustCompile(`cases ((?:"[^"]+"(?:, )?)+)`)
	quoted    = regexp.MustCompile(`"([^"]+)"`)
	otherRow  = regexp.MustCompile(`^(as )?A\d`)
	journey   = regexp.MustCompile(`(e2e/[\w.]+) "([^"]+)"`)
	namedFile = regexp.MustCompile(`\b(nasty/\w+|e2e/[\w.]+|scripts/[\w.-]+|docs/[\w.-]+)`)
)

// A finding stays mended by a test that there is; what has none says that it is not
// built or open.
func TestFindingsHaveTheTestsThatTheListNames(t *testing.T) {
	text, err := os.ReadFile("findings.md")
	if err != nil {
		t.Fatal(err)
	}
	cases := testsOf(t, "assets")
	sources := map[string]string{}
	tests := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 4 || cells[0] == "number" {
			continue
		}
		finding, named, state := cells[0]+", "+cells[1], cells[2], cells[3]
		in, found := "", 0
		for _, name := range namedTest.FindAllStringSubmatch(named, -1) {
			if name[1] != "" {
				in = name[1]
			}
			found++
			if _, known := sources[in]; !known {
				sources[in] = testsOf(t, in)
			}
			if !strings.Contains(sources[in], "func "+name[2]+"(") {
				t.Errorf("%s: %s has no %s", finding, in, name[2])
			}
		}
		for _, list := range namedCase.FindAllStringSubmatch(named, -1) {
			for _, name := range quoted.FindAllStringSubmatch(list[1], -1) {
				found++
				if !strings.Contains(cases, strings.Trim(name[1], " …")) {
					t.Errorf("%s: the paginator has no case %q", finding, name[1])
				}
			}
		}
		for _, name := range journey.FindAllStringSubmatch(named, -1) {
			text, err := os.ReadFile(filepath.Join("..", "..", name[1]))
			if err != nil || !strings.Contains(string(text), `test("`+name[2]+`"`) {
				t.Errorf("%s: %s has no journey %q (%v)", finding, name[1], name[2], err)
			}
		}
		for _, name := range namedFile.FindAllString(named, -1) {
			found++
			path := strings.Replace(name, "nasty/", "cmd/quire/testdata/nasty/", 1)
			if strings.HasPrefix(name, "nasty/") {
				path += ".json"
			}
			if _, err := os.Stat(filepath.Join("..", "..", path)); err != nil {
				t.Errorf("%s: %v", finding, err)
			}
		}
		if found == 0 && !otherRow.MatchString(named) && !strings.Contains(state, "not built") && !strings.Contains(state, "open") {
			t.Errorf("%s has no test", finding)
		}
		tests += found
	}
	if tests < 100 {
		t.Errorf("the list names %d tests", tests)
	}
}

// testsOf are the sources of the tests of a package.
func testsOf(t *testing.T, name string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(name), "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no package %q with tests: %v", name, err)
	}
	var all strings.Builder
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
