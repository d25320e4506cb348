package store

import (
	"context"
	"maps"
	"slices"

	"github.com/quire-reports/quire/report"
)

// ProvisionedGroup is a group as its source sees it.
type ProvisionedGroup struct {
	Group
	Members []int // IDs of users
}

// ProvisionedGroups are those of a source in the order they were made, and how
// many the query finds without its limit. Their members are left out; see
// AddMembersTo.
func (s *Store) ProvisionedGroups(ctx context.Context, source string, q ProvisionedQuery) (groups []ProvisionedGroup, total int, err error) {
	where, args := "WHERE g.source = ?", []any{source}
	if q.ID != 0 {
		where, args = where+" AND g.id = ?", append(args, q.ID)
	}
	if q.ExternalID != "" {
		where, args = where+" AND g.external_id = ?", append(args, q.ExternalID)
	}
	if q.Name != "" {
		where, args = where+" AND g.name_key = ?", append(args, groupKey(q.Name))
	}
	if err := s.db.get(ctx, &total, "SELECT COUNT(*) FROM user_groups g "+where, args...); err != nil {
		return nil, 0, err
	}
	limit := ""
	if q.Limit > 0 {
		limit, args = " LIMIT ? OFFSET ?", append(args, q.Limit, q.Offset)
	}
	var rows []groupRow
	if err := s.db.list(ctx, &rows, groupSelect+where+" ORDER BY g.id"+limit, args...); err != nil {
		return nil, 0, err
	}
	groups = make([]ProvisionedGroup, len(rows))
	for i := range rows {
		groups[i].Group = rows[i].group()
	}
	return groups, total, nil
}

// AddMembersTo puts those members of groups into them whom their source
// provisions; it knows of no others.
func (s *Store) AddMembersTo(ctx context.Context, source string, groups []ProvisionedGroup) error {
	for i := range groups {
		err := s.db.list(ctx, &groups[i].Members, `SELECT m.user_id FROM group_members m
			JOIN provisioned_users p ON p.user_id = m.user_id AND p.source = ? WHERE m.group_id = ? ORDER BY m.user_id`, source, groups[i].ID)
		if err != nil {
			return err
		}
	}
	return nil
}

// ProvisionedGroup finds one of a source with its members.
func (s *Store) ProvisionedGroup(ctx context.Context, source string, id int) (*ProvisionedGroup, error) {
	if id == 0 { // which would choose all
		return nil, noProvisioned("group", id)
	}
	groups, _, err := s.ProvisionedGroups(ctx, source, ProvisionedQuery{ID: id})
	if err == nil && len(groups) == 0 {
		err = noProvisioned("group", id)
	}
	if err == nil {
		err = s.AddMembersTo(ctx, source, groups)
	}
	if err != nil {
		return nil, err
	}
	return &groups[0], nil
}

// GroupSaid is what a source says of a group.
type GroupSaid struct {
	Name, ExternalID string
	Members          map[int]bool
}

// ProvisionGroup makes a group of a source.
func (s *Store) ProvisionGroup(ctx context.Context, source string, said GroupSaid) (*ProvisionedGroup, error) {
	name, err := checkGroupName(said.Name)
	if err != nil {
		return nil, err
	}
	var id int
	err = s.db.inTx(ctx, func(t tx) (err error) {
		if id, err = s.insertGroup(ctx, t, name, source, said.ExternalID); err != nil {
			return err
		}
		return s.setMembers(ctx, t, source, id, nil, said.Members)
	})
	if err != nil {
		return nil, orGroupNameTaken(err, name)
	}
	return s.ProvisionedGroup(ctx, source, id)
}

func orGroupNameTaken(err error, name string) error {
	return orTaken(err, "displayName", "there is a group with the name %s already", name)
}

// ChangeProvisionedGroup changes what a source says of a group.
func (s *Store) ChangeProvisionedGroup(ctx context.Context, source string, id int, change func(*GroupSaid) error) error {
	var name string
	err := s.onGroup(ctx, source, id, func(t tx, g *groupRow) error {
		var in []int
		if err := t.list(ctx, &in, "SELECT user_id FROM group_members WHERE group_id = ?", id); err != nil {
			return err
		}
		before := map[int]bool{}
		for _, userID := range in {
			before[userID] = true
		}
		said := GroupSaid{g.Name, g.ExternalID, maps.Clone(before)}
		if err := change(&said); err != nil {
			return err
		}
		var err error
		if name, err = checkGroupName(said.Name); err != nil {
			return err
		}
		if err := s.renameGroup(ctx, t, g, name); err != nil {
			return err
		}
		if said.ExternalID != g.ExternalID {
			if _, err := t.exec(ctx, "UPDATE user_groups SET external_id = ? WHERE id = ?", said.ExternalID, id); err != nil {
				return err
			}
		}
		return s.setMembers(ctx, t, source, id, before, said.Members)
	})
	return orGroupNameTaken(err, name)
}

// setMembers makes the members of a group from those of before. Whom the source
// does not provision it cannot put in.
func (s *Store) setMembers(ctx context.Context, t tx, source string, id int, before, now map[int]bool) error {
	for _, userID := range slices.Sorted(maps.Keys(now)) {
		if before[userID] {
			continue
		}
		var known bool
		if err := t.get(ctx, &known, "SELECT EXISTS (SELECT 1 FROM provisioned_users WHERE user_id = ? AND source = ?)", userID, source); err != nil {
			return err
		}
		if !known {
			return report.Problemf("members", "there is no user %d that you provision", userID)
		}
		if _, err := s.addToGroup(ctx, t, id, userID); err != nil {
			return err
		}
	}
	for _, userID := range slices.Sorted(maps.Keys(before)) {
		if now[userID] {
			continue
		}
		if _, err := s.removeFromGroup(ctx, t, id, userID); err != nil {
			return err
		}
	}
	return nil
}

// DeleteProvisionedGroup removes a group whose source says that there is none
// any more. What it was good for ends, and is in the audit log.
func (s *Store) DeleteProvisionedGroup(ctx context.Context, source string, id int) error {
	return s.onGroup(ctx, source, id, func(t tx, g *groupRow) error { return s.deleteGroup(ctx, t, g) })
}
