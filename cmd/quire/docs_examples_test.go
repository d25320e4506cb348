package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"go.yaml.in/yaml/v3"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// docBlock is a fenced block of a page of the documentation.
type docBlock struct{ page, language, text string }

func (b docBlock) String() string {
	first, _, _ := strings.Cut(b.text, "\n")
	return fmt.Sprintf("%s: ```%s %.70s", b.page, b.language, first)
}

var anyFence = regexp.MustCompile("(?ms)^([ ]*)```([^\n`]*)\n(.*?)^[ ]*```[ ]*$")

type docPage struct{ name, text string }

// docPages are those of docs and the first page.
func docPages(t *testing.T) (pages []docPage) {
	t.Helper()
	root := os.DirFS("../..")
	names := []string{"README.md"}
	if err := fs.WalkDir(root, "docs", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			names = append(names, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, docPage{name, string(text)})
	}
	return pages
}

func docBlocks(t *testing.T) (blocks []docBlock) {
	t.Helper()
	for _, page := range docPages(t) {
		for _, m := range anyFence.FindAllStringSubmatch(page.text, -1) {
			blocks = append(blocks, docBlock{page.name, m[2], regexp.MustCompile("(?m)^"+m[1]).ReplaceAllString(m[3], "")})
		}
	}
	return blocks
}

// docExample is what runs a block of the documentation, or why nothing does.
type docExample struct {
	page, language, begins string
	// by is a test, or a target of make, that runs it or reads it.
	by string
	// not says why nothing runs it.
	not string
}

// docExamples are by page, and within one by what they begin with; empty is all.
func docExamples() []docExample {
	const engine = "needs a container engine or a cluster; what it names is held by "
	return []docExample{
		{page: "README.md", begins: "make demo", not: "make test is what runs all tests, and make demo what the tests of the demo stand beside"},
		{page: "README.md", begins: "export PATH", by: "TestTheFirstPageRuns"},
		{page: "docs/index.md", begins: "make demo", not: "as on the first page"},
		{page: "docs/tutorials/", language: "sh", by: "TestTutorials"},
		{language: "json", by: "TestExamplesOfTheDocumentsAreDefinitions"},
		{language: "json settings", by: "TestSettingsOfTheDocumentsAreAccepted"},
		{page: "docs/audit.md", language: "json answer", by: "TestAnswersOfTheDocumentsAreOnes"},
		{page: "docs/jobs.md", language: "json answer", by: "TestAnswersOfTheDocumentsAreOnes"},
		{page: "docs/api.md", language: "sh", by: "TestRequestsOfTheDocuments"},
		{page: "docs/audit.md", language: "sh", by: "TestRequestsOfTheDocuments"},
		{page: "docs/jobs.md", language: "sh", by: "TestRequestsOfTheDocuments"},
		{page: "docs/provisioning.md", language: "sh", by: "TestRequestsOfTheDocuments"},
		{page: "docs/embedding.md", begins: "curl -X POST -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \\\n  -d '{\"content\"", by: "TestTheExampleOfEmbeddingPrintsTheCallersData"},
		{page: "docs/embedding.md", begins: "curl -X POST -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \\\n  -d '{\"workspace\": \"acme\", \"reports\": \"invoice\"", by: "TestTheStepsOfEmbeddingLeadToTheFrame"},
		{page: "docs/embedding.md", begins: "<iframe", by: "TestTheStepsOfEmbeddingLeadToTheFrame"},
		{page: "docs/embedding.md", language: "sh", by: "TestRequestsOfTheDocuments"},
		{page: "docs/embedding.md", language: "html", by: "TestScriptsOfTheDocumentsAreRead"},
		{page: "docs/embedding.md", language: "jsx", by: "TestScriptsOfTheDocumentsAreRead"},
		{page: "docs/embedding.md", language: "js", by: "TestScriptsOfTheDocumentsAreRead"},
		{page: "docs/reports.md", language: "sh", by: "TestCommandsOfTheDocuments"},
		{page: "docs/upgrading.md", language: "sh", by: "TestCommandsOfTheDocuments"},
		{page: "docs/backup.md", language: "sh", by: "TestCommandsOfTheDocuments"},
		{page: "docs/deployment.md", begins: "echo '", by: "TestCommandsOfTheDocuments"},
		{page: "docs/deployment.md", begins: "quire serve", by: "TestTheDocumentsNameCommandsThatThereAre"},
		{page: "docs/deployment.md", begins: "apt install ./quire_", by: "check-packages"},
		{page: "docs/deployment.md", begins: "tar xzf quire_", by: "check-archive"},
		{page: "docs/deployment.md", begins: "mkdir quire-offline", by: "check-offline"},
		{page: "docs/deployment.md", begins: "apt install ./quire-offline", by: "check-offline"},
		{page: "docs/deployment.md", language: "", begins: "{\n", by: "TestTheExampleOfSettingsIsAccepted"},
		{page: "docs/deployment.md", language: "nginx", by: "TestBehindProxies"},
		{page: "docs/deployment.md", language: "caddyfile", by: "TestBehindProxies"},
		{page: "docs/deployment.md", language: "yaml", begins: "entryPoints", by: "TestBehindProxies"},
		{page: "docs/deployment.md", language: "yaml", begins: "http:", by: "TestBehindProxies"},
		{page: "docs/deployment.md", begins: "docker run", not: engine + "TestImagePrints and make check-image"},
		{page: "docs/deployment.md", begins: "docker compose", not: engine + "TestComposeFilesHoldSettings"},
		{page: "docs/deployment.md", begins: "deploy/compose/secrets.sh", not: engine + "TestComposeFilesHoldSettings, which runs the first line"},
		{page: "docs/deployment.md", begins: "helm install", not: engine + "TestChartHoldsSettings"},
		{page: "docs/deployment.md", begins: "kubectl create", not: engine + "TestChartHoldsSettings"},
		{page: "docs/deployment.md", language: "yaml", by: "TestFilesOfTheDocumentsAreRead"},
	}
}

func (e docExample) is(b docBlock) bool {
	return strings.HasPrefix(b.page, e.page) && (e.language == "" || e.language == b.language) && strings.HasPrefix(b.text, e.begins)
}

// Every example is run or read by something, or it is said here why nothing does.
func TestEveryExampleOfTheDocumentsIsRun(t *testing.T) {
	there := testsAndTargets(t)
	examples := docExamples()
	used := make([]bool, len(examples))
	for _, b := range docBlocks(t) {
		i := slices.IndexFunc(examples, func(e docExample) bool { return e.is(b) })
		if i < 0 {
			t.Errorf("%s\nsay in docExamples what runs it, or why nothing does", b)
			continue
		}
		used[i] = true
	}
	for i, e := range examples {
		if !used[i] {
			t.Errorf("no block is like %+v any more", e)
		}
		if (e.by == "") == (e.not == "") || e.by != "" && !there[e.by] {
			t.Errorf("%+v: what runs it is not there", e)
		}
	}
}

// testsAndTargets are the tests here and the targets of make.
func testsAndTargets(t *testing.T) map[string]bool {
	t.Helper()
	there := map[string]bool{}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../../Makefile") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^(?:func (Test\w+)\(|([a-z-]+):)`).FindAllStringSubmatch(string(text), -1) {
			there[m[1]+m[2]] = true
		}
	}
	return there
}

// TestTheDocumentsNameCommandsThatThereAre: each command of quire in a block of the
// documentation has the name, the flags and as many arguments as it takes, and each in
// a sentence the name.
func TestTheDocumentsNameCommandsThatThereAre(t *testing.T) {
	line := regexp.MustCompile(`(?m)(?:^|\| |\()quire ([^\n|)]+)`)
	found := 0
	for _, b := range docBlocks(t) {
		if b.language != "sh" {
			continue
		}
		for _, m := range line.FindAllStringSubmatch(strings.ReplaceAll(b.text, "\\\n", " "), -1) {
			found++
			if err := commandFault(t, m[1]); err != nil {
				t.Errorf("%s\nquire %s: %v", b, m[1], err)
			}
		}
	}
	for _, page := range docPages(t) {
		for _, m := range regexp.MustCompile("`quire ([a-z -]+)").FindAllStringSubmatch(anyFence.ReplaceAllString(page.text, ""), -1) {
			found++
			cmd, rest, err := rootCommand().Find(strings.Fields(m[1]))
			if err != nil || !cmd.HasParent() || cmd.HasSubCommands() && cmd.Name() != "backup" && len(rest) == 0 {
				t.Errorf("%s: quire %s is no command", page.name, m[1])
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d commands were found", found)
	}
}

// commandFault is what is wrong with a command as it is typed.
func commandFault(t *testing.T, typed string) error {
	typed, _, _ = strings.Cut(typed, " &")
	typed, _, _ = strings.Cut(typed, " >")
	typed = strings.ReplaceAll(typed, "$", "x")                                                 // variables are words
	out, err := exec.CommandContext(t.Context(), "bash", "-c", `printf '%s\n' `+typed).Output() // as a shell takes it apart
	if err != nil {
		return err
	}
	cmd, args, err := rootCommand().Find(strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"))
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(args); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// TestSettingsOfTheDocumentsAreAccepted: the examples are settings files that the
// service starts with.
func TestSettingsOfTheDocumentsAreAccepted(t *testing.T) {
	for _, b := range docBlocks(t) {
		if b.language != "json settings" {
			continue
		}
		file := filepath.Join(t.TempDir(), "settings.json")
		if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loadSettings(file, nil, nil); err != nil {
			t.Errorf("%s\n%v", b, err)
		}
	}
}

// TestFilesOfTheDocumentsAreRead: what is for other programs is at least YAML; the
// values of the chart are rendered by TestChartHoldsSettings.
func TestFilesOfTheDocumentsAreRead(t *testing.T) {
	for _, b := range docBlocks(t) {
		if b.language != "yaml" {
			continue
		}
		var read map[string]any
		if err := yaml.Unmarshal([]byte(b.text), &read); err != nil || len(read) == 0 {
			t.Errorf("%s\n%v", b, err)
		}
	}
}

// TestScriptsOfTheDocumentsAreRead: they have no mistakes of the language.
func TestScriptsOfTheDocumentsAreRead(t *testing.T) {
	script := regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	for _, b := range docBlocks(t) {
		text := b.text
		switch b.language {
		case "html":
			text = ""
			for _, m := range script.FindAllStringSubmatch(b.text, -1) {
				text += m[1]
			}
		case "js", "jsx":
		default:
			continue
		}
		for _, fault := range api.Transform(text, api.TransformOptions{Loader: api.LoaderJSX, JSX: api.JSXAutomatic}).Errors {
			t.Errorf("%s\n%s: %s", b, fault.Location.LineText, fault.Text)
		}
	}
}

// members are the names in a JSON object, and in those that it holds.
func members(t *testing.T, text []byte) []string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var names []string
	for name, value := range object {
		names = append(names, name)
		if inner, is := value.(map[string]any); is && name != "detail" {
			for of := range inner {
				names = append(names, name+"."+of)
			}
		}
	}
	slices.Sort(names)
	return names
}

// TestAnswersOfTheDocumentsAreOnes: what the pages show as an answer has the members
// that answers have.
func TestAnswersOfTheDocumentsAreOnes(t *testing.T) {
	zero := 0
	known := map[string]any{
		"docs/jobs.md": jobs.Event{JobID: 1, JobCode: "a", RunID: 1, Entries: &zero, Status: &jobs.EventCounts{}, At: report.Timestamp{}},
	}
	for _, b := range docBlocks(t) {
		if b.language != "json answer" {
			continue
		}
		var want []byte
		var err error
		if b.page == "docs/audit.md" {
			s := startService(t)
			var events []json.RawMessage
			err = json.Unmarshal(s.ok("GET", "/api/v1/audit?limit=1", nil).body, &events)
			if err == nil {
				want = events[0]
			}
		} else {
			want, err = json.Marshal(known[b.page])
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, want := members(t, []byte(b.text)), members(t, want); !slices.Equal(got, want) {
			t.Errorf("%s\nhas %v; an answer has %v", b, got, want)
		}
	}
}

// asQuire is a folder with a program quire, which is this one.
func asQuire(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nQUIRE_IN_TEST=1 exec %q \"$@\"\n", os.Args[0])
	if err := os.WriteFile(filepath.Join(dir, "quire"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// quireMain is quire when this process was started for it.
func quireMain() {
	if os.Getenv("QUIRE_IN_TEST") != "" {
		os.Exit(run(os.Args[1:]))
	}
}

// typed runs commands as a page has them, in a folder, and gives what they say. A
// request that is refused fails.
func typed(t *testing.T, dir string, env []string, commands string) string {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "bash", "-eu", "-o", "pipefail", "-c", "curl() { command curl -fsS \"$@\"; echo; }\n"+commands)
	shell.Dir = dir
	shell.Env = append(append(os.Environ(), "PATH="+asQuire(t)+":"+os.Getenv("PATH"), "Storage__Sync=false", "Log__Level=error"), env...)
	said, err := shell.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s\n%s", err, commands, said)
	}
	return string(said)
}

// typedAt is typed for who asks a service.
func (s *service) typedAt(t *testing.T, dir string, b docBlock, replacements ...string) string {
	t.Helper()
	answers := regexp.MustCompile(`(?m)^\{.*\n`) // shown below what gives them
	text := strings.NewReplacer(append([]string{"https://reports.example.com", s.url, "/ws/acme", "/ws/demo", `"acme"`, `"demo"`}, replacements...)...).Replace(answers.ReplaceAllString(b.text, ""))
	return typed(t, dir, []string{"TOKEN=" + s.token, "QUIRE=" + s.url, "DataDir=" + s.settings.DataDir}, text)
}

// blocksBy are those that a test runs.
func blocksBy(t *testing.T, test string) (blocks []docBlock) {
	examples := docExamples()
	for _, b := range docBlocks(t) {
		if i := slices.IndexFunc(examples, func(e docExample) bool { return e.is(b) }); i >= 0 && examples[i].by == test {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// TestRequestsOfTheDocuments asks a service with the demo workspace what the pages
// ask one.
func TestRequestsOfTheDocuments(t *testing.T) {
	t.Parallel()
	s := startService(t)
	for _, b := range blocksBy(t, "TestRequestsOfTheDocuments") {
		dir := t.TempDir()
		switch b.page {
		case "docs/api.md":
			s.typedAt(t, dir, b)
			if made, err := os.ReadFile(filepath.Join(dir, "invoice.pdf")); err != nil || !strings.HasPrefix(string(made), "%PDF-") {
				t.Errorf("%s\n%v, %.50q", b, err, made)
			}
		case "docs/audit.md":
			if said := s.typedAt(t, dir, b); strings.Count(said, "[") < 2 {
				t.Errorf("%s\n%s", b, said)
			}
		case "docs/embedding.md":
			if said := s.typedAt(t, dir, b, `["sales", "orders"]`, `["invoice", "letter"]`); !strings.Contains(said, `"nonce":"`) {
				t.Errorf("%s\n%s", b, said)
			}
		case "docs/provisioning.md":
			token, err := s.store.CreateProvisioningToken(t.Context(), store.NewProvisioningToken{Name: "test", Source: store.SourceSCIM})
			if err != nil {
				t.Fatal(err)
			}
			if said := s.typedAt(t, dir, b, "qsc_…", token); !strings.Contains(said, `"userName":"ana@example.com"`) {
				t.Errorf("%s\n%s", b, said)
			}
		case "docs/jobs.md":
			s.typeJob(t, dir, b)
		default:
			t.Errorf("%s\nnothing is done with it", b)
		}
	}
}

// firstJSON is the first JSON text of a page.
func firstJSON(t *testing.T, page string) docBlock {
	t.Helper()
	all := docBlocks(t)
	return all[slices.IndexFunc(all, func(b docBlock) bool { return b.page == page && b.language == "json" })]
}

// typeJob makes the job of the guide with the requests of the guide.
func (s *service) typeJob(t *testing.T, dir string, b docBlock) {
	t.Helper()
	job := firstJSON(t, "docs/jobs.md")
	if err := os.WriteFile(filepath.Join(dir, "monthly-statements.json"), []byte(job.text), 0o600); err != nil {
		t.Fatal(err)
	}
	// The number of the run is what its start answers.
	said := s.typedAt(t, dir, b, "qrt_…", s.token, "-d '{\"params\": {\"month\": 11}}'", "-d '{\"params\": {\"month\": 11}}' | tee run | cat; run=$(grep -o '[0-9]*' run | head -1)", "/runs/7/", "/runs/$run/")
	if !strings.Contains(said, `"finished"`) {
		t.Errorf("%s\n%s", b, said)
	}
}

// TestCommandsOfTheDocuments does what the pages do on the machine of a service.
func TestCommandsOfTheDocuments(t *testing.T) {
	t.Parallel()
	s := startService(t)
	for _, b := range blocksBy(t, "TestCommandsOfTheDocuments") {
		dir := t.TempDir()
		switch b.page {
		case "docs/deployment.md":
			said := s.typedAt(t, dir, b, `"$ERP_KEY"`, "key")
			if strings.Contains(b.text, "connection list") && (!strings.Contains(said, "shop") || !strings.Contains(said, "erp")) {
				t.Errorf("%s\n%s", b, said)
			}
		case "docs/reports.md":
			if strings.Contains(b.text, "openssl pkcs12") {
				s.typedAt(t, dir, b)
				if made, err := os.ReadFile(filepath.Join(dir, "signed.pdf")); err != nil || !strings.Contains(string(made), "/ETSI.CAdES.detached") {
					t.Errorf("%s\n%v", b, err)
				}
				continue
			}
			note := firstJSON(t, "docs/reports.md")
			for name, text := range map[string]string{"delivery-note.json": note.text, "other.json": `{"delivery": {"number": "X-1"}}`} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s.typedAt(t, dir, b)
			for _, name := range []string{"delivery-note.pdf", "other.pdf"} {
				if made, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(made), "%PDF-") {
					t.Errorf("%s\n%s: %v", b, name, err)
				}
			}
		case "docs/upgrading.md":
			// On one database they go in this order: nothing, in part, back and up to date.
			lines := strings.Split(strings.TrimSpace(b.text), "\n")
			if len(lines) != 6 {
				t.Fatalf("%s\nhas %d lines: in which order do they go?", b, len(lines))
			}
			for _, i := range []int{0, 1, 3, 4, 2, 5} {
				typed(t, dir, []string{"DataDir=" + dir}, lines[i])
			}
		case "docs/backup.md":
			s.typeBackup(t, dir, b)
		default:
			t.Errorf("%s\nnothing is done with it", b)
		}
	}
}

// typeBackup backs up and restores, all or one workspace, which is lost meanwhile.
func (s *service) typeBackup(t *testing.T, dir string, b docBlock) {
	t.Helper()
	ours := func(text, id string) string {
		return strings.NewReplacer("/mnt/", dir+"/", "/var/lib/quire", dir+"/restored", "--workspace acme", "--workspace demo", "20261128T023000.000Z", id).Replace(text)
	}
	env := []string{"DataDir=" + s.settings.DataDir}
	if !strings.Contains(b.text, "--workspace") {
		if said := typed(t, dir, env, ours(b.text, "")); !strings.Contains(said, "printed demo/") || !strings.Contains(said, "restored ") {
			t.Errorf("%s\n%s", b, said)
		}
		return
	}
	lines := strings.Split(strings.TrimSpace(b.text), "\n")
	said := typed(t, dir, env, ours(lines[0], ""))
	id, _, _ := strings.Cut(said, " ")
	w, err := s.store.WorkspaceByCode(t.Context(), "demo")
	if err == nil {
		err = s.store.DeleteWorkspace(t.Context(), w.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		said += typed(t, dir, env, ours(line, id))
	}
	if !strings.Contains(said, "restored the workspace demo,") || !strings.Contains(said, "restored the workspace acme-before,") || !strings.Contains(said, "printed demo/") {
		t.Errorf("%s\n%s", b, said)
	}
	for _, code := range []string{"demo", "acme-before"} {
		made := s.ok("GET", "/api/v1/ws/"+code+"/reports/invoice/pdf", nil)
		if !strings.HasPrefix(string(made.body), "%PDF-") {
			t.Errorf("%s prints %.50q", code, made.body)
		}
	}
}

// TestTheFirstPageRuns does what the first page says, in the repository; what it
// makes goes elsewhere, and the service is left in the background.
func TestTheFirstPageRuns(t *testing.T) {
	t.Parallel()
	judges.Slow(t)
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	commands := blocksBy(t, "TestTheFirstPageRuns")[0].text
	commands = replaceOnce(t, commands, `export PATH="$PWD/bin:$PATH"`, "")
	commands = replaceOnce(t, commands, "\nquire serve\n", "\nquire serve &\nuntil curl -fs http://localhost:8080/readyz >/dev/null; do sleep 0.1; done\n")
	dir := t.TempDir()
	for _, name := range []string{"assets", "examples"} {
		path, err := filepath.Abs("../../" + name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(dir, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	said := runCommands(t, newProgram(t), dir, commands)
	for _, name := range []string{"invoice.pdf", "annual-report.pdf"} {
		if made, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(made), "%PDF-") {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
	}
}
