package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"

	"github.com/quire-reports/quire/report"
)

// Imported tells what an import did.
type Imported struct {
	Workspace                   Workspace
	Created, Updated, Unchanged int
}

// ImportWorkspace brings a bundle in: the workspace with its code is made or
// updated, and so is each thing in it, by code or name. What the bundle does
// not hold stays. All of it happens or nothing; importing the same bundle
// again changes nothing.
func (s *Store) ImportWorkspace(ctx context.Context, content report.Workspace) (*Imported, error) {
	files, err := s.uploadFiles(ctx, &content)
	if err != nil {
		s.discardFiles(ctx, files)
		return nil, err
	}
	var im *importer
	err = s.db.inTx(ctx, func(t tx) error {
		w, created, err := s.importedWorkspace(ctx, t, &content)
		if err != nil {
			return err
		}
		im = s.newImport(t, w, &content)
		im.files, im.changed = files, created
		if err := im.run(ctx); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditWorkspaceLoaded, WorkspaceID: w.ID, Target: targetOf(targetWorkspace, w.ID), Detail: map[string]any{"reports": len(content.Reports), "files": len(content.Files)}})
	})
	if err != nil {
		s.discardFiles(ctx, files)
		return nil, err
	}
	for _, key := range im.replaced {
		s.discard(ctx, key)
	}
	return &im.result, nil
}

// importedWorkspace finds or makes the workspace and locks its row, so that
// two imports into one workspace follow each other.
func (s *Store) importedWorkspace(ctx context.Context, t tx, content *report.Workspace) (w *Workspace, created bool, err error) {
	w = &Workspace{Name: content.Name, Code: content.Code}
	if content.Description != "" {
		w.Description = &content.Description
	}
	err = t.get(ctx, &w.ID, "UPDATE workspaces SET revision = revision WHERE code_key = ? RETURNING id", codeKey(w.Code))
	if errors.Is(err, sql.ErrNoRows) {
		return w, true, t.insertWorkspace(ctx, w, s.now())
	}
	if err != nil {
		return nil, false, err
	}
	_, err = t.exec(ctx, "UPDATE workspaces SET name = ?, description = ? WHERE id = ?", w.Name, w.Description, w.ID)
	return w, false, err
}

// importer writes a bundle into one workspace, in a transaction.
type importer struct {
	t        tx
	now      int64
	content  *report.Workspace
	files    []*fileRow // those whose content is new
	changed  bool
	replaced []string // keys of contents to remove after the transaction
	result   Imported
}

func (s *Store) newImport(t tx, w *Workspace, content *report.Workspace) *importer {
	return &importer{t: t, now: s.now(), content: content, result: Imported{Workspace: *w}}
}

func (im *importer) workspace() int { return im.result.Workspace.ID }

func (im *importer) run(ctx context.Context) error {
	steps := []func(context.Context) error{im.resources, im.types, im.reports, im.defaults, im.putFiles, im.bump}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// bump makes every cached library of the workspace out of date.
func (im *importer) bump(ctx context.Context) error {
	if !im.changed {
		return nil
	}
	return bumpLibrary(ctx, im.t, im.workspace())
}

// count records what became of one thing.
func (im *importer) count(exists, same bool) {
	switch {
	case !exists:
		im.result.Created++
	case same:
		im.result.Unchanged++
	default:
		im.result.Updated++
	}
	im.changed = im.changed || !exists || !same
}

type storedDocument struct {
	ID       int    `db:"id"`
	Key      string `db:"key"`
	Position int    `db:"position"`
	Document string `db:"document"`
}

func (im *importer) resources(ctx context.Context) error {
	for _, kind := range resourceKinds() {
		docs, err := kind.pack(im.content)
		if err != nil {
			return err
		}
		if len(docs) == 0 {
			continue
		}
		if err := im.kind(ctx, kind.name, docs); err != nil {
			return err
		}
	}
	return nil
}

func (im *importer) kind(ctx context.Context, kind string, docs []document) error {
	var stored []storedDocument
	err := im.t.list(ctx, &stored, "SELECT id, key, position, document FROM resources WHERE workspace_id = ? AND kind = ?", im.workspace(), kind)
	if err != nil {
		return err
	}
	byKey := map[string]storedDocument{}
	for _, row := range stored {
		byKey[row.Key] = row
	}
	for position, doc := range docs {
		row, exists := byKey[doc.key]
		same := exists && row.Document == doc.text && row.Position == position
		im.count(exists, same)
		if same {
			continue
		}
		_, err := im.t.exec(ctx, `INSERT INTO resources (workspace_id, kind, key, position, document, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (workspace_id, kind, key) DO UPDATE SET position = excluded.position, document = excluded.document,
				revision = resources.revision + 1, updated_at = excluded.updated_at`,
			im.workspace(), kind, doc.key, position, doc.text, im.now, im.now)
		if err != nil {
			return err
		}
	}
	return nil
}

// putFiles writes the rows of the files whose content is new.
func (im *importer) putFiles(ctx context.Context) error {
	im.result.Unchanged += len(im.content.Files) - len(im.files)
	for _, file := range im.files {
		old, err := im.t.putFile(ctx, im.workspace(), file)
		if err != nil {
			return err
		}
		if old != nil {
			im.replaced = append(im.replaced, *old)
		}
		im.count(old != nil, false)
	}
	return nil
}

// uploadFiles writes the contents of the bundle's files, before the
// transaction, as storage may be slow. What is there already is left alone.
func (s *Store) uploadFiles(ctx context.Context, content *report.Workspace) ([]*fileRow, error) {
	known, err := s.knownFiles(ctx, content.Code)
	if err != nil {
		return nil, err
	}
	var files []*fileRow
	for i := range content.Files {
		f := &content.Files[i]
		if err := checkFileName(f.Name); err != nil {
			return files, under("files", err)
		}
		if err := checkFont(f.Name, f.Content); err != nil {
			return files, under("files", err)
		}
		sum := sha256.Sum256(f.Content)
		old, exists := known[f.Name]
		if exists && bytes.Equal(old.SHA256, sum[:]) && old.ContentType == fileType(f.Name, f.ContentType) {
			continue
		}
		file, err := s.writeFile(ctx, f.Name, f.ContentType, bytes.NewReader(f.Content))
		files = append(files, file)
		if err != nil {
			return files, err
		}
	}
	return files, nil
}

func (s *Store) knownFiles(ctx context.Context, code string) (map[string]FileRow, error) {
	known := map[string]FileRow{}
	w, err := s.WorkspaceByCode(ctx, code)
	if IsNotFound(err) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	rows, err := s.Files(ctx, w.ID)
	for _, row := range rows {
		known[row.Name] = row
	}
	return known, err
}

func (s *Store) discardFiles(ctx context.Context, files []*fileRow) {
	for _, f := range files {
		s.discard(ctx, f.Key)
	}
}
