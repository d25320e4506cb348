package main

import (
	"bytes"
	"strings"
	"testing"
)

// command runs a command of the program in this process.
func command(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestMigrateCommand(t *testing.T) {
	t.Setenv("Storage__Sync", "false")
	dir := t.TempDir()
	for _, step := range []struct{ args, says, fails string }{
		{"--status", "the tables are of version 0; to do: ", ""},
		{"--dry-run", "CREATE TABLE users", ""},
		{"--dry-run --to 4", "tried from version 0 to 4", ""},
		{"--status", "the tables are of version 0", ""},
		{"--to 38", "the tables are of version 38 now, and were of 0", ""},
		{"--status", "not yet              00039_directories", ""},
		{"--to 5", "", "no version 5 of the tables"},
		{"--to 37", "", "add --back"},
		{"--to 37 --back", "of version 37 now", ""},
		{"", "and were of 37", ""},
		{"", "nothing to do", ""},
		{"--status", "up to date", ""},
		{"--status --dry-run", "", "no other flag"},
	} {
		out, err := command(t, append([]string{"migrate", "--data", dir}, strings.Fields(step.args)...)...)
		if !strings.Contains(out, step.says) {
			t.Errorf("quire migrate %s says %q; want %q", step.args, out, step.says)
		}
		if (err != nil) != (step.fails != "") || err != nil && !strings.Contains(err.Error(), step.fails) {
			t.Errorf("quire migrate %s: %v; want %q", step.args, err, step.fails)
		}
	}
}
