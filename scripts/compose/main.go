// Compose reads a file for Docker Compose by Compose's own library and prints as JSON
// what Docker Compose would start, when it finds no fault: it checks the file by the
// schema of the specification, fills in variables, resolves anchors and paths, and finds
// that each thing that a service names is there. It is a module of its own, so that Quire does not depend
// on Compose; scripts/setup.sh builds it.
//
//	compose {file} [NAME=value …]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: compose {file} [NAME=value …]")
		os.Exit(2)
	}
	if err := show(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func show(file string, env []string) error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithWorkingDirectory(filepath.Dir(file)), cli.WithEnv(env), cli.WithProfiles([]string{"*"}))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(project)
}
