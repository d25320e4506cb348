package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"

	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"

	v1 "github.com/quire-reports/quire/api/v1"
)

const explorerPath = "/api/explorer"

// serveExplorer serves the interactive description of the API, from the
// program itself.
func (s *server) serveExplorer() {
	base := s.PathBase + explorerPath
	page := v5emb.NewHandlerWithConfig(swgui.Config{
		Title: "Quire API", SwaggerJSON: s.PathBase + v1.Base + "/openapi.json",
		BasePath: base, InternalBasePath: explorerPath,
	})
	policy := explorerPolicy(page)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cache-Control", "no-cache")
		page.ServeHTTP(w, r)
	})
	s.open(explorerPath, http.RedirectHandler(base+"/", http.StatusPermanentRedirect))
	s.open(explorerPath+"/{file:.*}", handler)
}

var inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// explorerPolicy allows the scripts of the page by what is in them.
func explorerPolicy(page http.Handler) string {
	request, err := http.NewRequest(http.MethodGet, explorerPath+"/", nil)
	if err != nil {
		panic(err) // the address is a constant
	}
	shown := &keptPage{header: http.Header{}}
	page.ServeHTTP(shown, request)
	scripts := []string{"'self'"}
	for _, found := range inlineScript.FindAllSubmatch(shown.Bytes(), -1) {
		sum := sha256.Sum256(found[1])
		scripts = append(scripts, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return "default-src 'none'; script-src " + strings.Join(scripts, " ") +
		"; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
}

// keptPage is a http.ResponseWriter that keeps the page.
type keptPage struct {
	bytes.Buffer
	header http.Header
}

// Header is the header of the page, which nobody reads.
func (p *keptPage) Header() http.Header { return p.header }

// WriteHeader does nothing.
func (p *keptPage) WriteHeader(int) {}
