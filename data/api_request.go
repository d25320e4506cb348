package data

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/quire-reports/quire/report/text"
)

// apiRequest is a request before it is sent.
type apiRequest struct {
	method string
	url    *url.URL
	header http.Header
	body   []byte

	jsonBody bool // the body is JSON of the builder's; its header may say more
}

// buildRequest fills the settings of a source. Headers of the connection come
// first; the source's win on equal names. A request builder takes the place of
// the source's headers and body.
func buildRequest(ctx context.Context, env *Env, s apiSettings, conn *Connection) (*apiRequest, error) {
	templates := env.text(ctx)
	r := &apiRequest{method: s.Method, header: http.Header{}}
	address, err := fillURL(s.URL, templates)
	if err != nil {
		return nil, err
	}
	if r.url, err = resolveURL(conn.Address.Reveal(), address); err != nil {
		return nil, err
	}
	for _, h := range conn.Headers {
		if err := r.set(h.Name, h.Value.Reveal()); err != nil {
			return nil, err
		}
	}
	if s.RequestBuilder.runs(env) {
		return r, r.applyBuilder(ctx, env, &s, conn)
	}
	for _, h := range s.Headers {
		if err := r.set(h.Name, text.Parse(h.Value).Text(templates)); err != nil {
			return nil, err
		}
	}
	if s.Method == http.MethodPost && s.Body != "" {
		err = r.fillBody(s.Body, templates)
	}
	return r, err
}

// fillURL encodes values for their place: whole after a question mark or
// number sign, as one part of the path before. A value at the very beginning
// is an address itself.
func fillURL(template string, env *text.Env) (string, error) {
	return fill(strings.TrimSpace(template), env, func(out *strings.Builder, v any) error {
		value := plainText(v)
		switch before := out.String(); {
		case before == "":
			out.WriteString(value)
		case strings.ContainsAny(before, "?#"):
			out.WriteString(url.QueryEscape(value))
		case value == "." || value == "..":
			return failed("settings.url", "the value %q cannot be a part of the path", value)
		default:
			out.WriteString(url.PathEscape(value))
		}
		return nil
	})
}

// plainText is a value as it stands in an address: no thousands separators,
// dates as ISO.
func plainText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return string(v)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return strings.Trim(string(b), `"`)
}

var errURL = failed("settings.url", "the address cannot be read; write one such as https://example.com/orders")

// resolveURL puts an address below the base of a connection. Another host than
// the connection's is refused: it would get the connection's keys.
func resolveURL(base, address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errURL
	}
	if base == "" {
		if u.Host == "" {
			return nil, failed("settings.url", "the address %q is not absolute, and no connection gives a base address", address)
		}
		return u, nil
	}
	b, err := url.Parse(base)
	if err != nil || b.Host == "" {
		return nil, failed("settings.connection", "the base address of the connection cannot be read")
	}
	if u.Host != "" || u.Scheme != "" {
		if u.Scheme != b.Scheme || !strings.EqualFold(u.Host, b.Host) {
			return nil, failed("settings.url", "the address leads to the host %q, the connection to %q", u.Host, b.Host)
		}
		return u, nil
	}
	joined := *b
	if u.Path != "" {
		joined = *b.JoinPath(u.EscapedPath())
	}
	joined.RawQuery = strings.Trim(b.RawQuery+"&"+u.RawQuery, "&")
	return &joined, nil
}

// forbiddenHeaders belong to the connection itself.
var forbiddenHeaders = map[string]bool{
	"Connection": true, "Content-Length": true, "Host": true, "Keep-Alive": true, "Proxy-Authorization": true, "Proxy-Connection": true,
	"Te": true, "Trailer": true, "Transfer-Encoding": true, "Upgrade": true,
}

func (r *apiRequest) set(name, value string) error {
	key := http.CanonicalHeaderKey(name)
	switch {
	case !httpguts.ValidHeaderFieldName(name) || forbiddenHeaders[key]:
		return failed("settings.headers", "the header %q cannot be set", name)
	case !httpguts.ValidHeaderFieldValue(value):
		return failed("settings.headers", "the value of the header %q holds characters that no header may", name)
	}
	r.header[key] = []string{value}
	return nil
}

// fillBody fills a body for its kind: JSON, a form, or text.
func (r *apiRequest) fillBody(template string, env *text.Env) error {
	looksJSON := strings.HasPrefix(strings.TrimSpace(template), "{") || strings.HasPrefix(strings.TrimSpace(template), "[")
	kind := r.header.Get("Content-Type")
	write := func(out *strings.Builder, v any) error { out.WriteString(plainText(v)); return nil }
	switch {
	case kind == "" && looksJSON || isJSON(strings.TrimSpace(strings.SplitN(kind, ";", 2)[0])):
		write = writeJSONValue
		if kind == "" {
			r.header.Set("Content-Type", "application/json")
		}
	case strings.HasPrefix(kind, "application/x-www-form-urlencoded"):
		write = func(out *strings.Builder, v any) error { out.WriteString(url.QueryEscape(plainText(v))); return nil }
	case kind == "":
		r.header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	body, err := fill(template, env, write)
	r.body = []byte(body)
	return err
}

// writeJSONValue writes a JSON value, or the inside of a string when the place
// is one.
func writeJSONValue(out *strings.Builder, v any) error {
	inString := insideString(out.String())
	if _, isText := v.(string); inString && !isText {
		v = plainText(v)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return errors.New("a value cannot be written as JSON")
	}
	s := strings.TrimSuffix(b.String(), "\n")
	if inString {
		s = s[1 : len(s)-1]
	}
	out.WriteString(s)
	return nil
}

// insideString is whether a piece of JSON ends inside a string.
func insideString(s string) bool {
	inside := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			inside = !inside
		}
	}
	return inside
}

// http is the request as it is sent.
func (r *apiRequest) http() (*http.Request, error) {
	req, err := http.NewRequest(r.method, r.url.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, errURL
	}
	req.Header = r.header
	if r.jsonBody && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "application/json, text/csv;q=0.9, */*;q=0.5")
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "Quire")
	}
	return req, nil
}
