package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
)

// apiHook is a function that takes part in a request.
type apiHook struct {
	Type string `json:"type" label:"Type" enum:"none,custom" default:"none" help:"With none the code is kept but does not run, except in scheduled jobs, where it always runs."`
	Code string `json:"code" label:"Code" editor:"code"`
}

// runs reports whether the hook takes part. Scheduled jobs do not look at the
// type (SPEC.md, Data source, rule 5).
func (h *apiHook) runs(env *Env) bool {
	return strings.TrimSpace(h.Code) != "" && (h.Type == "custom" || env.scheduled)
}

// errNotReady is a source whose request builder returned false: no request was
// sent and nothing is stored.
var errNotReady = errors.New("the request builder returned false, which means not ready; no request was sent")

// applyBuilder lets the request builder of a source change its request.
func (r *apiRequest) applyBuilder(ctx context.Context, env *Env, s *apiSettings, conn *Connection) error {
	const path = "settings.requestBuilder.code"
	res, err := env.callHook(ctx, path, s.RequestBuilder.Code)
	if err != nil {
		return err
	}
	switch v := res.Values[0].(type) {
	case nil:
		return nil
	case bool:
		if !v && env.scheduled {
			return failed(path, "the request builder returned false; a scheduled run cannot wait for it to be ready")
		}
		if !v {
			return errNotReady
		}
	case *report.Object:
		return r.applyBuilt(v, conn)
	}
	return failed(path, "the request builder must return an object with endpoint, query, headers or body, false, or nothing; not %s", kindName(res.Values[0]))
}

// applyBuilt changes a request to what its builder returned.
func (r *apiRequest) applyBuilt(built *report.Object, conn *Connection) error {
	for name, v := range built.All() {
		if v == nil {
			continue
		}
		var err error
		switch name {
		case "endpoint":
			err = r.setEndpoint(v, conn)
		case "query": // below, once the address is known
		case "headers":
			err = r.mergeHeaders(v)
		case "body":
			err = r.setBody(v)
		default:
			err = fmt.Errorf("unknown key %q; accepted: endpoint, query, headers, body", name)
		}
		if err != nil {
			return builderProblem(err)
		}
	}
	query, _ := built.Get("query")
	return builderProblem(r.appendQuery(query))
}

func builderProblem(err error) error {
	var p *report.Problem
	if err == nil || errors.As(err, &p) {
		return err
	}
	return failed("settings.requestBuilder.code", "the request builder: %s", err)
}

func (r *apiRequest) setEndpoint(v any, conn *Connection) error {
	address, ok := v.(string)
	if !ok {
		return fmt.Errorf("endpoint must be text, not %s", kindName(v))
	}
	u, err := resolveURL(conn.Address.Reveal(), strings.TrimSpace(address))
	r.url = u
	return err
}

// appendQuery adds the members of an object; null ones are skipped, those of a
// list stand one after the other.
func (r *apiRequest) appendQuery(v any) error {
	if v == nil {
		return nil
	}
	members, ok := v.(*report.Object)
	if !ok {
		return fmt.Errorf("query must be an object, not %s", kindName(v))
	}
	parts := []string{}
	if r.url.RawQuery != "" {
		parts = append(parts, r.url.RawQuery)
	}
	for name, value := range members.All() {
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		for _, item := range list {
			if item != nil {
				parts = append(parts, url.QueryEscape(name)+"="+url.QueryEscape(plainText(item)))
			}
		}
	}
	r.url.RawQuery = strings.Join(parts, "&")
	return nil
}

// mergeHeaders takes [[key, value], …] and [{key, value}, …]; null values are
// skipped.
func (r *apiRequest) mergeHeaders(v any) error {
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf("headers must be a list of key and value pairs, not %s", kindName(v))
	}
	for i, item := range list {
		key, value, ok := headerPair(item)
		if !ok {
			return fmt.Errorf(`headers[%d] must be a pair such as ["Accept", "text/csv"] or {key: "Accept", value: "text/csv"}`, i)
		}
		if value == nil {
			continue
		}
		if err := r.set(key, plainText(value)); err != nil {
			return err
		}
	}
	return nil
}

func headerPair(v any) (key string, value any, ok bool) {
	switch v := v.(type) {
	case []any:
		if len(v) != 2 {
			return "", nil, false
		}
		key, ok = v[0].(string)
		return key, v[1], ok
	case *report.Object:
		name, found := v.Get("key")
		if !found {
			name, _ = v.Get("name")
		}
		key, ok = name.(string)
		value, _ = v.Get("value")
		return key, value, ok
	}
	return "", nil, false
}

// setBody takes text as it is and everything else as JSON.
func (r *apiRequest) setBody(v any) error {
	if r.method != http.MethodPost {
		return errors.New("a body is sent with POST only; the method of the source is " + r.method)
	}
	if s, ok := v.(string); ok {
		r.body = []byte(s)
		return nil
	}
	body, err := json.Marshal(v)
	if err != nil {
		return errors.New("body cannot be written as JSON")
	}
	r.body, r.jsonBody = body, true
	return nil
}

// mapResponse is what the response mapper makes of an answer; nothing returned
// leaves the source empty.
func (e *Env) mapResponse(ctx context.Context, hook *apiHook, value any) (any, error) {
	res, err := e.callHook(ctx, "settings.responseMapper.code", hook.Code, scripting.Arg{Name: "response", Value: value})
	if err != nil {
		return nil, err
	}
	return res.Values[0], nil
}
