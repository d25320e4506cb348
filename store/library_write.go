package store

import (
	"context"
	"slices"

	"github.com/quire-reports/quire/report"
)

// Kind is a sort of what reports of a workspace use.
type Kind string

// The kinds.
const (
	Languages        Kind = "languages"
	PageTypes        Kind = "pageTypes"
	SharedParameters Kind = "parameters"
	DictionaryKind   Kind = "dictionaries"
	SharedSources    Kind = "dataSources"
	TemplateKind     Kind = "templates"
	ThemeKind        Kind = "themes"
	JobKind          Kind = "jobs"
)

// Kinds lists them in the order of a bundle.
func Kinds() []Kind {
	var kinds []Kind
	for _, k := range resourceKinds() {
		kinds = append(kinds, Kind(k.plural))
	}
	return kinds
}

// Category is the part of the workspace whose rights count for a kind.
func (k Kind) Category() Category {
	switch k {
	case DictionaryKind:
		return Dictionaries
	case SharedSources:
		return DataSources
	case TemplateKind:
		return Templates
	case ThemeKind:
		return Themes
	case JobKind:
		return Jobs
	}
	return Configuration
}

// Resource is a definition of some kind with its identity.
type Resource struct {
	ID, Revision int
	Definition   any // *report.Theme and the like; shared, not to be changed
}

func kindNamed(kind Kind) (*resourceKind, error) {
	kinds := resourceKinds()
	i := slices.IndexFunc(kinds, func(k resourceKind) bool { return k.plural == string(kind) })
	if i < 0 {
		return nil, report.NotFoundf("there is no kind %q; accepted: %v", kind, Kinds())
	}
	return &kinds[i], nil
}

// Resources lists the definitions of a kind in their order.
func (s *Store) Resources(ctx context.Context, workspaceID int, kind Kind) ([]Resource, error) {
	k, err := kindNamed(kind)
	if err != nil {
		return nil, err
	}
	library, err := s.Library(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	return k.list(library), nil
}

// CreateResource adds a definition at the end of its kind.
func (s *Store) CreateResource(ctx context.Context, workspaceID int, kind Kind, text []byte) (id int, err error) {
	k, doc, err := checkResource(kind, text)
	if err != nil {
		return 0, err
	}
	err = s.db.inTx(ctx, func(t tx) error {
		now := s.now()
		err := t.get(ctx, &id, `INSERT INTO resources (workspace_id, kind, key, position, document, created_at, updated_at)
			SELECT ?, ?, ?, COALESCE(MAX(position) + 1, 0), ?, ?, ? FROM resources WHERE workspace_id = ? AND kind = ? RETURNING id`,
			workspaceID, k.name, doc.key, doc.text, now, now, workspaceID, k.name)
		if err != nil {
			return orTaken(err, "", "there is a %s %q already", k.name, doc.key)
		}
		return s.changedLibrary(ctx, t, Event{Action: AuditLibraryCreated, WorkspaceID: workspaceID, Target: targetOf(k.name, id)})
	})
	return id, err
}

// SaveResource writes a definition that was read at a revision, and gives the
// new revision. When somebody else saved it since, that is a Problem of kind
// Conflict, and nothing is written.
func (s *Store) SaveResource(ctx context.Context, workspaceID int, kind Kind, id, revision int, text []byte) (int, error) {
	k, doc, err := checkResource(kind, text)
	if err != nil {
		return 0, err
	}
	err = s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "UPDATE resources SET key = ?, document = ?, revision = revision + 1, updated_at = ?, saved_by = ? WHERE id = ? AND workspace_id = ? AND kind = ? AND revision = ?",
			doc.key, doc.text, s.now(), nullID(actorOf(ctx).UserID), id, workspaceID, k.name, revision)
		if err != nil {
			return orTaken(err, "", "there is a %s %q already", k.name, doc.key)
		}
		if n > 0 {
			return s.changedLibrary(ctx, t, Event{Action: AuditLibrarySaved, WorkspaceID: workspaceID, Target: targetOf(k.name, id), Detail: map[string]any{"revision": revision + 1}, once: oneSitting})
		}
		now, err := newsOf(ctx, t, workspaceID, k, id)
		if err != nil {
			return err
		}
		return savedMeanwhile(now.By, k.name, now.Revision, revision)
	})
	return revision + 1, err
}

// ResourceNews tells how far a definition is.
func (s *Store) ResourceNews(ctx context.Context, workspaceID int, kind Kind, id int) (News, error) {
	k, err := kindNamed(kind)
	if err != nil {
		return News{}, err
	}
	return newsOf(ctx, s.db, workspaceID, k, id)
}

func newsOf(ctx context.Context, from interface {
	get(ctx context.Context, into any, query string, args ...any) error
}, workspaceID int, k *resourceKind, id int,
) (n News, err error) {
	err = from.get(ctx, &n, `SELECT r.revision, 0 AS comments_revision, COALESCE(u.display_name, '') AS saved_by FROM resources r LEFT JOIN users u ON u.id = r.saved_by
		WHERE r.id = ? AND r.workspace_id = ? AND r.kind = ?`, id, workspaceID, k.name)
	return n, orNotFound(err, "%s %d does not exist", k.name, id)
}

// OrderResources puts the definitions of a kind in the order of their IDs
// given; the first is the default. All of them must be named.
func (s *Store) OrderResources(ctx context.Context, workspaceID int, kind Kind, ids []int) error {
	k, err := kindNamed(kind)
	if err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error {
		var known []int
		if err := t.list(ctx, &known, "SELECT id FROM resources WHERE workspace_id = ? AND kind = ?", workspaceID, k.name); err != nil {
			return err
		}
		wanted := slices.Sorted(slices.Values(ids))
		slices.Sort(known)
		if !slices.Equal(wanted, known) {
			return report.Problemf("order", "the order must name each of the %d %s once", len(known), k.plural)
		}
		for position, id := range ids {
			if _, err := t.exec(ctx, "UPDATE resources SET position = ? WHERE id = ?", position, id); err != nil {
				return err
			}
		}
		return s.changedLibrary(ctx, t, Event{Action: AuditLibraryOrdered, WorkspaceID: workspaceID, Target: Target{Kind: k.name}})
	})
}

// changedLibrary records a change of the library and makes every cached copy of
// it out of date.
func (s *Store) changedLibrary(ctx context.Context, t tx, e Event) error {
	if err := s.record(ctx, t, e); err != nil {
		return err
	}
	return bumpLibrary(ctx, t, e.WorkspaceID)
}

func checkResource(kind Kind, text []byte) (*resourceKind, document, error) {
	k, err := kindNamed(kind)
	if err != nil {
		return nil, document{}, err
	}
	doc, err := k.check(text)
	return k, doc, err
}

// bumpLibrary makes every cached library of the workspace out of date.
func bumpLibrary(ctx context.Context, t tx, workspaceID int) error {
	_, err := t.exec(ctx, "UPDATE workspaces SET revision = revision + 1 WHERE id = ?", workspaceID)
	return err
}
