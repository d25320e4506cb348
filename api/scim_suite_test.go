package api

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/store"
)

// testPublicSuiteOfSCIM holds the addresses of SCIM against a checker that nobody
// here wrote.
func testPublicSuiteOfSCIM(t *testing.T, open opener) {
	judges.Slow(t)
	t.Parallel()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	python := filepath.Join(cache, "quire", "scim", "bin", "python")
	if _, err := os.Stat(python); err != nil {
		judges.Missing(t, "needs scim2-tester; scripts/setup.sh test installs it")
	}
	h := open(t)
	server := httptest.NewServer(h.handler)
	defer server.Close()
	out, err := exec.CommandContext(t.Context(), python, "testdata/scim_suite.py", server.URL+"/scim/v2", h.provisioning(store.SourceSCIM, false)).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, c := range regexp.MustCompile(`\b([A-Z_]+)=(\d+)`).FindAllStringSubmatch(string(out), -1) {
		counts[c[1]], _ = strconv.Atoi(c[2])
	}
	if counts["SUCCESS"] < 60 || len(counts) > 2 || len(counts) == 2 && counts["SKIPPED"] == 0 {
		t.Errorf("%v", counts)
	}
}
