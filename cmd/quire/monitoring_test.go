package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/quire-reports/quire/internal/judges"
)

const (
	dashboards = "../../deploy/grafana/*.json"
	alerts     = "../../deploy/prometheus/quire-alerts.yml"
)

// figure is a metric that monitors may ask for.
type figure struct {
	labels []string
	help   string
}

// figures are the metrics of a service by name, those of Go left out.
func (s *service) figures() map[string]figure {
	s.t.Helper()
	descs := make(chan *prometheus.Desc)
	go func() {
		s.engine.watched.registry.Describe(descs)
		close(descs)
	}()
	list := map[string]figure{}
	for desc := range descs {
		m := describedMetric.FindStringSubmatch(desc.String())
		switch {
		case m != nil:
			list[m[1]] = figure{strings.FieldsFunc(m[3], func(r rune) bool { return r == ',' }), m[2]}
		case strings.Contains(desc.String(), "quire_"):
			s.t.Errorf("this test does not understand %s", desc)
		}
	}
	return list
}

// query is an expression of a dashboard or an alert.
type query struct{ where, text string }

// plain is a query without the variables that Grafana fills in.
func (q query) plain() string {
	return strings.NewReplacer("$__rate_interval", "1m", "$instance", ".*").Replace(q.text)
}

// dashboardQueries are the queries of all dashboards, and the alerts' expressions.
func dashboardQueries(t *testing.T) (panels, rules []query) {
	t.Helper()
	files, err := filepath.Glob(dashboards)
	if err != nil || len(files) == 0 {
		t.Fatal("no dashboards", err)
	}
	for _, file := range files {
		doc, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d struct {
			Panels []struct {
				Title   string
				Targets []struct{ Expr string }
			}
		}
		if err := json.Unmarshal(doc, &d); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, panel := range d.Panels {
			for _, target := range panel.Targets {
				panels = append(panels, query{filepath.Base(file) + ": " + panel.Title, target.Expr})
			}
		}
	}
	doc, err := os.ReadFile(alerts)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`- alert: (\w+)\n +expr: (.+)\n`).FindAllStringSubmatch(string(doc), -1) {
		rules = append(rules, query{m[1], m[2]})
	}
	return panels, rules
}

var (
	usedMetric = regexp.MustCompile(`\b(quire_[a-z_]+)(?:\{([^}]*)\})?`)
	usedLabel  = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)`)
)

// Dashboards and alerts name metrics and labels that exist, and what is measured is
// looked at by one of them.
func TestDashboardsAndAlertsKnowTheMetrics(t *testing.T) {
	figures := startService(t).figures()
	panels, rules := dashboardQueries(t)
	if len(panels) < 40 || len(rules) < 10 {
		t.Fatalf("%d queries of dashboards and %d alerts", len(panels), len(rules))
	}
	seen := map[string]bool{}
	for _, q := range append(panels, rules...) {
		for _, name := range metricsOf(t, figures, q) {
			seen[name] = true
		}
	}
	keepPart(t, "../../docs/deployment.md", "alerts", alertTable(t))
	for name := range figures {
		if !seen[name] {
			t.Errorf("%s is on no dashboard and in no alert", name)
		}
	}
}

// metricsOf are the metrics that a query asks for, each of which there has to be, with
// the labels that it is chosen by.
func metricsOf(t *testing.T, figures map[string]figure, q query) []string {
	t.Helper()
	var names []string
	for _, used := range usedMetric.FindAllStringSubmatch(q.text, -1) {
		name := used[1]
		if f := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, ""); f != name && figures[f].help != "" {
			name = f
		}
		f, there := figures[name]
		if !there {
			t.Errorf("%s: there is no metric %s", q.where, used[1])
		}
		names = append(names, name)
		for _, label := range usedLabel.FindAllStringSubmatch(used[2], -1) {
			if !slices.Contains(append([]string{"instance", "job", "le"}, f.labels...), label[1]) {
				t.Errorf("%s: %s has no label %s", q.where, used[1], label[1])
			}
		}
	}
	return names
}

// alertTable is how the guide lists the alerts.
func alertTable(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile(alerts)
	if err != nil {
		t.Fatal(err)
	}
	table := "\n| alert | severity | what it means, and what to do |\n|---|---|---|\n"
	alert := regexp.MustCompile(`(?s)- alert: (\w+)\n.*?severity: (\w+).*?description: "(.*?)"\n`)
	for _, m := range alert.FindAllStringSubmatch(string(doc), -1) {
		table += fmt.Sprintf("| `%s` | %s | %s |\n", m[1], m[2], regexp.MustCompile(`{{.*?}}`).ReplaceAllString(m[3], "…"))
	}
	return table + "\n"
}

// monitor is a program of Prometheus, unpacked or installed.
func monitor(t *testing.T, name string) string {
	t.Helper()
	cache, _ := os.UserCacheDir()
	if path := filepath.Join(cache, "quire", "prometheus", "root", "usr", "bin", name); exec.Command(path, "--version").Run() == nil {
		return path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		judges.Missing(t, "needs "+name+" (Debian: prometheus); scripts/setup.sh test unpacks it")
	}
	return path
}

func promtool(t *testing.T, input []byte, args ...string) {
	t.Helper()
	cmd := exec.Command(monitor(t, "promtool"), args...)
	cmd.Stdin = bytes.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("FAILED")) {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// promtool accepts the metrics, the alerts, whose tests let each of them fire, and
// the configuration.
func TestPromtoolAcceptsWhatMonitorsGet(t *testing.T) {
	monitor(t, "promtool")
	s := startService(t)
	s.ok(http.MethodPost, "/api/v1/ws/demo/reports/invoice/pdf", "{}")
	promtool(t, s.ok(http.MethodGet, "/metrics", nil).body, "check", "metrics")
	promtool(t, nil, "check", "config", "../../deploy/prometheus/prometheus.yml")
	promtool(t, nil, "test", "rules", "../../deploy/prometheus/quire-alerts.test.yml")
}

// The tests of the alerts see each of them fire: when none ever does, all of them are
// missed.
func TestEachAlertIsSeenFiring(t *testing.T) {
	program := monitor(t, "promtool")
	known, err := os.ReadFile(alerts)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile(strings.TrimSuffix(alerts, ".yml") + ".test.yml")
	if err != nil {
		t.Fatal(err)
	}
	never := regexp.MustCompile(`( expr: ).*`).ReplaceAll(known, []byte("${1}vector(1) < 0"))
	dir := t.TempDir()
	for name, content := range map[string][]byte{filepath.Base(alerts): never, "test.yml": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(program, "test", "rules", filepath.Join(dir, "test.yml")).CombinedOutput()
	if err == nil {
		t.Fatal("the tests pass when no alert ever fires")
	}
	_, rules := dashboardQueries(t)
	for _, rule := range rules {
		if missed := `expr: "count(ALERTS{alertname=\"` + rule.where + `\",alertstate=\"firing\"})"`; !bytes.Contains(out, []byte(missed)) {
			t.Errorf("no test misses %s when it never fires:\n%s", rule.where, out)
		}
	}
}

// A real Prometheus reads a service and answers every query of the dashboards.
func TestPrometheusAnswersTheDashboards(t *testing.T) {
	program := monitor(t, "prometheus")
	s := startService(t)
	s.ok(http.MethodPost, "/api/v1/ws/demo/reports/invoice/pdf", "{}")
	at, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	dir, address := t.TempDir(), freeAddress(t)
	alertFile, err := filepath.Abs(alerts)
	if err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%q]\nscrape_configs: [{job_name: quire, static_configs: [{targets: [%q]}]}]\n", alertFile, at.Host)
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	besides(t, exec.Command(program, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address))
	ask := func(text string) (results int, err error) {
		resp, err := http.Get("http://" + address + "/api/v1/query?query=" + url.QueryEscape(text))
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		var answer struct {
			Status, Error string
			Data          struct{ Result []any }
		}
		body, err := io.ReadAll(resp.Body)
		if err == nil {
			err = json.Unmarshal(body, &answer)
		}
		if err == nil && answer.Status != "success" {
			err = fmt.Errorf("%s: %s", text, answer.Error)
		}
		return len(answer.Data.Result), err
	}
	until := func(text string) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
			if n, err := ask(text); err == nil && n > 0 {
				return
			} else if time.Now().After(deadline) {
				t.Fatalf("Prometheus never finds %s: %v", text, err)
			}
		}
	}
	until(`quire_documents_total{result="ok"} > 0`)
	s.ok(http.MethodPost, "/api/v1/ws/demo/reports/invoice/pdf", "{}") // rates are of what happens between readings
	until(`increase(quire_documents_total{result="ok"}[1m]) > 0`)
	panels, rules := dashboardQueries(t)
	answered := 0
	for _, q := range panels {
		n, err := ask(q.plain())
		if err != nil {
			t.Errorf("%s: %v", q.where, err)
		}
		answered += min(n, 1)
	}
	if n, err := ask(`ALERTS{alertstate="firing"}`); err != nil || n != 0 {
		t.Errorf("%d alerts of a service that works, %v", n, err)
	}
	for _, rule := range rules { // most have to hold for minutes before they fire
		if n, err := ask(rule.text); err != nil || n != 0 {
			t.Errorf("%s holds of a service that works: %d, %v", rule.where, n, err)
		}
	}
	t.Logf("%d of %d queries have an answer", answered, len(panels))
	if answered < len(panels)*2/3 {
		t.Errorf("only %d of %d queries have an answer of a service that printed", answered, len(panels))
	}
}
