package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
)

// verdict is what veraPDF says of a file.
type verdict struct {
	Flavour   string
	File      string
	Passed    []string // rules of the profile, as clause-number
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
// 2a), for a protected file a colon and the password, an equals sign and a path.
func veraPDF(t testing.TB, files ...string) []verdict {
	t.Helper()
	out := javaJudge(t, "verapdf", "Validate.java", files)
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

// javaJudge runs a program of the folder with its name below scripts and gives what
// it prints.
func javaJudge(t testing.TB, name, program string, args []string) []byte {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		judges.Missing(t, "no folder for judges: ", err)
	}
	folder := filepath.Join(cache, "quire", name)
	if _, err := os.Stat(filepath.Join(folder, "sum")); err != nil {
		judges.Missing(t, "needs "+name+": scripts/setup.sh test fetches it")
	}
	// Java compiles the program itself, so that it is always the one of this test.
	cmd := exec.Command("java", append([]string{"-cp", filepath.Join(folder, "lib", "*"), filepath.Join("..", "..", "scripts", name, program)}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", name, withErrors(err))
	}
	return out
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
		judges.Missing(t, "needs qpdf")
	}
	if out, err := exec.Command("qpdf", "--check", file).CombinedOutput(); err != nil {
		t.Errorf("qpdf: %v\n%s", err, out)
	}
}

// tally is how many files kept each rule of a flavour and how many broke it.
type tally struct {
	mu       sync.Mutex
	flavours map[string]map[string]*[2]int
}

func (c *tally) add(v verdict) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flavours == nil {
		c.flavours = map[string]map[string]*[2]int{}
	}
	rules := c.flavours[v.Flavour]
	if rules == nil {
		rules = map[string]*[2]int{}
		c.flavours[v.Flavour] = rules
	}
	count := func(rule string, at int) {
		if rules[rule] == nil {
			rules[rule] = &[2]int{}
		}
		rules[rule][at]++
	}
	for _, rule := range v.Passed {
		count(rule, 0)
	}
	for _, f := range v.Failed {
		count(f.Rule, 1)
	}
}

// String lists the rules by flavour and clause.
func (c *tally) String() string {
	var b strings.Builder
	for _, flavour := range slices.Sorted(maps.Keys(c.flavours)) {
		rules := c.flavours[flavour]
		clauses := map[string][2][]string{}
		files := 0
		for _, rule := range slices.SortedFunc(maps.Keys(rules), byNumbers) {
			clause, test, _ := strings.Cut(rule, "-")
			list := clauses[clause]
			at := 0
			if rules[rule][1] > 0 {
				at, test = 1, fmt.Sprintf("%s (in %d files)", test, rules[rule][1])
			}
			list[at] = append(list[at], test)
			clauses[clause] = list
			files = max(files, rules[rule][0]+rules[rule][1])
		}
		fmt.Fprintf(&b, "%s, %d files, %d rules\n", flavour, files, len(rules))
		for _, clause := range slices.SortedFunc(maps.Keys(clauses), byNumbers) {
			list := clauses[clause]
			fmt.Fprintf(&b, "  clause %-10s passed: %s", clause, strings.Join(list[0], " "))
			if len(list[1]) > 0 {
				fmt.Fprintf(&b, "; FAILED: %s", strings.Join(list[1], " "))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// byNumbers orders clauses such as 7.2-9 and 7.18.1-2 by their numbers.
func byNumbers(a, b string) int {
	numbers := func(s string) (list []int) {
		for _, field := range strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '-' }) {
			n, _ := strconv.Atoi(field)
			list = append(list, n)
		}
		return list
	}
	return cmp.Or(slices.Compare(numbers(a), numbers(b)), strings.Compare(a, b))
}
