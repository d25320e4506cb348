package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// TestAJobIsDelivered goes the whole way: rows to documents to a folder that
// the operator has allowed, and the reason where one cannot be delivered.
func TestAJobIsDelivered(t *testing.T) {
	folder := t.TempDir()
	s := startService(t, "Deliveries__Folders="+folder)
	demo, err := s.store.WorkspaceByCode(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	put := func(c store.Connection) {
		t.Helper()
		if err := s.store.PutConnection(t.Context(), demo.ID, c); err != nil {
			t.Fatal(err)
		}
	}
	put(store.Connection{Name: "mails", Type: "email", Address: `{"host": "mail.example", "password": "s3cret"}`})
	put(store.Connection{Name: "broken", Type: "sftp", Address: "no JSON s3cret"})
	job := `{"name": "Statements", "code": "statements", "active": true, "repeat": "customers",
		"dataSources": [{"name": "customers", "type": "json", "settings": {"content": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Zoë / Co"}]}}],
		"reports": [{"report": "letter", "fileName": "Letter to {$record.name}"}],
		"deliveries": [{"type": "local", "settings": {"path": "{$record.name}"}},
			{"type": "sftp", "connection": "mails", "condition": "{$record.name} == 'Ben'"},
			{"type": "sftp", "connection": "broken", "condition": "{$record.name} == 'Ana'"}]}`
	if _, err := s.store.CreateResource(t.Context(), demo.ID, store.JobKind, []byte(job)); err != nil {
		t.Fatal(err)
	}
	s.post(t, "/api/v1/ws/demo/jobs/statements/runs", `{}`, "")
	entries := s.entriesOf(t, demo.ID)
	want := []string{`error: deliveries[2].connection: the connection "broken" does not hold a JSON object of settings`, `error: deliveries[1].connection: the connection "mails" is of type email, and a connection of type sftp is needed`, "completed: "}
	for i, e := range entries {
		if got := fmt.Sprintf("%s: %s", e.State, e.Error); !strings.HasPrefix(got, want[i]) || strings.Contains(got, "s3cret") {
			t.Errorf("entry %d: %s; want %s", i+1, got, want[i])
		}
	}
	var found []string
	_ = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(folder, path)
			found = append(found, name)
			if content, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(content, []byte("%PDF-")) {
				t.Errorf("%s is no PDF: %v", name, err)
			}
		}
		return nil
	})
	if len(found) != 3 {
		t.Errorf("delivered: %q", found)
	}
}

// post asks the API with the token.
func (s *service) post(t *testing.T, path, body, key string) map[string]any {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		t.Fatalf("%s: %d %s", path, response.StatusCode, text)
	}
	answer := map[string]any{}
	_ = json.Unmarshal(text, &answer)
	return answer
}

// entriesOf waits for the last run of the newest job.
func (s *service) entriesOf(t *testing.T, workspace int) []store.JobEntry {
	t.Helper()
	jobs, err := s.store.Jobs(t.Context(), workspace)
	if err != nil || len(jobs) == 0 {
		t.Fatal(err)
	}
	newest := slices.MaxFunc(jobs, func(a, b store.JobRow) int { return a.ID - b.ID })
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(50 * time.Millisecond) {
		runs, err := s.store.Runs(t.Context(), newest.ID, 0, 1)
		if err != nil || len(runs) == 0 {
			t.Fatal(err)
		}
		entries, err := s.store.Entries(t.Context(), runs[0].ID, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		ended := len(entries) > 0
		for _, e := range entries {
			ended = ended && (e.State == store.EntryCompleted || e.State == store.EntryError)
		}
		if ended {
			return entries
		}
	}
	t.Fatal("the run does not end")
	return nil
}

// TestEndsAreToldByWebhook has the end of an export and of a run told to a web
// service, signed with the secret of the connection.
func TestEndsAreToldByWebhook(t *testing.T) {
	const secret = "a shared s3cret of some length"
	events := make(chan string, 10)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		at, sum, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Quire-Signature"), "t="), ",v1=")
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(at + "." + string(body)))
		if hex.EncodeToString(mac.Sum(nil)) != sum {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		events <- string(body)
	}))
	defer service.Close()
	s := startService(t, "Egress__AllowHosts=127.0.0.1")
	demo, err := s.store.WorkspaceByCode(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []store.Connection{
		{Name: "erp", Type: "webhook", Address: report.Secret(fmt.Sprintf(`{"address": %q, "secret": %q}`, service.URL, secret))},
		{Name: "mails", Type: "email", Address: `{"host": "mail.example"}`},
	} {
		if err := s.store.PutConnection(t.Context(), demo.ID, c); err != nil {
			t.Fatal(err)
		}
	}
	a := asker{s.url, s.token}
	told := func(has ...string) {
		t.Helper()
		select {
		case event := <-events:
			for _, words := range has {
				if !strings.Contains(event, words) {
					t.Errorf("%s lacks %s", event, words)
				}
			}
		case <-time.After(time.Minute):
			t.Fatal("no event comes")
		}
	}
	id := a.start(t, `{"webhook":"erp"}`)
	told(`"event":"export.completed"`, fmt.Sprintf(`"temporaryFileId":%d`, id), `"contentType":"application/pdf"`)
	for _, c := range []struct{ name, want string }{{"nobody", "there is no connection"}, {"mails", "is of type email"}} {
		status, answer, err := a.do("POST", "/reports/invoice/export", fmt.Sprintf(`{"webhook":%q}`, c.name))
		if err != nil || status != 400 || !strings.Contains(string(answer), c.want) || !strings.Contains(string(answer), `"path":"webhook"`) {
			t.Errorf("to %s: %d %s %v", c.name, status, answer, err)
		}
	}
	status, answer, err := a.do("POST", "/jobs", `{"name":"Letters","code":"letters","active":true,"webhook":"erp","reports":[{"report":"letter"}]}`)
	if err != nil || status != 201 {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	run := s.post(t, "/api/v1/ws/demo/jobs/letters/runs", `{}`, "")
	told(`"event":"run.finished"`, fmt.Sprintf(`"jobRunId":%v`, run["jobRunId"]), `"status":{"queued":0,"review":0,"completed":1,"errors":0`, `"jobCode":"letters"`)
}
