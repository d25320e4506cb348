package main

import (
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
		{"Metrics__Address=9090", `setting Metrics.Address: "9090" is no address; accepted: {host}:{port} or :{port}`},
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
