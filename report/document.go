package report

import (
	"context"
	"io"
)

// Document is a finished document on its way from an export to where it is kept
// or delivered.
type Document struct {
	Name        string // with its extension
	ContentType string
	Size        int64
	Link        string // where the receiver can fetch it; optional
	Entry       int    // ID of the entry of a run that it is of; 0 when it is of none
	Timing      Timing
	// Open gives the bytes from the beginning; it may be called several times.
	Open func(ctx context.Context) (io.ReadCloser, error)
}
