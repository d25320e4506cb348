package deliver

import (
	"context"
	"errors"
	"io"
	"path"

	"github.com/quire-reports/quire/report"
)

// What to do when there is a file of the same name with another content. A file
// with the same content is always taken for delivered.
const (
	conflictNumber    = "number"
	conflictOverwrite = "overwrite"
	conflictRefuse    = "refuse"
)

// fileSettings are what all destinations that keep files ask for.
type fileSettings struct {
	Path     string `json:"path" label:"Folder" editor:"template" help:"Below the folder of the destination, such as invoices/{$params.month}. Folders that are missing are made. Empty means the folder itself."`
	Conflict string `json:"conflict" label:"If the file exists" enum:"number,overwrite,refuse" default:"number" help:"number: the new one is named name (2); overwrite: it replaces the old one; refuse: the delivery fails. A file that is there with the same content is never written again."`
}

// IsFolder tells whether a setting is the path of a folder, which the slashes
// of values must not divide.
func IsFolder(f report.Field) bool { return f.Name == "path" }

// files is a place that keeps files by path. Paths are relative and have
// slashes.
type files interface {
	// look tells of a file; nil when there is none.
	look(ctx context.Context, path string) (*foundFile, error)
	// read gives the content of a file, to compare it.
	read(ctx context.Context, path string) (io.ReadCloser, error)
	// write puts a document at a path, whole or not at all. Unless it may
	// replace, it gives errExists when there is a file meanwhile.
	write(ctx context.Context, path string, doc *document, replace bool) error
	// place is a path as people know it.
	place(path string) string
}

// foundFile is what a place tells of a file.
type foundFile struct {
	size int64  // -1 when the place does not tell
	sum  string // hexadecimal SHA-256 that we left there; empty when there is none
	// same compares by what else the place knows of the content; nil when
	// nothing.
	same func(ctx context.Context, doc *document) (same, known bool)
}

// cleaner is a place where an attempt may leave something beside a file that it has
// written, when it ends at once.
type cleaner interface {
	clean(path string, doc *document)
}

var errExists = errors.New("there is a file of this name")

// maxNumber bounds how often a name is numbered.
const maxNumber = 1000

// placeFiles writes the documents of a delivery into a folder of a place.
func placeFiles(ctx context.Context, to files, set fileSettings, docs []*document) (Receipt, error) {
	folder, err := SafePath(set.Path)
	if err != nil {
		return Receipt{}, err
	}
	receipt := Receipt{State: AlreadySent}
	for _, doc := range docs {
		item, err := placeFile(ctx, to, folder, set.Conflict, doc)
		if err != nil {
			return receipt, err
		}
		if !item.Already {
			receipt.State = Sent
		}
		receipt.Items = append(receipt.Items, item)
	}
	return receipt, nil
}

func placeFile(ctx context.Context, to files, folder, conflict string, doc *document) (Item, error) {
	item := Item{Name: doc.name, Size: doc.Size}
	var err error
	if item.SHA256, err = doc.hash(ctx); err != nil {
		return item, err
	}
	for n := 1; n <= maxNumber; n++ {
		at := path.Join(folder, numbered(doc.name, n))
		item.Name, item.Place = path.Base(at), to.place(at)
		item.Already, err = placeAt(ctx, to, at, doc, conflict == conflictOverwrite)
		if !errors.Is(err, errExists) {
			return item, err
		}
		if conflict != conflictNumber {
			return item, permanent("%s exists with another content and the delivery is set to refuse that; choose another name, or overwrite or number", item.Place)
		}
	}
	return item, permanent("there are %d files named like %q already; use a name that differs, for example with a date", maxNumber, doc.name)
}

// placeAt writes a document at a path, unless its content is there already. The error
// is errExists when another content is there and must not be replaced.
func placeAt(ctx context.Context, to files, at string, doc *document, replace bool) (already bool, err error) {
	already, err = sameFile(ctx, to, at, doc)
	if err == nil && !already || replace && errors.Is(err, errExists) {
		err = to.write(ctx, at, doc, replace)
		if errors.Is(err, errExists) { // meanwhile, maybe by another attempt of this delivery
			already, err = sameFile(ctx, to, at, doc)
			if err == nil && !already {
				err = temporary("%s was there for a moment and is gone", to.place(at))
			}
		}
	}
	if c, ok := to.(cleaner); ok && already {
		c.clean(at, doc)
	}
	return already, err
}

// sameFile is whether a file with the document's content is at a path; the
// error is errExists when one with another content is.
func sameFile(ctx context.Context, to files, at string, doc *document) (bool, error) {
	found, err := to.look(ctx, at)
	if err != nil || found == nil {
		return false, err
	}
	switch {
	case found.size >= 0 && found.size != doc.Size:
		return false, errExists
	case found.sum != "" && found.sum == doc.sum && found.size >= 0:
		return true, nil
	case found.same != nil:
		if same, known := found.same(ctx, doc); known && same {
			return true, nil
		} else if known {
			return false, errExists
		}
	}
	r, err := to.read(ctx, at)
	if err != nil {
		return false, err
	}
	defer r.Close()
	var content io.Reader = r // itself where possible: some places read faster as a whole
	if found.size < 0 {
		content = io.LimitReader(r, doc.Size+1)
	}
	sum, err := hashOf(content)
	if err != nil {
		return false, err
	}
	if sum != doc.sum {
		return false, errExists
	}
	return true, nil
}
