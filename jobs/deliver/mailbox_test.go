package deliver

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"github.com/quire-reports/quire/report"
)

// mailbox is an SMTP server that keeps what it is sent.
type mailbox struct {
	port  int
	roots *Env

	open     sync.WaitGroup // sessions
	mu       sync.Mutex
	received []receivedMail
	begun    int // messages whose content was begun
	dataErr  error
	dropped  bool // hang up instead of confirming a message
}

type receivedMail struct {
	from      string
	to        []string
	content   []byte
	encrypted bool
	user      string
}

func newMailbox(t *testing.T, change func(*smtp.Server)) *mailbox {
	t.Helper()
	m := &mailbox{}
	config, pool := certificate(t)
	m.roots = testEnv(t)
	m.roots.Roots = pool
	server := smtp.NewServer(m)
	server.Domain, server.TLSConfig, server.EnableSMTPUTF8, server.MaxMessageBytes = "mail.test", config, true, 64<<20
	if change != nil {
		change(server)
	}
	var l net.Listener
	l, m.port = listen(t)
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return m
}

func (m *mailbox) NewSession(c *smtp.Conn) (smtp.Session, error) {
	m.open.Add(1)
	return &mailSession{box: m, conn: c}, nil
}

type mailSession struct {
	box  *mailbox
	conn *smtp.Conn
	mail receivedMail
}

func (s *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }
func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "quire" || password != "p4ss wörd" {
			return smtp.ErrAuthFailed
		}
		s.mail.user = user
		return nil
	}), nil
}
func (s *mailSession) Reset()        { s.mail = receivedMail{user: s.mail.user} }
func (s *mailSession) Logout() error { s.box.open.Done(); return nil }
func (s *mailSession) Mail(from string, _ *smtp.MailOptions) error {
	s.mail.from = from
	return nil
}

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	switch {
	case strings.HasPrefix(to, "unknown@"):
		return &smtp.SMTPError{Code: 550, Message: "no such user"}
	case strings.HasPrefix(to, "later@"):
		return &smtp.SMTPError{Code: 451, Message: "greylisted"}
	}
	s.mail.to = append(s.mail.to, to)
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	s.box.mu.Lock()
	s.box.begun++
	s.box.mu.Unlock()
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	_, isTLS := s.conn.TLSConnectionState()
	s.mail.content, s.mail.encrypted = content, isTLS
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	if s.box.dataErr != nil {
		return s.box.dataErr
	}
	s.box.received = append(s.box.received, s.mail)
	if s.box.dropped {
		_ = s.conn.Conn().Close()
	}
	return nil
}

func (m *mailbox) one(t *testing.T) receivedMail {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.received) != 1 {
		t.Fatalf("%d messages arrived", len(m.received))
	}
	return m.received[0]
}

func (m *mailbox) target(settings map[string]any, connection map[string]any) Target {
	c := map[string]any{"host": "127.0.0.1", "port": int64(m.port), "from": "reports@müller.example", "displayName": "Müller, Söhne & Co.", "username": "quire", "password": report.Secret("p4ss wörd")}
	s := map[string]any{"to": "ana@example.com", "subject": "Ihre Rechnung"}
	for n, v := range connection {
		c[n] = v
	}
	for n, v := range settings {
		s[n] = v
	}
	return Target{Type: "email", Connection: c, Settings: s}
}
