package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

func renderCommand() *cobra.Command {
	var o exportFlags
	var data string
	cmd := &cobra.Command{
		Use:   "render {report.json} -o {out}",
		Short: "Make a file of a report file, without a server or database",
		Long: "Make a file of a report file, without a server or database.\n\n" +
			"Theme, template, dictionaries and pictures come from the report file itself or, when it\n" +
			"lies in the reports folder of a workspace bundle, from the bundle.\n\n" +
			"With SOURCE_DATE_EPOCH (seconds since 1970) in the environment it is that time in the report\n" +
			"and in the file, so that the same report gives the same bytes.",
		Args: wrongUse(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			req, err := o.request()
			if err != nil {
				return err
			}
			if req.Data, err = readData(data); err != nil {
				return err
			}
			return renderFile(cmd.Context(), args[0], req, o.out)
		},
	}
	o.add(cmd.Flags())
	cmd.Flags().StringVar(&data, "data", "", "JSON file whose members replace the data sources of their names")
	return cmd
}

func renderFile(ctx context.Context, file string, req export.Request, out string) error {
	ws, code, err := findReport(file)
	if err != nil {
		return err
	}
	req.Report = code
	s, err := loadSettings(os.Getenv("QUIRE_SETTINGS"), os.Environ(), map[string]string{"Log.Level": "error"})
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return err
	}
	e, err := newEngine(ctx, s, slog.New(slog.DiscardHandler), data.Config{Inline: true, SQLiteFolders: []string{folder}})
	if err != nil {
		return err
	}
	defer e.stop()
	e.config.Definitions = export.Bundle{Workspace: ws}
	if e.config.Clock, err = sourceDate(os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return err
	}
	step := progress(os.Stderr)
	step("rendering %s", filepath.Base(file))
	started := time.Now()
	made, err := export.New(e.config).Export(ctx, req)
	if err != nil {
		return err
	}
	defer made.Close()
	for _, w := range made.Warnings {
		fmt.Fprintln(os.Stderr, "warning:", w)
	}
	if err := writeFile(made, out); err != nil {
		return err
	}
	step("%s: %d pages, %d kB, %s", out, made.Pages, (made.Size+1023)/1024, time.Since(started).Round(time.Millisecond))
	return nil
}

// sourceDate is a clock that stands at a time in seconds since 1970, so that the
// same report gives the same bytes; none for an empty text.
func sourceDate(seconds string) (func() time.Time, error) {
	if seconds == "" {
		return nil, nil
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("SOURCE_DATE_EPOCH is %q; accepted: seconds since 1970, such as 1767225600", seconds)
	}
	at := time.Unix(n, 0).UTC()
	return func() time.Time { return at }, nil
}

// readData reads the file whose members replace data sources, if there is one.
func readData(file string) (*report.Object, error) {
	if file == "" {
		return nil, nil
	}
	doc, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	v, err := report.ParseValue(doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	object, ok := v.(*report.Object)
	if !ok {
		return nil, fmt.Errorf("%s: must hold an object with a member for each data source", file)
	}
	return object, nil
}

// paramValue takes JSON as such and everything else as text.
func paramValue(s string) any {
	if v, err := report.ParseValue([]byte(s)); err == nil {
		return v
	}
	return s
}

// findReport reads a report file and, when it lies in a workspace bundle, the
// bundle with it.
func findReport(file string) (*report.Workspace, string, error) {
	doc, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	def, problems := report.ParseReport(doc)
	if def != nil {
		problems = append(problems, htmlgen.Validate(def)...)
	}
	if err := problems.Err(); err != nil {
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	code := strings.TrimSuffix(filepath.Base(file), ".json")
	ws := &report.Workspace{}
	bundle := filepath.Join(filepath.Dir(file), "..")
	if _, err := os.Stat(filepath.Join(bundle, "workspace.json")); err == nil {
		root, err := os.OpenRoot(bundle)
		if err != nil {
			return nil, "", err
		}
		defer root.Close()
		if ws, problems = report.ReadWorkspace(root.FS()); problems != nil {
			return nil, "", fmt.Errorf("workspace %s: %w", bundle, problems)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	ws.ReportTypes = nil // the file's own name is meant, not a type's
	ws.Reports = append([]report.NamedReport{{Code: code, Report: *def}}, ws.Reports...)
	return ws, code, nil
}

func writeFile(made *export.File, out string) error {
	content, err := made.Open()
	if err != nil {
		return err
	}
	defer content.Close()
	return writeContent(content, out)
}

// progress prints steps when somebody is watching.
func progress(to *os.File) func(format string, args ...any) {
	if !isatty.IsTerminal(to.Fd()) {
		return func(string, ...any) {}
	}
	return func(format string, args ...any) { fmt.Fprintf(to, "· "+format+"\n", args...) }
}
