package v1

import (
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/export"
)

// description is the head of the OpenAPI document, which huma fills with the
// routes. What huma would add of its own, pages and members, is off.
func (s *service) description() huma.Config {
	bearer := &huma.SecurityScheme{Type: "http", Scheme: "bearer", Description: "A personal access token (qrt_…), for use on servers only."}
	nonce := &huma.SecurityScheme{Type: "apiKey", In: "query", Name: "nonce", Description: "A single-use nonce, for browsers; it is turned into the cookie quire_preview."}
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "Quire API", Version: "1.0.0",
				Description: "List reports, export them to files, upload temporary data and make nonces for previews. Version of the service: " + s.Version + ".",
				License:     &huma.License{Name: "Apache-2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
			},
			Servers: []*huma.Server{{URL: s.Server}},
			Components: &huma.Components{
				Schemas:         huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{"token": bearer, "nonce": nonce},
			},
		},
		Formats:       map[string]huma.Format{"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat},
		DefaultFormat: "application/json",
	}
}

// describe serves the document, which is finished once all routes are in it.
// (Huma would write it at the first request, without a lock.)
func (s *service) describe(router *mux.Router) {
	document, err := json.Marshal(s.api.OpenAPI())
	if err != nil {
		panic(err) // it is made of our own types
	}
	const path = Base + "/openapi.json"
	handler := s.Guard(http.MethodGet, path, access.Open(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(document) // fails only when the client is gone
	}))
	router.Path(path).Methods(http.MethodGet, http.MethodHead).Handler(handler)
}

// queryParameters describes the options of a form as parameters of a query.
func (s *service) queryParameters(form input.Form) []*huma.Param {
	var params []*huma.Param
	for _, o := range s.Options.Options(form) {
		schema := optionSchema(o)
		if o.Type == "object" {
			schema = &huma.Schema{Type: "string", Description: "JSON text, or base64 of it."}
		}
		params = append(params, &huma.Param{Name: o.Name, In: "query", Description: o.Help, Schema: schema})
	}
	return params
}

// bodyOptions describes the options of a form as a JSON body.
func (s *service) bodyOptions(form input.Form) *huma.RequestBody {
	schema := &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{}, AdditionalProperties: true}
	for _, o := range s.Options.Options(form) {
		property := optionSchema(o)
		property.Description = o.Help
		schema.Properties[o.Name] = property
	}
	return jsonBody(schema, false)
}

func optionSchema(o input.Option) *huma.Schema {
	schema := &huma.Schema{Type: o.Type}
	switch o.Type {
	case "object":
		schema.AdditionalProperties = true
	case "integer":
		schema.Format = "int32"
	case "array":
		schema.Items = &huma.Schema{Type: "integer", Format: "int32"}
	}
	for _, value := range o.Enum {
		schema.Enum = append(schema.Enum, value)
	}
	return schema
}

func jsonBody(schema *huma.Schema, required bool) *huma.RequestBody {
	return &huma.RequestBody{Required: required, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
}

// fileResponse describes the answer that is the file itself.
func fileResponse() map[string]*huma.Response {
	binary := &huma.MediaType{Schema: &huma.Schema{Type: "string", Format: "binary"}}
	text := &huma.Schema{Type: "string"}
	content := map[string]*huma.MediaType{}
	for _, name := range export.ContentTypes() {
		content[name] = binary
	}
	return map[string]*huma.Response{"200": {
		Description: "The file, whatever Accept says.",
		Headers: map[string]*huma.Param{
			"Content-Disposition": {Description: "Name of the file.", Schema: text},
			"Quire-Warnings":      {Description: "What the report's author should know, as a JSON array of {path, message}; absent when there is nothing.", Schema: text},
			"Content-Length":      {Description: "Size of the file in bytes.", Schema: &huma.Schema{Type: "integer"}},
		},
		Content: content,
	}}
}
