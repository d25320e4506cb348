package scim

import (
	"context"
	"net/http"
	"strconv"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// mostEmails bounds the addresses of one person.
const mostEmails = 50

// userObject is an account as it is answered.
func userObject(u *store.ProvisionedUser, base string) object {
	o := personObject(&u.Person)
	id := strconv.Itoa(u.ID)
	o["schemas"], o["id"] = []any{userSchema}, id
	var in []any
	for _, g := range u.Groups {
		in = append(in, object{"value": strconv.Itoa(g.ID), "$ref": base + "/Groups/" + strconv.Itoa(g.ID), "display": g.Name, "type": "direct"})
	}
	if in != nil {
		o["groups"] = in
	}
	o["meta"] = object{"resourceType": "User", "created": moment(u.Created), "lastModified": moment(u.Updated), "location": base + "/Users/" + id}
	return o
}

// personObject is what is said of a person.
func personObject(p *store.Person) object {
	o := object{"userName": p.UserName, "active": p.Active}
	set(o, "externalId", p.ExternalID)
	set(o, "displayName", p.DisplayName)
	name := object{}
	set(name, "formatted", p.Name.Formatted)
	set(name, "familyName", p.Name.FamilyName)
	set(name, "givenName", p.Name.GivenName)
	if len(name) > 0 {
		o["name"] = name
	}
	var emails []any
	for _, e := range p.Emails {
		email := object{}
		set(email, "value", e.Value)
		set(email, "display", e.Display)
		set(email, "type", e.Type)
		if e.Primary != nil {
			email["primary"] = *e.Primary
		}
		emails = append(emails, email)
	}
	if emails != nil {
		o["emails"] = emails
	}
	return o
}

func set(o object, name, value string) {
	if value != "" {
		o[name] = value
	}
}

func textOf(o object, name string) string {
	value, _ := o[name].(string)
	return value
}

// person reads what is said of a person from a resource.
func person(o object, active bool) (store.Person, error) {
	p := store.Person{UserName: textOf(o, "userName"), ExternalID: textOf(o, "externalId"), DisplayName: textOf(o, "displayName"), Active: active}
	if given, is := o["active"].(bool); is {
		p.Active = given
	}
	name, _ := o["name"].(object)
	p.Name = store.PersonName{Formatted: textOf(name, "formatted"), FamilyName: textOf(name, "familyName"), GivenName: textOf(name, "givenName")}
	emails, _ := o["emails"].([]any)
	if len(emails) > mostEmails {
		return p, wrongValue("a user has at most %d emails", mostEmails)
	}
	for _, v := range emails {
		e := v.(object)
		email := store.PersonEmail{Value: textOf(e, "value"), Display: textOf(e, "display"), Type: textOf(e, "type")}
		if primary, said := e["primary"].(bool); said {
			email.Primary = &primary
		}
		p.Emails = append(p.Emails, email)
	}
	for _, value := range []string{p.UserName, p.ExternalID, p.DisplayName, p.Name.Formatted, p.Name.FamilyName, p.Name.GivenName} {
		if len(value) > mostText {
			return p, wrongValue("texts have at most %d bytes", mostText)
		}
	}
	return p, nil
}

// mostText bounds names and identifiers, in bytes.
const mostText = 1000

func (s *service) listUsers(c *call) error { return s.list(c, s.users, s.findUsers) }

func (s *service) findUsers(ctx context.Context, c *call, q store.ProvisionedQuery, f filter) ([]object, int, error) {
	found, total, err := s.Store.ProvisionedUsers(ctx, c.source, q)
	if err == nil && c.wants("groups", f) {
		err = s.Store.AddGroupsTo(ctx, c.source, found)
	}
	objects := make([]object, len(found))
	for i := range found {
		objects[i] = userObject(&found[i], c.base)
	}
	return objects, total, err
}

func (s *service) createUser(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	o, err := s.users.resource(body)
	if err != nil {
		return err
	}
	p, err := person(o, true)
	if err != nil {
		return err
	}
	made, err := s.Store.Provision(c.ctx(), c.by, p)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, userObject(made, c.base))
}

func (s *service) readUser(c *call) error {
	found, err := s.Store.ProvisionedUser(c.ctx(), c.source, c.id())
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, userObject(found, c.base))
}

func (s *service) replaceUser(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	o, err := s.users.resource(body)
	if err != nil {
		return err
	}
	return s.changeUser(c, func(p *store.Person) (err error) {
		*p, err = person(o, p.Active) // nobody is blocked or let in by what is left out
		return err
	})
}

func (s *service) patchUser(c *call) error {
	steps, err := c.steps(s.users)
	if err != nil {
		return err
	}
	return s.changeUser(c, func(p *store.Person) (err error) {
		o := personObject(p)
		for _, step := range steps {
			if err := step.apply(o); err != nil {
				return err
			}
		}
		*p, err = person(o, p.Active)
		return err
	})
}

func (s *service) changeUser(c *call, change func(*store.Person) error) error {
	changed, err := s.Store.ChangeProvisioned(c.ctx(), c.source, c.id(), change)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, userObject(changed, c.base))
}

func (s *service) deleteUser(c *call) error {
	if err := s.Store.DeleteProvisioned(c.ctx(), c.source, c.id()); err != nil {
		return err
	}
	return c.nothing()
}

// steps reads the patch of a request.
func (c *call) steps(of *schema) ([]step, error) {
	var operations []operation
	body, err := c.body()
	if err == nil {
		operations, err = readPatch(body)
	}
	if err != nil {
		return nil, err
	}
	return of.steps(operations)
}

// body reads what was sent.
func (c *call) body() (*report.Object, error) { return c.service.read(c.r) }
