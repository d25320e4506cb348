package deliver

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

var localVolume = probed(define("local", "Local volume", "A folder of the server, or one mounted there, that the operator has allowed.", deliverLocal), probeFolders)

type localSettings struct {
	Folder string `json:"folder" label:"Allowed folder" editor:"text" help:"One of the folders that the operator has allowed. Empty means the first of them."`
	fileSettings
}

func deliverLocal(ctx context.Context, d *delivery, _ *noConnection, set *localSettings) (Receipt, error) {
	folder, err := allowedFolder(d.env.Folders, set.Folder)
	if err != nil {
		return Receipt{}, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return Receipt{}, temporary("the allowed folder %s cannot be opened: %s", folder, reason(err))
	}
	defer root.Close()
	return placeFiles(ctx, &localFiles{root, d.tag}, set.fileSettings, d.docs)
}

// allowedFolder is the folder that settings name, when it is one of the list.
// Folders below go into the path, where they are checked link by link.
func allowedFolder(allowed []string, name string) (string, error) {
	if len(allowed) == 0 {
		return "", permanent("no folder may be written to; the operator has allowed none, who names them in the setting Deliveries.Folders")
	}
	if name == "" {
		return allowed[0], nil
	}
	if slices.Contains(allowed, filepath.Clean(name)) || slices.Contains(allowed, name) {
		return name, nil
	}
	return "", permanent("the folder %q is not one that the operator has allowed; allowed: %s", plain(name), strings.Join(allowed, ", "))
}

// localFiles keeps files below a folder. The root refuses what leads out of it
// even when somebody changes folders meanwhile.
type localFiles struct {
	root *os.Root
	tag  string
}

func (l *localFiles) place(at string) string {
	return filepath.Join(l.root.Name(), filepath.FromSlash(at))
}

func (l *localFiles) look(_ context.Context, at string) (*foundFile, error) {
	if err := l.refuseLinks(at); err != nil {
		return nil, err
	}
	info, err := l.root.Lstat(filepath.FromSlash(at))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, l.failed("looking for", at, err)
	case !info.Mode().IsRegular():
		return nil, permanent("%s is no ordinary file; choose another name", l.place(at))
	}
	return &foundFile{size: info.Size()}, nil
}

// refuseLinks fails when a part of a path is a symbolic link: it could lead to
// a place that nobody has allowed.
func (l *localFiles) refuseLinks(at string) error {
	for i := range len(at) + 1 {
		if i < len(at) && at[i] != '/' {
			continue
		}
		info, err := l.root.Lstat(filepath.FromSlash(at[:i]))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return l.failed("looking for", at[:i], err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return permanent("%s is a symbolic link; those are not followed", l.place(at[:i]))
		}
	}
	return nil
}

func (l *localFiles) read(_ context.Context, at string) (io.ReadCloser, error) {
	f, err := l.root.Open(filepath.FromSlash(at))
	if err != nil {
		return nil, l.failed("reading", at, err)
	}
	return f, nil
}

// write is done when the file is on disk: then it is called delivered.
func (l *localFiles) write(ctx context.Context, at string, doc *document, replace bool) error {
	folder := path.Dir(at)
	if folder != "." {
		if err := l.root.MkdirAll(filepath.FromSlash(folder), 0o777); err != nil {
			return l.failed("making the folder of", at, err)
		}
		if err := l.refuseLinks(folder); err != nil {
			return err
		}
	}
	home := l.unfinished(at, doc)
	temp := filepath.Join(home, rand.Text())
	if err := l.begin(home); err != nil {
		return l.failed("writing", at, err)
	}
	defer func() {
		_ = l.root.Remove(temp)
		_ = l.root.Remove(home) // unless another attempt writes there
	}()
	if err := l.fill(ctx, temp, doc); err != nil {
		return l.failed("writing", at, err)
	}
	if err := l.name(temp, filepath.FromSlash(at), replace); err != nil {
		return l.failed("writing", at, err)
	}
	return l.failed("writing", at, l.sync(folder))
}

// unfinished is the folder in which a document is written. It has the same name in
// every attempt, so that what a crash left is not left for ever; what is in it has
// not: an attempt that goes on though another has begun, because it was taken for
// dead, names no file that the other has not finished.
func (l *localFiles) unfinished(at string, doc *document) string {
	return filepath.FromSlash(path.Join(path.Dir(at), unfinishedName(l.tag, doc)))
}

// begin makes the folder for what is unfinished, without what attempts before left.
func (l *localFiles) begin(home string) error {
	if err := l.root.RemoveAll(home); err != nil {
		return err
	}
	return l.root.MkdirAll(home, 0o700)
}

// clean takes away what an attempt left that ended after the file had got its name.
func (l *localFiles) clean(at string, doc *document) {
	_ = l.root.RemoveAll(l.unfinished(at, doc))
}

// name gives what was written its name.
func (l *localFiles) name(temp, target string, replace bool) error {
	if replace {
		return l.root.Rename(temp, target)
	}
	err := l.root.Link(temp, target)
	if errors.Is(err, fs.ErrExist) {
		return errExists
	}
	if err != nil { // a file system without links
		if _, found := l.root.Lstat(target); found == nil {
			return errExists
		}
		err = l.root.Rename(temp, target)
	}
	return err
}

// sync puts the names in a folder on disk, and its own in those above it.
// Windows does so by itself, and some network file systems have no such thing.
func (l *localFiles) sync(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := l.root.Open(filepath.FromSlash(folder))
	if err != nil {
		return err
	}
	err = errors.Join(f.Sync(), f.Close())
	switch {
	case errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOTSUP):
		return nil
	case err != nil || folder == ".":
		return err
	}
	return l.sync(path.Dir(folder))
}

// unfinishedName is the name of a document while it is being written.
func unfinishedName(tag string, doc *document) string {
	return ".quire-" + tag + "-" + doc.number + ".part"
}

func (l *localFiles) fill(ctx context.Context, temp string, doc *document) error {
	from, err := doc.open(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	f, err := l.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Sync(), f.Close())
}

// failed words what the file system says; nil stays nil.
func (l *localFiles) failed(doing, at string, err error) error {
	var own *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.Is(err, errExists):
		return err
	case errors.Is(err, fs.ErrPermission):
		return permanent("%s %s failed: the server's account may not do this", doing, l.place(at))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return temporary("%s %s failed: %s", doing, l.place(at), reason(err))
}

// reason is what the system says, without the path.
func reason(err error) string {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return err.Error()
}

// probeFolders makes and removes a file in each of the folders.
func probeFolders(_ context.Context, d *delivery, _ *noConnection) (string, error) {
	if len(d.env.Folders) == 0 {
		_, err := allowedFolder(nil, "")
		return "", err
	}
	for _, folder := range d.env.Folders {
		f, err := os.CreateTemp(folder, ".quire-test-*.part")
		if err != nil {
			return "", permanent("the allowed folder %s cannot be written to: %s", folder, reason(err))
		}
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	return "the allowed folders can be written to: " + strings.Join(d.env.Folders, ", "), nil
}
