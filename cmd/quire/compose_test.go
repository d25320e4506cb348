package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// composeFile is what the tests look at of a file for Docker Compose.
type composeFile struct {
	Services map[string]composeService
	Secrets  map[string]struct{ File string }
	Volumes  map[string]any
}

type composeService struct {
	Image       string
	Build       string
	Command     []string
	Environment map[string]string
	Secrets     []string
	Volumes     []string
	SecurityOpt []string `yaml:"security_opt"`
	ReadOnly    bool     `yaml:"read_only"`
	CapDrop     []string `yaml:"cap_drop"`
}

// defaulted is ${NAME:-value}.
var defaulted = regexp.MustCompile(`\$\{\w+:-([^}]*)\}`)

func readCompose(t *testing.T, path string) *composeFile {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c composeFile
	if err := yaml.Unmarshal(defaulted.ReplaceAll(text, []byte("$1")), &c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return &c
}

// composeFolder is deploy/compose with secrets that have just been made.
func composeFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "compose")
	if err := os.CopyFS(folder, os.DirFS("../../deploy/compose")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(folder, "secrets")); err != nil { // a developer's own
		t.Fatal(err)
	}
	if out, err := exec.Command("sh", filepath.Join(folder, "secrets.sh")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if exec.Command("sh", filepath.Join(folder, "secrets.sh")).Run() == nil {
		t.Error("secrets are made anew")
	}
	return folder
}

// Files for Docker Compose give Quire settings that it has and takes, secrets that are
// there, and the bounds of a container that the guide promises.
func TestComposeFilesHoldSettings(t *testing.T) {
	t.Parallel()
	folder := composeFolder(t)
	for name, want := range map[string]int{"compose.yaml": 1, "cluster.yaml": 4} {
		c := readCompose(t, filepath.Join(folder, name))
		found := 0
		for service, s := range c.Services {
			for _, secret := range s.Secrets {
				if file := c.Secrets[secret].File; file == "" || !exists(filepath.Join(folder, file)) {
					t.Errorf("%s: %s: secret %s is no file", name, service, secret)
				}
			}
			for _, v := range s.Volumes {
				if source, _, _ := strings.Cut(v, ":"); strings.HasPrefix(source, ".") && !exists(filepath.Join(folder, source)) {
					t.Errorf("%s: %s: %s is not there", name, service, source)
				} else if _, named := c.Volumes[source]; !named && !strings.HasPrefix(source, ".") {
					t.Errorf("%s: %s: volume %s is not declared", name, service, source)
				}
			}
			if s.Image != "quire" {
				continue
			}
			found++
			checkComposed(t, name+": "+service, folder, c, s)
		}
		if found != want {
			t.Errorf("%s: %d processes of Quire; want %d", name, found, want)
		}
	}
}

func checkComposed(t *testing.T, name, folder string, c *composeFile, s composeService) {
	t.Helper()
	var env []string
	for key, value := range s.Environment {
		if setting := strings.ReplaceAll(strings.TrimSuffix(key, "_FILE"), "__", "."); !strings.HasPrefix(key, "AWS_") && settingNamed(setting) == nil {
			t.Errorf("%s: there is no setting %s", name, key)
		}
		if secret, ok := strings.CutPrefix(value, "/run/secrets/"); ok {
			if !slices.Contains(s.Secrets, secret) {
				t.Errorf("%s: %s is not among its secrets", name, secret)
			}
			value = filepath.Join(folder, c.Secrets[secret].File)
		}
		env = append(env, key+"="+value)
	}
	if _, err := loadSettings("", env, nil); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if len(s.Command) > 0 && s.Command[0] != "worker" {
		t.Errorf("%s: unknown command %q", name, s.Command)
	}
	profile := slices.IndexFunc(s.SecurityOpt, func(o string) bool { return strings.HasPrefix(o, "seccomp:") })
	if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || profile < 0 || !exists(filepath.Join("../../deploy/compose", strings.TrimPrefix(s.SecurityOpt[profile], "seccomp:"))) {
		t.Errorf("%s is not confined as the guide says: %+v", name, s)
	}
}

// Caddy takes the file of the cluster, at a port and at a host of its own.
func TestComposeProxyIsRead(t *testing.T) {
	t.Parallel()
	caddy := proxyProgram(t, "caddy")
	for _, host := range []string{"", "QUIRE_HOST=reports.example.com"} {
		cmd := proxyCommand(caddy, "adapt", "--config", "../../deploy/compose/Caddyfile", "--validate")
		cmd.Env = append(cmd.Env, host, "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "service-2:8080") {
			t.Errorf("%s: %v\n%s", host, err, out)
		}
	}
}
