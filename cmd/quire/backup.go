package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/backup"
)

// placeHelp is what commands take as the place of backups.
const placeHelp = "a folder, file://{folder} or s3://{bucket}?…; without one the setting Backup.Url"

func backupCommand(c *common) *cobra.Command {
	var keysTo, workspace string
	var keep int
	cmd := &cobra.Command{
		Use: "backup [place]", Short: "Back up database and files of a working installation, or of one workspace, to " + placeHelp,
		Args: wrongUse(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := c.load()
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("keep") {
				keep = s.BackupKeep
			}
			return runBackup(cmd, s, args, backup.Options{Program: version, Keep: keep, Workspace: workspace}, keysTo)
		},
	}
	cmd.Flags().StringVar(&keysTo, "keys", "", "also write the keys that open sealed secrets to this file; keep it apart from the backup")
	cmd.Flags().IntVar(&keep, "keep", 0, "backups of the same that stay in the place, this one among them; 0: all (default setting Backup.Keep)")
	cmd.Flags().StringVar(&workspace, "workspace", "", "code of the only workspace to back up (default all, with everything else)")
	cmd.AddCommand(backupList(c), backupVerify(c))
	return cmd
}

func runBackup(cmd *cobra.Command, s *settings, args []string, o backup.Options, keysTo string) error {
	ctx := cmd.Context()
	at, err := backupPlace(ctx, s, args)
	if err != nil {
		return err
	}
	defer at.Close()
	st, err := openStore(ctx, s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		return err
	}
	defer st.Close()
	bar := newProgressBar(os.Stderr)
	o.Progress = bar.steps()
	m, err := backup.Write(ctx, st, at, o)
	bar.end()
	if err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), describeBackup(m))
	for _, key := range m.Contents.Missing {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning: the storage has lost the content", key)
	}
	if keysTo == "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "the keys that open its secrets are not in it: keep", s.keysAre(), "apart from it, or write them with --keys {file}")
		return nil
	}
	err = store.MakeFolder(filepath.Dir(keysTo))
	if err == nil {
		err = writeKeys(keysTo, keys{Key: s.Key.Reveal(), Vector: s.Vector.Reveal()}, true)
	}
	if err != nil {
		return fmt.Errorf("--keys %s: the backup is made, but not this file: %w", keysTo, err)
	}
	return nil
}

// keysAre is where the keys in force come from.
func (s *settings) keysAre() string {
	if _, err := s.readKeys(); err == nil {
		return s.keysPath()
	}
	return "Encryption.Key and Encryption.Vector"
}

func describeBackup(m *backup.Manifest) string {
	rows := 0
	for _, t := range m.Tables {
		rows += t.Rows
	}
	of := ""
	if m.Workspace != nil {
		of = "workspace " + m.Workspace.Code + "  "
	}
	text := fmt.Sprintf("%s  %sas of %s  %d rows, %d contents (%s, %d of them copied) in %s", m.ID, of, m.Taken.Format(time.RFC3339), rows,
		m.Contents.Count, sizeText(m.Contents.Bytes), m.Contents.Copied, m.Ended.Sub(m.Taken).Round(100*time.Millisecond))
	if n := len(m.Contents.Missing); n > 0 {
		text += fmt.Sprintf(", %d contents were lost before", n)
	}
	return text
}

func sizeText(n int64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%d kB", (n+1023)>>10)
	}
	return fmt.Sprintf("%d MB", n>>20)
}

// steps shows what backups and restores tell.
func (b *progressBar) steps() backup.Progress {
	return func(what string, done, total int) { b.show(time.Now(), done, total, what) }
}

// backupPlace opens the place that a command writes to, or that of the settings.
func backupPlace(ctx context.Context, s *settings, args []string) (*store.Contents, error) {
	address, err := backupAddress(s, args)
	if err != nil {
		return nil, err
	}
	return store.OpenContents(ctx, "Backup__Url", address)
}

// backupThere opens the place that a command reads from: a folder has to be there,
// and is not made for a path that is mistyped.
func backupThere(ctx context.Context, s *settings, args []string) (*store.Contents, error) {
	address, err := backupAddress(s, args)
	if err != nil {
		return nil, err
	}
	if folder, local := strings.CutPrefix(address, "file://"); local {
		if _, err := os.Stat(filepath.FromSlash(folder)); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no folder %s, and so no backup", folder)
		}
	}
	return store.OpenContents(ctx, "Backup__Url", address)
}

func backupAddress(s *settings, args []string) (string, error) {
	address := s.BackupURL
	if len(args) > 0 {
		address = args[0]
	}
	switch {
	case address == "":
		return "", usageError{errors.New("where is the backup? Accepted: " + placeHelp)}
	case !strings.Contains(address, "://"):
		path, err := filepath.Abs(address)
		return "file://" + filepath.ToSlash(path), err
	}
	return address, nil
}

func backupList(c *common) *cobra.Command {
	return &cobra.Command{
		Use: "list [place]", Short: "List the backups of a place, the newest first", Args: wrongUse(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := c.load()
			if err != nil {
				return err
			}
			at, err := backupThere(cmd.Context(), s, args)
			if err != nil {
				return err
			}
			defer at.Close()
			all, err := backup.List(cmd.Context(), at)
			for _, m := range all {
				fmt.Fprintln(cmd.OutOrStdout(), describeBackup(m))
			}
			return err
		},
	}
}

// from holds the flags of commands that read a backup.
type from struct {
	id, keys   string
	workspace  string // the only one that is wanted
	as         string
	activeJobs bool
}

func (f *from) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.id, "id", "", "which backup (default the newest; quire backup list names them)")
	cmd.Flags().StringVar(&f.keys, "keys", "", "file with the keys of the installation that was backed up (default those of the settings, or keys.json in the data folder)")
	cmd.Flags().StringVar(&f.workspace, "workspace", "", "code of the only workspace to take from the backup, which may be of all")
}

// readKeys reads them, if a file was named.
func (f *from) readKeys() ([]store.Keys, error) {
	if f.keys == "" {
		return nil, nil
	}
	doc, err := os.ReadFile(f.keys)
	var k keys
	if err == nil {
		err = json.Unmarshal(doc, &k)
	}
	if err == nil {
		err = k.check()
	}
	if err != nil {
		return nil, fmt.Errorf("--keys %s: %w", f.keys, err)
	}
	list := []store.Keys{{Key: report.Secret(k.Key), Vector: report.Secret(k.Vector)}}
	for _, old := range k.Old {
		list = append(list, store.Keys{Key: report.Secret(old.Key), Vector: report.Secret(old.Vector)})
	}
	return list, nil
}

func restoreCommand(c *common) *cobra.Command {
	var f from
	cmd := &cobra.Command{
		Use: "restore [place]", Short: "Restore a backup into the empty installation of the settings, or one workspace into one that works; from " + placeHelp, Args: wrongUse(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := c.load()
			if err != nil {
				return err
			}
			if f.workspace != "" {
				return f.restoreWorkspace(cmd.Context(), s, args, cmd.OutOrStdout())
			}
			if f.as != "" || f.activeJobs {
				return usageError{errors.New("--as and --active-jobs go with --workspace")}
			}
			return f.restore(cmd.Context(), s, args, cmd.OutOrStdout())
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.as, "as", "", "code that the workspace gets (default the one that it had)")
	cmd.Flags().BoolVar(&f.activeJobs, "active-jobs", false, "leave the jobs of the workspace switched on that were (default off, as they may still be done where the backup is of)")
	return cmd
}

// restore puts a backup where the settings say, and seals its secrets with the
// keys there.
func (f *from) restore(ctx context.Context, s *settings, args []string, out io.Writer) error {
	at, err := backupThere(ctx, s, args)
	if err != nil {
		return err
	}
	defer at.Close()
	m, err := backup.Find(ctx, at, f.id, "")
	if err != nil {
		return err
	}
	given, err := f.readKeys()
	if err != nil {
		return err
	}
	if _, err := s.readKeys(); len(given) > 0 && s.Key == "" && errors.Is(err, os.ErrNotExist) { // they become those of the new installation
		if err := errors.Join(store.MakeFolder(s.DataDir), writeKeys(s.keysPath(), keys{Key: given[0].Key.Reveal(), Vector: given[0].Vector.Reveal()}, false)); err != nil {
			return fmt.Errorf("writing keys: %w", err)
		}
	}
	config, err := storeConfig(s, slog.New(slog.DiscardHandler), true)
	if err != nil {
		return err
	}
	config.Old = append(config.Old, given...)
	if !store.OpensCanary(m.Canary, append([]store.Keys{{Key: config.Key, Vector: config.Vector}}, config.Old...)...) {
		return fmt.Errorf("the keys here (%s) are not those that the secrets of the backup are sealed with; name these by --keys {file}", s.keysAre())
	}
	bar := newProgressBar(os.Stderr)
	err = restoreInto(ctx, m, at, config, bar.steps())
	bar.end()
	if err != nil {
		return err
	}
	st, err := store.Open(ctx, config)
	if err != nil {
		return err
	}
	defer st.Close()
	resealed, err := st.Reseal(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "restored", describeBackup(m))
	if resealed > 0 {
		fmt.Fprintln(out, resealed, "secrets are sealed with the key of this installation now")
	}
	return nil
}

func restoreInto(ctx context.Context, m *backup.Manifest, at *store.Contents, config store.Config, progress backup.Progress) error {
	tables, err := store.OpenTables(ctx, config)
	if err != nil {
		return err
	}
	contents, err := store.OpenContents(ctx, "Storage__Url", config.Storage)
	if err != nil {
		return errors.Join(err, tables.Close())
	}
	err = m.Restore(ctx, at, backup.Target{Tables: tables, Contents: contents}, progress)
	return errors.Join(err, contents.Close(), tables.Close())
}

func backupVerify(c *common) *cobra.Command {
	var f from
	var print string
	cmd := &cobra.Command{
		Use: "verify [place]", Short: "Restore a backup into a temporary folder and print a report from it", Args: wrongUse(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := c.load()
			if err != nil {
				return err
			}
			return f.verify(cmd.Context(), s, args, print, cmd.OutOrStdout())
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&print, "print", "", "{workspace}/{report} to print (default the first that prints)")
	return cmd
}

// verify restores into a folder that is removed afterwards, on SQLite whatever
// the backup is of, and prints from it. Nothing that is queued is done there.
func (f *from) verify(ctx context.Context, s *settings, args []string, print string, out io.Writer) error {
	if s.Key == "" && f.keys == "" {
		f.keys = s.keysPath()
	}
	dir, err := os.MkdirTemp("", "quire-verify-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	trial := *s
	trial.DataDir, trial.Database, trial.Redis, trial.Storage = dir, "sqlite:"+filepath.Join(dir, "quire.db"), "", "file://"+filepath.Join(dir, "files")
	trial.StorageSync = false
	if f.workspace == "" {
		if err := f.restore(ctx, &trial, args, out); err != nil {
			return err
		}
	}
	log := slog.New(slog.DiscardHandler)
	st, err := openStore(ctx, &trial, log, true)
	if err != nil {
		return err
	}
	defer st.Close()
	if f.workspace != "" {
		if err := f.bring(ctx, &trial, st, args, out); err != nil {
			return err
		}
	}
	e, err := newEngine(ctx, &trial, log, data.Config{Connections: connections{st}})
	if err != nil {
		return err
	}
	defer e.stop()
	e.config.Definitions, e.config.Uploads = st, st
	return printFrom(ctx, st, export.New(e.config), print, out)
}

// mostTried bounds the reports that are tried when none is named.
const mostTried = 20

// printFrom prints the report that is named, or the first that prints: others
// may need data from elsewhere, or parameters.
func printFrom(ctx context.Context, st *store.Store, exports *export.Service, named string, out io.Writer) error {
	of, code, _ := strings.Cut(named, "/")
	workspaces, err := st.Workspaces(ctx, &store.User{IsRoot: true})
	if err != nil {
		return err
	}
	var errs []error
	for _, w := range workspaces {
		if of != "" && w.Code != of {
			continue
		}
		reports, err := st.Reports(ctx, w.ID, store.ReportQuery{Limit: mostTried})
		if err != nil {
			return err
		}
		for _, r := range reports {
			if code != "" && r.Code != code || len(errs) >= mostTried {
				continue
			}
			made, err := exports.Export(ctx, export.Request{Workspace: w.ID, Report: fmt.Sprint(r.ID), ExportOptions: report.ExportOptions{Format: "pdf"}})
			if err != nil {
				errs = append(errs, fmt.Errorf("%s/%s: %w", w.Code, r.Code, err))
				continue
			}
			fmt.Fprintf(out, "printed %s/%s from it: %d pages, %s\n", w.Code, r.Code, made.Pages, sizeText(made.Size))
			return made.Close()
		}
	}
	switch {
	case len(errs) > 0:
		return fmt.Errorf("no report prints: %w", errors.Join(errs...))
	case named != "":
		return fmt.Errorf("there is no report %s in it", named)
	}
	fmt.Fprintln(out, "there is no report to print in it")
	return nil
}
