package main

import (
	"strings"
	"testing"
)

func TestMailSettings(t *testing.T) {
	s, err := loadSettings("", []string{"SmtpServer__Host=mail.example.com", "SMTPSERVER__PORT=465", "SmtpServer__Username=reports", "SmtpServer__Password=hunter2", "SmtpServer__From=Reports <reports@example.com>"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := s.Mail; m.Host != "mail.example.com" || m.Port != 465 || !m.EnableSSL || m.Password != "hunter2" || m.connection()["from"] != "Reports <reports@example.com>" {
		t.Errorf("got %+v", m)
	}
	if s, err := loadSettings("", nil, nil); err != nil || s.Mail.connection() != nil {
		t.Errorf("without settings there is a mail server, or %v", err)
	}
	const host = "SmtpServer__Host=mail.example.com "
	for env, want := range map[string]string{
		"SmtpServer__From=reports@example.com": "setting SmtpServer.Host: is missing, though SmtpServer.From is set",
		host:                                   "setting SmtpServer.From: is missing",
		host + "SmtpServer__From=nobody":       "setting SmtpServer.From: ",
		host + "SmtpServer__From=a@b.example SmtpServer__ReplyTo=x":                                                           "setting SmtpServer.ReplyTo: ",
		host + "SmtpServer__From=a@b.example SmtpServer__Port=0":                                                              `setting SmtpServer.Port: "0" is not accepted; accepted: a whole number from 1 to 65535`,
		host + "SmtpServer__From=a@b.example SmtpServer__EnableSsl=maybe":                                                     `setting SmtpServer.EnableSsl: "maybe" is neither true nor false`,
		host + "SmtpServer__From=a@b.example SmtpServer__EnableSsl=false SmtpServer__Username=u SmtpServer__Password=hunter2": "setting SmtpServer.EnableSsl: a user name and password are only sent encrypted",
		"SmtpServer__Host=mail.example.com:25 SmtpServer__From=a@b.example":                                                   `setting SmtpServer.Host: "mail.example.com:25" is no host`,
		"SmtpServer__Hots=mail.example.com":                                                                                   "unknown setting SmtpServer.Hots; did you mean SmtpServer.Host?",
	} {
		_, err := loadSettings("", strings.Fields(env), nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: got %v; want %s", env, err, want)
		}
	}
}
