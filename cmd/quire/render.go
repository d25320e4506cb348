package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// renderOptions are the flags of quire render.
type renderOptions struct {
	data, out, format, lang, zone, theme, template, conformance string
	params                                                      []string
	accessible                                                  bool
}

func renderCommand() *cobra.Command {
	var o renderOptions
	cmd := &cobra.Command{
		Use:   "render {report.json} -o {out}",
		Short: "Make a file of a report file, without a server or database",
		Long: "Make a file of a report file, without a server or database.\n\n" +
			"Theme, template, dictionaries and pictures come from the report file itself or, when it\n" +
			"lies in the reports folder of a workspace bundle, from the bundle.",
		Args: wrongUse(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.out == "" {
				return usageError{errors.New("-o is required: where to write the file, or - for standard output")}
			}
			var err error
			if o.format, err = formatFor(o.out, o.format); err != nil {
				return err
			}
			return renderFile(cmd.Context(), args[0], o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "file to write; - for standard output")
	f.StringVar(&o.data, "data", "", "JSON file whose members replace the data sources of their names")
	f.StringArrayVar(&o.params, "param", nil, "parameter as name=value; a value that is JSON is taken as such")
	f.StringVar(&o.format, "format", "", strings.Join(export.Formats(), " or ")+" (default by the output's extension)")
	f.StringVar(&o.lang, "lang", "", "language of the report")
	f.StringVar(&o.zone, "timezone", "", "IANA time zone for dates and times")
	f.StringVar(&o.theme, "theme", "", "code of the theme")
	f.StringVar(&o.template, "template", "", "code of the template")
	f.BoolVar(&o.accessible, "accessible", false, "make a PDF/UA-1 file")
	f.StringVar(&o.conformance, "conformance", "", "make a PDF/A file: "+strings.Join(export.Conformances(), ", "))
	return cmd
}

func renderFile(ctx context.Context, file string, o renderOptions) error {
	ws, code, err := findReport(file)
	if err != nil {
		return err
	}
	req, err := o.request(code)
	if err != nil {
		return err
	}
	s, err := loadSettings(os.Getenv("QUIRE_SETTINGS"), os.Environ(), map[string]string{"Log.Level": "error"})
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return err
	}
	e, err := newEngine(s, slog.New(slog.DiscardHandler), data.Config{Inline: true, SQLiteFolders: []string{folder}})
	if err != nil {
		return err
	}
	defer e.stop()
	e.config.Definitions = export.Bundle{Workspace: ws}
	step := progress(os.Stderr)
	step("rendering %s", filepath.Base(file))
	started := time.Now()
	made, err := export.New(e.config).Export(ctx, *req)
	if err != nil {
		return err
	}
	defer made.Close()
	for _, w := range made.Warnings {
		fmt.Fprintln(os.Stderr, "warning:", w)
	}
	if err := writeFile(made, o.out); err != nil {
		return err
	}
	step("%s: %d pages, %d kB, %s", o.out, made.Pages, (made.Size+1023)/1024, time.Since(started).Round(time.Millisecond))
	return nil
}

// request reads the options as an export request.
func (o *renderOptions) request(code string) (*export.Request, error) {
	req := &export.Request{
		Report: code, Format: o.format, Lang: o.lang, Timezone: o.zone, Theme: o.theme, Template: o.template,
		Accessible: o.accessible, Conformance: o.conformance, AllowPrinting: true, AllowCopying: true,
	}
	var err error
	if req.Params, err = readParams(o.params); err != nil {
		return nil, err
	}
	if o.data == "" {
		return req, nil
	}
	doc, err := os.ReadFile(o.data)
	if err != nil {
		return nil, err
	}
	v, err := report.ParseValue(doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.data, err)
	}
	object, ok := v.(*report.Object)
	if !ok {
		return nil, fmt.Errorf("%s: must hold an object with a member for each data source", o.data)
	}
	req.Data = object
	return req, nil
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
		if ws, problems = report.ReadWorkspace(os.DirFS(bundle)); problems != nil {
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
