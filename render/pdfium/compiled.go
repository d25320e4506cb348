package pdfium

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tetratelabs/wazero"
)

// keptFor is how long a compiled PDFium is used before it is compiled anew: what earlier
// versions of the program left goes with it.
const keptFor = 90 * 24 * time.Hour

// compiled keeps in a folder what PDFium is for this processor: to compile it takes seconds.
// Without a folder, or where it cannot be written, there is none.
func compiled(folder string) wazero.CompilationCache {
	if folder == "" {
		return nil
	}
	forget(folder, time.Now().Add(-keptFor))
	cache, err := wazero.NewCompilationCacheWithDir(folder)
	if err != nil {
		return nil
	}
	return cache
}

// forget removes files that are older.
func forget(folder string, since time.Time) {
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.ModTime().Before(since) {
			_ = os.Remove(path)
		}
		return nil
	})
}
