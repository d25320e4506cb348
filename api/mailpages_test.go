package api

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/jobs/deliver"
)

// TestMailPage shows the settings in force, without the password, and says what
// the server said to a test mail.
func TestMailPage(t *testing.T) {
	h := open(t)
	h.opened(t, "root", "/mail", "There is no mail server yet.", "SmtpServer__Host")
	h.sent(t, "root", "/mail/test", 422, "to", "ana@example.com")
	var sent []string
	var fault error
	h.handler, h.routes = build(Config{Store: h.store, Export: h.export, Jobs: h.jobs, Clock: h.clock.Now, Mail: &Mail{
		Host: "mail.example.com", Port: 587, Encrypted: true, Username: "reports", From: "reports@example.com", DisplayName: "Müller & Söhne",
		Send: func(_ context.Context, to, subject, text string) error {
			sent = append(sent, to, subject, text)
			return fault
		},
	}})
	h.opened(t, "root", "/mail", "mail.example.com", "by STARTTLS", "without a password", "Müller &amp; Söhne reports@example.com")
	leads(t, h.sent(t, "root", "/mail/test", 303, "to", " ana@example.com "), "/mail?done=sent")
	if len(sent) != 3 || sent[0] != "ana@example.com" || sent[1] != "Test mail of Quire" || !strings.Contains(sent[2], h.users["root"].DisplayName) {
		t.Errorf("sent %q", sent)
	}
	h.opened(t, "root", "/mail?done=sent", "took the test mail")
	fault = &deliver.Error{Message: `the mail server "mail.example.com" refused the message: 550 no such user`, Permanent: true}
	says(t, h.sent(t, "root", "/mail/test", 422, "to", "nobody@example.com"), "550 no such user.", `value="nobody@example.com"`)
	for _, wrong := range []string{"", "a@example.com, b@example.com"} {
		says(t, h.sent(t, "root", "/mail/test", 422, "to", wrong), "Enter one address.")
	}
	if len(sent) != 6 {
		t.Errorf("sent %q", sent)
	}
	h.sent(t, "administrator", "/mail/test", 403, "to", "ana@example.com")
}
