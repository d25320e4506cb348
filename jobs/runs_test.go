package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

func TestMain(m *testing.M) {
	scripting.ChildMain()
	killedWorkerMain()
	os.Exit(m.Run())
}

// batch loads data and fills templates as the service does.
func (p *place) batch() Batch {
	engine := scripting.New(scripting.Config{})
	loader := data.NewLoader(data.Config{Scripts: engine})
	p.t.Cleanup(func() {
		loader.Close()
		engine.Stop()
	})
	return export.New(export.Config{Definitions: p.store, Loader: loader, Scripts: engine})
}

func (p *place) job(j report.Job) int {
	p.t.Helper()
	doc, err := report.MarshalDefinition(&j)
	if err != nil {
		p.t.Fatal(err)
	}
	id, err := p.store.CreateResource(p.t.Context(), p.ws, store.JobKind, doc)
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

const customers = `[{"name":"Ana","mail":"ana@example.com","total":12.50},{"name":"Bojan","mail":"","total":0},{"name":"Ђорђе","mail":"d@example.com","total":7}]`

// statements is a job with an entry for each customer.
func statements() report.Job {
	return report.Job{
		Name: "Statements", Code: "statements", Active: true, Repeat: "customers",
		DataSources: []report.SourceUse{
			{DataSource: report.DataSource{Name: "customers", Type: "json", Settings: map[string]any{"content": customers}}},
			{DataSource: report.DataSource{Name: "period", Type: "json", Settings: map[string]any{"content": `{"year":2026}`}}},
		},
		Reports: []report.JobReport{{
			Report: "statement", FileName: "{$record.name} {$data.period.year}",
			Params: map[string]any{"customer": "{$record.name}", "year": "{$data.period.year}", "note": "For {customers.name}", "fixed": true},
			Data:   map[string]any{"customer": "{$record}"},
		}},
	}
}

func (p *place) run(s *Service, ref string) int {
	p.t.Helper()
	id, err := s.StartRun(p.t.Context(), RunRequest{Workspace: p.ws, UserID: p.user, Job: ref}, "")
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

func (p *place) finished(s *Service, ref string, run int) *RunStatus {
	p.t.Helper()
	for begin := time.Now(); time.Since(begin) < 30*time.Second; time.Sleep(5 * time.Millisecond) {
		status, err := s.Status(p.t.Context(), p.ws, ref, run)
		if err != nil {
			p.t.Fatal(err)
		}
		if status.Finished {
			return status
		}
	}
	p.t.Fatal("the run does not finish")
	return nil
}

func (p *place) entries(run int) []store.JobEntry {
	p.t.Helper()
	list, err := p.store.Entries(p.t.Context(), run, 0, 1000)
	if err != nil {
		p.t.Fatal(err)
	}
	return list
}

func (p *place) contentOf(e store.JobEntry) map[string]string {
	p.t.Helper()
	documents, err := p.store.Documents(p.t.Context(), e.ID)
	if err != nil {
		p.t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range documents {
		content, err := p.store.OpenDocument(p.t.Context(), &d)
		if err != nil {
			p.t.Fatal(err)
		}
		b, err := io.ReadAll(content)
		if err := errors.Join(err, content.Close()); err != nil {
			p.t.Fatal(err)
		}
		got[d.Name] = string(b)
	}
	return got
}

// plain prints a request as its document.
func plain(_ context.Context, r export.Request) (*export.File, error) {
	params, _ := r.Params.MarshalJSON()
	values, _ := r.Data.MarshalJSON()
	return export.NewFile("title.pdf", "application/pdf", fmt.Appendf(nil, "%s %s %s %s", r.Report, params, values, r.Password.Reveal())), nil
}

func withBatch(p *place) func(*Config) { return func(c *Config) { c.Batch = p.batch() } }

func TestARunMakesAnEntryOfEachRow(t *testing.T) {
	for name, c := range map[string]func(t *testing.T) store.Config{
		"SQLite": func(*testing.T) store.Config { return store.Config{} },
		"PostgreSQL, Redis, S3": func(t *testing.T) store.Config {
			return store.Config{Database: migrated.Postgres(t, storetest.Postgres(t)), Redis: storetest.Redis(t), Storage: storetest.S3(t)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, c(t))
			p.job(statements())
			s, _ := p.service(plain, withBatch(p))
			run := p.run(s, "statements")
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 3}, p.finished(s, "statements", run)); d != "" {
				t.Error(d)
			}
			var got []map[string]string
			for _, e := range p.entries(run) {
				got = append(got, p.contentOf(e))
			}
			want := []map[string]string{
				{"Ana 2026.pdf": `statement {"customer":"Ana","fixed":true,"note":"For Ana","year":2026} {"customer":{"name":"Ana","mail":"ana@example.com","total":12.50}} `},
				{"Bojan 2026.pdf": `statement {"customer":"Bojan","fixed":true,"note":"For Bojan","year":2026} {"customer":{"name":"Bojan","mail":"","total":0}} `},
				{"Ђорђе 2026.pdf": `statement {"customer":"Ђорђе","fixed":true,"note":"For Ђорђе","year":2026} {"customer":{"name":"Ђорђе","mail":"d@example.com","total":7}} `},
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			jobs, err := p.store.Jobs(t.Context(), p.ws)
			if err != nil || len(jobs) != 1 || jobs[0].LastRun == nil {
				t.Errorf("%+v %v", jobs, err)
			}
		})
	}
}

// TestAFaultyRowEndsInErrors: what fails for one row is told of that row, and
// the others go on.
func TestAFaultyRowEndsInErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*report.Job)
		do     printer
		reason string
	}{
		"data that leads nowhere": {change: func(j *report.Job) {
			j.Reports[0].Data["customer"] = "{$record.mail.host}"
		}, reason: "reports[0].data.customer: {$record.mail.host} leads to no value"},
		"a condition that leads nowhere": {change: func(j *report.Job) { j.Reports[0].Condition = "{$record.mail.host} != 'z'" }, reason: "reports[0].condition: {$record.mail.host} leads to no value"},
		"a password that leads nowhere":  {change: func(j *report.Job) { j.Reports[0].Password = "x{$record.mail.host}" }, reason: "reports[0].password: {$record.mail.host} leads to no value"},
		"a condition":                    {change: func(j *report.Job) { j.Reports[0].Condition = "{$record.mail}.split('@')[1].length > 0" }, reason: "reports[0].condition"},
		"a parameter":                    {change: func(j *report.Job) { j.Reports[0].Params["host"] = "{[ {$record.mail}.split('@')[1].length ]}" }, reason: "reports[0].params.host"},
		"an empty password":              {change: func(j *report.Job) { j.Reports[0].Password = "{$record.mail}" }, reason: "the password of this entry is empty"},
		"the report": {do: func(ctx context.Context, r export.Request) (*export.File, error) {
			if v, _ := r.Params.Get("customer"); v == "Bojan" {
				return nil, report.Problemf("params.customer", "is unknown")
			}
			return plain(ctx, r)
		}, reason: "params.customer: is unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, store.Config{})
			j := statements()
			if strings.HasSuffix(name, "leads nowhere") { // a path that one row lacks
				j.DataSources[0].Settings["content"] = `[{"name":"A","mail":{"host":"x"}},{"name":"Bojan","mail":{}},{"name":"C","mail":{"host":"y"}}]`
			}
			if c.change != nil {
				c.change(&j)
			}
			p.job(j)
			do := c.do
			if do == nil {
				do = plain
			}
			s, _ := p.service(do, withBatch(p))
			run := p.run(s, "statements")
			if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 2, Errors: 1}, p.finished(s, "statements", run)); d != "" {
				t.Error(d)
			}
			e := p.entries(run)[1]
			if e.State != store.EntryError || !strings.Contains(e.Error, c.reason) {
				t.Errorf("the second entry: %s %q; want %q", e.State, e.Error, c.reason)
			}
		})
	}
}

func TestRunsThatMakeNoEntries(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*report.Job)
		want   RunStatus
		reason string
	}{
		"no rows":         {func(j *report.Job) { j.DataSources[0].Settings["content"] = "[]" }, RunStatus{Finished: true}, ""},
		"no list":         {func(j *report.Job) { j.Repeat = "period" }, RunStatus{Finished: true, Errors: 1}, `the data source "period" gave no list of rows`},
		"a faulty source": {func(j *report.Job) { j.DataSources[0].Settings["content"] = "[{" }, RunStatus{Finished: true, Errors: 1}, "customers"},
		"two faults in a source": {func(j *report.Job) {
			j.DataSources[0] = report.SourceUse{DataSource: report.DataSource{Name: "customers", Type: "javascript", Settings: map[string]any{"code": "return []"}}}
		}, RunStatus{Finished: true, Errors: 1}, `"function" is missing; dataSources.customers.settings.code`},
		"a missing source": {func(j *report.Job) { j.DataSources[1] = report.SourceUse{Reuse: "gone"} }, RunStatus{Finished: true, Errors: 1}, `no reusable data source "gone"`},
		"no repeating source": {func(j *report.Job) {
			j.Repeat, j.Reports[0] = "", report.JobReport{Report: "statement", FileName: "All of {$data.period.year}"}
		}, RunStatus{Finished: true, Entries: 1, Completed: 1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, store.Config{})
			j := statements()
			c.change(&j)
			p.job(j)
			s, _ := p.service(func(_ context.Context, r export.Request) (*export.File, error) { return printed(r), nil }, withBatch(p))
			got := p.finished(s, "statements", p.run(s, "statements"))
			if !strings.Contains(got.Error, c.reason) || c.reason == "" && got.Error != "" {
				t.Errorf("reason %q; want %q", got.Error, c.reason)
			}
			got.Error = ""
			if d := cmp.Diff(&c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRefusedRuns(t *testing.T) {
	p := newPlace(t, store.Config{})
	j := statements()
	j.Active = false
	id := p.job(j)
	s := New(Config{Store: p.store})
	kind := func(ref string) report.Kind {
		t.Helper()
		_, err := s.StartRun(t.Context(), RunRequest{Workspace: p.ws, UserID: p.user, Job: ref}, "")
		var problem *report.Problem
		if !errors.As(err, &problem) {
			t.Fatalf("%s: %v", ref, err)
		}
		return problem.Kind
	}
	for ref, want := range map[string]report.Kind{"statements": report.Invalid, fmt.Sprint(id): report.Invalid, "none": report.NotFound, "999": report.NotFound} {
		if got := kind(ref); got != want {
			t.Errorf("%s: kind %d, want %d", ref, got, want)
		}
	}
}

// TestCancel: what is done stays, what is begun is given up, what waits is not
// begun.
func TestCancel(t *testing.T) {
	p := newPlace(t, store.Config{})
	p.job(statements())
	began, ended := make(chan string, 3), make(chan struct{})
	s, _ := p.service(func(ctx context.Context, r export.Request) (*export.File, error) {
		if v, _ := r.Params.Get("customer"); v == "Ana" {
			return plain(ctx, r)
		}
		defer close(ended)
		return blocking(began, nil)(ctx, r)
	}, withBatch(p), func(c *Config) { c.Workers, c.Lease = 1, 90*time.Millisecond })
	run := p.run(s, "statements")
	<-began
	if n, err := s.Cancel(t.Context(), p.ws, "statements", run); n.Entries != 2 || err != nil {
		t.Errorf("cancelled %+v, %v", n, err)
	}
	if d := cmp.Diff(&RunStatus{Finished: true, Entries: 3, Completed: 1, Errors: 2, Cancelled: true}, p.finished(s, "statements", run)); d != "" {
		t.Error(d)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("what was begun goes on")
	}
	p.idle()
	if _, err := s.Cancel(t.Context(), p.ws, "statements", 999); !store.IsNotFound(err) {
		t.Errorf("no run: %v", err)
	}
}

// TestCancelBeforeTheDataIsThere: a run that has not begun ends too.
func TestCancelBeforeTheDataIsThere(t *testing.T) {
	p := newPlace(t, store.Config{})
	p.job(statements())
	s := New(Config{Store: p.store}) // nobody works
	run := p.run(s, "statements")
	if n, err := s.Cancel(t.Context(), p.ws, "statements", run); n != (store.Cancelled{}) || err != nil {
		t.Errorf("cancelled %+v, %v", n, err)
	}
	if d := cmp.Diff(&RunStatus{Finished: true, Errors: 1, Cancelled: true, Error: "the run was cancelled"}, p.finished(s, "statements", run)); d != "" {
		t.Error(d)
	}
	p.idle()
}

// coded is an address as a code.
func coded(address string) string { return strings.NewReplacer("@", "-", ".", "-").Replace(address) }

// TestAJobRunsAsNobodyUnlessItSays: who starts a run does not look at what it
// makes; whom the job names does, as long as they may.
func TestAJobRunsAsNobodyUnlessItSays(t *testing.T) {
	p := newPlace(t, store.Config{})
	mine := func(as string) report.Job {
		j := report.Job{Name: "Mine", Code: "mine" + coded(as), Active: true, RunAs: as, Repeat: "mine"}
		j.DataSources = []report.SourceUse{{DataSource: report.DataSource{Name: "mine", Type: "javascript", Settings: map[string]any{"function": "({$user}) => [{of: $user.email, groups: $user.groups.length}]"}}}}
		j.Reports = []report.JobReport{{Report: "statement", FileName: "of {$user.name|nobody}", Params: map[string]any{"of": "{$record.of|nobody}", "me": "{$user.email|nobody}"}}}
		return j
	}
	roles, err := p.store.Roles(t.Context(), p.ws)
	if err != nil {
		t.Fatal(err)
	}
	role := func(name string) int {
		return roles[slices.IndexFunc(roles, func(r store.Role) bool { return r.Name == name })].ID
	}
	ana, err := p.store.CreateUser(t.Context(), store.NewUser{Email: "ana@example.com", DisplayName: "Ana"})
	if err == nil {
		err = p.store.SetMember(t.Context(), p.ws, ana.ID, role("Viewer"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.store.CreateUser(t.Context(), store.NewUser{Email: "guest@example.com"}); err != nil {
		t.Fatal(err)
	}
	var made []string
	s, _ := p.service(func(_ context.Context, r export.Request) (*export.File, error) {
		params, _ := r.Params.MarshalJSON()
		made = append(made, fmt.Sprintf("%s %s for %q", r.Report, params, r.User.Email))
		return export.NewFile("title.pdf", "application/pdf", []byte("%PDF")), nil
	}, withBatch(p))
	for as, want := range map[string]string{
		"":                `statement {"me":"nobody","of":"nobody"} for ""`,
		"ana@example.com": `statement {"me":"ana@example.com","of":"ana@example.com"} for "ana@example.com"`,
	} {
		made = nil
		j := mine(as)
		p.job(j)
		if _, err := p.store.ReportByIDOrType(t.Context(), p.ws, "statement"); as != "" && store.IsNotFound(err) {
			if status := p.finished(s, j.Code, p.run(s, j.Code)); status.Errors != 1 || len(made) > 0 { // a report that Ana does not see
				t.Errorf("%+v, made %q", status, made)
			}
			one := report.Report{Version: report.Version, Name: "Statement", Type: "statement", Pages: []report.Page{{ID: 1, Name: "A"}}}
			if _, err := p.store.ImportWorkspace(t.Context(), report.Workspace{
				Version: report.Version, Name: "Acme", Code: "acme", ReportTypes: []report.ReportType{{Name: "Statement", Code: "statement", DefaultReport: "statement"}}, Reports: []report.NamedReport{{Code: "statement", Report: one}},
			}); err != nil {
				t.Fatal(err)
			}
		}
		if status := p.finished(s, j.Code, p.run(s, j.Code)); status.Completed != 1 || len(made) != 1 || made[0] != want {
			t.Errorf("as %q: %+v, made %q; want %s", as, status, made, want)
		}
	}
	for as, want := range map[string]string{"guest@example.com": "is no member of the workspace", "nobody@example.com": "has no account here"} {
		p.job(mine(as))
		_, err := s.StartRun(t.Context(), RunRequest{Workspace: p.ws, UserID: p.user, Job: "mine" + coded(as)}, "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("as %s: %v", as, err)
		}
	}
	if err := p.store.SetActive(t.Context(), ana.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.StartRun(t.Context(), RunRequest{Workspace: p.ws, UserID: p.user, Job: "mine" + coded("ana@example.com")}, ""); err == nil {
		t.Error("a job runs as somebody who is blocked")
	}
}

// A data set is written row by row as it would be as a whole.
func TestDataIsWrittenAsAWhole(t *testing.T) {
	for _, data := range []*report.Object{
		report.ObjectOf(),
		report.ObjectOf("none", []any{}, "nil", []any(nil), "year", 2026, "text", "<a & \"b\">\u2028"),
		report.ObjectOf("rows", []any{report.ObjectOf("name", "Ђорђе <d>"), nil, []any{json.Number("12.50")}}, "<&>", report.ObjectOf()),
	} {
		var got, want strings.Builder
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := errors.Join(enc.Encode(data), writeData(&got, data)); err != nil || got.String()+"\n" != want.String() {
			t.Errorf("%s, %v; want %s", got.String(), err, want.String())
		}
	}
	if err := writeData(io.Discard, report.ObjectOf("rows", []any{1, math.NaN()})); err == nil {
		t.Error("what is no JSON is written")
	}
}

// A row that cannot be written is found before any entry is.
func TestARowThatCannotBeWrittenBeginsNothing(t *testing.T) {
	p := newPlace(t, store.Config{})
	p.job(statements())
	s, _ := p.service(plain, func(c *Config) { c.Batch = lastRowIsNaN{p.batch()} })
	run := p.run(s, "statements")
	status := p.finished(s, "statements", run)
	if status.Error == "" || status.Entries != 0 || status.Errors != 1 {
		t.Errorf("%+v", status)
	}
}

// lastRowIsNaN loads more than one chunk of rows, of which the last is no JSON.
type lastRowIsNaN struct{ Batch }

func (b lastRowIsNaN) LoadBatch(context.Context, export.BatchRequest) (*export.Batch, error) {
	rows := slices.Repeat([]any{1}, 2000)
	return &export.Batch{Params: report.ObjectOf(), Data: report.ObjectOf("customers", append(rows, math.NaN()))}, nil
}
