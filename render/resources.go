package render

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
)

// emptyPage is the address a warm tab stands on. Documents are filled into it,
// so they have its origin and its Content-Security-Policy.
const emptyPage = ResourceBase

// pagePolicy allows a document styles of its own, and images and fonts that the
// job answers for. No script, no frame, no form, no connection. The paginator
// runs in an isolated world, which the policy of the page does not reach.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline' " + ResourceBase + "; img-src data: " + ResourceBase +
	"; font-src data: " + ResourceBase + "; base-uri 'none'; form-action 'none'"

// paused is a request of a tab that waits for a decision.
type paused struct {
	RequestID string `json:"requestId"`
	Type      string `json:"resourceType"`
	Request   struct {
		URL    string `json:"url"`
		Method string `json:"method"`
	} `json:"request"`
}

// intercept decides on every request of the tab: the empty page, a resource of
// the job, or nothing. It is called by the connection's read loop and must not
// wait, so answers are sent from a goroutine.
func (t *tab) intercept(event []byte) {
	var p paused
	if json.Unmarshal(event, &p) != nil {
		p.RequestID = string(rawString(member(event, "requestId")))
	}
	t.b.conn.loops.Go(func() { t.decide(p) })
}

func (t *tab) decide(p paused) {
	ctx, cancel := context.WithTimeout(t.ctx, decideLimit)
	defer cancel()
	if p.Type == "Document" && p.Request.URL == emptyPage && t.emptying.Load() {
		t.fulfil(ctx, p.RequestID, "text/html; charset=utf-8", []byte("<!doctype html><title></title>"))
		return
	}
	if contentType, body, ok := t.lookup(p); ok {
		t.stats.requests.Add(1)
		t.served.Add(int64(len(body)))
		t.fulfil(ctx, p.RequestID, contentType, body)
		return
	}
	t.stats.refused.Add(1)
	t.refuse(ctx, p)
}

// lookup asks the job for the resource. Scripts, frames and the like are
// refused whatever their address.
func (t *tab) lookup(p paused) (contentType string, body []byte, ok bool) {
	path, inside := strings.CutPrefix(p.Request.URL, ResourceBase)
	answer := t.resources.Load()
	if !inside || path == "" || answer == nil || *answer == nil || p.Request.Method != "GET" {
		return "", nil, false
	}
	switch p.Type {
	case "Image", "Font", "Stylesheet":
	default:
		return "", nil, false
	}
	path, _, _ = strings.Cut(path, "#")
	contentType, body, ok = (*answer)(unescapePath(path))
	if ok {
		t.files.add(path, servedFile{harmless: p.Type == "Font" || addressedByContent(path, body), body: body})
	}
	return contentType, body, ok
}

func (t *tab) fulfil(ctx context.Context, id, contentType string, body []byte) {
	headers, _ := json.Marshal([]header{ // strings always marshal
		{"Content-Type", contentType},
		{"Content-Security-Policy", pagePolicy},
		{"X-Content-Type-Options", "nosniff"},
		{"Cache-Control", "no-store"},
	})
	p := newParams(len(body)*4/3+len(headers)).str("requestId", id).num("responseCode", 200).raw("responseHeaders", headers)
	p.key("body")
	p.b = append(p.b, '"')
	p.b = base64.StdEncoding.AppendEncode(p.b, body)
	p.b = append(p.b, '"')
	t.b.conn.call(ctx, t.session, "Fetch.fulfillRequest", p) //nolint:errcheck // a tab that is gone needs no answer
}

type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// refuse ends a request. A refused navigation must be "Aborted": any other
// reason replaces the document by an error page.
func (t *tab) refuse(ctx context.Context, p paused) {
	reason := "BlockedByClient"
	if p.Type == "Document" {
		reason = "Aborted"
	}
	t.b.conn.call(ctx, t.session, "Fetch.failRequest", newParams(0).str("requestId", p.RequestID).str("errorReason", reason)) //nolint:errcheck // as above
}
