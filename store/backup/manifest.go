// Package backup copies an installation to a folder or a bucket while it works,
// and puts it back: the rows of all tables as they were at one moment, and the
// contents that they name. The keys that open sealed secrets are not in it.
//
// Backups of one installation share a place. Contents are immutable, so each is
// copied once, whichever backups name it:
//
//	contents/{key}                     as in the storage
//	backups/{ID}/rows/{table}.jsonl.gz a line a row
//	backups/{ID}/contents.jsonl.gz     a line a content: key, size, SHA-256
//	backups/{ID}/manifest.json         comes last: without it there is no backup
package backup

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// format is the version of what a backup looks like.
const format = 1

// Manifest is what a backup says of itself.
type Manifest struct {
	Format  int    `json:"format"`
	ID      string `json:"id"`
	Program string `json:"program"` // version of quire
	// Version is that of the tables.
	Version      int64  `json:"tablesVersion"`
	Installation string `json:"installation"`
	// Workspace is the one that the backup is of; nil when it is of all.
	Workspace *OneWorkspace `json:"workspace,omitempty"`
	// Canary opens with the keys of the installation only.
	Canary string `json:"canary"`
	// Taken is the moment that the rows are of; everything acknowledged before is
	// in the backup.
	Taken    time.Time     `json:"taken"`
	Ended    time.Time     `json:"ended"`
	Tables   []TableCopy   `json:"tables"`
	Contents ContentCopies `json:"contents"`
}

// OneWorkspace is a workspace as it was.
type OneWorkspace struct {
	ID   int64  `json:"id"`
	Code string `json:"code"`
	Name string `json:"name"`
}

// alike tells whether two backups are of the same: all, or one workspace.
func (m *Manifest) alike(other *Manifest) bool {
	if m.Workspace == nil || other.Workspace == nil {
		return m.Workspace == other.Workspace
	}
	return m.Workspace.ID == other.Workspace.ID
}

// TableCopy are the rows of a table.
type TableCopy struct {
	Name    string         `json:"name"`
	Columns []store.Column `json:"columns"`
	Rows    int            `json:"rows"`
	// Last is the last number that the database gave to a row.
	Last   int64  `json:"last,omitempty"`
	SHA256 string `json:"sha256"`
}

// ContentCopies are the contents that the rows name.
type ContentCopies struct {
	Count  int    `json:"count"`
	Bytes  int64  `json:"bytes"`
	Copied int    `json:"copied"` // the others were there from backups before
	SHA256 string `json:"sha256"` // of the list
	// Missing are named by rows and were not in the storage.
	Missing []string `json:"missing,omitempty"`
}

// contentCopy is one of them.
type contentCopy struct {
	Key    string `json:"key"`
	Type   string `json:"type,omitempty"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

func (m *Manifest) folder() string { return "backups/" + m.ID + "/" }

func (m *Manifest) rows(table string) string { return m.folder() + "rows/" + table + ".jsonl.gz" }

func (m *Manifest) contents() string { return m.folder() + "contents.jsonl.gz" }

const manifestFile = "manifest.json"

// contentsFolder is below which contents have their keys.
const contentsFolder = "contents/"

// List gives the complete backups of a place, the newest first.
func List(ctx context.Context, from *store.Contents) ([]*Manifest, error) {
	var keys []string
	err := from.List(ctx, "backups/", func(c store.Listed) error {
		if strings.HasSuffix(c.Key, "/"+manifestFile) {
			keys = append(keys, c.Key)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var all []*Manifest
	for _, key := range keys {
		m, err := readManifest(ctx, from, key)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *Manifest) int {
		return cmp.Or(b.Taken.Compare(a.Taken), cmp.Compare(b.ID, a.ID))
	})
	return all, nil
}

// Find gives the backup with an ID or, when that is empty, the newest of the whole
// installation; with the code of a workspace the newest that may have that.
func Find(ctx context.Context, from *store.Contents, id, workspace string) (*Manifest, error) {
	all, err := List(ctx, from)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		of := m.Workspace == nil || workspace != "" && strings.EqualFold(m.Workspace.Code, workspace)
		if m.ID == id || id == "" && of {
			return m, nil
		}
	}
	switch {
	case id != "":
		return nil, report.NotFoundf("there is no complete backup %s; quire backup list names those that there are", id)
	case len(all) > 0 && workspace == "":
		return nil, report.NotFoundf("there are backups of single workspaces only; one of them is restored with --workspace %s", all[0].Workspace.Code)
	case len(all) > 0:
		return nil, report.NotFoundf("there is no backup of the workspace %s; quire backup list names those that there are", workspace)
	}
	return nil, report.NotFoundf("there is no complete backup in this place")
}

func readManifest(ctx context.Context, from *store.Contents, key string) (*Manifest, error) {
	content, err := from.Open(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	defer func() { _ = content.Close() }()
	doc, err := io.ReadAll(content)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(doc, m); err != nil {
		return nil, damaged(key, err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("%s is of format %d; this version of quire reads %d", key, m.Format, format)
	}
	return m, nil
}

// listed are the contents of the backup.
func (m *Manifest) listed(ctx context.Context, from *store.Contents, each func(contentCopy) error) error {
	return lines(ctx, from, m.contents(), m.Contents.SHA256, func(line []byte) error {
		var c contentCopy
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		return each(c)
	})
}
