package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
)

// composeFile is what the tests look at of what Docker Compose reads in a file. That it
// has no fields that Compose does not know the program that reads it has seen.
type composeFile struct {
	Services map[string]composeService
	Secrets  map[string]struct{ File string }
}

type composeService struct {
	Image       string
	Command     []string
	Environment map[string]string
	Secrets     []struct{ Source, Target string }
	Volumes     []struct{ Type, Source string }
	Healthcheck *struct{ Test []string }
	DependsOn   map[string]struct{ Condition string } `json:"depends_on"`
	SecurityOpt []string                              `json:"security_opt"`
	ReadOnly    bool                                  `json:"read_only"`
	CapDrop     []string                              `json:"cap_drop"`
	StopGrace   string                                `json:"stop_grace_period"`
}

// readCompose reads a file as Docker Compose does, by its own library.
func readCompose(t *testing.T, path string) (*composeFile, error) {
	t.Helper()
	cache, _ := os.UserCacheDir()
	program := filepath.Join(cache, "quire", "compose")
	if !exists(program) {
		judges.Missing(t, "needs the reader of files for Docker Compose; scripts/setup.sh test builds it")
	}
	cmd := exec.Command(program, path)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, said.Bytes())
	}
	var c composeFile
	return &c, json.Unmarshal(out, &c)
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

// Docker Compose takes its files. They give Quire settings that it has and takes, secrets
// that are there, the time that it needs to stop, and the bounds of a container that the
// guide promises.
func TestComposeFilesHoldSettings(t *testing.T) {
	t.Parallel()
	folder := composeFolder(t)
	for name, want := range map[string]int{"compose.yaml": 1, "cluster.yaml": 4} {
		c, err := readCompose(t, filepath.Join(folder, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		found := 0
		for service, s := range c.Services {
			for _, secret := range s.Secrets {
				if file := c.Secrets[secret.Source].File; !exists(file) {
					t.Errorf("%s: %s: secret %s is no file: %q", name, service, secret.Source, file)
				}
			}
			for _, v := range s.Volumes {
				if v.Type == "bind" && !exists(v.Source) {
					t.Errorf("%s: %s: %s is not there", name, service, v.Source)
				}
			}
			for other, d := range s.DependsOn {
				if d.Condition == "service_healthy" && c.Services[other].Healthcheck == nil {
					t.Errorf("%s: %s waits for ever until %s is healthy, which nothing checks", name, service, other)
				}
			}
			if s.Image != "quire" {
				continue
			}
			found++
			checkComposed(t, name+": "+service, c, s)
		}
		if found != want {
			t.Errorf("%s: %d processes of Quire; want %d", name, found, want)
		}
	}
}

func checkComposed(t *testing.T, name string, c *composeFile, s composeService) {
	t.Helper()
	var env []string
	for key, value := range s.Environment {
		if setting := strings.ReplaceAll(strings.TrimSuffix(key, "_FILE"), "__", "."); !strings.HasPrefix(key, "AWS_") && settingNamed(setting) == nil {
			t.Errorf("%s: there is no setting %s", name, key)
		}
		if strings.HasPrefix(value, "/run/secrets/") {
			i := slices.IndexFunc(s.Secrets, func(secret struct{ Source, Target string }) bool { return secret.Target == value })
			if i < 0 {
				t.Errorf("%s: %s is not among its secrets", name, value)
				continue
			}
			value = c.Secrets[s.Secrets[i].Source].File
		}
		env = append(env, key+"="+value)
	}
	loaded, err := loadSettings("", env, nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if stop, err := time.ParseDuration(s.StopGrace); err != nil || stop <= time.Duration(loaded.StopDelay+loaded.StopGrace+5)*time.Second {
		t.Errorf("%s: it is killed after %q, before it has stopped", name, s.StopGrace)
	}
	if len(s.Command) > 0 && s.Command[0] != "worker" {
		t.Errorf("%s: unknown command %q", name, s.Command)
	}
	profile := slices.IndexFunc(s.SecurityOpt, func(o string) bool { return strings.HasPrefix(o, "seccomp:") })
	if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || profile < 0 || !exists(filepath.Join("../../deploy/compose", strings.TrimPrefix(s.SecurityOpt[profile], "seccomp:"))) {
		t.Errorf("%s is not confined as the guide says: %+v", name, s)
	}
}

// What Docker Compose would refuse the reader of its files refuses, too.
func TestComposeFilesAreRead(t *testing.T) {
	t.Parallel()
	folder := composeFolder(t)
	path := filepath.Join(folder, "cluster.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ right, wrong, want string }{
		{"read_only: true", "read_onyl: true", "read_onyl"},
		{"redis: {condition", "reddis: {condition", `undefined service "reddis"`},
		{"secrets: [postgres]", "secrets: [postgrs]", "undefined secret postgrs"},
		{"proxy:/data", "prxy:/data", "undefined volume prxy"},
		{"stop_grace_period: 45s", "stop_grace_period: 45", "stop_grace_period"},
	} {
		if err := os.WriteFile(path, bytes.Replace(text, []byte(c.right), []byte(c.wrong), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readCompose(t, path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.wrong, err)
		}
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
