package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mayPass are the reasons for which a test may be skipped everywhere: it is asked
// for apart, the system does not let it be made, or the checkout is a shallow one.
// That a program is not there is none of them; package judges says so.
var mayPass = regexp.MustCompile(`takes|slow|runs with|QUIRE_PAGEDJS|needs /proc|cannot be opened here|mount a small disk|no links here|without the race detector|the history of the repository|Skip\(err\)`)

func TestNoJudgeIsSkippedInSilence(t *testing.T) {
	skip := regexp.MustCompile(`\b[tb]\.Skip(f|Now)?\(.*`)
	found := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "judges"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, call := range skip.FindAllString(string(text), -1) {
			found++
			if !mayPass.MatchString(call) {
				t.Errorf("%s: %s: when a program is missing, use judges.Missing, which fails where everything is to be judged", path, call)
			}
		}
		return nil
	})
	if err != nil || found < 5 {
		t.Errorf("%d skips were looked at, %v", found, err)
	}
}
