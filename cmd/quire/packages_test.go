package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
)

// machine is what the scripts of the packages see of a machine: a systemctl that
// remembers which units are enabled and run, as files in a folder.
type machine struct {
	t   *testing.T
	dir string
}

// systemctl is a program that does to files what systemd does to units.
const systemctl = `#!/bin/sh
verb=$1; shift
for unit; do
	case $unit in
	--now) now=yes; continue ;;
	-*) continue ;;
	esac
	case $verb in
	enable) : >"$UNITS/enabled.$unit"; [ -z "$now" ] || : >"$UNITS/active.$unit" ;;
	disable) rm -f "$UNITS/enabled.$unit" ;;
	start) : >"$UNITS/active.$unit" ;;
	stop) rm -f "$UNITS/active.$unit" ;;
	try-restart) [ ! -e "$UNITS/active.$unit" ] || : >"$UNITS/restarted.$unit" ;;
	is-enabled) [ -e "$UNITS/enabled.$unit" ] || exit 1 ;;
	is-active) [ -e "$UNITS/active.$unit" ] || exit 1 ;;
	esac
done
`

func newMachine(t *testing.T, booted bool) *machine {
	m := &machine{t, t.TempDir()}
	folders := []string{"bin", "units", "etc/quire"}
	if booted {
		folders = append(folders, "run/systemd/system")
	}
	for _, folder := range folders {
		if err := os.MkdirAll(filepath.Join(m.dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(m.dir, "bin", "systemctl"), []byte(systemctl), 0o755); err != nil {
		t.Fatal(err)
	}
	return m
}

// script runs one of the scripts of the packages.
func (m *machine) script(name string, args ...string) {
	m.t.Helper()
	text, err := os.ReadFile("../../deploy/package/" + name + ".sh")
	if err != nil {
		m.t.Fatal(err)
	}
	here := regexp.MustCompile(`/(run/systemd|etc/quire)`).ReplaceAllString(string(text), m.dir+"$0")
	cmd := exec.Command("sh", append([]string{"-c", here, name}, args...)...)
	cmd.Env = []string{"PATH=" + filepath.Join(m.dir, "bin") + ":" + os.Getenv("PATH"), "UNITS=" + filepath.Join(m.dir, "units")}
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

func (m *machine) units() string {
	files, err := filepath.Glob(filepath.Join(m.dir, "units", "*"))
	if err != nil {
		m.t.Fatal(err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".service")
	}
	return strings.Join(files, " ")
}

func (m *machine) set(units ...string) {
	m.t.Helper()
	for _, file := range units {
		if err := os.WriteFile(filepath.Join(m.dir, "units", file+".service"), nil, 0o644); err != nil {
			m.t.Fatal(err)
		}
	}
}

// What ran before a package was removed runs again when it is installed again, and
// nothing else; nothing runs while it is not there.
func TestPackagesKeepWhatRan(t *testing.T) {
	t.Parallel()
	deb := map[string][]string{"first": {"configure", ""}, "again": {"configure", "0.1.0"}, "upgrade": {"configure", "0.1.0"}, "remove": {"remove"}, "replace": {"upgrade", "0.2.0"}}
	rpm := map[string][]string{"first": {"1"}, "again": {"1"}, "upgrade": {"2"}, "remove": {"0"}, "replace": {"1"}}
	for kind, says := range map[string]map[string][]string{"deb": deb, "rpm": rpm} {
		t.Run(kind, func(t *testing.T) {
			m := newMachine(t, true)
			m.script("postinstall", says["first"]...)
			if got := m.units(); got != "active.quire enabled.quire" {
				t.Fatalf("after the installation: %s", got)
			}
			m.script("preremove", says["replace"]...)
			m.script("postinstall", says["upgrade"]...)
			if got := m.units(); got != "active.quire enabled.quire restarted.quire" {
				t.Fatalf("after an upgrade: %s", got)
			}
			if err := os.Remove(filepath.Join(m.dir, "units", "restarted.quire.service")); err != nil {
				t.Fatal(err)
			}
			for _, before := range [][]string{{"active.quire", "enabled.quire"}, {"active.quire-worker", "enabled.quire-worker"}, {"enabled.quire"}, {"active.quire"}, {}} {
				m.script("preremove", says["remove"]...)
				if got := m.units(); got != "" {
					t.Fatalf("after the removal: %s", got)
				}
				m.script("postremove", says["remove"]...)
				m.set(before...)
				m.script("preremove", says["remove"]...) // as it was then
				if got := m.units(); got != "" {
					t.Fatalf("after the removal of %v: %s", before, got)
				}
				m.script("postremove", says["remove"]...)
				m.script("postinstall", says["again"]...)
				if got := m.units(); got != strings.Join(before, " ") {
					t.Errorf("removed with %v and installed again: %s", before, got)
				}
			}
			m.script("preremove", says["remove"]...)
			if kind == "deb" {
				m.script("postremove", "purge")
				m.script("postinstall", says["first"]...)
				if got := m.units(); got != "active.quire enabled.quire" {
					t.Errorf("purged and installed again: %s", got)
				}
			}
		})
	}
}

// Where systemd does not run, as while an image is made, services are enabled and
// not started.
func TestPackagesOfAnImageStartNothing(t *testing.T) {
	t.Parallel()
	m := newMachine(t, false)
	m.script("postinstall", "configure", "")
	if got := m.units(); got != "enabled.quire" {
		t.Fatalf("after the installation: %s", got)
	}
	m.script("preremove", "remove")
	m.script("postinstall", "configure", "0.1.0")
	if got := m.units(); got != "enabled.quire" {
		t.Fatalf("installed again: %s", got)
	}
}

// The site of the documentation has all pages, and does not build with a link that
// leads nowhere.
func TestTheSiteTellsBrokenLinks(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if out, err := exec.Command("sh", "-c", `cd ../.. && mkdir -p "$0/scripts" "$0/api/ui/static" && cp -r docs ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md "$0" &&
		cp -r scripts/site scripts/site.sh "$0/scripts" && cp api/ui/static/icon.svg "$0/api/ui/static"`, root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	build := func() (string, error) {
		out, err := exec.Command("bash", filepath.Join(root, "scripts/site.sh"), "--check").CombinedOutput()
		return string(out), err
	}
	said, err := build()
	if strings.Contains(said, "needs mkdocs") || strings.Contains(said, "mkdocs is missing") {
		judges.Missing(t, "needs mkdocs; scripts/setup.sh test fetches it")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	page := filepath.Join(root, "docs", "jobs.md")
	whole, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for link, told := range map[string]string{"[a](nowhere.md)": "nowhere.md", "[a](api.md#no-such-heading)": "no-such-heading"} {
		if err := os.WriteFile(page, []byte(string(whole)+"\n"+link+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if said, err := build(); err == nil || !strings.Contains(said, "jobs.md") || !strings.Contains(said, told) {
			t.Errorf("%s: %v\n%s", link, err, said)
		}
	}
}
