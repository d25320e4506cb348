package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// look is how often a command asks how far the work is.
const look = 250 * time.Millisecond

// shownErrors bounds the errors of entries that a command prints.
const shownErrors = 20

func jobCommand(c *common) *cobra.Command {
	job := &cobra.Command{Use: "job", Short: "Runs of jobs", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	var params []string
	var leave bool
	run := &cobra.Command{
		Use: "run {workspace} {job}", Short: "Start a run of a job and show how far it is; the service does the work", Args: wrongUse(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			given, err := readParams(params)
			if err != nil {
				return err
			}
			return withJobs(cmd, c, args[0], func(ctx context.Context, f *follower) error {
				id, err := f.jobs.StartRun(ctx, jobs.RunRequest{Workspace: f.workspace.ID, Job: args[1], Params: given}, "")
				if err != nil {
					return err
				}
				fmt.Println("run", id)
				if leave {
					return nil
				}
				return f.run(ctx, args[1], id)
			})
		},
	}
	run.Flags().StringArrayVar(&params, "param", nil, "value of a parameter as name=value; may be repeated")
	run.Flags().BoolVar(&leave, "no-wait", false, "print the number of the run and leave it to the service")
	watch := &cobra.Command{
		Use: "watch {workspace} {job} {run}", Short: "Show how far a run is until it has finished", Args: wrongUse(cobra.ExactArgs(3)),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.Atoi(args[2])
			if err != nil {
				return usageError{fmt.Errorf("%q is no number of a run", args[2])}
			}
			return withJobs(cmd, c, args[0], func(ctx context.Context, f *follower) error { return f.run(ctx, args[1], id) })
		},
	}
	job.AddCommand(run, watch)
	return job
}

func exportCommand(c *common) *cobra.Command {
	var o exportFlags
	cmd := &cobra.Command{
		Use: "export {workspace} {report} -o {file}", Short: "Have the service export a stored report, and write the file", Args: wrongUse(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			req, err := o.request()
			if err != nil {
				return err
			}
			return withJobs(cmd, c, args[0], func(ctx context.Context, f *follower) error {
				req.Workspace, req.Report = f.workspace.ID, args[1]
				id, err := f.jobs.StartExport(ctx, jobs.ExportRequest{Request: req}, "")
				if err != nil {
					return err
				}
				return f.export(ctx, id, o.out)
			})
		},
	}
	o.add(cmd.Flags())
	return cmd
}

func readParams(params []string) (*report.Object, error) {
	given := report.ObjectOf()
	for _, p := range params {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, usageError{fmt.Errorf("--param %q: accepted is name=value", p)}
		}
		given.Set(name, paramValue(value))
	}
	return given, nil
}

// follower watches work that a service beside it does.
type follower struct {
	store     *store.Store
	jobs      *jobs.Service
	workspace *store.Workspace
	bar       *progressBar
}

func withJobs(cmd *cobra.Command, c *common, workspace string, do func(context.Context, *follower) error) error {
	return withStore(cmd, c, func(ctx context.Context, st *store.Store) error {
		w, err := st.WorkspaceByCode(ctx, workspace)
		if err != nil {
			return err
		}
		work := jobs.New(jobs.Config{Store: st, Tell: &jobs.Outbox{Store: st}})
		return do(ctx, &follower{st, work, w, newProgressBar(os.Stderr)})
	})
}

// run shows a run until it has finished; entries that failed are an error.
func (f *follower) run(ctx context.Context, job string, id int) error {
	status, err := follow(ctx, func() (*jobs.RunStatus, bool, error) {
		status, err := f.jobs.Status(ctx, f.workspace.ID, job, id)
		if err != nil {
			return nil, false, err
		}
		note := ""
		if status.Errors > 0 {
			note = fmt.Sprintf("%d failed", status.Errors)
		}
		f.bar.show(time.Now(), status.Entries-status.Queued-status.Delivering, status.Entries, note)
		return status, status.Finished, nil
	})
	f.bar.end()
	if err != nil {
		return err
	}
	fmt.Printf("%d entries: %d completed, %d in review, %d failed\n", status.Entries, status.Completed, status.Review, status.Errors)
	if status.Error != "" {
		return errors.New(status.Error)
	}
	if status.Errors == 0 {
		return nil
	}
	if err := f.printErrors(ctx, id); err != nil {
		return err
	}
	return fmt.Errorf("%d of %d entries failed", status.Errors, status.Entries)
}

func (f *follower) printErrors(ctx context.Context, run int) error {
	failed, err := f.store.EntriesIn(ctx, run, store.EntryError, 0, shownErrors)
	for _, e := range failed {
		fmt.Fprintf(os.Stderr, "entry %d: %s\n", e.Position, e.Error)
	}
	return err
}

// export waits for a file and writes it.
func (f *follower) export(ctx context.Context, id int, out string) error {
	file, err := follow(ctx, func() (*store.ExportFile, bool, error) {
		file, err := f.store.Export(ctx, f.workspace.ID, id)
		if err != nil {
			return nil, false, err
		}
		f.bar.show(time.Now(), 0, 0, fmt.Sprintf("export %d is in progress", id))
		return file, file.Status != store.ExportInProgress, nil
	})
	f.bar.end()
	if err != nil {
		return err
	}
	if file.Status == store.ExportFailed {
		return errors.New(file.Error)
	}
	content, err := f.store.OpenExport(ctx, file)
	if err != nil {
		return err
	}
	defer content.Close()
	return writeContent(content, out)
}

// follow asks until the answer is the last.
func follow[T any](ctx context.Context, ask func() (T, bool, error)) (T, error) {
	for {
		answer, last, err := ask()
		if err != nil || last {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return answer, ctx.Err()
		case <-time.After(look):
		}
	}
}

func writeContent(content io.Reader, out string) error {
	if out == "-" {
		_, err := io.Copy(os.Stdout, content)
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
