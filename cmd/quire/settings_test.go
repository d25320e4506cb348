package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSettingsComeFromFileThenEnvironmentThenFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	doc := `{"pathbase": "/from-file", "Browser": {"WORKERS": 3}, "Exports": {"TimeoutSeconds": "30"}, "Egress": {"AllowHosts": ["10.0.0.7", "db.internal"]}}`
	if err := os.WriteFile(file, []byte(doc), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := loadSettings(file, []string{"BROWSER__WORKERS=5", "PathBase=/from-env", "HOME=/root", "OTHER__THING=1"}, map[string]string{"Address": "127.0.0.1:9000"})
	if err != nil {
		t.Fatal(err)
	}
	if s.PathBase != "/from-env" || s.BrowserWorkers != 5 || s.ExportTimeout != 30 || s.Address != "127.0.0.1:9000" || strings.Join(s.AllowHosts, " ") != "10.0.0.7 db.internal" {
		t.Errorf("got %+v", s)
	}
	if !strings.HasPrefix(s.Database, "sqlite:") || !strings.HasPrefix(s.Storage, "file://") {
		t.Errorf("defaults: %s, %s", s.Database, s.Storage)
	}
}

func TestWrongSettingsNameTheSettingAndWhatIsAccepted(t *testing.T) {
	tests := []struct{ env, want string }{
		{"Browser__Workers=many", `setting Browser.Workers: "many" is not accepted; accepted: a whole number from 0 to 64`},
		{"Encryption__Key=short", `setting Encryption.Key: has 5 characters; accepted: exactly 32`},
		{"Encryption__Vector=0123456789abcdef", `only one is set; accepted: both or neither`},
		{"TrustedProxies=10.0.0.0/8, proxy.internal", `setting TrustedProxies: "proxy.internal" is neither an address nor a network; accepted: such as 10.1.2.3`},
		{"TrustedProxies=10.0.0.0/33", `setting TrustedProxies: "10.0.0.0/33" is neither`},
		{"Browser__Sandbox=maybe", `setting Browser.Sandbox: "maybe" is not accepted; accepted: auto, on, off`},
		{"Exports__InService=false", `setting Exports.InService: false leaves queued work to quire worker, which needs PostgreSQL`},
		{"Worker__Kinds=deliver", `setting Worker.Kinds: deliver alone leaves the rest to other processes, which need PostgreSQL; accepted with SQLite: print,deliver`},
		{"Worker__Kinds=print,post", `setting Worker.Kinds: "post" is not accepted; accepted: print, deliver`},
		{"Metrics__Address=9090", `setting Metrics.Address: "9090" is no address; accepted: {host}:{port} or :{port}`},
		{"Metrics__Profiling=true", `setting Metrics.Profiling: true without Metrics.Address would show the process to everybody; accepted: true with Metrics.Address`},
		{"PathBase=reports/", `setting PathBase: "reports/" is no path base`},
		{"Address=8080", `setting Address: "8080" is no address; accepted: {host}:{port} or :{port}`},
		{"ConnectionStrings__Database=mysql://root:hunter2@db", `setting ConnectionStrings.Database: does not begin with sqlite: or postgres://`},
		{"Browser__Worker=2", `unknown setting Browser.Worker; did you mean Browser.Workers?`},
		{"Log__Level=loud", `setting Log.Level: "loud" is not accepted; accepted: debug, info, warn, error`},
		{"Explorer__Enabled=perhaps", `setting Explorer.Enabled: "perhaps" is neither true nor false`},
	}
	for _, test := range tests {
		_, err := loadSettings("", []string{test.env}, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.env, err, test.want)
		}
		if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: shows a secret or more than one line: %v", test.env, err)
		}
	}
}

// Finding B12: these were not noticed, or only when a document needed them.
func TestAllWrongSettingsAreToldAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	wrong := map[string]string{
		"Brwser__Workers=2":                                      "unknown setting Brwser.Workers; did you mean Browser.Workers?",
		"Sso__Enabled=true":                                      "unknown setting Sso.Enabled",
		"Storage__Url=s3://":                                     "setting Storage.Url: needs the name of a bucket",
		"Browser__Path=" + dir + "/chromium":                     "setting Browser.Path:",
		"Deliveries__Folders=" + dir + ",relative":               `setting Deliveries.Folders: "relative" is no absolute path`,
		"Exports__AsyncTimeoutSeconds=60":                        "setting Exports.AsyncTimeoutSeconds: 60 is less than Exports.TimeoutSeconds; accepted: at least 120",
		"Preview__FrameAncestors=not an origin; img-src":         `setting Preview.FrameAncestors: "not an origin; img-src" is no origin`,
		"Egress__AllowHosts=10.0.0.0/33":                         "setting Egress.AllowHosts:",
		"ConnectionStrings__Database=postgres://u:hunter2@[db/x": "setting ConnectionStrings.Database: is no PostgreSQL address",
		"ConnectionStrings__Redis=redis://:hunter2@db/x":         "setting ConnectionStrings.Redis: is no Redis address",
		"Encryption__Key=short":                                  "setting Encryption.Key: has 5 characters",
		"RootUser__Password_FILE=" + dir + "/none":               "setting RootUser.Password_FILE:",
		"SmtpServer__From=a@example.com":                         "setting SmtpServer.Host: is missing",
	}
	var all []string
	for entry, want := range wrong {
		all = append(all, entry)
		if _, err := loadSettings("", []string{entry}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", entry, err, want)
		}
	}
	_, err := loadSettings("", all, nil)
	var faults settingFaults
	if !errors.As(err, &faults) || len(faults) != len(wrong) {
		t.Errorf("%d of %d told: %v", len(faults), len(wrong), err)
	}
	if err == nil || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n") {
		t.Errorf("shows a secret or more than one line: %v", err)
	}
	right := []string{
		"Deliveries__Folders=" + dir, "Preview__FrameAncestors=https://*.example.com:8443, 'self',portal.internal", "Egress__AllowHosts=10.0.0.0/8,*.internal",
		"ConnectionStrings__Redis=redis://:hunter2@db/1", "Storage__Url=s3://quire?region=eu-central-1", "BROWSER_PATH=/usr/bin/other", "SSH__X=1", "LC__ALL=C",
	}
	if _, err := loadSettings("", right, nil); err != nil {
		t.Error(err)
	}
}

func TestConfigCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	for doc, want := range map[string]struct {
		status int
		says   []string
	}{
		`{"Log": {"Level": "warn"}}`:                                    {0, []string{"the settings are accepted"}},
		`{"Log": {"Level": "loud", "Colour": true}, "Address": "8080"}`: {exitFailed, []string{"· setting Log.Level:", "unknown setting Log.Colour", "· setting Address:"}},
	} {
		if err := os.WriteFile(file, []byte(doc), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		root := rootCommand()
		root.SetArgs([]string{"config", "check", "--settings", file})
		root.SetOut(&out)
		root.SetErr(&out)
		if err := root.Execute(); (err != nil) != (want.status != 0) {
			t.Errorf("%s: %v", doc, err)
		}
		for _, says := range want.says {
			if !strings.Contains(out.String(), says) {
				t.Errorf("%s: %s; want %s", doc, &out, says)
			}
		}
	}
}

// Finding B9: secrets had to be in the environment, where every process of the
// same user reads them.
func TestSecretsComeFromFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{"password": "pass word\r\n", "key": "0123456789abcdef0123456789abcdef\n", "database": "postgres://u:p@db/quire", "none": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(file, []byte(`{"RootUser": {"Password": "of the file"}, "Encryption": {"Key_FILE": "`+filepath.ToSlash(dir)+`/key", "Vector": "0123456789abcdef"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := loadSettings(file, []string{"ROOTUSER__PASSWORD_FILE=" + dir + "/password", "ConnectionStrings__Database_FILE=" + dir + "/database"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.RootPassword != "pass word" || s.Database != "postgres://u:p@db/quire" || s.Key != "0123456789abcdef0123456789abcdef" {
		t.Errorf("got %q, %q, %q", s.RootPassword.Reveal(), s.Database, s.Key.Reveal())
	}
	for entries, want := range map[string]string{
		"RootUser__Password=a RootUser__Password_FILE=" + dir + "/none": "settings RootUser.Password and RootUser.Password_FILE: both are set; accepted: one of them",
		"RootUser__Password_FILE=" + dir + "/none RootUser__Password=a": "both are set",
		"RootUser__Email_FILE=" + dir + "/none":                         "unknown setting RootUser.Email_FILE",
		"Encryption__Key_FILE=" + dir + "/password":                     "setting Encryption.Key: has 9 characters",
	} {
		if _, err := loadSettings("", strings.Fields(entries), nil); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "pass word") {
			t.Errorf("%s: %v; want %s", entries, err, want)
		}
	}
}

func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "[]",
		"10.1.2.3":                      "[10.1.2.3/32]",
		"loopback, 2001:db8::1":         "[127.0.0.0/8 ::1/128 2001:db8::1/128]",
		"10.1.2.3/16,":                  "[10.1.0.0/16]",
		"Private":                       "[10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7]",
		"::ffff:192.0.2.1, fe80::1%eth": "[192.0.2.1/32 fe80::1/128]",
	} {
		s, err := loadSettings("", []string{"TrustedProxies=" + text}, nil)
		if err != nil || fmt.Sprint(s.TrustedProxies) != want {
			t.Errorf("%s: %v, %v; want %s", text, s, err, want)
		}
	}
}

// The log of a worker names the kinds of work that it does, also when it does all.
func TestKindsOfWorkAreNamed(t *testing.T) {
	for set, want := range map[string]string{"": "[print deliver]", "print": "[print]", "deliver": "[deliver]", "print,deliver": "[print deliver]"} {
		s, err := loadSettings("", []string{"ConnectionStrings__Database=postgres://db/quire", "Storage__Url=file:///srv/quire", "Worker__Kinds=" + set}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.works()); got != want {
			t.Errorf("%q: %s; want %s", set, got, want)
		}
	}
}
