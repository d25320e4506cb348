package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// postbox is an SMTP server that keeps what it is sent.
type postbox struct {
	mu   sync.Mutex
	mail []string // recipients and content
}

func (b *postbox) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.mail)
}

// mailing is a delivery to a postbox, by a connection of the demo workspace.
func mailing(t *testing.T, s *service, to *postbox) report.JobDelivery {
	t.Helper()
	demo, err := s.store.WorkspaceByCode(t.Context(), "demo")
	if err == nil {
		err = s.store.PutConnection(t.Context(), demo.ID, store.Connection{Name: "mails", Type: "email", Address: report.Secret(fmt.Sprintf(`{"host": "127.0.0.1", "port": %d, "enableSsl": false, "from": "reports@example.com"}`, to.takeMail(t)))})
	}
	if err != nil {
		t.Fatal(err)
	}
	return report.JobDelivery{Type: "email", Connection: "mails", Settings: map[string]any{"to": "customer@example.com", "subject": "Invoice"}}
}

func (b *postbox) NewSession(*smtp.Conn) (smtp.Session, error) { return &posting{box: b}, nil }

type posting struct {
	box *postbox
	to  []string
}

func (p *posting) Reset()                               { p.to = nil }
func (p *posting) Logout() error                        { return nil }
func (p *posting) Mail(string, *smtp.MailOptions) error { return nil }
func (p *posting) Rcpt(to string, _ *smtp.RcptOptions) error {
	p.to = append(p.to, to)
	return nil
}

func (p *posting) Data(r io.Reader) error {
	content, err := io.ReadAll(r)
	p.box.mu.Lock()
	defer p.box.mu.Unlock()
	p.box.mail = append(p.box.mail, strings.Join(p.to, " ")+"\n"+string(content))
	return err
}

// takeMail starts the server and gives its port.
func (b *postbox) takeMail(t *testing.T) int {
	t.Helper()
	server := smtp.NewServer(b)
	server.Domain = "mail.test"
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return l.Addr().(*net.TCPAddr).Port
}

const triedJob = `{"name": "Letters", "code": "letters", "repeat": "customers",
	"dataSources": [{"name": "customers", "type": "json", "settings": {"content": [{"name": "Ana", "mail": "ana@example.com"}, {"name": "Ben", "mail": ""}]}}],
	"reports": [{"report": "letter", "fileName": "Letter to {$record.name}"}],
	"deliveries": [{"type": "local", "settings": {"path": "out"}},
		{"type": "email", "connection": "mails", "condition": "{$record.mail} != ''", "settings": {"to": "{$record.mail}", "cc": "cc@example.com", "bcc": "bcc@example.com", "subject": "Hello {$record.name}"}}]}`

// TestATestDelivery takes real documents to a folder and to a mail server.
func TestATestDelivery(t *testing.T) {
	folder, box := t.TempDir(), &postbox{}
	s := startService(t, "Deliveries__Folders="+folder)
	demo, err := s.store.WorkspaceByCode(t.Context(), "demo")
	if err == nil {
		err = s.store.PutConnection(t.Context(), demo.ID, store.Connection{Name: "mails", Type: "email", Address: report.Secret(fmt.Sprintf(`{"host": "127.0.0.1", "port": %d, "enableSsl": false, "from": "reports@example.com"}`, box.takeMail(t)))})
	}
	if err != nil {
		t.Fatal(err)
	}
	try := func(status int, rest string) string {
		t.Helper()
		a := s.call("POST", "/api/ui/ws/demo/jobs/trial", `{"job": `+triedJob+rest+`}`)
		if a.status != status {
			t.Fatalf("%d %s", a.status, a.body)
		}
		return string(a.body)
	}
	var filed struct {
		Entries   int
		Documents []string
		Receipt   struct {
			State string
			Items []struct{ Name, Place string }
		}
	}
	if err := json.Unmarshal([]byte(try(200, `, "delivery": 0, "entry": 2`)), &filed); err != nil {
		t.Fatal(err)
	}
	place := filepath.Join(folder, "out", "Test Letter to Ben.pdf")
	if filed.Entries != 2 || filed.Receipt.State != "sent" || len(filed.Receipt.Items) != 1 || filed.Receipt.Items[0].Place != place {
		t.Errorf("%+v", filed)
	}
	if content, err := os.ReadFile(place); err != nil || !strings.HasPrefix(string(content), "%PDF-") {
		t.Errorf("no PDF at %s: %v", place, err)
	}

	try(200, `, "delivery": 1`)
	try(200, `, "delivery": 1, "recipients": true`)
	if got := try(200, `, "delivery": 1, "entry": 2`); !strings.Contains(got, `"skipped":true`) {
		t.Error(got)
	}
	box.mu.Lock()
	defer box.mu.Unlock()
	if len(box.mail) != 2 || !strings.HasPrefix(box.mail[0], s.settings.RootEmail+"\n") || !strings.HasPrefix(box.mail[1], "ana@example.com\n") {
		t.Fatalf("%d mails: %.300s", len(box.mail), box.mail)
	}
	for _, mail := range box.mail {
		if !strings.Contains(mail, "Subject: Test Hello Ana") || !strings.Contains(mail, `Test Letter to Ana.pdf`) || strings.Contains(mail, "<cc@") || strings.Contains(mail, "<bcc@") {
			t.Errorf("the mail: %.900s", mail)
		}
	}
	if got := try(400, `, "delivery": 0, "entry": 9`); !strings.Contains(got, `there is no entry 9: a run would have 2`) {
		t.Error(got)
	}
	runs, err := s.store.Jobs(t.Context(), demo.ID)
	if err != nil || slices.ContainsFunc(runs, func(j store.JobRow) bool { return j.LastRun != nil }) {
		t.Errorf("a test is no run: %v %v", runs, err)
	}
}
