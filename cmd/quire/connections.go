package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/export/signing"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// connections finds the connections of data sources in the store.
type connections struct{ store *store.Store }

// Connection implements data.Connections.
func (c connections) Connection(ctx context.Context, workspace int, name string) (*data.Connection, error) {
	found, err := c.store.Connection(ctx, workspace, name)
	if err != nil {
		return nil, err
	}
	conn := &data.Connection{Type: found.Type, Address: found.Address}
	for _, h := range found.Headers {
		conn.Headers = append(conn.Headers, data.Header{Name: h.Name, Value: h.Value})
	}
	return conn, nil
}

// connectionTypes are those of data sources, those of deliveries and of time stamps,
// which are reached from the environment, and those of keys.
func connectionTypes(env *deliver.Env) report.ConnectionTypes {
	var signs *signing.Env
	if env != nil {
		signs = &signing.Env{Guard: env.Egress, Clock: time.Now}
	}
	return append(append(data.ConnectionTypes(), deliver.ConnectionTypes(env)...), signing.ConnectionType(signs))
}

func connectionCommand(c *common) *cobra.Command {
	conn := &cobra.Command{Use: "connection", Short: "How data sources reach databases and services", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	conn.AddCommand(connectionSet(c),
		&cobra.Command{Use: "list {workspace}", Short: "List the connections of a workspace", Args: wrongUse(cobra.ExactArgs(1)), RunE: func(cmd *cobra.Command, args []string) error {
			return inWorkspace(cmd, c, args[0], func(ctx context.Context, st *store.Store, workspace int) error {
				list, err := st.Connections(ctx, workspace)
				for _, item := range list {
					fmt.Printf("%s\t%s\n", item.Name, item.Type)
				}
				return err
			})
		}},
		&cobra.Command{Use: "delete {workspace} {name}", Short: "Delete a connection", Args: wrongUse(cobra.ExactArgs(2)), RunE: func(cmd *cobra.Command, args []string) error {
			return inWorkspace(cmd, c, args[0], func(ctx context.Context, st *store.Store, workspace int) error {
				return st.DeleteConnection(ctx, workspace, args[1])
			})
		}},
	)
	return conn
}

func connectionSet(c *common) *cobra.Command {
	var kind string
	var headers []string
	accepted := strings.Join(connectionTypes(nil).Names(), ", ")
	set := &cobra.Command{
		Use: "set {workspace} {name} --type {type}", Args: wrongUse(cobra.ExactArgs(2)),
		Short: "Make or change a connection; its address is read from standard input, and with --header a line for each header's value",
		RunE: func(cmd *cobra.Command, args []string) error {
			if kind == "" {
				return usageError{errors.New("--type is required; accepted: " + accepted)}
			}
			made := store.Connection{Name: args[1], Type: kind}
			if err := readSecrets(os.Stdin, &made, headers); err != nil {
				return err
			}
			return inWorkspace(cmd, c, args[0], func(ctx context.Context, st *store.Store, workspace int) error {
				return st.PutConnection(ctx, workspace, made)
			})
		},
	}
	set.Flags().StringVar(&kind, "type", "", "one of "+accepted)
	set.Flags().StringArrayVar(&headers, "header", nil, "name of a header that a service gets with every request; its value follows the address on standard input")
	return set
}

// maxSecrets bounds what is read from standard input.
const maxSecrets = 64 << 10

// readSecrets reads what must not stand on a command line, where other users of
// the machine see it.
func readSecrets(from io.Reader, c *store.Connection, headers []string) error {
	text, err := io.ReadAll(io.LimitReader(from, maxSecrets))
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimRight(string(text), "\r\n"), "\n")
	if len(lines) != 1+len(headers) {
		return fmt.Errorf("standard input has %d lines; it needs the address, and a value for each of %d headers", len(lines), len(headers))
	}
	c.Address = report.Secret(strings.TrimSpace(lines[0]))
	for i, name := range headers {
		c.Headers = append(c.Headers, store.ConnectionHeader{Name: name, Value: report.Secret(strings.TrimSpace(lines[i+1]))})
	}
	return nil
}

// inWorkspace runs a short command on a workspace, named by its code.
func inWorkspace(cmd *cobra.Command, c *common, code string, do func(ctx context.Context, st *store.Store, workspace int) error) error {
	return withStore(cmd, c, func(ctx context.Context, st *store.Store) error {
		w, err := st.WorkspaceByCode(ctx, code)
		if err != nil {
			return err
		}
		return do(ctx, st, w.ID)
	})
}
