package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scalingQuery is what the chart lets KEDA ask Prometheus.
func scalingQuery(t *testing.T, values string) query {
	t.Helper()
	objects, said := renderChart(t, values)
	for _, o := range objects {
		for _, trigger := range o.Spec.Triggers {
			return query{o.Kind + " " + o.Metadata.Name, trigger.Metadata["query"]}
		}
	}
	t.Fatal("nothing is asked", said)
	return query{}
}

// What workers are scaled by is measured.
func TestScalingKnowsTheMetrics(t *testing.T) {
	t.Parallel()
	if names := metricsOf(t, startService(t).figures(), scalingQuery(t, ofKeda)); len(names) < 3 {
		t.Errorf("it asks for %v", names)
	}
}

// Workers are scaled by how long the oldest task has waited. Who makes something is
// not ended while nothing waits, and who knows nothing of the queue changes nothing.
func TestWorkersAreScaledByTheQueue(t *testing.T) {
	t.Parallel()
	monitor(t, "promtool")
	up := `quire_database_up{namespace="office"}`
	waits := `quire_queue_oldest_seconds{namespace="office",kind="export",priority="interactive"}`
	made := `quire_queue_tasks{namespace="office",kind="export",priority="interactive",state="running"}`
	elsewhere := `quire_queue_oldest_seconds{namespace="shop",kind="export",priority="batch"}`
	elsewhereMade := `quire_queue_tasks{namespace="shop",kind="export",priority="batch",state="running"}`
	for name, c := range map[string]struct {
		series map[string]int
		want   string // nothing: no sample at all
		of     string // the same among others
	}{
		"an empty queue":            {map[string]int{up: 1}, "0", "0"},
		"a task that waits":         {map[string]int{up: 1, waits: 42, made: 0}, "42", "42"},
		"a task that is made":       {map[string]int{up: 1, waits: 0, made: 3}, "1", "1"},
		"both":                      {map[string]int{up: 1, waits: 42, made: 3}, "43", "43"},
		"another release":           {map[string]int{up: 1, waits: 5, made: 0, elsewhere: 900, elsewhereMade: 2}, "901", "5"},
		"no answer of the database": {map[string]int{up: 0}, "", ""},
		"nothing that is read":      {nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for values, want := range map[string]string{
				ofKeda: c.want,
				strings.ReplaceAll(ofKeda, `:9090"`, `:9090", labels: 'namespace="office"'`): c.of,
			} {
				promqlGives(t, scalingQuery(t, values).text, c.series, want)
			}
		})
	}
}

// promqlGives lets promtool work out an expression over series.
func promqlGives(t *testing.T, expression string, series map[string]int, want string) {
	t.Helper()
	file := "rule_files: []\ntests:\n  - interval: 15s\n    input_series:\n"
	for name, value := range series {
		file += fmt.Sprintf("      - {series: '%s', values: '%d'}\n", name, value)
	}
	file += fmt.Sprintf("    promql_expr_test:\n      - expr: '%s'\n        eval_time: 0s\n        exp_samples: [", expression)
	if want != "" {
		file += "{labels: '{}', value: " + want + "}"
	}
	path := filepath.Join(t.TempDir(), "scaling.yml")
	if err := os.WriteFile(path, []byte(file+"]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	promtool(t, nil, "test", "rules", path)
}
