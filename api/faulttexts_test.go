package api

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/api/ui"
	"github.com/quire-reports/quire/export"
)

// saidToPeople are the files whose messages people read: while designing, and on
// the pages about people.
var saidToPeople = []string{
	"../report/decode.go", "../report/upgrade.go", "../report/job.go", "../data/parameters*.go", "../data/offer.go", "../data/lookup.go", "../data/load.go", "../data/csv*.go", "../report/starter/*.go",
	"../htmlgen/*.go", "../htmlgen/chart/*.go", "../export/lint*.go", "../export/lookups.go", "../export/options.go", "../export/sign.go", "../export/invoice.go", "../export/signing/*.go", "../export/einvoice/*.go", "../data/steps/*.go",
	"../store/a[ctw]*.go", "../store/authoring.go", "../store/comments*.go", "../store/errors.go", "../store/factorneeded.go", "../store/g*.go", "../store/holding.go", "../store/invitations.go", "../store/members.go", "../store/nonces.go",
	"../store/passkeys.go", "../store/password*.go", "../store/profile.go", "../store/provisioningtokens.go", "../store/re[ap]*.go", "../store/roles*.go", "../store/se[cr]*.go", "../store/sessions.go",
	"../store/tokens.go", "../store/users*.go", "../store/workspaces*.go", "internal/access/[acglns]*.go", "internal/rights/*.go",
}

// saidAsErrors are packages whose plain errors people read, too: what carries them up
// gives them their place.
const saidAsErrors = "../export/signing/"

// saidOnPages are the files of the pages; what they say without values is among the
// texts of pages.
const saidOnPages = "ui/*.go"

var verb = regexp.MustCompile(`%(\[\d\])?[-+# 0]*\d*(\.\d+)?[a-zA-Z]`)

// TestFaultsAreTranslated compares the sentences that the code says about
// definitions with those that are translated.
func TestFaultsAreTranslated(t *testing.T) {
	said := map[string]bool{}
	pages := saidByPages(t)
	for _, pattern := range append(saidToPeople, saidOnPages) {
		for _, file := range glob(t, pattern) {
			if strings.HasSuffix(file, "_test.go") || toScripts[filepath.Base(file)] {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			noError(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				for _, text := range toldBy(n, strings.HasPrefix(file, saidAsErrors)) {
					if strings.Contains(text, " ") && !pages[text] {
						said[asPattern(text)] = true
					}
				}
				return true
			})
		}
	}
	if len(said) < 90 {
		t.Errorf("only %d sentences were found", len(said))
	}
	for _, l := range ui.Languages()[1:] {
		file := "ui/texts/faults/" + l.Code + ".json"
		known := map[string]string{}
		content, err := os.ReadFile(file)
		noError(t, err)
		noError(t, json.Unmarshal(content, &known))
		for pattern := range said {
			if known[pattern] == "" {
				untranslated(t, "%s: %q is not translated", file, pattern)
			}
		}
		for english, translated := range known {
			if want, got := placeholders(english), placeholders(translated); !slices.Equal(want, got) {
				t.Errorf("%s: %q has the places %v, its translation %v", file, english, want, got)
			}
		}
	}
}

// toldBy are the sentences that a part of the code tells, as formats; those of plain
// errors where they are told, too.
func toldBy(n ast.Node, errorsToo bool) (told []string) {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Message" {
			told = append(told, formatOf(n.Value))
		}
	case *ast.CallExpr:
		name := ""
		switch called := n.Fun.(type) {
		case *ast.Ident:
			name = called.Name
		case *ast.SelectorExpr:
			name = called.Sel.Name
		}
		if !slices.Contains([]string{"Problemf", "NotFoundf", "orTaken", "orNotFound", "orNoReference", "checkName", "forbidden", "Unauthenticated", "Warn", "warn", "warnAt", "find", "mend", "offer", "lost", "fault", "says", "settle"}, name) && !(errorsToo && slices.Contains([]string{"New", "Errorf", "fail"}, name)) {
			return nil
		}
		for _, arg := range n.Args {
			told = append(told, formatOf(arg))
		}
	}
	return told
}

// formatOf is a sentence in the code with %s for its values.
func formatOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return literal(e)
	case *ast.BinaryExpr:
		left, right := formatOf(e.X), formatOf(e.Y)
		return cmp.Or(left, "%s") + cmp.Or(right, "%s")
	case *ast.CallExpr:
		if called, ok := e.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Sprintf" {
			return literal(e.Args[0])
		}
	}
	return ""
}

// asPattern is a format as translations write it.
func asPattern(format string) string {
	n := -1
	return verb.ReplaceAllStringFunc(format, func(string) string {
		n++
		return "{" + strconv.Itoa(n) + "}"
	})
}

// TestFaultsAreToldInTheLanguageOfThePage: the values stay, and sentences inside
// of sentences are translated as well.
func TestFaultsAreToldInTheLanguageOfThePage(t *testing.T) {
	h := open(t)
	const path, body = "/api/ui/ws/demo/reports/1/render", `{"definition": {"version": 1, "name": "A", "pages": []}}`
	h.export.preview = func(export.PreviewRequest) (*export.Preview, error) {
		return &export.Preview{HTML: []byte(sampleHTML), Lint: []export.Finding{
			{Rule: "unused-source", Path: "dataSources[0]", Message: `nothing reads the data source "rows" yet; drag one of its fields onto the page, or remove it, since it runs at every export`},
			{Rule: "dead-binding", Path: "pages[0]", Message: `{$data.row}: there is no data source "row"; did you mean rows?`},
			{Rule: "invoice", Path: "invoice.source", Message: `$data.invoice.lines[0].quantity: "1e3" is no number; accepted: digits with a point before decimals, such as 0.075 (BT-129)`},
			{Rule: "invoice", Path: "invoice.source", Message: `$data.invoice.lines[0].net: is 1, but quantity × price ÷ baseQuantity, less allowances, with charges, is 2.00 (BT-131)`},
			{Rule: "x", Path: "", Message: `nobody has translated "this"`},
		}}, nil
	}
	german := header("Content-Type", "application/json")
	german.Set("Accept-Language", "de")
	h.check(t, scenario{method: http.MethodPost, path: path, who: "author", body: body, header: german, status: 200, has: []string{
		`"message":"noch liest nichts die Datenquelle „rows“; ziehen Sie`, `{$data.row}: es gibt keine Datenquelle „row“; ist rows gemeint?`, `nobody has translated`,
		`$data.invoice.lines[0].quantity: „1e3“ ist keine Zahl; möglich sind Ziffern mit einem Punkt vor Nachkommastellen, etwa 0.075 (BT-129)`,
		`$data.invoice.lines[0].net: ist 1, aber Menge × Preis ÷ Basismenge, abzüglich Nachlässen, zuzüglich Zuschlägen, ist 2.00 (BT-131)`,
	}})
	h.check(t, scenario{method: http.MethodPost, path: path, who: "author", body: body, header: header("Content-Type", "application/json"), status: 200, has: []string{`nothing reads the data source \"rows\" yet`}})
}

// TestPagesSayWhatIsWrongInGerman: with the names in it, in forms and on pages of
// errors.
func TestPagesSayWhatIsWrongInGerman(t *testing.T) {
	h := open(t)
	root, viewer := h.session("root"), h.session("viewer")
	for _, c := range []struct {
		session, path, body string
		status              int
		says                string
	}{
		{root, "/ws/demo/groups", form("group", "Buyers", "role", h.roleID(t, "Viewer")), 422, "Es gibt keine Gruppe mit dem Namen Buyers."},
		{root, "/users", form("email", "root@example.com", "name", "Again"), 409, "Es gibt schon einen Benutzer mit der Adresse root@example.com."},
		{root, "/users", form("email", "none", "name", "None"), 422, "„none“ ist keine E-Mail-Adresse."},
		{root, "/groups", form("name", " "), 422, "Die Gruppe braucht einen Namen."},
		{root, "/ws/demo/roles", form("name", "viewer", "reports", "read"), 409, "Es gibt schon eine Rolle viewer."},
		{root, "/ws/demo/service-accounts", form("name", "", "role", h.roleID(t, "Viewer")), 422, "Das Dienstkonto braucht einen Namen."},
		{root, "/tokens", form("name", "", "days", "30"), 422, "ein Token braucht einen Namen mit höchstens 200 Byte"},
		{viewer, "/users", form("email", "a@example.com"), 403, "das ist nur für Root-Benutzer"},
		{viewer, "/ws/demo/members", form("email", "a@example.com"), 403, "dafür braucht es eine Rolle mit Voll auf Verwaltung; Ihre Rolle Viewer hat Kein Zugriff"},
		{root, "/users/99999/password", form("password", ""), 404, "den Benutzer 99999 gibt es nicht"},
	} {
		w := h.post(c.path, c.body, "Cookie", c.session, "Accept-Language", "de")
		if w.Code != c.status || !strings.Contains(strings.ToLower(w.Body.String()), strings.ToLower(c.says)) {
			t.Errorf("%s: %d; want %d with %q:\n%s", c.path, w.Code, c.status, c.says, w.Body)
		}
	}
}
