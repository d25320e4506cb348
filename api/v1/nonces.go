package v1

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Nonce is a fresh nonce.
type Nonce struct {
	Nonce string `json:"nonce" doc:"Good for one preview or download within 60 seconds."`
}

type nonceOutput struct{ Body Nonce }

type nonceInput struct{ raw }

// maxScope is the largest scope in bytes: it goes with every preview.
const maxScope = 64 << 10

// createNonce is endpoint 18.
func (s *service) createNonce(ctx context.Context, in *nonceInput) (*nonceOutput, error) {
	body, err := in.body(min(maxScope, s.BodyLimit))
	if err != nil {
		return nil, err
	}
	caller := access.Of(ctx)
	scope, err := s.scope(ctx, caller.User, body)
	if err != nil {
		return nil, err
	}
	nonce, err := s.Store.CreateNonce(ctx, store.Grant{UserID: caller.User.ID, TokenID: caller.Token, Epoch: caller.User.Epoch, Scope: scope})
	return &nonceOutput{Nonce{nonce}}, err
}

// scopeReader reads the scope of a nonce for a user, who must be allowed to see
// all of it. It collects all that is wrong.
type scopeReader struct {
	store    Store
	user     *store.User
	entered  *store.Access // nil: the scope names no workspace
	scope    store.Scope
	problems report.Problems
}

// scopeMembers are the members of a scope and their readers, in the order in
// which they are read.
func (sr *scopeReader) members() []scopeMember {
	return []scopeMember{
		{"workspace", sr.workspace},
		{"reports", sr.reports},
		{"tempDataId", sr.tempData},
		{"params", sr.params},
		{"download", sr.download},
		{"exports", sr.exports},
		{"user", sr.person},
	}
}

type scopeMember struct {
	name string
	read func(ctx context.Context, name string, value any) error
}

// scope reads the body of a request for a nonce.
func (s *service) scope(ctx context.Context, user *store.User, body *report.Object) (store.Scope, error) {
	sr := &scopeReader{store: s.Store, user: user}
	var names []string
	for _, m := range sr.members() {
		names = append(names, m.name)
		if value, ok := body.Get(m.name); ok && value != nil {
			sr.note(m.name, m.read(ctx, m.name, value))
		}
	}
	for name := range body.All() {
		if !slices.Contains(names, name) {
			sr.note(name, report.Problemf(name, "is no member of a scope; accepted: %s", strings.Join(names, ", ")))
		}
	}
	return sr.scope, sr.problems.Err()
}

// note keeps what is wrong with a member; what the user may not see is wrong, too.
func (sr *scopeReader) note(name string, err error) {
	if err == nil {
		return
	}
	p, ok := err.(*report.Problem) // readers and the store never wrap
	if !ok {
		p = report.Problemf(name, "cannot be checked at the moment")
		p.Kind = report.Busy
	}
	path := p.Path
	if path == "" {
		path = name
	}
	kind := report.Invalid
	if p.Kind == report.Busy {
		kind = p.Kind
	}
	sr.problems = append(sr.problems, &report.Problem{Kind: kind, Path: path, Message: p.Message})
}

func (sr *scopeReader) workspace(ctx context.Context, name string, value any) error {
	ref, err := input.Text(name, value)
	if err != nil {
		return err
	}
	if !report.IsID(ref) && !report.IsCode(ref) {
		return report.Problemf(name, "workspace %q does not exist", ref)
	}
	if sr.entered, err = sr.store.Enter(ctx, sr.user, ref); err == nil {
		sr.scope.Workspace = sr.entered.Workspace.ID
	}
	return err
}

// inWorkspace refuses what stands in a workspace when none is named.
func (sr *scopeReader) inWorkspace() error {
	if sr.entered == nil && !slices.ContainsFunc(sr.problems, func(p *report.Problem) bool { return p.Path == "workspace" }) {
		return report.Problemf("workspace", "is missing; name the workspace of what the scope names")
	}
	return nil
}

func (sr *scopeReader) reports(ctx context.Context, name string, value any) error {
	if err := sr.inWorkspace(); err != nil || sr.entered == nil {
		return err
	}
	if value == "*" {
		sr.scope.AllReports = true
		return sr.entered.Require(store.Reports, store.Read)
	}
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	if len(list) == 0 || len(list) > mostInScope {
		return report.Problemf(name, "names %d reports; accepted: 1 to %d of them, or \"*\" for all of the workspace", len(list), mostInScope)
	}
	for i, item := range list {
		path := name
		if several {
			path = fmt.Sprintf("%s[%d]", name, i)
		}
		id, err := sr.report(ctx, path, item)
		if err != nil {
			sr.note(path, err)
			continue
		}
		sr.scope.Reports = append(sr.scope.Reports, id)
	}
	return nil
}

// mostInScope bounds the reports and the exports of a scope.
const mostInScope = 1000

func (sr *scopeReader) report(ctx context.Context, path string, value any) (int, error) {
	ref, err := input.Text(path, value)
	if err != nil {
		return 0, err
	}
	if !report.IsID(ref) && !report.IsCode(ref) {
		return 0, report.Problemf(path, "report %q does not exist", ref)
	}
	definition, err := sr.store.ReportByIDOrType(ctx, sr.entered.Workspace.ID, ref)
	if err != nil {
		return 0, err
	}
	return definition.ID, sr.entered.RequireReport(&definition.Row, store.Read)
}

func (sr *scopeReader) tempData(ctx context.Context, name string, value any) (err error) {
	if err := sr.inWorkspace(); err != nil || sr.entered == nil {
		return err
	}
	if sr.scope.TempData, err = input.Int(name, value); err != nil {
		return err
	}
	sr.scope.Fixed = true
	return sr.store.HasTempData(ctx, sr.entered.Workspace.ID, sr.user.ID, sr.scope.TempData)
}

func (sr *scopeReader) params(_ context.Context, name string, value any) (err error) {
	sr.scope.Params, err = input.Object(name, value)
	sr.scope.Fixed = sr.scope.Fixed || sr.scope.Params != nil && sr.scope.Params.Len() > 0
	return err
}

func (sr *scopeReader) download(_ context.Context, name string, value any) (err error) {
	sr.scope.Download, err = input.Bool(name, value)
	return err
}

func (sr *scopeReader) exports(ctx context.Context, name string, value any) error {
	if err := sr.inWorkspace(); err != nil || sr.entered == nil {
		return err
	}
	if _, several := value.([]any); !several {
		value = []any{value}
	}
	ids, err := input.Ints(name, value)
	if err != nil {
		return err
	}
	if len(ids) > mostInScope {
		return report.Problemf(name, "names %d exports; accepted: at most %d", len(ids), mostInScope)
	}
	for i, id := range ids {
		f, err := sr.store.Export(ctx, sr.entered.Workspace.ID, id)
		if err == nil {
			err = sr.entered.RequireExport(f, store.Read)
		}
		if err != nil {
			sr.note(name+"["+strconv.Itoa(i)+"]", err)
			continue
		}
		sr.scope.Exports = append(sr.scope.Exports, id)
	}
	return nil
}

// person reads who looks. Whoever may say so sees what everybody may see, so it
// takes the account of a program, or the right to change who may what.
func (sr *scopeReader) person(_ context.Context, name string, value any) error {
	if err := sr.inWorkspace(); err != nil || sr.entered == nil {
		return err
	}
	if !sr.user.IsService && !sr.entered.Role.Allows(store.Configuration, store.Full) {
		return report.Problemf(name, "saying who looks takes the token of a service account, or a role with Full on configuration; your role %s has %s",
			sr.entered.Role.Name, sr.entered.Role.Levels[store.Configuration].Label())
	}
	members, err := input.Object(name, value)
	if err != nil {
		return err
	}
	p := &report.Person{}
	known := map[string]*string{"sub": &p.Sub, "name": &p.Name, "email": &p.Email}
	for member, given := range members.All() {
		at := report.JoinPath(name, member)
		into, isText := known[member]
		switch {
		case given == nil:
		case isText:
			*into, err = personText(at, given)
			sr.note(at, err)
		case member == "groups":
			p.Groups, err = personGroups(at, given)
			sr.note(at, err)
		default:
			sr.note(at, report.Problemf(at, "is no member of a user; accepted: sub, name, email, groups"))
		}
	}
	if p.Sub == "" {
		return report.Problemf(name+".sub", "is missing; it names the user in your application")
	}
	sr.scope.User, sr.scope.Fixed = p, true
	return nil
}

// Bounds of the person that a nonce speaks for.
const (
	mostPersonText   = 200 // characters
	mostPersonGroups = 500
)

func personText(at string, value any) (string, error) {
	text, ok := value.(string)
	if !ok {
		return "", report.Problemf(at, "must be text")
	}
	if fault := report.NameFault(text); fault != "" {
		return "", report.Problemf(at, "%s", fault)
	}
	return text, nil
}

func personGroups(at string, value any) ([]string, error) {
	list, ok := value.([]any)
	if !ok {
		return nil, report.Problemf(at, "must be a list of texts")
	}
	if len(list) > mostPersonGroups {
		return nil, report.Problemf(at, "has %d groups; accepted: at most %d", len(list), mostPersonGroups)
	}
	groups := make([]string, len(list))
	for i, item := range list {
		var err error
		if groups[i], err = personText(fmt.Sprintf("%s[%d]", at, i), item); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

func (s *service) nonce(path string) huma.Operation {
	op := post("create-nonce", path, "A nonce for a preview or download in a browser")
	op.Description = "The body says what the nonce is good for, of what the caller may do. What it leaves out is settled by the first request with the nonce: the workspace, the report and the temporary data that it names hold from then on. Without a scope no exports are opened, and no data is taken out."
	op.Metadata = map[string]any{"body": scopeBody()}
	return op
}

func scopeBody() *huma.RequestBody {
	ref := []*huma.Schema{{Type: "string"}, {Type: "integer", Format: "int32"}}
	return jsonBody(&huma.Schema{
		Type: "object", AdditionalProperties: false,
		Properties: map[string]*huma.Schema{
			"workspace": {OneOf: ref, Description: "Code or ID of the workspace. Needed beside reports, tempDataId and exports."},
			"reports": {
				OneOf:       append(slices.Clone(ref), &huma.Schema{Type: "array", MinItems: new(1), MaxItems: new(mostInScope), Items: &huma.Schema{OneOf: ref}}),
				Description: "The report, or several that lead to each other: IDs, or codes of report types. \"*\" stands for all of the workspace.",
			},
			"tempDataId": {Type: "integer", Format: "int32", Description: "Uploaded temporary data of the caller, with which the reports are shown, also when the address does not name it."},
			"params":     {Type: "object", AdditionalProperties: true, Description: "Report parameters whose values are fixed, whatever the address says."},
			"download":   {Type: "boolean", Default: false, Description: "Whether the data may be taken out: by includeAttachments, and in PDF/A-3 files."},
			"user": {
				Type: "object", AdditionalProperties: false, Required: []string{"sub"},
				Description: "Who looks: $user in the reports, and in the audit log. Needs workspace, and the token of a service account or of somebody with Full on configuration. Without it $user is empty.",
				Properties: map[string]*huma.Schema{
					"sub":    {Type: "string", MaxLength: new(mostPersonText), Description: "Names the user in your application; two users never have the same."},
					"name":   {Type: "string", MaxLength: new(mostPersonText)},
					"email":  {Type: "string", MaxLength: new(mostPersonText)},
					"groups": {Type: "array", MaxItems: new(mostPersonGroups), Items: &huma.Schema{Type: "string", MaxLength: new(mostPersonText)}},
				},
			},
			"exports": {Type: "array", MaxItems: new(mostInScope), Items: &huma.Schema{Type: "integer", Format: "int32"}, Description: "Exports whose state and file may be fetched."},
		},
	}, false)
}
