package main

import (
	"fmt"
	"strings"

	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
)

// mailSettings are the mail server of the installation. Deliveries by e-mail
// that name no connection use it.
type mailSettings struct {
	Host, Username, From, ReplyTo, DisplayName string
	Password                                   report.Secret
	Port                                       int
	EnableSSL                                  bool
}

func mailSettingList() []setting {
	return []setting{
		{"SmtpServer.Host", "", "smtp.example.com", "mail server of deliveries by e-mail that name no connection; empty means none", plain(func(s *settings) *string { return &s.Mail.Host })},
		{"SmtpServer.Port", "587", "465", "its port: 465 is encrypted from the start, others turn to encryption by STARTTLS", number(func(s *settings) *int { return &s.Mail.Port }, 1, 65535)},
		{"SmtpServer.EnableSsl", "true", "false", "whether mail travels encrypted; without it no password is sent", boolean(func(s *settings) *bool { return &s.Mail.EnableSSL })},
		{"SmtpServer.Username", "", "reports", "name to sign in with; empty means not to sign in", plain(func(s *settings) *string { return &s.Mail.Username })},
		{"SmtpServer.Password", "", "secret", "password to sign in with", secret(func(s *settings) *report.Secret { return &s.Mail.Password }, 0)},
		{"SmtpServer.From", "", "reports@example.com", "address of the sender", plain(func(s *settings) *string { return &s.Mail.From })},
		{"SmtpServer.DisplayName", "", "Example Ltd", "name of the sender", plain(func(s *settings) *string { return &s.Mail.DisplayName })},
		{"SmtpServer.ReplyTo", "", "office@example.com", "address that answers go to; empty means the sender's", plain(func(s *settings) *string { return &s.Mail.ReplyTo })},
	}
}

// connection is what a connection of a workspace would say; nil without a mail
// server.
func (m *mailSettings) connection() map[string]any {
	if m.Host == "" {
		return nil
	}
	return map[string]any{
		"host": m.Host, "port": int64(m.Port), "enableSsl": m.EnableSSL, "username": m.Username, "password": m.Password,
		"from": m.From, "displayName": m.DisplayName, "replyTo": m.ReplyTo,
	}
}

// check finds what is wrong with the settings together.
func (m *mailSettings) check() error {
	if m.Host == "" {
		for _, set := range [][2]string{{"Username", m.Username}, {"Password", m.Password.Reveal()}, {"From", m.From}, {"DisplayName", m.DisplayName}, {"ReplyTo", m.ReplyTo}} {
			if set[1] != "" {
				return fmt.Errorf("setting SmtpServer.Host: is missing, though SmtpServer.%s is set; accepted: the name of the mail server", set[0])
			}
		}
		return nil
	}
	if strings.ContainsAny(m.Host, ":/ ") {
		return fmt.Errorf("setting SmtpServer.Host: %q is no host; accepted: a name such as smtp.example.com, with the port in SmtpServer.Port", m.Host)
	}
	if m.From == "" {
		return fmt.Errorf("setting SmtpServer.From: is missing; accepted: the address of the sender, such as reports@example.com")
	}
	kind, _ := deliver.Find("email") // it is one of ours
	problems := kind.CheckConnection(m.connection(), "")
	if len(problems) == 0 {
		return nil
	}
	name := problems[0].Path
	for _, st := range mailSettingList() {
		if strings.EqualFold(st.name, "SmtpServer."+name) {
			name = st.name
		}
	}
	return fmt.Errorf("setting %s: %s", name, problems[0].Message)
}
