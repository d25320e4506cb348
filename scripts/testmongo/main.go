// Testmongo is a server of MongoDB's protocol for the tests: FerretDB on SQLite
// files. It is a module of its own, so that Quire does not depend on it;
// scripts/setup.sh builds it.
//
//	testmongo {address} {folder}
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: testmongo {address} {folder}")
		os.Exit(2)
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: os.Args[1]},
		Handler:   "sqlite",
		SQLiteURL: "file:" + os.Args[2] + "/",
		Logger:    slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "testmongo:", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := server.Run(ctx); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "testmongo:", err)
		os.Exit(1)
	}
}
