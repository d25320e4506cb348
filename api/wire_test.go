package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every answer that any test of this package gets is held against the OpenAPI
// document, and its times against the one form that times have.

var (
	timeOnTheWire = regexp.MustCompile(`"\d{4}-\d\d-\d\dT\d\d:\d\d[^"]*(?:Z|[+-]\d\d:?\d\d)"`)
	timeInMillis  = regexp.MustCompile(`^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$`)
)

// wire is the document as a client reads it.
type wire struct {
	Paths      map[string]map[string]wireOperation
	Components struct{ Schemas map[string]any }
	paths      []wirePath
}

type wirePath struct {
	pattern *regexp.Regexp
	methods map[string]wireOperation
}

type wireOperation struct {
	OperationID string
	Responses   map[string]struct {
		Content map[string]struct{ Schema map[string]any }
	}
}

// readWire reads the document of a handler.
func readWire(t testing.TB, handler http.Handler) *wire {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/openapi.json", nil))
	d := new(wire)
	if err := json.Unmarshal(w.Body.Bytes(), d); err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile(`\\\{[^}]*\\\}`)
	for path, methods := range d.Paths {
		d.paths = append(d.paths, wirePath{regexp.MustCompile("^" + variable.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$"), methods})
	}
	return d
}

// conforms holds an answer against the document.
func (h *house) conforms(r *http.Request, w *httptest.ResponseRecorder) {
	h.t.Helper()
	kind := w.Header().Get("Content-Type")
	if !strings.HasPrefix(r.URL.Path, "/api/") || !strings.Contains(kind, "json") || kind == "application/openapi+json" {
		return
	}
	body := w.Body.Bytes()
	if h.lawless {
		return
	}
	for _, at := range timeOnTheWire.FindAllString(strings.ReplaceAll(string(body), `\"`, ""), -1) {
		if !timeInMillis.MatchString(at) && !strings.HasSuffix(r.URL.Path, "/jobs/check") { // which shows clocks on walls
			h.t.Errorf("%s %s: the time %s; all have milliseconds and end in Z", r.Method, r.URL.Path, at)
		}
	}
	h.wireOnce.Do(func() { h.wire = readWire(h.t, h.handler) })
	d := h.wire
	for _, p := range d.paths {
		op, ok := p.methods[strings.ToLower(strings.Replace(r.Method, "HEAD", "GET", 1))]
		if !ok || !p.pattern.MatchString(r.URL.EscapedPath()) || w.Code == 499 {
			continue
		}
		answer, known := op.Responses[fmt.Sprint(w.Code)]
		if !known {
			h.t.Errorf("%s %s: the document does not have the status %d: %s", r.Method, r.URL.Path, w.Code, body)
			return
		}
		var value any
		if err := json.Unmarshal(body, &value); err != nil && len(body) > 0 {
			h.t.Errorf("%s %s: %v in %s", r.Method, r.URL.Path, err, body)
		}
		for _, content := range answer.Content {
			if fault := d.fault(content.Schema, value, ""); fault != "" && len(body) > 0 {
				h.t.Errorf("%s %s: %d: %s in %s", r.Method, r.URL.Path, w.Code, fault, body)
			}
		}
	}
}

// fault is where a value is not as its schema says, or nothing.
func (d *wire) fault(schema map[string]any, value any, at string) string {
	if ref, ok := schema["$ref"].(string); ok {
		named, _ := d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any)
		if named == nil {
			return at + ": no schema " + ref
		}
		return d.fault(named, value, at)
	}
	if any, ok := schema["anyOf"].([]any); ok {
		faults := []string{}
		for _, s := range any {
			fault := d.fault(s.(map[string]interface{}), value, at)
			if fault == "" {
				return ""
			}
			faults = append(faults, fault)
		}
		return strings.Join(faults, ", or ")
	}
	if types := typesOf(schema); len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return hasType(value, t) }) {
		return fmt.Sprintf("%s is %v, not %v", at, value, types)
	}
	if enum, ok := schema["enum"].([]any); ok && value != nil && !slices.Contains(enum, value) {
		return fmt.Sprintf("%s is %v, not one of %v", at, value, enum)
	}
	switch v := value.(type) {
	case map[string]any:
		return d.objectFault(schema, v, at)
	case []any:
		items, _ := schema["items"].(map[string]any)
		for i := range v {
			if fault := d.fault(items, v[i], fmt.Sprintf("%s[%d]", at, i)); items != nil && fault != "" {
				return fault
			}
		}
	}
	return ""
}

func (d *wire) objectFault(schema, value map[string]any, at string) string {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := value[name.(string)]; !ok {
			return fmt.Sprintf("%s has no %s", at, name)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, member := range value {
		property, known := properties[name].(map[string]any)
		if !known && properties != nil && schema["additionalProperties"] == nil {
			return fmt.Sprintf("%s.%s is not described", at, name)
		}
		if known {
			if fault := d.fault(property, member, at+"."+name); fault != "" {
				return fault
			}
		}
	}
	return ""
}

func typesOf(schema map[string]any) []string {
	switch t := schema["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var list []string
		for _, name := range t {
			list = append(list, name.(string))
		}
		return list
	}
	return nil
}

func hasType(value any, name string) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == float64(int64(v))
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}
