// Command build bundles the TypeScript of assets/web into assets/dist. It is run
// by go generate in assets; the output is committed. With a folder after -tests
// it builds the unit tests into that instead, for node --test; -ending names
// other modules to build, such as those that journeys of e2e use.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/quire-reports/quire/assets/build/bundle"
)

func main() {
	tests := flag.String("tests", "", "folder that the unit tests are built into")
	ending := flag.String("ending", ".test.ts", "how the names of those tests end")
	flag.Parse()
	dir := "."
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := build(dir, *tests, *ending); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func build(dir, tests, ending string) error {
	if tests == "" {
		return bundle.Write(dir)
	}
	n, err := bundle.Tests(dir, tests, ending)
	if err == nil && n == 0 {
		err = errors.New("nothing below web has a name that ends in " + ending)
	}
	return err
}
