// Package pdfium makes pictures of pages of PDF files, for documents that cannot hold
// the pages themselves. PDFium does it, as WebAssembly, which reaches no file and no
// network, in a child process: it needs much memory for a short time, and cannot be
// interrupted.
//
// A program that uses it calls ChildMain first thing in main, and in TestMain.
package pdfium

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/quire-reports/quire/internal/priority"
)

const (
	// childArgument starts the binary as a child. It is no command of the program.
	childArgument = "__quire-pdfium-child"
	// childEnv marks a child's environment, so that a program that forgot ChildMain
	// does not start itself without end.
	childEnv = "QUIRE_PDFIUM_CHILD"
)

// Picture is a page as a picture.
type Picture struct {
	Content       []byte // PNG or JPEG; empty: it cannot be drawn
	Type          string // its content type
	Width, Height int    // pixels
}

// task is what a child is asked for.
type task struct {
	Content []byte
	Pages   []int
	Seconds int // of processors that it may take
}

// draw has a child draw pages. Where it gives an error the pictures before it are there.
func draw(ctx context.Context, folder string, t task) ([]Picture, error) {
	if os.Getenv(childEnv) != "" {
		return nil, errors.New("pdfium: ChildMain is not called first in main of this program")
	}
	path, err := executable()
	if err != nil {
		return nil, fmt.Errorf("finding the program to draw pages with: %w", err)
	}
	var in bytes.Buffer
	if err := gob.NewEncoder(&in).Encode(t); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, childArgument, folder)
	cmd.Env = []string{childEnv + "=1", "GOTRACEBACK=none", "GOMAXPROCS=2"}
	cmd.Dir, cmd.Stdin = os.TempDir(), &in
	var said bytes.Buffer // by a child of this program, which does not say much
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the process that draws pages: %w", err)
	}
	priority.Lower(cmd.Process.Pid, priority.Work)
	list, err := receive(out, len(t.Pages))
	if err != nil {
		cancel() // it may still draw
	}
	ended := cmd.Wait()
	switch {
	case err == nil:
		return list, nil
	case context.Cause(ctx) != nil && !errors.Is(context.Cause(ctx), context.Canceled):
		return list, context.Cause(ctx)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return list, fmt.Errorf("the process that draws pages ended: %w %s", ended, firstLine(said.String()))
	}
	return list, err
}

// firstLine is what a child says first; where its memory ends a trace follows.
func firstLine(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	return line[:min(len(line), 300)]
}

// receive reads the pictures that a child draws.
func receive(out io.Reader, pages int) (list []Picture, err error) {
	dec := gob.NewDecoder(out)
	for range pages {
		var p Picture
		if err := dec.Decode(&p); err != nil {
			return list, err
		}
		list = append(list, p)
	}
	return list, nil
}
