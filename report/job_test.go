package report

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const monthlyJob = `{
  "name": "Statements", "code": "statements", "active": true, "repeat": "customers", "timezone": "Europe/Belgrade",
  "dataSources": [{"name": "customers", "type": "json", "settings": {"content": "[]"}}, {"reuse": "rates"}],
  "reports": [{"report": "statement", "fileName": "{$record.name}", "params": {"year": 2026.10, "name": "{$record.name}"}, "password": "{$record.pin}"}],
  "schedule": {"kind": "monthly", "start": "2026-01-01T07:00", "which": "last", "weekday": "friday", "until": "2027-12-31", "missed": "skip"},
  "reviewRequired": true,
  "deliveries": [{"type": "email", "connection": "mail", "condition": "{$record.mail} != ''", "settings": {"to": "{$record.mail}"}}]
}`

func TestJobsAreReadAndWritten(t *testing.T) {
	bundle := fstest.MapFS{
		"workspace.json":       {Data: []byte(`{"version":1,"name":"Acme","code":"acme"}`)},
		"jobs/statements.json": {Data: []byte(monthlyJob)},
	}
	ws, problems := ReadWorkspace(bundle)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	again := fstest.MapFS{}
	if err := WriteWorkspace(ws, func(name string, content []byte) error {
		again[name] = &fstest.MapFile{Data: content}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	back, problems := ReadWorkspace(again)
	if d := cmp.Diff(ws, back); d != "" || len(problems) > 0 || len(back.Jobs) != 1 || back.Jobs[0].Schedule.Which != "last" {
		t.Errorf("%v %s", problems, d)
	}
}

// Jobs that are stored keep their members, also those whose format this
// installation does not have.
func TestTheFileOfAJobKeepsItsMembers(t *testing.T) {
	const stored = `{"report":"7","fileName":"A","language":"{$record.lang}","format":"docx","template":"t","theme":"2","includeAttachments":true,` +
		`"accessible":true,"conformance":"pdf/a-2b","denyPrinting":true,"denyCopying":true,"password":"{$record.pin}"}`
	var r JobReport
	if problems := ReadStored([]byte(stored), &r); len(problems) > 0 {
		t.Fatal(problems)
	}
	want := ExportOptions{Format: "docx", Template: "t", Theme: "2", IncludeAttachments: true, Accessible: true, Conformance: "pdf/a-2b", DenyPrinting: true, DenyCopying: true}
	if d := cmp.Diff(want, r.ExportOptions); d != "" || r.Password != "{$record.pin}" || r.Language != "{$record.lang}" {
		t.Errorf("%+v %s", r, d)
	}
	if again, err := json.Marshal(r); err != nil || string(again) != stored {
		t.Errorf("written as %s, %v", again, err)
	}
}

func TestFaultyJobs(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"an unknown member":         {`"active": true`, `"activ": true`, "activ"},
		"an unknown repeat":         {`"repeat": "customers"`, `"repeat": "clients"`, `repeat: there is no data source "clients"`},
		"two sources of a name":     {`{"reuse": "rates"}`, `{"name": "customers", "type": "json"}`, `dataSources[1].name: there are two data sources "customers"`},
		"an unknown time zone":      {"Europe/Belgrade", "Mars/Olympus", `timezone: unknown time zone "Mars/Olympus"`},
		"no reports":                {`[{"report": "statement",`, `[], "x": [{"report": "statement",`, "reports: an active job needs at least one report"},
		"an unknown kind":           {`"kind": "monthly"`, `"kind": "fortnightly"`, "schedule.kind"},
		"a start that is none":      {"2026-01-01T07:00", "1 January", `schedule.start: "1 January" is no date and time`},
		"an until that is none":     {"2027-12-31", "never", "schedule.until"},
		"which without weekday":     {`"weekday": "friday", `, "", "schedule.which: which and weekday belong together"},
		"an unknown weekday":        {`"which": "last", "weekday": "friday"`, `"weekdays": ["funday"]`, `schedule.weekdays[0]: "funday" is no weekday`},
		"a cron text that is none":  {`"kind": "monthly"`, `"kind": "cron", "cron": "61 * * * *"`, "schedule.cron"},
		"cron without a text":       {`"kind": "monthly"`, `"kind": "cron"`, "schedule.cron"},
		"protected files joined":    {`"type": "email", `, `"type": "email", "pack": "pdf", `, "deliveries[0].pack: the documents of this job have passwords"},
		"a delivery without a type": {`"type": "email", `, "", `deliveries[0]: "type" is missing`},
	} {
		t.Run(name, func(t *testing.T) {
			doc := strings.Replace(monthlyJob, c.old, c.new, 1)
			if doc == monthlyJob {
				t.Fatal("nothing was changed")
			}
			_, problems := parseJob([]byte(doc))
			all := ""
			for _, p := range problems {
				all += p.Error() + "\n"
			}
			if !strings.Contains(all, c.want) {
				t.Errorf("got %q; want %q", all, c.want)
			}
		})
	}
}
