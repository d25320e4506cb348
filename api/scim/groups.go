package scim

import (
	"context"
	"net/http"
	"strconv"

	"github.com/quire-reports/quire/store"
)

func groupObject(g *store.ProvisionedGroup, base string) object {
	id := strconv.Itoa(g.ID)
	o := object{"schemas": []any{groupSchema}, "id": id, "displayName": g.Name}
	set(o, "externalId", g.ExternalID)
	var members []any
	for _, id := range g.Members {
		members = append(members, object{"value": strconv.Itoa(id), "$ref": base + "/Users/" + strconv.Itoa(id), "type": "User"})
	}
	if members != nil {
		o["members"] = members
	}
	o["meta"] = object{"resourceType": "Group", "created": moment(g.Created), "lastModified": moment(g.Updated), "location": base + "/Groups/" + id}
	return o
}

func (s *service) listGroups(c *call) error { return s.list(c, s.groups, s.findGroups) }

func (s *service) findGroups(ctx context.Context, c *call, q store.ProvisionedQuery, f filter) ([]object, int, error) {
	found, total, err := s.Store.ProvisionedGroups(ctx, c.source, q)
	if err == nil && c.wants("members", f) {
		err = s.Store.AddMembersTo(ctx, c.source, found)
	}
	objects := make([]object, len(found))
	for i := range found {
		objects[i] = groupObject(&found[i], c.base)
	}
	return objects, total, err
}

// saidOf reads what is said of a group from a resource.
func saidOf(o object) (store.GroupSaid, error) {
	said := store.GroupSaid{Name: textOf(o, "displayName"), ExternalID: textOf(o, "externalId"), Members: map[int]bool{}}
	if len(said.Name) > mostText || len(said.ExternalID) > mostText {
		return said, wrongValue("texts have at most %d bytes", mostText)
	}
	members, _ := o["members"].([]any)
	for _, v := range members {
		id, err := memberID(v)
		if err != nil {
			return said, err
		}
		said.Members[id] = true
	}
	return said, nil
}

// memberID is the ID of the account that a member names.
func memberID(v any) (int, error) {
	m := v.(object)
	if kind := textOf(m, "type"); kind != "" && kind != "User" {
		return 0, wrongValue("members are users; a group in a group is not kept here")
	}
	return idOf(textOf(m, "value")), nil
}

func (s *service) createGroup(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	o, err := s.groups.resource(body)
	if err != nil {
		return err
	}
	said, err := saidOf(o)
	if err != nil {
		return err
	}
	made, err := s.Store.ProvisionGroup(c.ctx(), c.source, said)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, groupObject(made, c.base))
}

func (s *service) readGroup(c *call) error {
	found, err := s.Store.ProvisionedGroup(c.ctx(), c.source, c.id())
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, groupObject(found, c.base))
}

func (s *service) replaceGroup(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	o, err := s.groups.resource(body)
	if err != nil {
		return err
	}
	err = s.Store.ChangeProvisionedGroup(c.ctx(), c.source, c.id(), func(said *store.GroupSaid) (err error) {
		*said, err = saidOf(o)
		return err
	})
	if err != nil {
		return err
	}
	return s.readGroup(c)
}

// patchGroup answers without the group, whose members may be many, unless
// somebody asks for it.
func (s *service) patchGroup(c *call) error {
	steps, err := c.steps(s.groups)
	if err != nil {
		return err
	}
	err = s.Store.ChangeProvisionedGroup(c.ctx(), c.source, c.id(), func(said *store.GroupSaid) error {
		for _, step := range steps {
			if err := step.applyToGroup(said); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if c.query.Has("attributes") || c.query.Has("excludedAttributes") {
		return s.readGroup(c)
	}
	return c.nothing()
}

// applyToGroup does a step to what is said of a group. Its members are a set, as
// there may be many.
func (s step) applyToGroup(said *store.GroupSaid) error {
	if s.to.attr.name != "members" {
		o := object{"displayName": said.Name, "externalId": said.ExternalID}
		if err := s.apply(o); err != nil {
			return err
		}
		named, err := saidOf(o)
		said.Name, said.ExternalID = named.Name, named.ExternalID
		return err
	}
	if s.to.only != nil {
		if s.op != "remove" || s.to.sub != nil {
			return &fault{400, "mutability", "what is said of a member is not changed; add and remove members"}
		}
		s.removeChosen(said.Members)
		return nil
	}
	if s.op == "remove" && s.value == nil {
		clear(said.Members)
		return nil
	}
	sent, err := s.to.attr.readSeveral(s.value)
	if err != nil {
		return err
	}
	if s.op == "replace" {
		clear(said.Members)
	}
	for _, v := range sent {
		id, err := memberID(v)
		if err != nil {
			return err
		}
		if s.op == "remove" {
			delete(said.Members, id)
		} else {
			said.Members[id] = true
		}
	}
	return nil
}

// removeChosen removes the members that a filter chooses.
func (s step) removeChosen(members map[int]bool) {
	if one, simple := s.to.only.(compared); simple && one.op == "eq" && one.at.attr.name == "value" {
		text, _ := one.value.(string)
		delete(members, idOf(text))
		return
	}
	for id := range members {
		if s.to.only.match(object{"value": strconv.Itoa(id), "type": "User"}) {
			delete(members, id)
		}
	}
}

func (s *service) deleteGroup(c *call) error {
	if err := s.Store.DeleteProvisionedGroup(c.ctx(), c.source, c.id()); err != nil {
		return err
	}
	return c.nothing()
}
