// Package bundle builds the browser scripts and style sheets of Quire with
// esbuild's Go library, so that no Node.js process takes part. The committed
// files in assets/dist are its output; a test of package assets compares them.
package bundle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// An entry is one bundle: its source below web and its file name in dist.
type entry struct{ source, file string }

// entries are all bundles, in the order people meet them.
func entries() []entry {
	return []entry{
		{"paginate/main.ts", "paginate.js"},
		{"preview/main.ts", "preview.js"},
		{"designer/main.tsx", "designer.js"},
		{"library/main.tsx", "library.js"},
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
	return files, nil
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
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{filepath.Join(abs, "web", filepath.FromSlash(e.source))},
		AbsWorkingDir:     abs,
		Outfile:           filepath.Join(abs, "dist", e.file),
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone,
		JSX:               api.JSXAutomatic,
		JSXImportSource:   "preact",
		Alias:             vendored(abs),
		LogLevel:          api.LogLevelSilent,
		Loader:            map[string]api.Loader{".css": api.LoaderText},
		// The type checker's settings must not change what is built.
		TsconfigRaw: `{"compilerOptions":{"target":"ES2022"}}`,
	})
	if len(result.Errors) > 0 {
		return nil, problems(result.Errors)
	}
	if len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("%d files instead of one", len(result.OutputFiles))
	}
	return result.OutputFiles[0].Contents, nil
}

// vendored are the npm packages that bundles use, as they lie in third_party.
func vendored(dir string) map[string]string {
	files := map[string]string{
		"preact": "preact.mjs", "preact/hooks": "hooks.mjs", "preact/jsx-runtime": "jsx-runtime.mjs",
		"@preact/signals": "signals.mjs", "@preact/signals-core": "signals-core.mjs",
	}
	for name, file := range files {
		files[name] = filepath.Join(dir, "third_party", "preact", file)
	}
	return files
}

func problems(messages []api.Message) error {
	var all []error
	for _, text := range api.FormatMessages(messages, api.FormatMessagesOptions{Kind: api.ErrorMessage}) {
		all = append(all, errors.New(text))
	}
	return errors.Join(all...)
}
