package main

import (
	"context"

	"github.com/quire-reports/quire/api"
	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/jobs/deliver"
)

// mailServer is the mail server of the installation as jobs and pages use it.
type mailServer struct {
	settings *mailSettings
	env      *deliver.Env
}

// newMailServer makes one whose host may be reached wherever it is: the operator
// has named it.
func newMailServer(s *settings, env *deliver.Env) (*mailServer, error) {
	if s.Mail.Host == "" {
		return &mailServer{settings: &s.Mail, env: env}, nil
	}
	guard, err := egress.New(egress.Config{AllowHosts: []string{s.Mail.Host}, Beside: env.Egress})
	if err != nil {
		return nil, err
	}
	own := *env
	own.Egress = guard
	return &mailServer{settings: &s.Mail, env: &own}, nil
}

// installed is what deliveries by mail use that name no connection.
func (m *mailServer) installed() map[string]jobs.Installed {
	if m.settings.Host == "" {
		return nil
	}
	return map[string]jobs.Installed{deliver.MailType: {Connection: m.settings.connection(), Env: m.env}}
}

func (m *mailServer) close() {
	if m.settings.Host != "" { // else the guard is not its own
		m.env.Egress.Close()
	}
}

// shown is what the page of root users tells of it; never the password.
func (m *mailServer) shown() *api.Mail {
	s := m.settings
	return &api.Mail{
		Host: s.Host, Port: s.Port, Encrypted: s.EnableSSL, Username: s.Username, HasPassword: s.Password != "", From: s.From, DisplayName: s.DisplayName, ReplyTo: s.ReplyTo,
		Send: func(ctx context.Context, to, subject, text string) error {
			return deliver.TestMail(ctx, m.env, s.connection(), to, subject, text)
		},
	}
}
