package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Progress is told how far a backup or a restore is; of a total of 0 nothing is
// known.
type Progress func(what string, done, total int)

// atOnce is how many contents are copied at the same time.
const atOnce = 8

// Options say how a backup is made.
type Options struct {
	Program string // version of quire
	Keep    int    // backups of the same that stay in the place, this one among them; 0: all
	// Workspace is the code of the only one that the backup is of; empty: of all.
	Workspace string
	Progress  Progress
}

// Write makes a backup of the installation, or of one workspace, which go on working.
func Write(ctx context.Context, st *store.Store, to *store.Contents, o Options) (*Manifest, error) {
	release, err := st.HoldContents(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	before, err := List(ctx, to)
	if err != nil {
		return nil, err
	}
	m := &Manifest{Format: format, Program: o.Program}
	if _, m.Version, err = st.Tables().State(ctx); err != nil {
		return nil, err
	}
	keys, err := m.writeRows(ctx, st, to, o)
	if err != nil {
		return nil, err
	}
	for _, b := range before {
		if b.Installation != m.Installation {
			return nil, fmt.Errorf("the place holds backups of another installation (%s, and this is %s); each needs one of its own", b.Installation, m.Installation)
		}
	}
	c := copier{from: st.Contents(), to: to, progress: o.Progress, total: len(keys)}
	if err := c.known(ctx, m, before); err != nil {
		return nil, err
	}
	if err := c.copyAll(ctx, keys); err != nil {
		return nil, err
	}
	m.Contents = c.done
	if m.Contents.SHA256, err = putLines(ctx, to, m.contents(), func(line func(any) error) error {
		for _, one := range c.list {
			if err := line(one); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	m.Ended = time.Now().UTC()
	_, _, err = put(ctx, to, m.folder()+manifestFile, "application/json", func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(m)
	})
	if err == nil && m.Workspace == nil {
		err = st.NoteBackup(ctx, m.Ended)
	}
	if err == nil && o.Keep > 0 {
		_, err = prune(ctx, to, o.Keep, m)
	}
	return m, err
}

// writeRows writes all tables as they are at one moment, and gives the keys of
// the contents that they name.
func (m *Manifest) writeRows(ctx context.Context, st *store.Store, to *store.Contents, o Options) (keys []string, err error) {
	err = st.Tables().Snapshot(ctx, func(s *store.Snapshot) error {
		m.Taken = s.Taken.UTC()
		m.ID = m.Taken.Format("20060102T150405.000Z")
		if err := s.Rows(ctx, "installation", "", nil, m.note); err != nil {
			return err
		}
		if o.Workspace != "" {
			if m.Workspace, err = findWorkspace(ctx, s, o.Workspace); err != nil {
				return err
			}
		}
		for i, t := range Tables() {
			if !t.kept(m.Workspace != nil) {
				continue
			}
			o.Progress("rows of "+t.Name, i, len(Tables()))
			done, named, err := m.writeTable(ctx, s, to, t)
			if err != nil {
				return err
			}
			m.Tables = append(m.Tables, done)
			keys = append(keys, named...)
		}
		return nil
	})
	return keys, err
}

func (m *Manifest) writeTable(ctx context.Context, s *store.Snapshot, to *store.Contents, t Table) (done TableCopy, keys []string, err error) {
	done = TableCopy{Name: t.Name, Columns: s.Columns[t.Name]}
	if done.Last, err = s.Last(ctx, t.Name); err != nil {
		return done, nil, err
	}
	condition, args := "", []any(nil)
	if m.Workspace != nil {
		condition, args = t.Of, t.of(m.Workspace.ID)
	}
	named := slices.IndexFunc(done.Columns, func(c store.Column) bool { return c.Name == t.Content })
	done.SHA256, err = putLines(ctx, to, m.rows(t.Name), func(line func(any) error) error {
		return s.Rows(ctx, t.Name, condition, args, func(row []any) error {
			done.Rows++
			if named >= 0 && row[named] != nil {
				keys = append(keys, row[named].(string))
			}
			if m.Workspace != nil && t.Name == "users" {
				withoutSecrets(record{done.Columns, row}, m.Workspace.ID)
			}
			return line(written(row))
		})
	})
	return done, keys, err
}

// note takes over what identifies the installation.
func (m *Manifest) note(row []any) error {
	switch value, _ := row[1].(string); row[0] {
	case "id":
		m.Installation = value
	case "canary":
		m.Canary = value
	}
	return nil
}

// copier copies contents that the place does not have yet.
type copier struct {
	from, to *store.Contents
	progress Progress
	total    int
	before   map[string]contentCopy // those that the place has

	mu   sync.Mutex
	list []contentCopy
	done ContentCopies
}

// known finds out which contents the place has: by the lists of the backups
// before, of all and of the same, and whether they are still there.
func (c *copier) known(ctx context.Context, m *Manifest, backups []*Manifest) error {
	c.before = map[string]contentCopy{}
	var before []*Manifest // the newest of each
	if i := slices.IndexFunc(backups, m.alike); i >= 0 {
		before = append(before, backups[i])
	}
	if i := slices.IndexFunc(backups, func(b *Manifest) bool { return b.Workspace == nil }); i >= 0 && m.Workspace != nil {
		before = append(before, backups[i])
	}
	if len(before) == 0 {
		return nil
	}
	there := map[string]int64{}
	if err := c.to.List(ctx, contentsFolder, func(l store.Listed) error {
		there[l.Key] = l.Size
		return nil
	}); err != nil {
		return err
	}
	for _, b := range before {
		if err := b.listed(ctx, c.to, func(one contentCopy) error {
			if size, ok := there[contentsFolder+one.Key]; ok && size == one.Size {
				c.before[one.Key] = one
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) copyAll(ctx context.Context, keys []string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, key := range keys {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return c.copy(ctx, key) })
	}
	err := group.Wait()
	slices.SortFunc(c.list, func(a, b contentCopy) int { return strings.Compare(a.Key, b.Key) })
	slices.Sort(c.done.Missing)
	return err
}

func (c *copier) copy(ctx context.Context, key string) error {
	one, copied := c.before[key], false
	if one.Key == "" {
		var err error
		if one, err = copyContent(ctx, c.from, c.to, key, contentsFolder+key); isGone(err) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.done.Missing = append(c.done.Missing, key)
			return nil
		}
		if err != nil {
			return err
		}
		one.Key, copied = key, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, one)
	c.done.Count++
	c.done.Bytes += one.Size
	if copied {
		c.done.Copied++
	}
	c.progress("contents", c.done.Count, c.total)
	return nil
}

// copyContent copies one and tells its type, size and SHA-256.
func copyContent(ctx context.Context, from, to *store.Contents, key, as string) (one contentCopy, err error) {
	content, err := from.Open(ctx, key)
	if err != nil {
		return one, err
	}
	defer func() { _ = content.Close() }()
	hash := sha256.New()
	one.Type = content.ContentType
	one.Size, err = to.Put(ctx, as, content.ContentType, io.TeeReader(content, hash))
	one.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return one, err
}

// sumOf is the SHA-256 of a content.
func sumOf(ctx context.Context, in *store.Contents, key string) (string, error) {
	content, err := in.Open(ctx, key)
	if err != nil {
		return "", err
	}
	defer func() { _ = content.Close() }()
	hash := sha256.New()
	_, err = io.Copy(hash, content)
	return hex.EncodeToString(hash.Sum(nil)), err
}

func isGone(err error) bool {
	var p *report.Problem
	return errors.As(err, &p) && p.Kind == report.NotFound
}
