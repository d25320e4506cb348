// Package bundle builds the browser scripts and style sheets of Quire with
// esbuild's Go library, so that no Node.js process takes part. The committed
// files in assets/dist are its output; a test of package assets compares them.
package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// An entry is one bundle: its source below web, its file name in dist, and
// whether it runs as a script or is imported on first use.
type entry struct {
	source, file string
	format       api.Format
}

// entries are all bundles, in the order people meet them.
func entries() []entry {
	return []entry{
		{"paginate/main.ts", "paginate.js", api.FormatIIFE},
		{"read/main.ts", "read.js", api.FormatIIFE},
		{"viewer/main.ts", "preview.js", api.FormatIIFE},
		{"viewer/file.ts", "file.js", api.FormatIIFE},
		{"viewer/filewhole.ts", "filewhole.js", api.FormatIIFE},
		{"embed/main.ts", "quire-report.js", api.FormatIIFE},
		{"live/main.ts", "live.js", api.FormatIIFE},
		{"designer/main.tsx", "designer.js", api.FormatIIFE},
		{"talk/main.tsx", "comments.js", api.FormatIIFE},
		{"library/main.tsx", "library.js", api.FormatIIFE},
		{"edit/main.ts", "editor.js", api.FormatESModule},
		{"edit/rich.ts", "rich.js", api.FormatESModule},
	}
}

// Build bundles everything below dir/web and returns the files of dist by name.
func Build(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, e := range entries() {
		out, err := one(dir, e)
		if err != nil {
			return nil, fmt.Errorf("bundling %s: %w", e.source, err)
		}
		files[e.file] = out
	}
	return files, texts(dir, files)
}

// texts adds the words of the interface in other languages than English, as
// browsers fetch them.
func texts(dir string, files map[string][]byte) error {
	found, err := filepath.Glob(filepath.Join(dir, "web", "texts", "*.json"))
	if err != nil {
		return err
	}
	for _, path := range found {
		content, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("reading texts: %w", err)
		}
		var small bytes.Buffer
		if err := json.Compact(&small, content); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		files[filepath.Base(path)] = small.Bytes()
	}
	return nil
}

// Write builds and replaces the files in dir/dist.
func Write(dir string) error {
	files, err := Build(dir)
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, "dist", name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func one(dir string, e entry) ([]byte, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	o := options(abs)
	o.EntryPoints = []string{filepath.Join(abs, "web", filepath.FromSlash(e.source))}
	o.Outfile = filepath.Join(abs, "dist", e.file)
	o.Format = e.format
	o.MinifyWhitespace, o.MinifyIdentifiers, o.MinifySyntax = true, true, true
	result := api.Build(o)
	if len(result.Errors) > 0 {
		return nil, problems(result.Errors)
	}
	if len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("%d files instead of one", len(result.OutputFiles))
	}
	return result.OutputFiles[0].Contents, nil
}

// options are what all that is built has in common.
func options(abs string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir:   abs,
		Bundle:          true,
		Target:          api.ES2022,
		Charset:         api.CharsetUTF8,
		LegalComments:   api.LegalCommentsNone,
		JSX:             api.JSXAutomatic,
		JSXImportSource: "preact",
		Alias:           vendored(abs),
		LogLevel:        api.LogLevelSilent,
		Plugins:         []api.Plugin{icons(abs), sheets()},
		// The type checker's settings must not change what is built.
		TsconfigRaw: `{"compilerOptions":{"target":"ES2022"}}`,
	}
}

// Tests builds every file below dir/web whose name has an ending, such as
// ".test.ts", into the folder out, for Node, and gives how many there are.
func Tests(dir, out, ending string) (int, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return 0, err
	}
	o := options(abs)
	err = filepath.WalkDir(filepath.Join(abs, "web"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ending) {
			o.EntryPoints = append(o.EntryPoints, path)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	o.Outdir, o.Outbase = out, filepath.Join(abs, "web")
	o.OutExtension = map[string]string{".js": ".mjs"}
	o.Format, o.Platform, o.Sourcemap, o.Write = api.FormatESModule, api.PlatformNode, api.SourceMapInline, true
	result := api.Build(o)
	if len(result.Errors) > 0 {
		return 0, problems(result.Errors)
	}
	return len(o.EntryPoints), nil
}

// vendored are the npm packages that bundles use, as they lie in third_party.
func vendored(dir string) map[string]string {
	files := map[string]string{}
	add := func(folder, file string, packages ...string) {
		for _, name := range packages {
			as := file
			if as == "" { // as renew.sh names it
				as = strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + ".mjs"
			}
			files[name] = filepath.Join(dir, "third_party", folder, as)
		}
	}
	add("preact", "preact.mjs", "preact")
	add("preact", "hooks.mjs", "preact/hooks")
	add("preact", "jsx-runtime.mjs", "preact/jsx-runtime")
	add("preact", "signals.mjs", "@preact/signals")
	add("preact", "signals-core.mjs", "@preact/signals-core")
	add("codemirror", "", "@codemirror/autocomplete", "@codemirror/commands", "@codemirror/lang-css", "@codemirror/lang-html",
		"@codemirror/lang-javascript", "@codemirror/lang-json", "@codemirror/lang-sql", "@codemirror/language", "@codemirror/lint",
		"@codemirror/state", "@codemirror/streamparser", "@codemirror/view", "@lezer/common", "@lezer/css", "@lezer/highlight", "@lezer/html", "@lezer/javascript",
		"@lezer/json", "@lezer/lr", "@marijn/find-cluster-break", "crelt", "style-mod", "w3c-keyname")
	add("prosemirror", "", "orderedmap", "prosemirror-commands", "prosemirror-history", "prosemirror-inputrules", "prosemirror-keymap",
		"prosemirror-model", "prosemirror-schema-list", "prosemirror-state", "prosemirror-transform", "prosemirror-view", "rope-sequence")
	return files
}

// sheets are style sheets as text, as small as they can be.
func sheets() api.Plugin {
	return api.Plugin{Name: "sheets", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `\.css$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			content, err := os.ReadFile(args.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			small := api.Transform(string(content), api.TransformOptions{Loader: api.LoaderCSS, MinifyWhitespace: true, MinifySyntax: true, Charset: api.CharsetUTF8, LogLevel: api.LogLevelSilent})
			if len(small.Errors) > 0 {
				return api.OnLoadResult{Errors: small.Errors}, nil
			}
			text := string(small.Code)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderText}, nil
		})
	}}
}

// icons is the module "icons": what is inside the drawings of third_party/lucide,
// by their names.
func icons(dir string) api.Plugin {
	return api.Plugin{Name: "icons", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: "^icons$"}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: "icons", Namespace: "icons"}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: "^icons$", Namespace: "icons"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			inside, err := drawings(os.DirFS(filepath.Join(dir, "third_party", "lucide")))
			if err != nil {
				return api.OnLoadResult{}, err
			}
			content, err := json.Marshal(inside)
			text := string(content)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJSON}, err
		})
	}}
}

// drawings is what is inside each SVG of a folder, by the name of its file.
func drawings(folder fs.FS) (map[string]string, error) {
	inside := map[string]string{}
	names, err := fs.Glob(folder, "*.svg")
	for _, name := range names {
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		_, rest, _ := strings.Cut(string(content), "<svg")
		_, rest, _ = strings.Cut(rest, ">")
		drawn, _, ok := strings.Cut(rest, "</svg>")
		if !ok {
			return nil, fmt.Errorf("%s is not an SVG", name)
		}
		inside[strings.TrimSuffix(name, ".svg")] = strings.Join(strings.Fields(drawn), " ")
	}
	return inside, err
}

func problems(messages []api.Message) error {
	var all []error
	for _, text := range api.FormatMessages(messages, api.FormatMessagesOptions{Kind: api.ErrorMessage}) {
		all = append(all, errors.New(text))
	}
	return errors.Join(all...)
}
