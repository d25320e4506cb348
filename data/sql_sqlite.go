package data

import (
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

var sqlite = &dialect{
	kind: "sqlite", name: "SQLite", unlisted: true,
	open: openSQLite, textOnly: true,
	backticks: true, brackets: true, numbered: "?", begins: " select with values explain ",
}

// openSQLite opens a file for reading, if it lies in a folder that sources may
// open.
func openSQLite(address string, folders []string) (*sql.DB, error) {
	path := strings.TrimPrefix(strings.TrimPrefix(address, "sqlite:"), "//")
	path, err := allowedFile(path, folders)
	if err != nil {
		return nil, err
	}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: "mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=busy_timeout(5000)"}
	return sql.Open("sqlite", u.String())
}

// allowedFile is the real path of a file inside one of the folders; links out of
// them are followed and refused.
func allowedFile(path string, folders []string) (string, error) {
	if len(folders) == 0 {
		return "", errors.New("SQLite files cannot be opened here")
	}
	for _, folder := range folders {
		root, err := filepath.Abs(folder)
		if err != nil {
			continue
		}
		if root, err = filepath.EvalSymlinks(root); err != nil {
			continue
		}
		file := path
		if !filepath.IsAbs(file) {
			file = filepath.Join(root, file)
		}
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			continue
		}
		inside, err := filepath.Rel(root, real)
		if err == nil && filepath.IsLocal(inside) && isFile(real) {
			return real, nil
		}
	}
	return "", errors.New("there is no such file in the folders that may be read")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
