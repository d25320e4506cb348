package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
)

const editedJob = `{"name":"Statements","code":"s","repeat":"customers","timezone":"Europe/Belgrade",
	"dataSources":[{"name":"customers","type":"json","settings":{"content":"[]"}}],
	"reports":[{"report":"invoice","fileName":"{$record.name}"}],
	"schedule":{"kind":"monthly","start":"2026-01-31T07:00","which":"last","weekday":"friday"},
	"deliveries":[{"type":"local"}]}`

// asked sends a body of the editor of jobs as one who may write jobs.
func (h *house) asked(t *testing.T, what, body string, status int) string {
	t.Helper()
	return h.check(t, scenario{method: http.MethodPost, path: "/api/ui/ws/demo/jobs/" + what, who: "operator", body: body, header: header("Content-Type", "application/json"), status: status}).Body.String()
}

func TestADraftOfAJobIsChecked(t *testing.T) {
	h := open(t)
	h.withJobs()
	type answered struct {
		Problems []struct{ Path, Message string }
		Readable bool
		Dates    []string
	}
	check := func(job string) answered {
		t.Helper()
		var a answered
		if err := json.Unmarshal([]byte(h.asked(t, "check", `{"job":`+job+`}`, 200)), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	right := check(editedJob)
	if len(right.Problems) != 0 || !right.Readable || len(right.Dates) != 10 {
		t.Fatalf("%+v", right)
	}
	belgrade, err := time.LoadLocation("Europe/Belgrade")
	noError(t, err)
	for _, d := range right.Dates {
		at, err := time.Parse(time.RFC3339, d)
		if err != nil || at.Weekday() != time.Friday || !strings.Contains(d, "T07:00:00+0") || !at.After(h.clock.Now()) || at.Month() == at.AddDate(0, 0, 7).Month() || at.In(belgrade).Hour() != 7 {
			t.Errorf("%s is no last Friday at seven: %v", d, err)
		}
	}
	for name, c := range map[string]struct {
		old, new, path string
		readable       bool
	}{
		"a wrong start":          {"2026-01-31T07:00", "soon", "schedule.start", true},
		"an unknown zone":        {"Europe/Belgrade", "Mars/Olympus", "timezone", true},
		"an unknown member":      {`"code":"s"`, `"kode":"s"`, "kode", false},
		"a report that is none":  {`"report":"invoice"`, `"report":"wibble"`, "reports[0].report", true},
		"no such destination":    {`"type":"local"`, `"type":"pigeon"`, "deliveries[0].type", true},
		"an unknown repetition":  {`"repeat":"customers"`, `"repeat":"clients"`, "repeat", true},
		"a text for a list":      {`"deliveries":[{"type":"local"}]`, `"deliveries":"local"`, "deliveries", false},
		"a schedule of no kind":  {`"kind":"monthly"`, `"kind":"fortnightly"`, "schedule.kind", false},
		"an unknown destination": {`"deliveries":[{"type":"local"}]`, `"deliveries":[{"type":"email"}]`, "deliveries[0].connection", true},
	} {
		t.Run(name, func(t *testing.T) {
			job := strings.Replace(editedJob, c.old, c.new, 1)
			a := check(job)
			found := false
			for _, p := range a.Problems {
				found = found || p.Path == c.path && p.Message != ""
			}
			if job == editedJob || !found || a.Readable != c.readable {
				t.Errorf("%+v; want a problem at %s", a, c.path)
			}
		})
	}
	if a := check(strings.Replace(editedJob, "2026-01-31T07:00", "soon", 1)); len(a.Dates) != 0 {
		t.Errorf("dates of a schedule that cannot be read: %v", a.Dates)
	}
}

// Finding A1: the editor offered docx and pptx, said nothing of them, and
// every entry of a run failed.
func TestAJobIsOfferedOnlyTheFormatsThatAreHere(t *testing.T) {
	h := open(t)
	h.withJobs()
	formats := export.FormatsWith(false)
	h.jobs = jobs.New(jobs.Config{Store: h.store, Export: h.export, Batch: &rows{}, Clock: h.clock.Now, Formats: formats})
	h.handler, h.routes = build(Config{Store: h.store, Export: h.export, Jobs: h.jobs, Clock: h.clock.Now, Formats: formats})
	h.check(t, scenario{path: "/api/ui/components", who: "operator", status: 200, has: []string{`"name":"format","label":"Format","help":"Format of the file. Default: pdf.","shape":"string","default":"pdf","enum":["` + strings.Join(export.Formats(), `","`) + `"]`}})
	job := strings.Replace(editedJob, `"report":`, `"format":"docx","report":`, 1)
	if job == editedJob {
		t.Fatal("nothing was changed")
	}
	if got := h.asked(t, "check", `{"job":`+job+`}`, 200); !strings.Contains(got, `{"path":"reports[0].format","message":"format docx is switched off here by the setting Office.Enabled; accepted: `+strings.Join(formats, ", ")+`"}`) {
		t.Error(got)
	}
}

func TestADraftOfAJobShowsWhatARunBeginsWith(t *testing.T) {
	h := open(t)
	h.withJobs()
	got := h.asked(t, "look", `{"job":`+editedJob+`,"entry":2}`, 200)
	for _, want := range []string{`"entries":2`, `"record":{"name":"Bojan"}`, `{"path":"reports[0].fileName","value":"Bojan"}`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	h.asked(t, "look", `{"job":`+editedJob+`,"entry":3}`, 400)
	h.asked(t, "look", `{"job":{"wibble":1}}`, 400)

	var ran export.SourceRequest
	h.export.source = func(r export.SourceRequest) (*export.SourceRun, error) {
		ran = r
		return &export.SourceRun{Trial: data.Trial{Value: []any{report.ObjectOf("name", "Ana")}}}, nil
	}
	if got := h.asked(t, "run", `{"job":`+editedJob+`,"source":"customers","params":{"year":2026}}`, 200); !strings.Contains(got, `"total":1`) {
		t.Error(got)
	}
	if ran.Source != "customers" || ran.Definition.DataSources[0].Name != "customers" || ran.Timezone != "Europe/Belgrade" || h.jsonOf(ran.Params) != `{"year":2026}` {
		t.Errorf("asked for %+v", ran)
	}
}

func TestWhatTheFieldsOfAJobOffer(t *testing.T) {
	h := open(t)
	choices := h.check(t, scenario{path: "/api/ui/ws/demo/jobs/choices", who: "operator", status: 200, has: []string{
		`"name":"email"`, `"connects":true,"toPerson":true`, `"name":"local"`, `"name":"conflict"`, `"code":"invoice"`, `"email":"operator@`,
	}}).Body.String()
	if strings.Contains(choices, "password") {
		t.Errorf("what connections keep is nobody's to see: %s", choices)
	}
	h.check(t, scenario{path: "/api/ui/ws/demo/jobs/parameters?report=invoice", who: "operator", status: 200, has: []string{`"parameters":[{"name":`, `"sources":[`}})
	h.check(t, scenario{path: "/api/ui/ws/demo/jobs/parameters?report=wibble", who: "operator", status: 404})
}

func TestATestDeliveryIsMadeByWhoMayWriteJobs(t *testing.T) {
	h := open(t)
	h.withJobs()
	if got := h.asked(t, "trial", `{"job":`+editedJob+`,"delivery":0}`, 400); !strings.Contains(got, "delivers to nowhere") {
		t.Error(got)
	}
	h.send(t, "author", http.MethodPost, "/api/ui/ws/demo/jobs/trial", "", `{"job":`+editedJob+`}`, 403)
}
