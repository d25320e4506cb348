package render

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
)

// spool keeps the bytes of one part: in memory up to a limit, then in a file.
// It is written by one goroutine and read after that.
type spool struct {
	dir    string
	limit  int64
	mem    []byte
	file   *os.File
	name   string
	size   int64
	once   sync.Once
	remErr error
}

func (s *spool) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	if s.file == nil && s.size <= s.limit {
		s.mem = append(s.mem, p...)
		return len(p), nil
	}
	if s.file == nil {
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	return s.file.Write(p)
}

func (s *spool) toFile() error {
	f, err := os.CreateTemp(s.dir, "part-*.pdf")
	if err != nil {
		return err
	}
	s.file, s.name = f, f.Name()
	_, err = f.Write(s.mem)
	s.mem = nil
	return err
}

// finish ends writing.
func (s *spool) finish() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

func (s *spool) open() (io.ReadCloser, error) {
	if s.name == "" {
		return io.NopCloser(bytes.NewReader(s.mem)), nil
	}
	return os.Open(s.name)
}

// remove frees what the spool occupies; a nil spool occupies nothing.
func (s *spool) remove() error {
	if s == nil {
		return nil
	}
	s.once.Do(func() {
		s.mem = nil
		if s.name == "" {
			return
		}
		s.file.Close() // a second close only gives an error nobody needs
		if err := os.Remove(s.name); !errors.Is(err, fs.ErrNotExist) {
			s.remErr = err
		}
	})
	return s.remErr
}
