//go:build live

package live

import (
	"embed"
	"io/fs"
	"os"
)

// FS holds the files of dir, a folder of the repository that the service is
// started in.
func FS(_ embed.FS, dir string) fs.FS { return os.DirFS(dir) }
