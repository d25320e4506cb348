// Package scim lets the directory of a company provision accounts and groups, as
// SCIM 2.0 has it (RFC 7643 and 7644). What comes in is read to what the store
// takes; who may do what is the store's matter. A source sees what it has
// provisioned, and nothing else.
package scim

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Store keeps what is provisioned. *store.Store is one.
type Store interface {
	Provision(ctx context.Context, by *store.Provisioner, p store.Person) (*store.ProvisionedUser, error)
	ProvisionedUser(ctx context.Context, source string, id int) (*store.ProvisionedUser, error)
	ProvisionedUsers(ctx context.Context, source string, q store.ProvisionedQuery) (users []store.ProvisionedUser, total int, err error)
	AddGroupsTo(ctx context.Context, source string, users []store.ProvisionedUser) error
	ChangeProvisioned(ctx context.Context, source string, id int, change func(*store.Person) error) (*store.ProvisionedUser, error)
	DeleteProvisioned(ctx context.Context, source string, id int) error
	ProvisionGroup(ctx context.Context, source string, said store.GroupSaid) (*store.ProvisionedGroup, error)
	ProvisionedGroup(ctx context.Context, source string, id int) (*store.ProvisionedGroup, error)
	ProvisionedGroups(ctx context.Context, source string, q store.ProvisionedQuery) (groups []store.ProvisionedGroup, total int, err error)
	AddMembersTo(ctx context.Context, source string, groups []store.ProvisionedGroup) error
	ChangeProvisionedGroup(ctx context.Context, source string, id int, change func(*store.GroupSaid) error) error
	DeleteProvisionedGroup(ctx context.Context, source string, id int) error
}

// Config is what the addresses work with; all of it is required.
type Config struct {
	Store Store
	Guard func(method, path string, need access.Need, refuse func(http.ResponseWriter, *http.Request, error), next http.Handler) http.Handler
	// Address is where a client finds the service, by its request.
	Address   func(*http.Request) string
	BodyLimit int64
}

// Base is the path below which everything is.
const Base = "/scim/v2"

// Limits of what is asked and answered.
const (
	mostBody    = 4 << 20 // bytes; a group of 50,000
	mostResults = 500
	usualCount  = 100
)

type service struct {
	Config
	users, groups *schema
}

// Register puts the addresses on a router.
func Register(router *mux.Router, c Config) {
	c.BodyLimit = min(c.BodyLimit, mostBody)
	s := &service{c, users(), groups()}
	const get, post, put, patch, drop = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	for _, r := range []struct {
		method, path string
		handler      func(*call) error
	}{
		{get, "/ServiceProviderConfig", func(c *call) error { return c.answer(http.StatusOK, provider(c.base)) }},
		{get, "/ResourceTypes", s.resourceTypes},
		{get, "/ResourceTypes/{id}", s.resourceTypes},
		{get, "/Schemas", s.schemas},
		{get, "/Schemas/{id}", s.schemas},
		{get, "/Users", s.listUsers},
		{post, "/Users", s.createUser},
		{post, "/Users/.search", searched(s.listUsers)},
		{get, "/Users/{id}", s.readUser},
		{put, "/Users/{id}", s.replaceUser},
		{patch, "/Users/{id}", s.patchUser},
		{drop, "/Users/{id}", s.deleteUser},
		{get, "/Groups", s.listGroups},
		{post, "/Groups", s.createGroup},
		{post, "/Groups/.search", searched(s.listGroups)},
		{get, "/Groups/{id}", s.readGroup},
		{put, "/Groups/{id}", s.replaceGroup},
		{patch, "/Groups/{id}", s.patchGroup},
		{drop, "/Groups/{id}", s.deleteGroup},
		{post, "/.search", searched(s.listAll)},
		{get, "/Me", notDone},
		{post, "/Bulk", notDone},
	} {
		handler := c.Guard(r.method, Base+r.path, access.Need{Ways: access.Provisioning}, Error, s.handler(r.handler))
		router.Path(Base + r.path).Methods(r.method).Handler(handler)
	}
}

func notDone(*call) error {
	return &fault{http.StatusNotImplemented, "", "this is not done here; see ServiceProviderConfig for what is"}
}

// call is a request while it is answered.
type call struct {
	service *service
	w       http.ResponseWriter
	r       *http.Request
	by      *store.Provisioner
	source  string
	base    string
	query   url.Values // of the address, or of a search
}

// searched is a list whose options come in the body.
func searched(list func(*call) error) func(*call) error {
	return func(c *call) error {
		body, err := c.body()
		if err != nil {
			return err
		}
		c.query = url.Values{}
		for _, option := range []string{"filter", "attributes", "excludedAttributes", "startIndex", "count"} {
			switch v, _ := member(body, option); v := v.(type) {
			case string:
				c.query.Set(option, v)
			case json.Number:
				c.query.Set(option, v.String())
			case []any:
				for _, one := range v {
					name, _ := one.(string)
					c.query.Add(option, name)
				}
			case nil:
			default:
				return wrongValue("%s cannot be read", option)
			}
		}
		return list(c)
	}
}

func (s *service) handler(do func(*call) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		by := access.Of(r.Context()).Provisioner
		c := &call{s, w, r, by, by.Source, s.Address(r) + Base, r.URL.Query()}
		if err := do(c); err != nil {
			Error(w, r, err)
		}
	})
}

func (c *call) ctx() context.Context { return c.r.Context() }

// id is the number in the address; 0 is nobody's.
func (c *call) id() int { return idOf(mux.Vars(c.r)["id"]) }

func idOf(text string) int {
	if !report.IsID(text) {
		return 0
	}
	id, _ := strconv.Atoi(text)
	if id > 1<<31-1 {
		return 0
	}
	return id
}

// read reads the body of a request.
func (s *service) read(r *http.Request) (*report.Object, error) {
	body, err := input.Body(r, s.BodyLimit)
	if problems := answer.ProblemsIn(err); len(problems) > 0 && problems[0].Kind == report.Invalid {
		return nil, &fault{http.StatusBadRequest, "invalidSyntax", "the body cannot be read: " + problems.Error()}
	}
	return body, err
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// mediaType is that of every answer.
const mediaType = "application/scim+json"

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", mediaType)
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // fails only when the client is gone
}

// answer sends a resource with the attributes that are asked for.
func (c *call) answer(status int, o object) error {
	c.choose(o)
	if meta, is := o["meta"].(object); is && status == http.StatusCreated {
		c.w.Header().Set("Location", meta["location"].(string))
	}
	write(c.w, status, o)
	return nil
}

func (c *call) nothing() error {
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// fault is an error in the words of SCIM.
type fault struct {
	status   int
	scimType string
	detail   string
}

// Error is the sentence for people.
func (f *fault) Error() string { return f.detail }

// Error answers with an error as SCIM has it.
func Error(w http.ResponseWriter, r *http.Request, err error) {
	f, own := err.(*fault) //nolint:errorlint // handlers give it as it is
	if !own {
		p := answer.Explain(r.Context(), err)
		for name, values := range p.Header() {
			w.Header()[name] = values
		}
		f = &fault{p.Status, typeOf(p.Status, err), p.Detail}
	}
	body := object{"schemas": []string{errorSchema}, "status": strconv.Itoa(f.status), "detail": f.detail}
	if f.scimType != "" {
		body["scimType"] = f.scimType
	}
	write(w, f.status, body)
}

// typeOf is what SCIM calls an error that is told in our words.
func typeOf(status int, err error) string {
	problems := answer.ProblemsIn(err)
	switch {
	case status == http.StatusConflict:
		return "uniqueness"
	case status == http.StatusForbidden:
		return "mutability"
	case status != http.StatusBadRequest || len(problems) == 0:
		return ""
	case problems[0].Path == "":
		return "invalidSyntax"
	}
	return "invalidValue"
}

// filter reads the filter of a list; nil is none.
func (c *call) filter(of *schema) (filter, error) {
	given := c.query.Get("filter")
	if strings.TrimSpace(given) == "" {
		return nil, nil
	}
	return parseFilter(of, given)
}

// names are attributes in an option of the address, in small letters and without
// the address of their schema.
func (c *call) names(option string) map[string]bool {
	given := strings.Join(c.query[option], ",")
	if strings.TrimSpace(given) == "" {
		return nil
	}
	names := map[string]bool{}
	for _, name := range strings.Split(given, ",") {
		name = strings.TrimSpace(name)
		for _, s := range []*schema{c.service.users, c.service.groups} {
			name, _ = cutPrefix(name, s.id+":")
		}
		names[strings.ToLower(name)] = true
	}
	return names
}

// choose takes out of a resource what is not asked for.
func (c *call) choose(o object) {
	wanted, unwanted := c.names("attributes"), c.names("excludedAttributes")
	for name, value := range o {
		if name == "id" || name == "schemas" {
			continue
		}
		low := strings.ToLower(name)
		switch {
		case wanted != nil && !wanted[low]:
			if !chooseParts(value, low, wanted, true) {
				delete(o, name)
			}
		case unwanted[low]:
			delete(o, name)
		case unwanted != nil:
			chooseParts(value, low, unwanted, false)
		}
	}
}

// chooseParts keeps the parts of a value that are named, or those that are not;
// it tells whether something is left.
func chooseParts(value any, name string, named map[string]bool, keep bool) (left bool) {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for _, v := range list {
		o, is := v.(object)
		if !is {
			continue
		}
		for part := range o {
			if named[name+"."+strings.ToLower(part)] != keep {
				delete(o, part)
			}
		}
		left = left || len(o) > 0
	}
	return left
}

// wants tells whether an attribute that costs a look is asked for.
func (c *call) wants(name string, f filter) bool {
	wanted := c.names("attributes")
	asked := wanted == nil && !c.names("excludedAttributes")[name]
	for given := range wanted {
		first, _, _ := strings.Cut(given, ".")
		asked = asked || first == name
	}
	return asked || mentions(f, name)
}

// mentions tells whether a filter is about an attribute.
func mentions(f filter, name string) bool {
	switch f := f.(type) {
	case both:
		return mentions(f.a, name) || mentions(f.b, name)
	case either:
		return mentions(f.a, name) || mentions(f.b, name)
	case negated:
		return mentions(f.f, name)
	case present:
		return f.at.attr.name == name
	case compared:
		return f.at.attr.name == name
	case within:
		return f.at.attr.name == name
	}
	return false
}

// narrow puts into a query what a filter says for certain, so that the database
// looks for it; it tells whether that is all the filter says.
func narrow(f filter, q *store.ProvisionedQuery) (all bool) {
	switch f := f.(type) {
	case nil:
		return true
	case both:
		a := narrow(f.a, q)
		return narrow(f.b, q) && a
	case compared:
		text, isText := f.value.(string)
		if f.op != "eq" || !isText || text == "" {
			return false
		}
		var into *string
		switch f.at.attr.name {
		case "userName":
			into = &q.UserName
		case "externalId":
			into = &q.ExternalID
		case "id":
			if q.ID == 0 {
				if q.ID = idOf(text); q.ID == 0 {
					q.ID = -1 // nobody
				}
				return strconv.Itoa(q.ID) == text || q.ID < 0
			}
			return false
		case "displayName":
			return false
		default:
			return false
		}
		if *into != "" {
			return false
		}
		*into = text
		return f.at.attr.exact || strings.TrimSpace(text) == text
	}
	return false
}

// span is which resources of a list are asked for.
func (c *call) span() (start, count int, err error) {
	if start, err = c.number("startIndex", 1); err == nil {
		count, err = c.number("count", usualCount)
	}
	return max(start, 1), min(max(count, 0), mostResults), err
}

// finder finds resources of one kind by a query, and tells how many there are.
type finder func(ctx context.Context, c *call, q store.ProvisionedQuery, f filter) ([]object, int, error)

// list answers with a page of resources of one kind.
func (s *service) list(c *call, of *schema, find finder) error {
	f, err := c.filter(of)
	if err != nil {
		return err
	}
	start, count, err := c.span()
	if err != nil {
		return err
	}
	var q store.ProvisionedQuery
	narrowed := narrow(f, &q)
	if narrowed {
		q.Offset, q.Limit = start-1, max(count, 1)
	}
	objects, total, err := find(c.ctx(), c, q, f)
	if err != nil {
		return err
	}
	if !narrowed {
		objects, total = page(objects, f, start)
	}
	return c.answerList(objects, total, start, count)
}

// listAll answers with a page of users and groups. A filter that one kind cannot
// read finds none of it.
func (s *service) listAll(c *call) error {
	start, count, err := c.span()
	if err != nil {
		return err
	}
	all, total, read := []object{}, 0, false
	for _, kind := range []struct {
		of   *schema
		find finder
	}{{s.users, s.findUsers}, {s.groups, s.findGroups}} {
		f, unread := c.filter(kind.of)
		if err = unread; err != nil {
			continue
		}
		read = true
		var q store.ProvisionedQuery
		narrow(f, &q)
		objects, _, err := kind.find(c.ctx(), c, q, f)
		if err != nil {
			return err
		}
		found, n := page(objects, f, start-total)
		all, total = append(all, found...), total+n
	}
	if !read {
		return err
	}
	return c.answerList(all, total, start, count)
}

func (c *call) answerList(objects []object, total, start, count int) error {
	objects = objects[:min(len(objects), count)]
	for _, o := range objects {
		c.choose(o)
	}
	write(c.w, http.StatusOK, object{
		"schemas": []string{listSchema}, "totalResults": total, "startIndex": start, "itemsPerPage": len(objects), "Resources": objects,
	})
	return nil
}

// page are those that a filter lets through from the start-th on, and how many
// it lets through.
func page(objects []object, f filter, start int) (found []object, total int) {
	found = []object{}
	for _, o := range objects {
		if f != nil && !f.match(o) {
			continue
		}
		if total++; total >= start {
			found = append(found, o)
		}
	}
	return found, total
}

func (c *call) number(name string, without int) (int, error) {
	given := c.query.Get(name)
	if given == "" {
		return without, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil || n > 1<<31-1 {
		return 0, wrongValue("%s must be a whole number", name)
	}
	return n, nil
}

func (s *service) resourceTypes(c *call) error {
	return c.discover([]*schema{s.users, s.groups}, func(of *schema) (string, object) { return of.name, of.resourceType(c.base) })
}

func (s *service) schemas(c *call) error {
	return c.discover([]*schema{s.users, s.groups}, func(of *schema) (string, object) { return of.id, of.told(c.base) })
}

// discover answers with one of what is told, or all of it.
func (c *call) discover(all []*schema, tell func(*schema) (id string, told object)) error {
	id, one := mux.Vars(c.r)["id"]
	list := []object{}
	for _, of := range all {
		name, told := tell(of)
		if one && strings.EqualFold(name, id) {
			write(c.w, http.StatusOK, told)
			return nil
		}
		list = append(list, told)
	}
	if one {
		return report.NotFoundf("there is no %s", clip(id))
	}
	if c.query.Has("filter") { // as the standard has it
		return &fault{http.StatusForbidden, "", "this list takes no filter"}
	}
	write(c.w, http.StatusOK, object{"schemas": []string{listSchema}, "totalResults": len(list), "startIndex": 1, "itemsPerPage": len(list), "Resources": list})
	return nil
}
