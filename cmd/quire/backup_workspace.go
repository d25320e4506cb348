package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/backup"
)

// restoreWorkspace brings one workspace into the installation of the settings, beside
// those that are there.
func (f *from) restoreWorkspace(ctx context.Context, s *settings, args []string, out io.Writer) error {
	st, err := openStore(ctx, s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		return err
	}
	defer st.Close()
	begun, err := st.HasUsers(ctx)
	if err != nil {
		return err
	}
	if !begun {
		return errors.New("nobody could sign in: the installation of the settings has no account yet; start the service there once, which makes the first, and then restore the workspace")
	}
	return f.bring(ctx, s, st, args, out)
}

// bring brings the workspace and says what became of it.
func (f *from) bring(ctx context.Context, s *settings, st *store.Store, args []string, out io.Writer) error {
	at, err := backupThere(ctx, s, args)
	if err != nil {
		return err
	}
	defer at.Close()
	m, err := backup.Find(ctx, at, f.id, f.workspace)
	if err != nil {
		return err
	}
	keys, err := f.readKeys()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "quire-restore-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	bar := newProgressBar(os.Stderr)
	a, err := m.RestoreWorkspace(ctx, at, st, backup.Placement{Code: f.workspace, As: f.as, ActiveJobs: f.activeJobs, Keys: keys, Scratch: scratch, Progress: bar.steps()})
	bar.end()
	if errors.Is(err, store.ErrOtherKeys) {
		return fmt.Errorf("%w: the keys here (%s) are not those that the secrets of the backup are sealed with; name these by --keys {file}", err, s.keysAre())
	}
	if err != nil {
		return f.orAs(err)
	}
	describeArrival(out, m, a)
	return nil
}

// orAs says what to do when the code of the workspace is taken.
func (f *from) orAs(err error) error {
	if isTaken(err) && f.as == "" {
		return fmt.Errorf("%w; give it another one with --as {code}, or delete that workspace first", err)
	}
	return err
}

func describeArrival(out io.Writer, m *backup.Manifest, a *backup.Arrival) {
	fmt.Fprintf(out, "restored the workspace %s, now number %d, from %s: %d rows, %d contents\n", a.Workspace.Code, a.Workspace.ID, describeBackup(m), a.Rows, a.Contents)
	for _, line := range []struct {
		says string
		of   []string
	}{
		{"accounts that were made, without a password; a root user makes a link for each, or they come by single sign-on", a.Accounts},
		{"groups that were made", a.Groups},
		{"jobs that are switched off now; switch on those that are to be done here", a.Off},
		{"warning: contents that the storage had lost before", a.Missing},
	} {
		if len(line.of) > 0 {
			fmt.Fprintf(out, "%s: %s\n", line.says, strings.Join(line.of, ", "))
		}
	}
	if a.Stopped > 0 {
		fmt.Fprintf(out, "%d runs were under way and have ended; what of them was not made or sent says so, and can be made again\n", a.Stopped)
	}
}

func isTaken(err error) bool {
	var p *report.Problem
	return errors.As(err, &p) && p.Kind == report.Conflict && p.Path == "code"
}
