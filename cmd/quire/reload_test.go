package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/jobs/deliver"
)

// What can change while a process runs is taken over, the rest is named, and wrong
// settings change nothing.
func TestSettingsAreReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	load := func() (*settings, error) { return loadSettings(file, []string{"Log__Format=json"}, nil) }
	write(`{"Log": {"Level": "warn"}, "Encryption": {"Key": "t0psecret0123456789abcdef0123456", "Vector": "t0psecret0123456"}, "SmtpServer": {"Password": "t0psecret0", "Username": "a", "Host": "smtp.example.com", "From": "a@example.com"}}`)
	s, err := load()
	if err != nil {
		t.Fatal(err)
	}
	s.again = load
	if shown := fmt.Sprintf("%v %+v %#v", *s, *s, *s); strings.Contains(shown, "t0psecret") {
		t.Error("printing the settings shows a secret")
	}
	said := &bytes.Buffer{}
	log := newLogger(s, said)
	guard, err := egress.New(egress.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer guard.Close()
	e := &engine{guard: guard}
	mail, err := newMailServer(&settings{Mail: mailSettings{Host: "mail.test"}}, &deliver.Env{Egress: guard})
	if err != nil {
		t.Fatal(err)
	}
	defer mail.close()
	reachedBy := func(guard *egress.Guard) bool {
		conn, err := guard.DialContext(t.Context(), "tcp", freeAddress(t))
		if err == nil {
			conn.Close()
		}
		return err == nil || !strings.Contains(err.Error(), egress.Setting) // refused by the host, not by us
	}
	reaches := func() bool { return reachedBy(guard) && reachedBy(mail.env.Egress) }
	if log.Enabled(t.Context(), slog.LevelDebug) || reaches() {
		t.Fatal("more is allowed than was asked for")
	}
	write(`{"Log": {"Level": "debug"}, "Encryption": {"Key": "t0psecret0123456789abcdef0123456", "Vector": "t0psecret0123456"}, "Egress": {"AllowHosts": ["127.0.0.1"]}, "Browser": {"Workers": 3}, "SmtpServer": {"Password": "t0psecret", "Host": "smtp.example.com", "From": "a@example.com"}}`)
	s.reload(e, log)
	if !log.Enabled(t.Context(), slog.LevelDebug) || !reaches() {
		t.Error("what has changed is not taken over")
	}
	if text := said.String(); !strings.Contains(text, `"taken":["Egress.AllowHosts","Log.Level"],"needRestart":["Browser.Workers","SmtpServer.Username","SmtpServer.Password"]`) || strings.Contains(text, "t0psecret") {
		t.Error(text)
	}
	write(`{"Log": {"Level": "loud"}, "Egress": {"AllowHosts": []}}`)
	said.Reset()
	s.reload(e, log)
	if !log.Enabled(t.Context(), slog.LevelDebug) || !reaches() || !strings.Contains(said.String(), "setting Log.Level") {
		t.Errorf("wrong settings were taken over: %s", said)
	}
}

// A process that gets SIGHUP goes on.
func TestHangupsDoNotEndAService(t *testing.T) {
	startService(t) // skips without a browser
	p := newProgram(t)
	service := p.start(t)
	if err := service.process.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	a := asker{service.url, p.token}
	if got := a.ended(t, a.start(t, "{}")); got.Status != "Completed" {
		t.Errorf("%+v", got)
	}
}
