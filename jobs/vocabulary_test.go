package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// The number of the run, the job, the place of the entry and the time of the
// run stand in names, folders, mails and conditions of entries.
func TestWhatEntriesKnowOfTheirRun(t *testing.T) {
	t.Parallel()
	p := newPlace(t, store.Config{})
	j := statements()
	j.Reports[0].FileName = "Doc {$run.number} {$job.code} {$entry.position} {$now:d;yyyyMMdd}"
	j.Deliveries = []report.JobDelivery{{Type: "local", Condition: "{$entry.position} < 3 && {$run.number} > 0 && {$job.name} == 'Statements'", Settings: map[string]any{"to": "run-{$run.number}/{$entry.position}"}}}
	p.job(j)
	box := &mailbox{}
	s, _ := p.service(plain, withBatch(p), func(c *Config) { c.Deliver = box })
	if problems, err := s.Check(t.Context(), p.ws, &j); err != nil || slices.ContainsFunc(problems, func(p *report.Problem) bool { return strings.Contains(p.Message, "$") }) {
		t.Errorf("the check says %v, %v", problems, err)
	}
	run := p.run(s, "statements")
	if got := p.finished(s, "statements", run); got.Completed != 3 {
		t.Fatalf("%+v %+v", got, p.entries(run))
	}
	shared, err := s.setting(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	day := shared.run.Created.Local().Format("01-02-2006")
	want := []string{fmt.Sprintf("run-%d/1 Doc %d statements 1 %s.pdf", run, run, day), fmt.Sprintf("run-%d/2 Doc %d statements 2 %s.pdf", run, run, day)}
	if d := cmp.Diff(want, box.all()); d != "" {
		t.Error(d)
	}
}

// Values make no folders: the template alone divides a path.
func TestValuesMakeNoFolders(t *testing.T) {
	t.Parallel()
	p := newPlace(t, store.Config{})
	s := p.tried(plain, &settled{})
	sc, err := s.sceneOf(t.Context(), &setting{run: &store.Run{WorkspaceID: p.ws}, job: &report.Job{}}, func(root string) (any, bool) {
		return report.ObjectOf("name", "victim/inbox", "win", `a\b`, "empty", "", "up", "..", "here", " . ", "up2", "../..", "plain", "Ana"), root == "$record"
	})
	if err != nil {
		t.Fatal(err)
	}
	for template, want := range map[string]string{
		"cust/{$record.name}":                  "cust/victim-inbox",
		"cust/{$record.win}/x":                 "cust/a-b/x",
		"{$record.plain}/{$record.plain}":      "Ana/Ana",
		"cust/{$record.up2}":                   "cust/..-..",
		"cust/":                                "cust/",
		"":                                     "",
		"a//b":                                 "a//b",
		"cust/no {$record.empty}":              "cust/no ",
		"cust/{$record.empty|unnamed}":         "cust/unnamed",
		"cust/{['a/b' + {$record.name}]}":      "cust/a-bvictim-inbox",
		"cust/{$record.empty}":                 "! has a part without a name",
		"{$record.empty}/cust":                 "! has a part without a name",
		"cust/{$record.up}/x":                  "! has a part without a name",
		"cust/{$record.here}":                  "! has a part without a name",
		"cust/{$record.up}{$record.empty}/end": "! has a part without a name",
	} {
		got, err := sc.setting("settings.path", report.Field{Name: "path"}, template)
		if reason, fails := strings.CutPrefix(want, "!"); fails {
			var wrong *report.Problem
			if !errors.As(err, &wrong) || !strings.Contains(err.Error(), reason) || wrong.Path != "settings.path" {
				t.Errorf("%s: %q, %v", template, got, err)
			}
		} else if got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", template, got, err, want)
		}
	}
}

// What a run would stumble over is found before.
func TestTheCheckReadsTemplatesAndConditions(t *testing.T) {
	t.Parallel()
	p := newPlace(t, store.Config{})
	s := p.tried(plain, &settled{})
	for name, c := range map[string]struct {
		change func(*report.Job)
		want   string
	}{
		"a condition that breaks off":  {func(j *report.Job) { j.Reports[0].Condition = "{$record.id >" }, "reports[0].condition: {$record.id > cannot be read: SyntaxError"},
		"an unknown root":              {func(j *report.Job) { j.Reports[0].Condition = "{$foo.bar} == 1" }, "reports[0].condition: {$foo.bar}: there is no $foo here; there is "},
		"a misspelt root":              {func(j *report.Job) { j.Reports[0].FileName = "{$recrod.name}" }, "reports[0].fileName: {$recrod.name}: there is no $recrod here"},
		"an unknown data source":       {func(j *report.Job) { j.Reports[0].FileName = "{$data.perod.year}" }, `reports[0].fileName: {$data.perod.year}: the job has no data source "perod"; did you mean "period"? It has customers, period`},
		"an unknown parameter":         {func(j *report.Job) { j.Reports[0].Password = "{$params.pin}" }, `reports[0].password: {$params.pin}: the job has no parameter "pin"; it has none`},
		"in a value":                   {func(j *report.Job) { j.Reports[0].Data = map[string]any{"a": []any{map[string]any{"b": "{$it.x}"}}} }, "reports[0].data.a[0].b: {$it.x}: there is no $it here"},
		"in an expression":             {func(j *report.Job) { j.Reports[0].FileName = "{[ {$nope.x} + 1 ]}" }, "reports[0].fileName: {$nope.x}: there is no $nope here"},
		"a script that cannot be read": {func(j *report.Job) { j.Reports[0].FileName = "{[ 1 + ]}" }, "reports[0].fileName: 1 + cannot be read: SyntaxError"},
		"what only a whole run has":    {func(j *report.Job) { deliverBy(j, report.PerEntry, "{$run.entries}") }, `deliveries[0].settings.path: {$run.entries}: $run has no "entries" here; there is number`},
		"what only an entry has":       {func(j *report.Job) { deliverBy(j, report.PerRun, "{$record.name}") }, "deliveries[0].settings.path: {$record.name}: there is no $record here"},
		"a member of the time":         {func(j *report.Job) { j.Reports[0].FileName = "{$now.year}" }, `reports[0].fileName: {$now.year}: $now has no "year" here`},
		"a member of the job":          {func(j *report.Job) { j.Reports[0].FileName = "{$job.cod}" }, `reports[0].fileName: {$job.cod}: $job has no "cod" here; did you mean code?`},
		"a condition of a delivery":    {func(j *report.Job) { deliverBy(j, report.PerRun, "x"); j.Deliveries[0].Condition = "{$nope}" }, "deliveries[0].condition: {$nope}: there is no $nope here"},
		"a language":                   {func(j *report.Job) { j.Language = "!!" }, `language: "!!" is no language`},
		"what has a fallback":          {func(j *report.Job) { j.Reports[0].FileName = "{$foo.bar|none}" }, ""},
		"all that there is for entries": {func(j *report.Job) {
			deliverBy(j, "", "{$run.number}{$job.name}{$entry.position}{$now:d}{customers.name}{$data.period.year}")
		}, ""},
		"all that there is for runs": {func(j *report.Job) {
			deliverBy(j, report.PerRun, "{$run.number}{$run.errors}{$job.code}{$now:d}{$data.period.year}")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			j := statements()
			j.Reports[0].Report = "" // whether it is there is another question
			c.change(&j)
			problems, err := s.Check(t.Context(), p.ws, &j)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" && len(problems) > 0 || c.want != "" && !slices.ContainsFunc(problems, func(p *report.Problem) bool { return strings.Contains(p.Error(), c.want) }) {
				t.Errorf("%v; want %q", problems, c.want)
			}
		})
	}
}

// deliverBy gives a job a delivery into a folder.
func deliverBy(j *report.Job, per, folder string) {
	j.Deliveries = []report.JobDelivery{{Per: per, Type: "local", Settings: map[string]any{"path": folder}}}
}

// Values that a run cannot begin with are refused when it is asked for.
func TestRunsAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t, store.Config{})
	j := statements()
	j.Parameters = []report.ParameterUse{{Parameter: report.Parameter{Name: "year", Type: "number", Required: true}}}
	p.job(j)
	s, _ := p.service(func(_ context.Context, r export.Request) (*export.File, error) { return printed(r), nil }, withBatch(p))
	for name, c := range map[string]struct {
		params, data *report.Object
		want         string
	}{
		"a required value":     {nil, nil, `params.year: the parameter "year" is required`},
		"a wrong value":        {report.ObjectOf("year", "soon"), nil, `params.year: `},
		"an unknown parameter": {report.ObjectOf("year", 2026, "yeer", 1), nil, `params.yeer: the job has no parameter "yeer"; did you mean "year"?`},
		"an unknown source":    {report.ObjectOf("year", 2026), report.ObjectOf("customers", []any{}, "nope", []any{1}), `data.nope: the job has no data source "nope"; it has customers, period`},
	} {
		_, err := s.StartRun(t.Context(), RunRequest{Workspace: p.ws, UserID: p.user, Job: "statements", Params: c.params, Data: c.data}, "")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.StartRun(t.Context(), RunRequest{Workspace: p.ws, UserID: p.user, Job: "statements", Params: report.ObjectOf("year", 2026), Data: report.ObjectOf("customers", []any{}, "period", nil)}, ""); err != nil {
		t.Error(err)
	}
}

// A schedule that has no time to come is told of when it is saved.
func TestSchedulesThatNeverRunAgain(t *testing.T) {
	t.Parallel()
	p := newPlace(t, store.Config{})
	s := p.tried(plain, &settled{})
	for want, schedule := range map[string]report.JobSchedule{
		`schedule.cron: "0 0 31 2 *" means a day that no month has`: {Kind: "cron", Cron: "0 0 31 2 *"},
		"schedule.start: 2020-01-01T09:00 is in the past":           {Kind: "once", Start: "2020-01-01T09:00"},
		"schedule.until: ": {Kind: "daily", Start: "2020-01-01T09:00", Until: "2020-02-01"},
		"schedule.cron: ":  {Kind: "cron", Cron: "0 9 * * L"},
		"":                 {Kind: "cron", Cron: "0 0 29 2 7"},
	} {
		j := statements()
		j.Reports[0].Report = ""
		j.Schedule = &schedule
		problems, err := s.Check(t.Context(), p.ws, &j)
		if told := fmt.Sprint(problems); err != nil || !strings.Contains(told, want) || want == "" && len(problems) > 0 || strings.Contains(told, "strconv") {
			t.Errorf("%+v: %v %v", schedule, problems, err)
		}
	}
}
