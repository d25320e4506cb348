package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
)

// An operator's way: backup, list, verify, restore elsewhere with keys that were
// kept apart, under a key of the new place's own.
func TestBackupCommands(t *testing.T) {
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	t.Setenv("Storage__Sync", "false")
	dir, at, keys := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "safe", "keys.json")
	sealedData(t, "DataDir="+dir)
	if out, err := command(t, "backup", "--data", dir); err == nil || !strings.Contains(err.Error(), "Backup.Url") {
		t.Errorf("without a place: %v %s", err, out)
	}
	out, err := command(t, "backup", "--data", dir, at, "--keys", keys)
	if err != nil || !strings.Contains(out, " 0 of them copied") && !strings.Contains(out, "of them copied") {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := command(t, "backup", "--data", dir, t.TempDir(), "--keys", filepath.Join(keys, "keys.json")); err == nil || !strings.Contains(err.Error(), "the backup is made, but not this file") {
		t.Errorf("a file as the folder of keys: %v", err)
	}
	id := strings.Fields(out)[0]
	if doc, err := os.ReadFile(filepath.Join(at, "backups", id, "manifest.json")); err != nil || strings.Contains(string(doc), "hunter2") {
		t.Errorf("the manifest: %v", err)
	}
	if info, err := os.Stat(keys); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the keys are not for their owner only: %v", err)
	}
	if out, err := command(t, "backup", "list", at); err != nil || !strings.HasPrefix(out, id+" ") {
		t.Errorf("list: %v %q", err, out)
	}
	out, err = command(t, "backup", "verify", "--data", dir, at)
	if printed := regexp.MustCompile(`printed demo/\S+ from it: \d+ pages`); err != nil || !printed.MatchString(out) {
		t.Errorf("verify: %v %q", err, out)
	}
	if out, err := command(t, "backup", "verify", "--data", dir, "--print", "demo/nosuch", at); err == nil {
		t.Errorf("a report that is not there was printed: %s", out)
	}

	mistyped := filepath.Join(t.TempDir(), "mistyped")
	for _, reading := range [][]string{{"backup", "list"}, {"backup", "verify"}, {"restore"}} {
		if out, err := command(t, append(reading, "--data", dir, mistyped)...); err == nil || !strings.Contains(err.Error(), "there is no folder "+mistyped) || exists(mistyped) {
			t.Errorf("%v of a folder that is not there: %v %s", reading, err, out)
		}
	}

	same := t.TempDir()
	if out, err := command(t, "restore", "--data", filepath.Join(same, "new"), at); err == nil || !strings.Contains(err.Error(), "--keys") {
		t.Errorf("without the keys: %v %s", err, out)
	}
	if out, err := command(t, "restore", "--data", same, "--keys", keys, at); err != nil || !strings.HasPrefix(out, "restored "+id) {
		t.Errorf("restore: %v %s", err, out)
	}
	if err := unseals(t, "DataDir="+same); err != nil {
		t.Errorf("the restored secret: %v", err)
	}
	if out, err := command(t, "restore", "--data", same, "--keys", keys, at); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("over what is there: %v %s", err, out)
	}

	own := t.TempDir()
	t.Setenv("Encryption__Key", strings.Repeat("k", 32))
	t.Setenv("Encryption__Vector", strings.Repeat("v", 16))
	if out, err := command(t, "restore", "--data", own, "--keys", keys, at); err != nil || !strings.Contains(out, "sealed with the key of this installation") {
		t.Errorf("under another key: %v %s", err, out)
	}
	if err := unseals(t, "DataDir="+own, "Encryption__Key="+strings.Repeat("k", 32), "Encryption__Vector="+strings.Repeat("v", 16)); err != nil {
		t.Errorf("the secret under another key: %v", err)
	}
	_, st := openedStore(t, slog.New(slog.DiscardHandler), "DataDir="+own, "Encryption__Key="+strings.Repeat("k", 32), "Encryption__Vector="+strings.Repeat("v", 16))
	defer st.Close()
	if _, err := st.UserByEmail(t.Context(), "root@localhost"); err != nil {
		t.Error(err)
	}
}

// One workspace comes into an installation that has others, with its secrets.
func TestBackupCommandsOfAWorkspace(t *testing.T) {
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	t.Setenv("Storage__Sync", "false")
	dir, at, keys, other := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "keys.json"), t.TempDir()
	sealedData(t, "DataDir="+dir)
	for _, step := range []struct{ args, says, fails string }{
		{"backup --data {dir} {at} --workspace nosuch", "", "no workspace with the code nosuch"},
		{"backup --data {dir} {at} --workspace demo --keys {keys}", "workspace demo  as of", ""},
		{"backup list {at}", "workspace demo  as of", ""},
		{"backup verify --data {dir} {at} --workspace demo", "printed demo/", ""},
		{"restore --data {other} {at} --workspace demo --keys {keys}", "", "start the service there once"},
		{"restore --data {dir} {at} --workspace demo", "", "give it another one with --as"},
		{"restore --data {dir} {at} --workspace demo --as two", "jobs that are switched off now", ""},
		{"restore --data {dir} {at} --workspace demo --as three --active-jobs", "restored the workspace three,", ""},
		{"restore --data {dir} {at}", "", "--workspace demo"},
		{"restore --data {dir} {at} --as four", "", "--as and --active-jobs go with --workspace"},
	} {
		args := strings.Fields(strings.NewReplacer("{dir}", dir, "{at}", at, "{keys}", keys, "{other}", other).Replace(step.args))
		out, err := command(t, args...)
		if !strings.Contains(out, step.says) || (err != nil) != (step.fails != "") || err != nil && !strings.Contains(err.Error(), step.fails) {
			t.Errorf("%s: %v\n%s", step.args, err, out)
		}
	}

	// Into an installation with keys of its own.
	_, st := openedStore(t, slog.New(slog.DiscardHandler), "DataDir="+other)
	if _, err := st.CreateRootUser(t.Context(), "root@localhost", "root", "Correct-horse-7"); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if out, err := command(t, "restore", "--data", other, at, "--workspace", "demo"); err == nil || !strings.Contains(err.Error(), "--keys") {
		t.Errorf("with other keys: %v %s", err, out)
	}
	if out, err := command(t, "restore", "--data", other, at, "--workspace", "demo", "--keys", keys); err != nil {
		t.Errorf("with the keys: %v %s", err, out)
	}
	if err := unseals(t, "DataDir="+other); err != nil {
		t.Errorf("the secret: %v", err)
	}
}
