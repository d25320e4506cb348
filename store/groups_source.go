package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/quire-reports/quire/report"
)

// SourceGroup is a group as its source knows it.
type SourceGroup struct {
	ExternalID string // by which it is known again; names may change
	Name       string
	People     []int // IDs of accounts; not for SetGroupsOf
}

// SetGroups makes the groups of a source what it says, and no more: it makes
// and renames them, and puts people in and takes them out. A group that the
// source does not name any more is removed if it counts nowhere; else it stays
// without anybody in it, so that its roles are there to be seen.
func (s *Store) SetGroups(ctx context.Context, source string, groups []SourceGroup) error {
	if source == "" {
		return errors.New("groups of a source without a name")
	}
	return s.db.inTx(ctx, func(t tx) error {
		named := map[int]bool{}
		for _, g := range groups {
			id, err := s.keepGroup(ctx, t, source, g)
			if err != nil {
				return err
			}
			named[id] = true
			if err := s.setPeople(ctx, t, id, g.People); err != nil {
				return err
			}
		}
		var rows []groupRow
		if err := t.list(ctx, &rows, groupSelect+"WHERE g.source = ? ORDER BY g.id", source); err != nil {
			return err
		}
		for i := range rows {
			if named[rows[i].ID] {
				continue
			}
			if err := s.abandonGroup(ctx, t, &rows[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) abandonGroup(ctx context.Context, t tx, g *groupRow) error {
	use, _, err := t.groupUse(ctx, g.ID)
	if err != nil {
		return err
	}
	if use == "" {
		return s.deleteGroup(ctx, t, g)
	}
	return s.setPeople(ctx, t, g.ID, nil)
}

// SetGroupsOf makes the groups of a source that a person is in what the source
// says, and no more. It makes those that are not there yet; those of other
// sources and of root users stay as they are.
func (s *Store) SetGroupsOf(ctx context.Context, source string, userID int, groups []SourceGroup) error {
	if source == "" {
		return errors.New("groups of a source without a name")
	}
	return s.db.inTx(ctx, func(t tx) error {
		named := map[int]bool{}
		for _, g := range groups {
			id, err := s.keepGroup(ctx, t, source, g)
			if err != nil {
				return err
			}
			named[id] = true
			if _, err := s.addToGroup(ctx, t, id, userID); err != nil {
				return err
			}
		}
		var in []int
		if err := t.list(ctx, &in, "SELECT g.id FROM user_groups g JOIN group_members m ON m.group_id = g.id WHERE g.source = ? AND m.user_id = ? ORDER BY g.id", source, userID); err != nil {
			return err
		}
		for _, id := range in {
			if named[id] {
				continue
			}
			if _, err := s.removeFromGroup(ctx, t, id, userID); err != nil {
				return err
			}
		}
		return nil
	})
}

// keepGroup finds or makes a group of a source, with the name that it has there.
// Where another group has the name, the source's stands beside it.
func (s *Store) keepGroup(ctx context.Context, t tx, source string, g SourceGroup) (id int, err error) {
	if g.ExternalID == "" {
		return 0, report.Problemf("externalId", "a group of %s has no identifier", source)
	}
	name, err := checkGroupName(g.Name)
	if err != nil {
		return 0, err
	}
	var row groupRow
	err = t.get(ctx, &row, groupSelect+"WHERE g.source = ? AND g.external_id = ?", source, g.ExternalID)
	known := err == nil
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	var taken bool
	if err := t.get(ctx, &taken, "SELECT EXISTS (SELECT 1 FROM user_groups WHERE name_key = ? AND id <> ?)", groupKey(name), row.ID); err != nil {
		return 0, err
	}
	if taken {
		name += " (" + source + ": " + g.ExternalID + ")"
	}
	if known {
		return row.ID, s.renameGroup(ctx, t, &row, name)
	}
	return s.insertGroup(ctx, t, name, source, g.ExternalID)
}

// setPeople makes the people of a group these.
func (s *Store) setPeople(ctx context.Context, t tx, id int, people []int) error {
	var in []int
	if err := t.list(ctx, &in, "SELECT user_id FROM group_members WHERE group_id = ? ORDER BY user_id", id); err != nil {
		return err
	}
	is, stay := map[int]bool{}, map[int]bool{}
	for _, userID := range in {
		is[userID] = true
	}
	for _, userID := range people {
		if stay[userID] = true; is[userID] {
			continue
		}
		if _, err := s.addToGroup(ctx, t, id, userID); err != nil {
			return err
		}
	}
	for _, userID := range in {
		if stay[userID] {
			continue
		}
		if _, err := s.removeFromGroup(ctx, t, id, userID); err != nil {
			return err
		}
	}
	return nil
}
