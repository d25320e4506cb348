package v1

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// auditRoutes are the endpoints of the audit log.
func (s *service) auditRoutes() {
	const path = "/ws/{workspaceId}/audit"
	add(s, describeAudit("list-audit-events", "/audit", "The audit log"), access.RootOnly(access.Token), s.auditEvents)
	add(s, describeAudit("list-audit-events-of-workspace", path, "The audit log of a workspace"), access.In(access.Token, store.Configuration, store.Full), s.auditEventsIn)
}

func describeAudit(id, path, summary string) huma.Operation {
	op := get(id, path, summary)
	op.Description = "The newest events first. The header Link leads to older ones."
	op.Errors = []int{http.StatusBadRequest}
	return op
}

// AuditQuery chooses events.
type AuditQuery struct {
	From    time.Time `query:"from" doc:"Events of this time and later."`
	To      time.Time `query:"to" doc:"Events before this time."`
	Action  string    `query:"action" maxLength:"100" doc:"An action, such as report.saved, or the part before the dot, for all of a kind."`
	User    int       `query:"user" minimum:"0" maximum:"2147483647" doc:"ID of the user who did it."`
	Outcome string    `query:"outcome" enum:"done,refused,failed" doc:"How it ended."`
	Search  string    `query:"q" maxLength:"200" doc:"Part of the actor, the target, the workspace, the address or the identifier of the request."`
	Before  int64     `query:"before" minimum:"0" doc:"Events older than the one with this ID."`
	Limit   int       `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many at most."`
}

// AuditQueryIn chooses events of a workspace.
type AuditQueryIn struct {
	WorkspacePath
	AuditQuery
}

// AuditEvent is something that somebody did.
type AuditEvent struct {
	ID          int64           `json:"id" format:"int64"`
	Time        Timestamp       `json:"time"`
	Action      string          `json:"action" doc:"What was done; docs/audit.md lists all."`
	Outcome     string          `json:"outcome" enum:"done,refused,failed"`
	ActorKind   string          `json:"actorKind" enum:"user,token,preview,anonymous,job,command,system" doc:"What somebody came in with."`
	UserID      *int            `json:"userId" format:"int32"`
	Actor       string          `json:"actor" doc:"Address of the account, as it was then; of a sign-in that failed, the one that was entered."`
	TokenID     *int            `json:"tokenId" format:"int32" doc:"The access token that was shown, or that made the nonce."`
	Address     string          `json:"address" doc:"Where the request came from."`
	Request     string          `json:"request" doc:"Identifier of the request (X-Request-Id), which the log has as well."`
	WorkspaceID *int            `json:"workspaceId" format:"int32"`
	Workspace   string          `json:"workspace" doc:"Its code, as it was then."`
	TargetKind  string          `json:"targetKind"`
	TargetID    string          `json:"targetId" doc:"Its number, or its name where that is what it goes by."`
	Target      string          `json:"target" doc:"Its name, as it was then."`
	Detail      json.RawMessage `json:"detail" doc:"More about it, by action. Never a secret."`
}

// TransformSchema describes the detail as an object of anything.
func (AuditEvent) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	schema.Properties["detail"] = &huma.Schema{Type: "object", AdditionalProperties: true, Description: schema.Properties["detail"].Description}
	return schema
}

func (s *service) auditEvents(ctx context.Context, q *AuditQuery) (*page[AuditEvent], error) {
	return s.audit(ctx, q, 0)
}

func (s *service) auditEventsIn(ctx context.Context, q *AuditQueryIn) (*page[AuditEvent], error) {
	return s.audit(ctx, &q.AuditQuery, access.Of(ctx).Workspace.ID)
}

func (s *service) audit(ctx context.Context, q *AuditQuery, workspaceID int) (*page[AuditEvent], error) {
	rows, err := s.Store.AuditEvents(ctx, store.AuditQuery{
		WorkspaceID: workspaceID, UserID: q.User, Action: q.Action, Outcome: store.Outcome(q.Outcome), Search: q.Search,
		From: q.From, To: q.To, Before: q.Before, Limit: q.Limit + 1,
	})
	if err != nil {
		return nil, err
	}
	out := &page[AuditEvent]{Body: []AuditEvent{}}
	if len(rows) > q.Limit {
		rows = rows[:q.Limit]
		out.Link = "<?" + q.after(rows[q.Limit-1].ID).Encode() + `>; rel="next"`
	}
	for _, e := range rows {
		out.Body = append(out.Body, AuditEvent{
			e.ID, Timestamp(e.Time), string(e.Action), string(e.Outcome), string(e.ActorKind), e.UserID, e.Actor, e.TokenID, e.Address, e.Request,
			e.WorkspaceID, e.Workspace, e.TargetKind, e.TargetID, e.Target, e.Detail,
		})
	}
	return out, nil
}

// after is the same query from an event on.
func (q *AuditQuery) after(id int64) url.Values {
	v := url.Values{"before": {fmt.Sprint(id)}, "limit": {fmt.Sprint(q.Limit)}}
	for name, value := range map[string]string{"action": q.Action, "outcome": q.Outcome, "q": q.Search} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if q.User != 0 {
		v.Set("user", fmt.Sprint(q.User))
	}
	for name, t := range map[string]time.Time{"from": q.From, "to": q.To} {
		if !t.IsZero() {
			v.Set(name, t.Format(time.RFC3339Nano))
		}
	}
	return v
}
