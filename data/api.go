package data

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"strings"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
)

var apiConnections = report.ConnectionType{Name: "api", Label: "API (HTTP service)", Category: report.ServiceConnection, Example: "https://erp.example.com/api", Headers: true}

var apiSource = define("api", "API", "The answer of a web service.", loadAPI).from(apiConnections)

type apiSettings struct {
	Connection string      `json:"connection" label:"Connection" editor:"ref:connections" help:"Name of an API connection of the workspace, which gives the base address and headers."`
	URL        string      `json:"url" label:"Address" editor:"template" help:"Absolute, or below the connection's base address. Values of placeholders are encoded."`
	Method     string      `json:"method" label:"Method" enum:"GET,POST" default:"GET" help:"How the request is sent; only POST has a body."`
	Headers    []apiHeader `json:"headers" label:"Headers" help:"Sent with the request, beside those of the connection." one:"Header"`
	Body       string      `json:"body" label:"Body" editor:"code" help:"Sent with POST. In a JSON body {$params.x} becomes a JSON value, or text inside quotes."`
	Format     string      `json:"format" label:"Answer" enum:"auto,json,csv,text" default:"auto" help:"How the answer is read; auto goes by what it says of itself."`
	CSV        csvFormat   `json:"csv" label:"CSV answers" help:"How an answer that is CSV is read."`

	RequestBuilder apiHook `json:"requestBuilder" label:"Request Builder" help:"Function of $params, $data, $dict and $user that returns an object with the optional keys endpoint, query, headers and body. The body and headers above are then not sent. Returning false means not ready: no request is sent. Returning nothing sends the request."`
	ResponseMapper apiHook `json:"responseMapper" label:"Response Mapper" help:"Function of the answer and of $params, $data, $dict and $user; what it returns is stored."`
}

type apiHeader struct {
	Name  string `json:"name" label:"Name" required:"true"`
	Value string `json:"value" label:"Value" editor:"template"`
}

func loadAPI(ctx context.Context, env *Env, s apiSettings) (any, error) {
	if env.loader.config.Egress == nil {
		return nil, failed("settings.url", "no outgoing requests can be made here")
	}
	conn, err := env.service(ctx, s.Connection)
	if err != nil {
		return nil, err
	}
	request, err := buildRequest(ctx, env, s, conn)
	if err != nil {
		return nil, err
	}
	response, err := env.send(ctx, request)
	if err != nil {
		return nil, err
	}
	value, err := env.readResponse(ctx, s, response)
	if err != nil || !s.ResponseMapper.runs(env) {
		return value, err
	}
	return env.mapResponse(ctx, &s.ResponseMapper, value)
}

// service is the API connection that a source names, or an empty one.
func (e *Env) service(ctx context.Context, name string) (*Connection, error) {
	if name == "" {
		return &Connection{Type: apiConnections.Name}, nil
	}
	conn, err := e.connection(ctx, name)
	if err != nil {
		return nil, err
	}
	if conn.Type != apiConnections.Name {
		return nil, failed("settings.connection", "the connection %q is one of type %s, not of a web service", name, conn.Type)
	}
	return conn, nil
}

// send makes the request through the guard.
func (e *Env) send(ctx context.Context, r *apiRequest) (*egress.Response, error) {
	req, err := r.http()
	if err != nil {
		return nil, err
	}
	res, err := e.loader.config.Egress.Fetch(ctx, req)
	if err != nil {
		return nil, e.egressProblem(ctx, err)
	}
	if res.Status >= 400 {
		return nil, failed("settings.url", "the host %q answered %d %s%s", req.URL.Hostname(), res.Status, http.StatusText(res.Status), firstWords(res))
	}
	return res, nil
}

// firstWords is the beginning of an answer that is meant to be read.
func firstWords(res *egress.Response) string {
	kind, _ := contentType(res)
	if kind != "text/plain" && !isJSON(kind) {
		return ""
	}
	words := strings.Join(strings.Fields(decodeText(res.Body[:min(len(res.Body), 2000)], "")), " ")
	if words == "" {
		return ""
	}
	if runes := []rune(words); len(runes) > 200 {
		words = string(runes[:200]) + "…"
	}
	return ": " + words
}

func contentType(res *egress.Response) (kind, charset string) {
	kind, params, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		return "", ""
	}
	return kind, params["charset"]
}

func isJSON(kind string) bool {
	return kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json")
}

func isCSV(kind string) bool {
	return kind == "text/csv" || kind == "application/csv" || kind == "text/tab-separated-values" || kind == "application/vnd.ms-excel"
}

// csvFactor is how many times as large as its text CSV is in memory.
const csvFactor = 8

// readResponse reads an answer in its format.
func (e *Env) readResponse(ctx context.Context, s apiSettings, res *egress.Response) (any, error) {
	kind, charset := contentType(res)
	body := decodeText(res.Body, charset)
	if strings.TrimSpace(body) == "" {
		return nil, nil
	}
	switch format := formatOf(s.Format, kind, body); format {
	case "json":
		value, err := report.Reading{Spend: budget.Meter(ctx)}.Value(strings.NewReader(body))
		var p *report.Problem
		if errors.As(err, &p) && p.Kind == report.Invalid {
			return nil, failed("settings.url", "the answer of the host %q is no JSON: %s", res.URL.Hostname(), p.Error())
		}
		return value, err
	case "csv":
		if err := budget.Spend(ctx, csvFactor*int64(len(body))); err != nil {
			return nil, err
		}
		table, err := readCSV(body, s.CSV, e.loader.config.MaxRows)
		if err != nil {
			return nil, err
		}
		table.tell(e, "settings.url")
		return table.rows, nil
	}
	return body, nil
}

// formatOf is the format of an answer: as set, as declared, or as it looks.
func formatOf(set, kind, body string) string {
	switch {
	case set != "auto" && set != "":
		return set
	case isJSON(kind):
		return "json"
	case isCSV(kind):
		return "csv"
	case strings.ContainsAny(strings.TrimSpace(body)[:1], "{["):
		return "json"
	}
	return "text"
}
