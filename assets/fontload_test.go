package assets_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/internal/judges"
)

// fontServer serves the embedded fonts and remembers which were asked for.
type fontServer struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func newFontServer(t *testing.T) *fontServer {
	t.Helper()
	s := &fontServer{}
	files := http.FileServerFS(assets.Fonts())
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html><title>x</title>") })
	// The part before /fonts/ only makes addresses that no cache knows.
	mux.HandleFunc("/{fresh}/fonts/", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, path.Base(r.URL.Path))
		s.mu.Unlock()
		http.StripPrefix("/"+r.PathValue("fresh")+"/fonts/", files).ServeHTTP(w, r)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// take returns what was asked for since the last time, sorted.
func (s *fontServer) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.asked)
	list := strings.Join(s.asked, " ")
	s.asked = nil
	return list
}

// rules are the @font-face rules of all embedded fonts.
func (s *fontServer) rules(fresh int) string {
	var b strings.Builder
	for _, f := range assets.FontFaces() {
		fmt.Fprintf(&b, `@font-face{font-family:"%s";font-style:%s;font-weight:%s;src:url(/%d/fonts/%s) format("woff2");unicode-range:%s}`,
			f.Family, f.Style, f.Weight, fresh, f.File, f.UnicodeRange)
	}
	return b.String()
}

func TestFontsAreLoadedOnDemand(t *testing.T) {
	tb := chrome(t)
	s := newFontServer(t)
	tb.visit(t, s.URL)
	css := `body.q-doc{font:400 14px Inter,"Noto Sans Arabic","Noto Sans Hebrew","Noto Sans Symbols 2",sans-serif}
.serif{font-family:"Source Serif 4",serif}code{font-family:"JetBrains Mono",monospace}`
	for i, c := range []struct{ name, body, want string }{
		{"plain text", `<p class="q-el">Invoice 2026-11</p>`, "inter-latin-400-normal.woff2"},
		{"bold heading", `<h2 class="q-el">Total</h2><p class="q-el">12.00</p>`, "inter-latin-400-normal.woff2 inter-latin-700-normal.woff2"},
		{"Serbian", `<p class="q-el">Račun</p>`, "inter-latin-400-normal.woff2 inter-latin-ext-400-normal.woff2"},
		{"Cyrillic and Greek", `<p class="q-el">Рачун Ωμέγα</p>`, "inter-cyrillic-400-normal.woff2 inter-greek-400-normal.woff2 inter-latin-400-normal.woff2"},
		{"Arabic", `<p class="q-el" dir="rtl">فاتورة</p>`, "inter-latin-400-normal.woff2 noto-sans-arabic-arabic-400-normal.woff2"},
		{"signs", `<p class="q-el">✓ paid → bank</p>`, "inter-latin-400-normal.woff2 noto-sans-symbols-2-symbols-400-normal.woff2"},
		{"serif and code", `<p class="q-el serif">Text <code class="q-el">code</code></p>`, "inter-latin-400-normal.woff2 jetbrains-mono-latin-400-normal.woff2 source-serif-4-latin-400-normal.woff2"},
		{"late italic", table(40) + `<p class="q-el">a <span style="font-style:italic">b</span></p>`, "inter-latin-400-italic.woff2 inter-latin-400-normal.woff2 inter-latin-700-normal.woff2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.take()
			r := tb.checked(t, documentWith(`lang="en"`, s.rules(i)+css, sheet{header: "Header", footer: "Footer", body: c.body}))
			if got := s.take(); got != c.want {
				t.Errorf("loaded %s, not %s", got, c.want)
			}
			if len(r.Warnings) > 0 {
				t.Errorf("warnings: %v", r.Warnings)
			}
		})
	}
}

// TestFontsInPDF: text prints in real fonts, and comes out of the PDF as it went in.
func TestFontsInPDF(t *testing.T) {
	tb := chrome(t)
	s := newFontServer(t)
	tb.visit(t, s.URL)
	css := s.rules(0) + `body.q-doc{font:400 14px Inter,"Noto Sans Arabic","Noto Sans Symbols 2",sans-serif}`
	tb.paginate(t, documentWith(`lang="en"`, css, sheet{header: "h", body: `<p>Office affinity: <b>Bold</b> <i>Italic</i> Račun Рачун Ωμέγα ✓</p>`}))
	file := tb.pdf(t)
	text, err := exec.Command("pdftotext", file, "-").Output()
	if err != nil {
		judges.Missing(t, "needs pdftotext of poppler-utils")
	}
	if want := "Office affinity: Bold Italic Račun Рачун Ωμέγα ✓"; !strings.Contains(string(text), want) {
		t.Errorf("the PDF says %q", text)
	}
	fonts, err := exec.Command("pdffonts", file).Output()
	must(t, err)
	if strings.Contains(string(fonts), "Type 3") || !strings.Contains(string(fonts), "Inter-Regular") {
		t.Errorf("fonts of the PDF:\n%s", fonts)
	}
}
