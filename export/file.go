package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

// File is a finished export. It is in memory or, when it is large, in a
// temporary file that is gone with Close, or with the process.
type File struct {
	Name        string // with its extension, safe for a file system
	ContentType string
	Size        int64
	Pages       int             // sheets of paper; 0 when the format has none
	Warnings    report.Problems // what did not stop the export but should be mended
	Timing      report.Timing

	memory []byte
	disk   *tempFile
}

// Open reads the file from its beginning.
func (f *File) Open() (io.ReadCloser, error) {
	if f.disk == nil {
		return io.NopCloser(bytes.NewReader(f.memory)), nil
	}
	return io.NopCloser(io.NewSectionReader(f.disk, 0, f.Size)), nil
}

// Document is the file under a name; it can be read until the file is closed.
func (f *File) Document(name string) report.Document {
	return report.Document{Name: name, ContentType: f.ContentType, Size: f.Size, Timing: f.Timing, Open: func(context.Context) (io.ReadCloser, error) { return f.Open() }}
}

// Close removes what the file occupies; what was opened can no longer be read.
// It may be called more than once.
func (f *File) Close() error {
	f.memory = nil
	if f.disk == nil {
		return nil
	}
	disk := f.disk
	f.disk = nil
	return disk.remove()
}

// tempFile is a file without a name, so that nothing stays of it when the
// process is killed; where the system does not allow that, it has one until it
// is removed.
type tempFile struct {
	*os.File
	named bool
}

func newTempFile(dir string) (*tempFile, error) {
	f, err := os.CreateTemp(dir, "quire-export-*")
	if err != nil {
		return nil, err
	}
	return &tempFile{f, os.Remove(f.Name()) != nil}, nil
}

func (f *tempFile) remove() error {
	err := f.Close()
	if f.named {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// memoryLimit is up to how many bytes a finished file stays in memory.
const memoryLimit = 4 << 20

// spool takes the bytes of a file as they are made; past memoryLimit they go
// to disk.
type spool struct {
	dir    string
	memory bytes.Buffer
	file   *tempFile
	size   int64
}

func (s *spool) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	if s.file == nil && s.size <= memoryLimit {
		return s.memory.Write(p)
	}
	if err := s.overflow(); err != nil {
		return 0, unwritten(err)
	}
	n, err := s.file.Write(p)
	return n, unwritten(err)
}

// unwritten says for people that a temporary file cannot be written.
func unwritten(err error) error {
	if err == nil {
		return nil
	}
	message := "the export cannot be written to a temporary file; try again later"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		message = "there is no room on the disk for the export; try again later"
	}
	return &wrapped{report.Problem{Kind: report.Busy, Message: message}, err}
}

// overflow moves what is in memory to a file.
func (s *spool) overflow() error {
	if s.file != nil {
		return nil
	}
	f, err := newTempFile(s.dir)
	if err != nil {
		return fmt.Errorf("making room for the export: %w", err)
	}
	s.file = f
	_, err = s.memory.WriteTo(f)
	return err
}

// finish makes the File of what was written.
func (s *spool) finish(name, contentType string) (*File, error) {
	f := &File{Name: name, ContentType: contentType, Size: s.size, memory: s.memory.Bytes()}
	if s.file == nil {
		return f, nil
	}
	f.memory, f.disk = nil, s.file
	return f, nil
}

// discard removes what was written.
func (s *spool) discard() {
	if s.file != nil {
		_ = s.file.remove()
	}
}

// Bounds of the base of a file name. File systems take 255 bytes, of which the
// extension and what is put before it to keep names apart need some.
const (
	maxName      = 120 // characters
	maxNameBytes = 200
)

// fileName makes a name that every system takes out of a title: no separators,
// no control characters, no leading or trailing dots and blanks.
func fileName(title, extension string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		case unicode.IsControl(r) || report.Hides(r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, title)
	clean = strings.Trim(strings.Join(strings.Fields(clean), " "), ". ")
	clean = shortened(clean)
	if clean == "" {
		clean = "report"
	}
	return clean + "." + extension
}

// shortened is the beginning of a name, in whole characters.
func shortened(name string) string {
	count := 0
	for at, r := range name {
		if count == maxName || at+utf8.RuneLen(r) > maxNameBytes {
			return strings.TrimRight(name[:at], ". ")
		}
		count++
	}
	return name
}

// NewFile makes a File of bytes that are there already.
func NewFile(name, contentType string, content []byte) *File {
	return &File{Name: name, ContentType: contentType, Size: int64(len(content)), memory: content}
}
