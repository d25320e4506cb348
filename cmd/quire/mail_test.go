package main

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// postOffice is a mail server on this machine that takes everything.
type postOffice struct {
	port int
	mu   sync.Mutex
	got  []string
}

func newPostOffice(t *testing.T) *postOffice {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	p := &postOffice{port: l.Addr().(*net.TCPAddr).Port}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(conn)
		}
	}()
	return p
}

func (p *postOffice) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	lines := bufio.NewScanner(conn)
	say := func(text string) { _, _ = fmt.Fprint(conn, text+"\r\n") }
	say("220 post.test ESMTP")
	for lines.Scan() {
		switch verb, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " "); verb {
		case "DATA":
			say("354 go on")
			var mail strings.Builder
			for lines.Scan() && lines.Text() != "." {
				mail.WriteString(lines.Text() + "\n")
			}
			p.mu.Lock()
			p.got = append(p.got, mail.String())
			p.mu.Unlock()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// mails waits for some, and gives them.
func (p *postOffice) mails(t *testing.T, n int) []string {
	t.Helper()
	for range 600 {
		p.mu.Lock()
		got := append([]string{}, p.got...)
		p.mu.Unlock()
		if len(got) >= n {
			return got
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%d mails did not come", n)
	return nil
}

// TestMailServerOfTheInstallation takes the mails of deliveries that name no
// connection; without one they fail with what to do.
func TestMailServerOfTheInstallation(t *testing.T) {
	office := newPostOffice(t)
	job := []byte(`{"name": "Letters", "code": "letters", "active": true, "reports": [{"report": "letter", "fileName": "Letter"}],
		"deliveries": [{"type": "email", "settings": {"to": "ana@example.com", "subject": "Your letter", "text": "Here it is."}}]}`)
	run := func(s *service) store.JobEntry {
		t.Helper()
		demo, err := s.store.WorkspaceByCode(t.Context(), "demo")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.store.CreateResource(t.Context(), demo.ID, store.JobKind, job); err != nil {
			t.Fatal(err)
		}
		s.post(t, "/api/v1/ws/demo/jobs/letters/runs", `{}`, "")
		return s.entriesOf(t, demo.ID)[0]
	}
	with := startService(t, "SmtpServer__Host=127.0.0.1", fmt.Sprintf("SmtpServer__Port=%d", office.port), "SmtpServer__EnableSsl=false", "SmtpServer__From=reports@example.com", "SmtpServer__DisplayName=Quire", "Egress__AllowHosts=")
	if e := run(with); e.State != store.EntryCompleted {
		t.Errorf("%s: %s", e.State, e.Error)
	}
	mail := office.mails(t, 1)[0]
	for _, want := range []string{"From: \"Quire\" <reports@example.com>", "Subject: Your letter", "Letter.pdf"} {
		if !strings.Contains(mail, want) {
			t.Errorf("no %q in\n%.1000s", want, mail)
		}
	}
	if e := run(startService(t)); e.State != store.EntryError || !strings.Contains(e.Error, "the installation has no mail server") {
		t.Errorf("without a mail server: %s: %s", e.State, e.Error)
	}
}
