package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// withStore runs a short command on the store, beside a running service.
func withStore(cmd *cobra.Command, c *common, do func(context.Context, *store.Store) error) error {
	s, err := c.load()
	if err != nil {
		return err
	}
	st, err := openStore(cmd.Context(), s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		return err
	}
	return errors.Join(do(cmd.Context(), st), st.Close())
}

func tokenCommand(c *common) *cobra.Command {
	token := &cobra.Command{Use: "token", Short: "Personal access tokens", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	var user, workspace string
	var n store.NewToken
	var scopes []string
	var days int
	create := &cobra.Command{Use: "create --user {email} --name {text}", Short: "Make a token and print it; it is shown only once", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) (err error) {
		if user == "" || n.Name == "" {
			return usageError{errors.New("--user and --name are required")}
		}
		if n.Reach.Scopes, err = store.ReadScopes(scopes); err != nil {
			return usageError{err}
		}
		if days < 0 {
			return usageError{fmt.Errorf("--days is %d; accepted: 1 and more, or 0 for a token that does not expire", days)}
		}
		if days > 0 {
			n.Expires = new(time.Now().AddDate(0, 0, days))
		}
		return withStore(cmd, c, func(ctx context.Context, st *store.Store) error {
			u, err := st.UserByEmail(ctx, user)
			if err != nil {
				return err
			}
			if workspace != "" {
				entered, err := st.Enter(ctx, u, workspace)
				if err != nil {
					return err
				}
				n.Reach.WorkspaceID = entered.Workspace.ID
			}
			plain, err := st.CreateToken(ctx, u.ID, n)
			if err == nil {
				fmt.Println(plain)
			}
			return err
		})
	}}
	create.Flags().StringVar(&user, "user", "", "e-mail address of the user whose rights the token has")
	create.Flags().StringVar(&n.Name, "name", "", "what the token is for")
	create.Flags().StringSliceVar(&scopes, "scope", nil, "what the token is good for: read, export, jobs or several of them (default everything that its user may)")
	create.Flags().StringVar(&workspace, "workspace", "", "code of the only workspace that the token opens (default all of its user)")
	create.Flags().IntVar(&days, "days", 0, "after how many days the token expires; 0: never")
	token.AddCommand(create, tokenList(c), tokenRevoke(c))
	return token
}

func workspaceCommand(c *common) *cobra.Command {
	ws := &cobra.Command{Use: "workspace", Short: "Workspaces as bundles of files", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	ws.AddCommand(
		&cobra.Command{Use: "export {code} {file.zip|folder}", Short: "Write a workspace to a ZIP file or a folder", Args: wrongUse(cobra.ExactArgs(2)), RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, c, func(ctx context.Context, st *store.Store) error {
				content, err := st.ExportWorkspace(ctx, args[0])
				if err != nil {
					return err
				}
				return writeBundle(content, args[1])
			})
		}},
		&cobra.Command{Use: "import {file.zip|folder}", Short: "Make or update a workspace from a ZIP file or a folder", Args: wrongUse(cobra.RangeArgs(1, 2)), RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, c, func(ctx context.Context, st *store.Store) error { return importBundle(ctx, st, args) })
		}},
	)
	return ws
}

// importBundle takes "{file}" or "{code} {file}"; a code replaces the bundle's.
func importBundle(ctx context.Context, st *store.Store, args []string) error {
	content, err := readBundle(args[len(args)-1])
	if err != nil {
		return err
	}
	if len(args) == 2 {
		content.Code = args[0]
	}
	done, err := st.ImportWorkspace(ctx, *content)
	if err != nil {
		return err
	}
	fmt.Printf("workspace %s: %d created, %d updated, %d unchanged\n", done.Workspace.Code, done.Created, done.Updated, done.Unchanged)
	return nil
}

// readBundle reads a workspace from a folder or a ZIP file and checks its
// reports against the component schemas.
func readBundle(path string) (*report.Workspace, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		return checkedBundle(root.FS())
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer z.Close()
	return checkedBundle(z)
}

func checkedBundle(files fs.FS) (*report.Workspace, error) {
	ws, problems := report.ReadWorkspace(files)
	if ws != nil {
		for _, r := range ws.Reports {
			for _, p := range htmlgen.Validate(&r.Report) {
				problems = append(problems, report.Problemf("reports/"+r.Code+".json: "+p.Path, "%s", p.Message))
			}
		}
	}
	for _, p := range problems[:max(0, len(problems)-1)] {
		fmt.Fprintln(os.Stderr, "·", p)
	}
	return ws, problems.Err()
}

// writeBundle writes a ZIP file when the name ends in .zip, else a folder.
func writeBundle(ws *report.Workspace, path string) error {
	if !strings.EqualFold(filepath.Ext(path), ".zip") {
		return report.WriteWorkspace(ws, func(name string, content []byte) error {
			file := filepath.Join(path, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			return os.WriteFile(file, content, 0o644)
		})
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	z := zip.NewWriter(f)
	err = report.WriteWorkspace(ws, func(name string, content []byte) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Now()})
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	})
	return errors.Join(err, z.Close(), f.Close())
}
