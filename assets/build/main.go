// Command build bundles the TypeScript of assets/web into assets/dist. It is run
// by go generate in assets; the output is committed.
package main

import (
	"fmt"
	"os"

	"github.com/quire-reports/quire/assets/build/bundle"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := bundle.Write(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
