package backup

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/quire-reports/quire/store"
)

// Target is where a backup is restored to: an empty database of either kind, and
// a storage that is empty or has contents of the same installation.
type Target struct {
	Tables   *store.Tables
	Contents *store.Contents
}

// Check tells what keeps the backup from being restored there.
func (m *Manifest) Check(ctx context.Context, t Target) error {
	if m.Workspace != nil {
		return fmt.Errorf("the backup %s is of the workspace %s alone; restore it with --workspace %[2]s into an installation that there is", m.ID, m.Workspace.Code)
	}
	if err := m.checkVersion(t.Tables); err != nil {
		return err
	}
	empty, err := t.Tables.Empty(ctx)
	if err != nil {
		return err
	}
	_, version, err := t.Tables.State(ctx)
	if err != nil {
		return err
	}
	if !empty || version > m.Version {
		return errors.New("the database is not empty; a backup is restored into an empty one: name another in ConnectionStrings.Database (or --data)")
	}
	mark, err := t.Contents.Mark(ctx)
	if err == nil && mark != "" && mark != m.Installation {
		err = errors.New("the storage holds the contents of another installation; name an empty one in Storage.Url (or --data)")
	}
	return err
}

func (m *Manifest) checkVersion(t *store.Tables) error {
	latest, err := t.Latest()
	if err == nil && m.Version > latest {
		err = fmt.Errorf("the backup has tables of version %d, and this program knows %d; restore it with quire %s or newer", m.Version, latest, m.Program)
	}
	return err
}

// Restore puts the backup there: contents first, then all rows in one
// transaction. What failed halfway can be done anew.
func (m *Manifest) Restore(ctx context.Context, from *store.Contents, t Target, progress Progress) error {
	if err := m.Check(ctx, t); err != nil {
		return err
	}
	if err := t.Contents.SetMark(ctx, m.Installation); err != nil {
		return err
	}
	if err := m.restoreContents(ctx, from, t.Contents, progress); err != nil {
		return err
	}
	return m.fill(ctx, from, t.Tables, progress)
}

// fill puts all rows into empty tables and brings these up to date.
func (m *Manifest) fill(ctx context.Context, from *store.Contents, t *store.Tables, progress Progress) error {
	if err := t.MigrateTo(ctx, m.Version); err != nil {
		return err
	}
	err := t.Fill(ctx, func(f *store.Filling) error {
		if err := f.Empty(ctx, "installation"); err != nil { // the migrations write into it
			return err
		}
		for i, c := range m.Tables {
			progress("rows of "+c.Name, i, len(m.Tables))
			if err := m.restoreTable(ctx, from, f, c); err != nil {
				return err
			}
		}
		return f.Forget(ctx)
	})
	if err != nil {
		return err
	}
	latest, err := t.Latest()
	if err != nil {
		return err
	}
	return t.MigrateTo(ctx, latest)
}

func (m *Manifest) restoreContents(ctx context.Context, from, to *store.Contents, progress Progress) error {
	group, copying := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	done := 0
	err := m.listed(ctx, from, func(one contentCopy) error {
		if err := copying.Err(); err != nil {
			return err
		}
		done++
		progress("contents", done, m.Contents.Count)
		group.Go(func() error { return restoreContent(copying, from, to, one, one.Key) })
		return nil
	})
	if failed := group.Wait(); failed != nil {
		return failed
	}
	return err
}

// restoreContent copies one, unless it is there, and whole, from a restore before.
func restoreContent(ctx context.Context, from, to *store.Contents, one contentCopy, as string) error {
	size, err := to.Size(ctx, as)
	if err != nil {
		return err
	}
	if size == one.Size {
		if sum, err := sumOf(ctx, to, as); err != nil || sum == one.SHA256 {
			return err
		}
	}
	got, err := copyContent(ctx, from, to, contentsFolder+one.Key, as)
	if err != nil {
		return fmt.Errorf("%s: %w", contentsFolder+one.Key, err)
	}
	if got.SHA256 != one.SHA256 {
		_ = to.Delete(ctx, as)
		return damaged(contentsFolder+one.Key, fmt.Errorf("its SHA-256 is %s and was %s", got.SHA256, one.SHA256))
	}
	return nil
}

// Rows are written together up to these bounds.
const (
	batchRows  = 500
	batchBytes = 4 << 20
)

func (m *Manifest) restoreTable(ctx context.Context, from *store.Contents, f *store.Filling, c TableCopy) error {
	var rows [][]any
	size, count := 0, 0
	flush := func() error {
		err := f.Insert(ctx, c.Name, c.Columns, rows)
		rows, size = rows[:0], 0
		return err
	}
	err := lines(ctx, from, m.rows(c.Name), c.SHA256, func(line []byte) error {
		row, err := read(line, c.Columns)
		if err != nil {
			return err
		}
		rows = append(rows, row)
		size += len(line)
		count++
		if len(rows) >= batchRows || size >= batchBytes {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	if count != c.Rows {
		return damaged(m.rows(c.Name), fmt.Errorf("it has %d rows and had %d", count, c.Rows))
	}
	return f.GoOnAfter(ctx, c.Name, c.Last)
}
