package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"mime"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/font"
)

// FileRow is a managed file in a list.
type FileRow struct {
	ID          int
	Name        string
	ContentType string
	Size        int64
	SHA256      []byte
	Updated     time.Time
}

type fileRow struct {
	ID          int    `db:"id"`
	Name        string `db:"name"`
	ContentType string `db:"content_type"`
	Size        int64  `db:"size"`
	SHA256      []byte `db:"sha256"`
	Key         string `db:"content_key"`
	Updated     int64  `db:"updated_at"`
}

func (r *fileRow) row() FileRow {
	return FileRow{r.ID, r.Name, r.ContentType, r.Size, r.SHA256, fromMillis(r.Updated)}
}

const fileSelect = "SELECT id, name, content_type, size, sha256, content_key, updated_at FROM files "

// Files lists the managed files of a workspace by name.
func (s *Store) Files(ctx context.Context, workspaceID int) ([]FileRow, error) {
	var rows []fileRow
	err := s.db.list(ctx, &rows, fileSelect+"WHERE workspace_id = ? ORDER BY name", workspaceID)
	files := make([]FileRow, len(rows))
	for i := range rows {
		files[i] = rows[i].row()
	}
	return files, err
}

// OpenFile opens a managed file by its name.
func (s *Store) OpenFile(ctx context.Context, workspaceID int, name string) (*FileRow, *Content, error) {
	var r fileRow
	err := s.db.get(ctx, &r, fileSelect+"WHERE workspace_id = ? AND name = ?", workspaceID, name)
	if err != nil {
		return nil, nil, orNotFound(err, "there is no file %q", name)
	}
	content, err := s.contents.Open(ctx, r.Key)
	if IsNotFound(err) { // it is not that there is no such file
		return nil, nil, &report.Problem{Kind: report.Failed, Path: "files", Message: fmt.Sprintf("the content of the managed file %q is lost; upload it again", name)}
	}
	if err != nil {
		return nil, nil, err
	}
	content.ContentType = r.ContentType
	row := r.row()
	return &row, content, nil
}

// PutFile writes a managed file, new or instead of one of the same name.
func (s *Store) PutFile(ctx context.Context, workspaceID int, name, contentType string, from io.Reader) (*FileRow, error) {
	if err := checkFileName(name); err != nil {
		return nil, err
	}
	if format, _ := font.Format(name); format != "" {
		content, err := io.ReadAll(io.LimitReader(from, font.MostBytes+1))
		if err == nil {
			err = checkFont(name, content)
		}
		if err != nil {
			return nil, err
		}
		from = bytes.NewReader(content)
	}
	r, err := s.writeFile(ctx, name, contentType, from)
	if err != nil {
		return nil, err
	}
	var old *string
	err = s.db.inTx(ctx, func(t tx) error {
		if old, err = t.putFile(ctx, workspaceID, r); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditFileSaved, WorkspaceID: workspaceID, Target: Target{targetFile, r.Name, r.Name}, Detail: map[string]any{"bytes": r.Size}})
	})
	if err != nil {
		s.discard(ctx, r.Key)
		return nil, orNoReference(err, "workspace %d does not exist", workspaceID)
	}
	if old != nil {
		s.discard(ctx, *old)
	}
	row := r.row()
	return &row, nil
}

// writeFile writes the content under a new key, so that readers of the old
// one are not disturbed.
func (s *Store) writeFile(ctx context.Context, name, contentType string, from io.Reader) (*fileRow, error) {
	r := &fileRow{Name: name, ContentType: fileType(name, contentType), Key: contentKey(fileContents), Updated: s.now()}
	sum := sha256.New()
	size, err := s.contents.Put(ctx, r.Key, r.ContentType, io.TeeReader(from, sum))
	r.Size, r.SHA256 = size, sum.Sum(nil)
	return r, err
}

// putFile writes the row and tells the key of the content it replaces.
func (t tx) putFile(ctx context.Context, workspaceID int, r *fileRow) (old *string, err error) {
	var keys []string
	err = t.list(ctx, &keys, "SELECT content_key FROM files WHERE workspace_id = ? AND name = ?", workspaceID, r.Name)
	if err != nil {
		return nil, err
	}
	err = t.get(ctx, &r.ID, `INSERT INTO files (workspace_id, name, content_type, size, sha256, content_key, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, name) DO UPDATE SET content_type = excluded.content_type, size = excluded.size,
			sha256 = excluded.sha256, content_key = excluded.content_key, updated_at = excluded.updated_at
		RETURNING id`, workspaceID, r.Name, r.ContentType, r.Size, r.SHA256, r.Key, r.Updated, r.Updated)
	if len(keys) > 0 {
		old = &keys[0]
	}
	return old, err
}

// DeleteFile removes a managed file.
func (s *Store) DeleteFile(ctx context.Context, workspaceID int, name string) error {
	var key string
	err := s.db.inTx(ctx, func(t tx) error {
		err := t.get(ctx, &key, "DELETE FROM files WHERE workspace_id = ? AND name = ? RETURNING content_key", workspaceID, name)
		if err != nil {
			return orNotFound(err, "there is no file %q", name)
		}
		return s.record(ctx, t, Event{Action: AuditFileDeleted, WorkspaceID: workspaceID, Target: Target{targetFile, name, name}})
	})
	if err != nil {
		return err
	}
	s.discard(ctx, key)
	return nil
}

// discard removes a content that no row names (any more). When that fails the
// sweeper finds it later.
func (s *Store) discard(ctx context.Context, key string) {
	if err := s.contents.Delete(context.WithoutCancel(ctx), key); err != nil {
		s.log.WarnContext(ctx, "a content was not removed; the sweeper will try again", "key", key, "error", err)
	}
}

// contentKey makes a new key below a folder of the contents, spread over
// subfolders so that none grows large.
func contentKey(folder string) string {
	text := randomText(26)
	return folder + "/" + text[:2] + "/" + text[2:]
}

// checkFileName takes names that can stand in a bundle's folder as they are.
func checkFileName(name string) error {
	switch {
	case name == "" || len(name) > 200 || !utf8.ValidString(name):
		return report.Problemf("name", "a file name has 1 to 200 bytes")
	case strings.ContainsFunc(name, unicode.IsControl), strings.ContainsAny(name, `\:*?"<>|`):
		return report.Problemf("name", `file name %q: control characters and \ : * ? " < > | are not accepted`, name)
	case strings.ContainsFunc(name, report.Hides):
		return report.Problemf("name", "file name %+q: invisible characters, such as those that turn the direction of writing, are not accepted", name)
	case path.Clean("/"+name) != "/"+name:
		return report.Problemf("name", "file name %q: . and .. and empty folders are not accepted", name)
	}
	return nil
}

// checkFont refuses fonts that browsers could not use: reports would be printed
// in another one, and whoever uploaded it would not know why.
func checkFont(name string, content []byte) error {
	if format, _ := font.Format(name); format == "" {
		return nil
	}
	if _, err := font.Parse(content); err != nil {
		return report.Problemf("file", "the font %q cannot be used: %s", name, err)
	}
	return nil
}

// FontFiles implements export.Definitions: the managed files that are fonts.
func (s *Store) FontFiles(ctx context.Context, workspaceID int) ([]report.FileStamp, error) {
	files, err := s.Files(ctx, workspaceID)
	var list []report.FileStamp
	for i := range files {
		if format, _ := font.Format(files[i].Name); format != "" {
			list = append(list, report.FileStamp{Name: files[i].Name, SHA256: string(files[i].SHA256)})
		}
	}
	return list, err
}

// fileType is the type given, or else what the name's ending means.
func fileType(name, given string) string {
	if given != "" {
		return given
	}
	if _, byName := font.Format(name); byName != "" {
		return byName
	}
	if byName := mime.TypeByExtension(path.Ext(name)); byName != "" {
		return byName
	}
	return "application/octet-stream"
}
