package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/store"
)

func migrateCommand(c *common) *cobra.Command {
	var to int64
	var status, dry, back, wide bool
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the tables of the database up to date, or to a version",
		Args: wrongUse(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if status && (dry || wide || cmd.Flags().Changed("to")) {
				return usageError{errors.New("--status changes nothing and goes with no other flag")}
			}
			if wide && (dry || back || cmd.Flags().Changed("to")) {
				return usageError{errors.New("--wide goes with no other flag")}
			}
			return withTables(cmd, c, func(ctx context.Context, t *store.Tables) error {
				if status {
					return tableStatus(ctx, t, cmd.OutOrStdout())
				}
				if wide {
					return widen(ctx, t, cmd.OutOrStdout())
				}
				if !cmd.Flags().Changed("to") {
					latest, err := t.Latest()
					if err != nil {
						return err
					}
					to = latest
				}
				return migrateTo(ctx, t, to, dry, back, cmd.OutOrStdout())
			})
		},
	}
	cmd.Flags().BoolVar(&status, "status", false, "list the migrations and which of them the database has")
	cmd.Flags().Int64Var(&to, "to", 0, "version of the tables to bring them to (default the newest)")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print the statements, and try them in a transaction that is undone")
	cmd.Flags().BoolVar(&back, "back", false, "with --to: go back to an older version, which loses what only the newer tables hold")
	cmd.Flags().BoolVar(&wide, "wide", false, "give 64 bits to the numbers of a PostgreSQL database from before version 57; stop all services and workers first")
	return cmd
}

// widen gives 64 bits to every number.
func widen(ctx context.Context, t *store.Tables, out io.Writer) error {
	start := time.Now()
	tables, err := t.Widen(ctx)
	for _, table := range tables {
		fmt.Fprintln(out, table)
	}
	if err == nil {
		fmt.Fprintf(out, "numbers of %d tables have 64 bits now, after %s; all others had them\n", len(tables), time.Since(start).Round(time.Millisecond))
	}
	return err
}

// withTables runs a command on the tables, whichever version they have.
func withTables(cmd *cobra.Command, c *common, do func(context.Context, *store.Tables) error) error {
	s, err := c.load()
	if err != nil {
		return err
	}
	config, err := storeConfig(s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		return err
	}
	t, err := store.OpenTables(cmd.Context(), config)
	if err != nil {
		return err
	}
	return errors.Join(do(cmd.Context(), t), t.Close())
}

func tableStatus(ctx context.Context, t *store.Tables, to io.Writer) error {
	all, version, err := t.State(ctx)
	if err != nil {
		return err
	}
	pending := 0
	for _, m := range all {
		when := "not yet"
		if m.Applied != nil {
			when = m.Applied.UTC().Format(time.DateTime)
		} else {
			pending++
		}
		note := ""
		if m.Contracts > 0 {
			note = fmt.Sprintf("  (only for programs that know %d)", m.Contracts)
		}
		fmt.Fprintf(to, "%-19s  %s%s\n", when, m.Name, note)
	}
	if narrow, err := t.Narrow(ctx); err == nil && len(narrow) > 0 && pending == 0 {
		fmt.Fprintf(to, "numbers of %d tables have 32 bits: enough for two billion entries of jobs; quire migrate --wide gives them 64, while nothing else runs\n", len(narrow))
	}
	switch newest := all[len(all)-1].Version; {
	case version > newest:
		fmt.Fprintf(to, "the tables are of version %d, newer than this program, which knows %d\n", version, newest)
	case pending == 0:
		fmt.Fprintf(to, "the tables are of version %d, up to date\n", version)
	default:
		fmt.Fprintf(to, "the tables are of version %d; to do: %d\n", version, pending)
	}
	return nil
}

// migrateTo brings the tables to a version, or tells what that would do.
func migrateTo(ctx context.Context, t *store.Tables, to int64, dry, back bool, out io.Writer) error {
	all, version, err := t.State(ctx)
	if err != nil {
		return err
	}
	known := version == to
	for _, m := range all {
		known = known || m.Version == to
	}
	switch {
	case !known:
		return fmt.Errorf("this program has no version %d of the tables; quire migrate --status lists them", to)
	case to < version && !back:
		return fmt.Errorf("the tables are of version %d; going back to %d loses what only newer tables hold: back up first, then add --back. Programs of the version before work on newer tables without it", version, to)
	case to < version && dry:
		return fmt.Errorf("the tables are of version %d; --dry-run tells what going to a newer one does", version)
	case to == version:
		fmt.Fprintf(out, "the tables are of version %d: nothing to do\n", version)
		return nil
	case dry:
		start := time.Now()
		statements, err := t.Try(ctx, to)
		fmt.Fprint(out, statements)
		if err == nil {
			fmt.Fprintf(out, "-- tried from version %d to %d in %s and undone\n", version, to, time.Since(start).Round(time.Millisecond))
		}
		return err
	}
	if err := t.MigrateTo(ctx, to); err != nil {
		return err
	}
	fmt.Fprintf(out, "the tables are of version %d now, and were of %d\n", to, version)
	return nil
}
