package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Transfer is a template on its way into another workspace.
type Transfer struct {
	From     int     // the workspace
	To       *Access // of the user who transfers it
	ID       int     // of the template
	Revision int     // of the template as it was read
	Template report.Template
	// With is what goes along; of its files the names.
	With report.Workspace
	// Move takes the template out of the workspace that it comes from; what went
	// along stays there, too.
	Move bool
}

// TransferTemplate puts a template and what goes along into another workspace,
// and gives its ID there. What there is by the same code or name stays as it is; a
// template whose code is taken gets another.
func (s *Store) TransferTemplate(ctx context.Context, tr Transfer) (id int, err error) {
	if tr.From == tr.To.Workspace.ID {
		return 0, report.Problemf("workspace", "the template is in this workspace already")
	}
	files, err := s.copyFiles(ctx, tr)
	put := 0 // of the files, from the front
	if err == nil {
		err = s.db.inTx(ctx, func(t tx) error {
			// Two transfers follow each other.
			if err := bumpLibrary(ctx, t, tr.To.Workspace.ID); err != nil {
				return err
			}
			if put, err = s.bringFiles(ctx, t, tr, files); err != nil {
				return err
			}
			if id, err = s.bringTemplate(ctx, t, tr); err != nil || !tr.Move {
				return err
			}
			return s.takeOut(ctx, t, tr)
		})
	}
	if err != nil {
		put = 0
	}
	s.discardFiles(ctx, files[put:])
	return id, err
}

// takeOut deletes the template that was moved, unless somebody saved it since it was
// read: what they saved would be nowhere.
func (s *Store) takeOut(ctx context.Context, t tx, tr Transfer) error {
	if err := s.deleteResource(ctx, t, tr.From, "template", tr.ID); err != nil {
		return err
	}
	var now int
	if err := t.get(ctx, &now, "SELECT revision FROM resources WHERE id = ?", tr.ID); err != nil {
		return err
	}
	if now != tr.Revision {
		return &report.Problem{Kind: report.Conflict, Message: "somebody has changed the template meanwhile; move it again"}
	}
	return nil
}

// copyFiles copies the contents of the files that the other workspace lacks, before
// the transaction, as storage may be slow.
func (s *Store) copyFiles(ctx context.Context, tr Transfer) (copied []*fileRow, err error) {
	known, err := s.fileNames(ctx, tr.To.Workspace.ID)
	if err != nil {
		return nil, err
	}
	for i := range tr.With.Files {
		name := tr.With.Files[i].Name
		if known[name] {
			continue
		}
		if err := tr.require(Files, fmt.Sprintf("the managed file %q", name)); err != nil {
			return copied, err
		}
		row, content, err := s.OpenFile(ctx, tr.From, name)
		if err != nil {
			return copied, err
		}
		file, err := s.writeFile(ctx, name, row.ContentType, content)
		_ = content.Close()
		copied = append(copied, file)
		if err != nil {
			return copied, err
		}
	}
	return copied, nil
}

func (s *Store) fileNames(ctx context.Context, workspaceID int) (map[string]bool, error) {
	rows, err := s.Files(ctx, workspaceID)
	names := map[string]bool{}
	for i := range rows {
		names[rows[i].Name] = true
	}
	return names, err
}

// bringFiles writes the rows of files. Those that somebody brought meanwhile stay.
func (s *Store) bringFiles(ctx context.Context, t tx, tr Transfer, files []*fileRow) (put int, err error) {
	for i, f := range files {
		var known int
		if err := t.get(ctx, &known, "SELECT COUNT(*) FROM files WHERE workspace_id = ? AND name = ?", tr.To.Workspace.ID, f.Name); err != nil {
			return 0, err
		}
		if known > 0 {
			continue
		}
		if _, err := t.putFile(ctx, tr.To.Workspace.ID, f); err != nil {
			return 0, err
		}
		if err := s.record(ctx, t, Event{Action: AuditFileSaved, WorkspaceID: tr.To.Workspace.ID, Target: Target{targetFile, f.Name, f.Name}, Detail: map[string]any{"bytes": f.Size, "from": tr.From}}); err != nil {
			return 0, err
		}
		files[put], files[i] = files[i], files[put]
		put++
	}
	return put, nil
}

// bringTemplate writes what goes along, and the template.
func (s *Store) bringTemplate(ctx context.Context, t tx, tr Transfer) (id int, err error) {
	for _, kind := range resourceKinds() {
		docs, err := kind.pack(&tr.With)
		if err != nil {
			return 0, err
		}
		for _, doc := range docs {
			if _, err := s.bring(ctx, t, tr, &kind, doc); err != nil {
				return 0, err
			}
		}
	}
	kind, err := kindNamed(TemplateKind)
	if err != nil {
		return 0, err
	}
	for n, code := 2, tr.Template.Code; id == 0; n++ {
		docs, err := kind.pack(&report.Workspace{Templates: []report.Template{tr.Template}})
		if err == nil {
			id, err = s.bring(ctx, t, tr, kind, docs[0])
		}
		if err != nil {
			return 0, err
		}
		tr.Template.Code = fmt.Sprintf("%s-%d", code, n)
	}
	return id, nil
}

// bring writes a definition that the other workspace lacks and gives its ID; 0 when
// there is one.
func (s *Store) bring(ctx context.Context, t tx, tr Transfer, k *resourceKind, doc document) (id int, err error) {
	to, now := tr.To.Workspace.ID, s.now()
	err = t.get(ctx, &id, `INSERT INTO resources (workspace_id, kind, key, position, document, created_at, updated_at)
		SELECT ?, ?, ?, COALESCE(MAX(position) + 1, 0), ?, ?, ? FROM resources WHERE workspace_id = ? AND kind = ?
		ON CONFLICT (workspace_id, kind, key) DO NOTHING RETURNING id`,
		to, k.name, doc.key, doc.text, now, now, to, k.name)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err == nil {
		err = tr.require(Kind(k.plural).Category(), fmt.Sprintf("the %s %q", strings.ReplaceAll(k.name, "-", " "), doc.key))
	}
	if err == nil {
		err = s.record(ctx, t, Event{Action: AuditLibraryCreated, WorkspaceID: to, Target: targetOf(k.name, id), Detail: map[string]any{"from": tr.From}})
	}
	return id, err
}

// require refuses to bring what the role may not add there.
func (tr Transfer) require(c Category, what string) error {
	if tr.To.Role.Allows(c, Full) {
		return nil
	}
	return &report.Problem{Kind: report.Forbidden, Path: "workspace", Message: fmt.Sprintf("%s in %s needs a role with %s on %s; your role %s has %s",
		what, tr.To.Workspace.Name, Full.Label(), c.Label(), tr.To.Role.Name, tr.To.Role.Levels[c].Label())}
}
