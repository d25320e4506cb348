package api

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/quire-reports/quire/api/ui"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/store"
)

// TestTexts compares what the code says with what the files of each language
// translate: nothing is missing, nothing is left over, placeholders agree.
func TestTexts(t *testing.T) {
	for folder, said := range map[string]map[string]bool{"ui/texts": saidByPages(t), "../assets/web/texts": saidByScripts(t)} {
		if len(said) < 100 {
			t.Errorf("only %d texts were found in the code for %s", len(said), folder)
		}
		for _, l := range ui.Languages() {
			if l.Code == "en" {
				continue
			}
			file := folder + "/" + l.Code + ".json"
			known := map[string]string{}
			content, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(content, &known)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, english := range slices.Sorted(maps.Keys(said)) {
				if known[english] == "" {
					untranslated(t, "%s: %q is not translated", file, english)
				}
			}
			for english, translated := range known {
				if !said[english] {
					t.Errorf("%s: %q is not said any more", file, english)
				}
				if want, got := placeholders(english), placeholders(translated); !slices.Equal(want, got) {
					t.Errorf("%s: %q has the placeholders %v, its translation %v", file, english, want, got)
				}
			}
		}
		files, err := filepath.Glob(folder + "/*.json")
		if err != nil || len(files) != len(ui.Languages())-1 {
			t.Errorf("%s holds %v, languages are %v: %v", folder, files, ui.Languages(), err)
		}
	}
}

// untranslated is a fault, and a warning with QUIRE_TEXTS=warn, as make test sets it: the
// text is shown in English, and who changes Quire need not know every language. Where
// everything is judged it stays a fault.
func untranslated(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("QUIRE_TEXTS") == "warn" && !judges.All() {
		t.Logf(format, args...)
		return
	}
	t.Errorf(format, args...)
}

// placeholders are the {0} and {$name} of a text, in order, each once.
func placeholders(text string) []string {
	found := regexp.MustCompile(`\{(\d|\$[\w.]+)\}`).FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// What the designer's addresses say to scripts is told by another way.
var toScripts = map[string]bool{"author.go": true, "design.go": true, "library.go": true, "source.go": true, "reporttypes.go": true, "jobeditor.go": true}

// saidByPages are the texts of templates and of the code around them.
func saidByPages(t *testing.T) map[string]bool {
	said := map[string]bool{
		// What other packages say to people who fill in a form.
		"email address or password is wrong":                                        true,
		"only administrators of the service sign in here; sign in at your provider": true,
		"the code is wrong or was used already":                                     true,
		"this passkey is kept here already":                                         true,
		"the passkey needs a name":                                                  true,
		"the name has characters that cannot be seen; leave them out":               true,

		"you need a name": true,

		"that is no time zone; accepted: names such as Europe/Belgrade or America/New_York, or nothing for UTC":          true,
		"this passkey seems to exist twice and is of no use any more; sign in another way, remove it and make a new one": true,
		"too many people sign in at this moment; try again":                                                              true,
		"too many attempts at the same moment; try again":                                                                true,
		"a password needs at least 8 characters, among them a letter, a digit and a special character":                   true,
	}
	for _, kind := range connectionTypes() {
		said[string(kind.Category)] = true
		if !kind.Unlisted {
			said[kind.Label] = true
		}
		for _, f := range kind.Fields {
			said[f.Label], said[f.Help] = true, true
		}
	}
	for _, c := range store.Categories() {
		said[c.Label()] = true
		for _, l := range c.Levels() {
			said[l.Label()] = true
		}
	}
	for _, role := range store.StartingRoles() {
		said[role.Description] = true
	}
	for _, a := range store.Actions() {
		said[a.Label] = true
	}
	for _, scope := range store.AllScopes() {
		said[scope.Label] = true
	}
	for _, share := range store.Shares() {
		said[share.Label()] = true
	}
	for _, file := range glob(t, "ui/pages/*.html") {
		text, err := os.ReadFile(file)
		noError(t, err)
		tree := parse.New(file)
		tree.Mode = parse.SkipFuncCheck
		set := map[string]*parse.Tree{}
		_, err = tree.Parse(string(text), "", "", set)
		noError(t, err)
		set[file] = tree
		for _, one := range set {
			inTemplate(one.Root, said)
		}
	}
	for _, file := range glob(t, "ui/*.go") {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		noError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				inCall(call, said, !toScripts[filepath.Base(file)])
			}
			return true
		})
	}
	delete(said, "")
	return said
}

// inTemplate collects the texts of {{t "…"}}.
func inTemplate(node parse.Node, said map[string]bool) {
	branch := func(b *parse.BranchNode) {
		inTemplate(b.Pipe, said)
		inTemplate(b.List, said)
		if b.ElseList != nil {
			inTemplate(b.ElseList, said)
		}
	}
	switch n := node.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, child := range n.Nodes {
				inTemplate(child, said)
			}
		}
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.ActionNode:
		inTemplate(n.Pipe, said)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			inTemplate(n.Pipe, said)
		}
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			inTemplate(command, said)
		}
	case *parse.CommandNode:
		if len(n.Args) > 1 && n.Args[0].String() == "t" {
			if text, ok := n.Args[1].(*parse.StringNode); ok {
				said[text.Text] = true
			}
		}
		for _, arg := range n.Args {
			inTemplate(arg, said)
		}
	}
}

// inCall collects the texts of u.t(r, "…"), T(lang, "…"), say("…"), of notices
// and of problems without values in them.
func inCall(call *ast.CallExpr, said map[string]bool, problems bool) {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	switch name {
	case "say":
		said[literal(call.Args[0])] = true
	case "t", "T":
		if len(call.Args) > 1 {
			said[literal(call.Args[1])] = true
		}
	case "Problemf":
		if text := literal(call.Args[1]); problems && !strings.Contains(text, "%") {
			said[text] = true
		}
	case "notice":
		if sentences, ok := call.Args[1].(*ast.CompositeLit); ok {
			for _, s := range sentences.Elts {
				said[literal(s.(*ast.KeyValueExpr).Value)] = true
			}
		}
	}
}

func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if text, err := strconv.Unquote(lit.Value); err == nil {
			return text
		}
	}
	return ""
}

// saidByScripts are the texts of t("…") and say("…") in the scripts, and the
// labels and help texts that their forms are drawn from.
func saidByScripts(t *testing.T) map[string]bool {
	said := map[string]bool{}
	call := regexp.MustCompile(`\b(?:t|say)\(\s*("(?:[^"\\]|\\.)*")`)
	for _, folder := range []string{"designer", "library", "edit", "session", "talk", "ui", "service.ts"} {
		noError(t, filepath.WalkDir("../assets/web/"+folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasPrefix(filepath.Ext(path), ".ts") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range call.FindAllStringSubmatch(string(text), -1) {
				said[literal(&ast.BasicLit{Kind: token.STRING, Value: found[1]})] = true
			}
			return err
		}))
	}
	described := []any{export.Schema()}
	for _, d := range deliver.Types() {
		described = append(described, map[string]any{"label": d.Label, "help": d.Help, "settings": export.Settings(d.Fields())})
	}
	text, err := json.Marshal(described)
	noError(t, err)
	var schema any
	noError(t, json.Unmarshal(text, &schema))
	inSchema(schema, said)
	delete(said, "")
	return said
}

// inSchema collects what designer/labels.ts translates.
func inSchema(value any, said map[string]bool) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			inSchema(item, said)
		}
	case map[string]any:
		values, _ := v["enum"].([]any)
		for _, value := range values {
			short := []any{"csv", "docx", "html", "json", "pdf", "pptx", "xlsx", "zip", "x", "y"}
			if text, _ := value.(string); !slices.Contains(short, value) && regexp.MustCompile(`^[a-z][a-z-]*$`).MatchString(text) {
				said[strings.ToUpper(text[:1])+strings.ReplaceAll(text[1:], "-", " ")+" | option"] = true
			}
		}
		for name, member := range v {
			if text, ok := member.(string); ok && slices.Contains([]string{"label", "help", "category"}, name) {
				said[text] = true
			}
			inSchema(member, said)
		}
		name, _ := v["name"].(string)
		if label, _ := v["label"].(string); label == "" && name != "" && v["shape"] != nil {
			words := strings.ToLower(regexp.MustCompile(`([a-z0-9])([A-Z])`).ReplaceAllString(name, "$1 $2"))
			said[strings.ToUpper(words[:1])+words[1:]] = true
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	found, err := filepath.Glob(pattern)
	noError(t, err)
	return found
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
