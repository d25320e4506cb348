package store

import (
	"os"

	"github.com/quire-reports/quire/report"
)

// fileLock is the lock that the owner of an SQLite file holds. The system
// gives it back when the process ends, however it ends.
type fileLock struct{ file *os.File }

// lockFile takes the lock, or says at once that another process has it.
func lockFile(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); err != nil {
		_ = f.Close()
		return nil, &report.Problem{
			Kind: report.Conflict, Path: "ConnectionStrings__Database",
			Message: "another quire process owns this database; stop it first, or use PostgreSQL to run several",
		}
	}
	return &fileLock{f}, nil
}

// release gives the lock back. The file stays: removing it would let two
// processes lock two files of the same name. Closing it would not be enough: a
// child that is being started has the file open, too, until its program runs.
func (l *fileLock) release() error {
	if l == nil {
		return nil
	}
	unlock(l.file)
	return l.file.Close()
}
