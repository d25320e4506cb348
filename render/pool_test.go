package render

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/quire-reports/quire/internal/judges"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(serviceVariable); dir != "" {
		service(dir)
	}
	goleak.VerifyTestMain(m)
}

// stubScript is a paginator for these tests; see testdata.
func stubScript(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/paginate.js")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// testBrowser is the browser to test with; empty means the best on the PATH.
func testBrowser() string { return os.Getenv("QUIRE_TEST_BROWSER") }

// needBrowser skips a test where there is no browser.
func needBrowser(t testing.TB) {
	t.Helper()
	if _, err := FindBrowser(testBrowser()); err != nil {
		judges.Missing(t, "needs Chromium: ", err)
	}
}

func testConfig(t testing.TB) Config {
	t.Helper()
	needBrowser(t)
	return Config{Path: testBrowser(), Script: stubScript(t), Tabs: 2, Dir: t.TempDir(), Timeout: 20 * time.Second}
}

// newPool starts a pool and, at the end of the test, makes sure that it leaves
// nothing.
func newPool(t testing.TB, change func(*Config)) *Pool {
	t.Helper()
	c := testConfig(t)
	if change != nil {
		change(&c)
	}
	p := New(c)
	t.Cleanup(func() {
		var groups []int
		for _, b := range p.Health().Browsers {
			groups = append(groups, b.PID)
		}
		p.Stop()
		for _, pgid := range groups {
			if pgid <= 0 {
				continue
			}
			// Killed ones take a moment to give their memory back on a busy machine.
			for deadline := time.Now().Add(20 * time.Second); len(groupOf(pgid)) > 0; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Errorf("processes are left:%s", told(groupOf(pgid)))
					break
				}
			}
		}
		if left, _ := filepath.Glob(filepath.Join(p.c.Dir, dirPrefix+"*")); len(left) > 0 {
			t.Errorf("folders are left: %v", left)
		}
	})
	return p
}

// told is what the system says of processes.
func told(pids []int) (says string) {
	for _, pid := range pids {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		says += fmt.Sprintf("\n%.60s %.200q", stat, command)
	}
	return says
}

// groupOf are the processes of a group, with those of our own that have ended and that
// nobody has waited for. Helpers of a browser whose parent was killed with them are
// the first process's of the machine to wait for, which does so when it comes to it.
func groupOf(pgid int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if len(f) > 2 && f[2] == strconv.Itoa(pgid) && (f[0] != "Z" || f[1] == strconv.Itoa(os.Getpid())) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// page is a document of one page.
func page(text string) []byte {
	return []byte(`<!doctype html><html lang="en"><head><title>Test</title><style>body{font:12px sans-serif}</style></head><body>` +
		`<section class="q-sheet"><div class="q-body"><p>` + text + `</p></div></section></body></html>`)
}

// table is a document with one table of rows, perPage on a page; each row links
// to its mirror row.
func table(rows, perPage int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><head><title>Rows</title><style>table{width:100%%;border-collapse:collapse}td,th{height:10mm;padding:0;font:10px sans-serif}</style></head><body>`+
		`<section class="q-sheet"><div class="q-body"><table data-rows="%d"><thead><tr><th>No</th><th>Link</th></tr></thead><tbody>`, perPage)
	for i := range rows {
		fmt.Fprintf(&b, `<tr><td id="row%d">row %d</td><td><a href="#row%d">to the mirror row</a></td></tr>`, i, i, rows-1-i)
	}
	b.WriteString(`</tbody></table></div></section></body></html>`)
	return b.Bytes()
}
