package einvoice

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

var update = flag.Bool("update", false, "rewrite the table of docs/invoices.md")

// TestDocumentsListMembers keeps the table of the guide as the invoice is.
func TestDocumentsListMembers(t *testing.T) {
	const file, begins = "../../docs/invoices.md", "## Members\n"
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, have, _ := strings.Cut(string(doc), begins)
	var b strings.Builder
	b.WriteString("\nMade from the code; amounts, numbers and days may be numbers or texts." +
		" The second column has the business terms of EN 16931.\n")
	members(&b, "The invoice", reflect.TypeFor[Invoice](), map[reflect.Type]bool{})
	if *update {
		if err := os.WriteFile(file, []byte(before+begins+b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have != b.String() {
		t.Error("docs/invoices.md is not current; run go test ./export/einvoice -run Documents -update")
	}
}

func members(b *strings.Builder, title string, of reflect.Type, seen map[reflect.Type]bool) {
	seen[of] = true
	fmt.Fprintf(b, "\n### %s\n\n| member | term | meaning |\n|---|---|---|\n", title)
	type inner struct {
		title string
		of    reflect.Type
	}
	var later []inner
	for _, f := range report.FieldsOf(of) {
		help := f.Help
		if f.Default != "" {
			help += " Default: " + f.Default + "."
		}
		if list := f.Tag("codes"); list != "" {
			help += " Accepted: " + accepted(list) + "."
		}
		kind := f.Type()
		if kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		if kind.Kind() == reflect.Struct {
			if help += " See " + kind.Name() + "."; !seen[kind] {
				seen[kind] = true
				later = append(later, inner{kind.Name(), kind})
			}
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.Name, f.Tag("bt"), help)
	}
	for _, i := range later {
		members(b, i.title, i.of, seen)
	}
}
