package store

import (
	"context"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Library is everything in a workspace that reports use, decoded, as it was at
// one revision of the workspace. It is shared by all who ask: not to be changed.
// Each list is in the order people see; the first is the default.
type Library struct {
	Templates    []Entry[report.Template]
	Themes       []Entry[report.Theme]
	Languages    []Entry[report.Language]
	PageTypes    []Entry[report.PageType]
	Dictionaries []Entry[report.Dictionary]
	Parameters   []Entry[report.Parameter]
	DataSources  []Entry[report.DataSource]
	Jobs         []Entry[report.Job]

	shared report.Library // what reports are given of it
}

// Entry is a definition with its identity.
type Entry[T any] struct {
	ID, Revision int
	Key          string // code or name in the form that is compared
	Definition   *T
}

// Template finds a template by ID or code; "" is the workspace's first.
func (l *Library) Template(ref string) (*report.Template, error) {
	return find(l.Templates, "template", ref)
}

// Theme finds a theme by ID or code; "" is the workspace's first.
func (l *Library) Theme(ref string) (*report.Theme, error) { return find(l.Themes, "theme", ref) }

// Language finds a language by its code; "" is the workspace's first.
func (l *Library) Language(code string) (*report.Language, error) {
	return find(l.Languages, "language", code)
}

// DataSource finds a reusable or global data source by its name.
func (l *Library) DataSource(name string) (*report.DataSource, bool) {
	return findNamed(l.DataSources, name)
}

// Parameter finds a reusable or global parameter by its name.
func (l *Library) Parameter(name string) (*report.Parameter, bool) {
	return findNamed(l.Parameters, name)
}

func findNamed[T any](entries []Entry[T], name string) (*T, bool) {
	for i := range entries {
		if entries[i].Key == name {
			return entries[i].Definition, true
		}
	}
	return nil, false
}

// find looks up by ID or code.
func find[T any](entries []Entry[T], kind, ref string) (*T, error) {
	id, isID := refID(ref)
	key := codeKey(ref)
	for i := range entries {
		e := &entries[i]
		if ref == "" || isID && e.ID == id || !isID && e.Key == key {
			return e.Definition, nil
		}
	}
	if ref == "" {
		return nil, report.NotFoundf("the workspace has no %s", kind)
	}
	return nil, &report.Problem{
		Kind: report.NotFound, Path: kind,
		Message: "unknown " + kind + " \"" + ref + "\"" + accepted(entries),
	}
}

// accepted lists the first few codes for a message.
func accepted[T any](entries []Entry[T]) string {
	const few = 20
	keys := make([]string, 0, few)
	for i := range entries[:min(few, len(entries))] {
		keys = append(keys, entries[i].Key)
	}
	if len(keys) == 0 {
		return ""
	}
	return "; accepted: " + strings.Join(keys, ", ")
}

type resourceRow struct {
	ID       int    `db:"id"`
	Kind     string `db:"kind"`
	Key      string `db:"key"`
	Revision int    `db:"revision"`
	Size     int    `db:"size"`
	Document string `db:"document"`
}

type revisionKey struct{ workspaceID int }

// WithRevision says which revision a workspace had just now, so that Library does not
// ask.
func WithRevision(ctx context.Context, workspaceID, revision int) context.Context {
	return context.WithValue(ctx, revisionKey{workspaceID}, revision)
}

// Library reads the library of a workspace. When nothing changed since the
// last time it is one indexed read of the revision, which those who ask at the same
// time share.
func (s *Store) Library(ctx context.Context, workspaceID int) (*Library, error) {
	if revision, known := ctx.Value(revisionKey{workspaceID}).(int); known {
		return s.libraryAt(ctx, workspaceID, revision)
	}
	revision, err := s.revisions.get(ctx, workspaceID, func(ctx context.Context) (revision int, err error) {
		return revision, s.db.get(ctx, &revision, "SELECT revision FROM workspaces WHERE id = ?", workspaceID)
	})
	if err != nil {
		return nil, orNotFound(err, "workspace %d does not exist", workspaceID)
	}
	return s.libraryAt(ctx, workspaceID, revision)
}

// libraryAt is Library at a revision of the workspace that the caller knows
// already.
func (s *Store) libraryAt(ctx context.Context, workspaceID, revision int) (*Library, error) {
	key := cacheKey{"library", workspaceID}
	value, known := s.cache.get(key)
	old, _ := value.(*Library)
	if old != nil && known >= revision {
		return old, nil
	}
	if old == nil {
		old = &Library{}
	}
	l, cost, err := s.readLibrary(ctx, workspaceID, old)
	if err != nil {
		return nil, err
	}
	s.cache.put(key, revision, l, cost)
	return l, nil
}

// readLibrary reads the resources and decodes those that changed.
func (s *Store) readLibrary(ctx context.Context, workspaceID int, old *Library) (*Library, int, error) {
	var rows []resourceRow
	err := s.db.list(ctx, &rows, `SELECT id, kind, key, revision, LENGTH(document) AS size, document
		FROM resources WHERE workspace_id = ? AND kind NOT LIKE ? ORDER BY kind, position, id`, workspaceID, deletedKind+"%")
	if err != nil {
		return nil, 0, err
	}
	l, cost := &Library{}, 0
	kinds := resourceKinds()
	for _, row := range rows {
		cost += row.Size
		for _, k := range kinds {
			if k.name == row.Kind {
				err = k.read(l, old, row)
			}
		}
		if err != nil {
			return nil, 0, err
		}
	}
	l.share()
	return l, cost, nil
}

// Definitions are the definitions of a list without their identities.
func Definitions[T any](entries []Entry[T]) []T {
	definitions := make([]T, len(entries))
	for i, e := range entries {
		definitions[i] = *e.Definition
	}
	return definitions
}
