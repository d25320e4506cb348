// Command quire is the service and its tools: settings, wiring and commands,
// and the only place that builds things.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"os/user"
	"strings"
	"syscall"
	_ "time/tzdata" // time zones come inside the binary

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/render/pdfium"
	"github.com/quire-reports/quire/scripting"
	"github.com/quire-reports/quire/store"
)

// version is set by the build.
var version = "development"

// Exit statuses: done, failed with one line on standard error, wrong use.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	scripting.ChildMain()
	pdfium.ChildMain()
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(store.WithActor(ctx, store.Actor{Kind: store.ByCommand, Name: systemUser()}))
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "quire:", oneLine(err))
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// systemUser is the user of the system who runs the command.
func systemUser() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// oneLine keeps an error to one line, as scripts around the program expect.
func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

// usageError is a wrong use of the command line.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// wrongUse marks the errors of argument checks.
func wrongUse(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
		}
		return nil
	}
}

// common are the flags of every command that reads settings.
type common struct {
	file  string
	flags map[string]string
}

func (c *common) load() (*settings, error) {
	file := c.file
	if file == "" {
		file = os.Getenv("QUIRE_SETTINGS")
	}
	return loadSettings(file, os.Environ(), c.flags)
}

func rootCommand() *cobra.Command {
	c := &common{flags: map[string]string{}}
	root := &cobra.Command{
		Use: "quire", Short: "Reports from templates and data",
		SilenceErrors: true, SilenceUsage: true, Version: version,
		Args: wrongUse(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().StringVar(&c.file, "settings", "", "settings file (default settings.json when it exists, or $QUIRE_SETTINGS)")
	dir := root.PersistentFlags().String("data", "", "folder of the embedded database, files and generated keys (setting DataDir)")
	root.PersistentPreRun = func(*cobra.Command, []string) {
		if *dir != "" {
			c.flags["DataDir"] = *dir
		}
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(serveCommand(c), workerCommand(c), renderCommand(), tokenCommand(c), userCommand(c), workspaceCommand(c), connectionCommand(c), jobCommand(c), exportCommand(c), migrateCommand(c), backupCommand(c), restoreCommand(c),
		settingsCommand(), configCommand(c), keysCommand(c), healthCommand(c), versionCommand())
	return root
}

func versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Print the version", Args: wrongUse(cobra.NoArgs), Run: func(*cobra.Command, []string) {
		fmt.Println("quire", version)
	}}
}

func configCommand(c *common) *cobra.Command {
	config := &cobra.Command{Use: "config", Short: "The settings in force", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	config.AddCommand(&cobra.Command{Use: "check", Short: "Say everything that is wrong with the settings, and start nothing", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error {
		_, err := c.load()
		var faults settingFaults
		if errors.As(err, &faults) {
			for _, fault := range faults {
				fmt.Fprintln(cmd.ErrOrStderr(), "·", oneLine(fault))
			}
			return fmt.Errorf("wrong settings: %d", len(faults))
		}
		if err == nil {
			fmt.Fprintln(cmd.OutOrStdout(), "the settings are accepted")
		}
		return err
	}})
	config.AddCommand(&cobra.Command{Use: "schema", Short: "Print the JSON Schema of the settings file", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error {
		_, err := cmd.OutOrStdout().Write(settingsSchema())
		return err
	}})
	return config
}

func settingsCommand() *cobra.Command {
	return &cobra.Command{Use: "settings", Short: "List every setting with its default", Args: wrongUse(cobra.NoArgs), Run: func(*cobra.Command, []string) {
		for _, s := range settingList() {
			def := s.def
			if def == "" {
				def = "(empty)"
			}
			fmt.Printf("%-28s %-16s %s\n", s.name, def, s.help)
		}
	}}
}
