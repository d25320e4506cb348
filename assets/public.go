package assets

import (
	"io/fs"
	"strings"
)

// Public holds what browsers load from the service: the files of dist at the
// root, and the fonts below fonts/.
func Public() fs.FS { return public{} }

type public struct{}

// Open implements fs.FS.
func (public) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if strings.HasPrefix(name, "fonts/") {
		return files.Open(name)
	}
	return files.Open("dist/" + name)
}
