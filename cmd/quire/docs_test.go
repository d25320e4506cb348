package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/store"
)

var update = flag.Bool("update", false, "rewrite the generated parts of documents")

// keepPart holds the part of a document between its markers to what the code
// says.
func keepPart(t *testing.T, file, name, want string) {
	t.Helper()
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	part := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?(<!-- /` + name + ` -->)`)
	current := part.ReplaceAllString(string(doc), "${1}"+strings.ReplaceAll(want, "$", "$$")+"${2}")
	if current == string(doc) {
		return
	}
	if !*update {
		t.Errorf("the part %s of %s is stale; run make golden", name, file)
	} else if err := os.WriteFile(file, []byte(current), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestDocumentsListSettingsFormatsAndActions(t *testing.T) {
	var settings strings.Builder
	settings.WriteString("\n| setting | default | meaning | such as |\n|---|---|---|---|\n")
	for _, s := range settingList() {
		fmt.Fprintf(&settings, "| `%s` | %s | %s | %s |\n", s.name, code(s.def), s.help, code(s.example))
	}
	keepPart(t, "../../docs/deployment.md", "settings", settings.String()+"\n")

	var actions strings.Builder
	actions.WriteString("\n| action | when |\n|---|---|\n")
	for _, a := range store.Actions() {
		fmt.Fprintf(&actions, "| `%s` | %s |\n", a.Action, a.Help)
	}
	keepPart(t, "../../docs/audit.md", "actions", actions.String()+"\n")

	var formats strings.Builder
	formats.WriteString("\n| format | meaning | example | prints |\n|---|---|---|---|\n")
	for _, f := range text.Formats() {
		for i, e := range f.Examples {
			name, help := "", ""
			if i == 0 {
				name, help = code(f.Syntax), cellText(f.Help)
			}
			fmt.Fprintf(&formats, "| %s | %s | %s as %s | %s |\n", name, help, code(e.Value), code(e.Format), cellText(e.Want))
		}
	}
	keepPart(t, "../../docs/templates.md", "formats", formats.String()+"\n")
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + cellText(s) + "`"
}

func cellText(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func TestTheExampleOfTheReportGuideWorks(t *testing.T) {
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	doc, err := os.ReadFile("../../docs/reports.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "```json\n")
	example, _, _ = strings.Cut(example, "\n```")
	def, problems := report.ParseReport([]byte(example))
	if def != nil {
		problems = append(problems, htmlgen.Validate(def)...)
	}
	if problems != nil {
		t.Fatal(problems)
	}
	dir := t.TempDir()
	file, out := filepath.Join(dir, "delivery-note.json"), filepath.Join(dir, "delivery-note.pdf")
	if err := os.WriteFile(file, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	if status := run([]string{"render", file, "-o", out}); status != 0 {
		t.Fatalf("exit status %d", status)
	}
	made, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := pdf.ReadFacts(context.Background(), made, "")
	if err != nil || facts.Title != "Delivery note L-2048" || !strings.Contains(facts.Pages[0].Text, "13.7 kg") {
		t.Errorf("%+v, %v", facts, err)
	}
}

func TestExitStatus(t *testing.T) {
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"version"}, 0},
		{[]string{"render"}, exitUsage},
		{[]string{"render", "x.json"}, exitUsage},
		{[]string{"render", "nothing.json", "-o", "x.pdf"}, exitFailed},
		{[]string{"serve", "--nonsense"}, exitUsage},
		{[]string{"token", "create"}, exitUsage},
		{[]string{"user", "password"}, exitUsage},
		{[]string{"user", "second-factor-off"}, exitUsage},
	} {
		if got := run(test.args); got != test.want {
			t.Errorf("quire %s: exit status %d, want %d", strings.Join(test.args, " "), got, test.want)
		}
	}
}
