// Cldrgen makes locales.bin and zones.bin (the long names of time zones), the
// locale data of package text, from the npm packages cldr-core, cldr-numbers-full and cldr-dates-full:
//
//	go run ./report/text/internal/cldrgen -work /tmp/cldr -out report/text
//
// The packages are fetched with npm pack into the work folder unless they are
// there already.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/quire-reports/quire/report/text/internal/cldr"
)

const version = "48.2.0"

func main() {
	work := flag.String("work", "", "folder for the npm packages")
	out := flag.String("out", "report/text", "folder to write locales.bin and zones.bin to")
	flag.Parse()
	if err := run(*work, *out); err != nil {
		fmt.Fprintln(os.Stderr, "cldrgen:", err)
		os.Exit(1)
	}
}

func run(work, out string) error {
	if work == "" {
		return fmt.Errorf("-work names no folder")
	}
	for _, pkg := range []string{"cldr-core", "cldr-numbers-full", "cldr-dates-full"} {
		if err := fetch(work, pkg); err != nil {
			return err
		}
	}
	s := &source{root: work}
	data, err := s.build()
	if err != nil {
		return err
	}
	long := split(data, cldr.LongZoneNames)
	if err := write(filepath.Join(out, "locales.bin"), data); err != nil {
		return err
	}
	return write(filepath.Join(out, "zones.bin"), long)
}

// split moves a field into data of its own.
func split(data *cldr.Data, field cldr.Field) *cldr.Data {
	out := &cldr.Data{Locales: map[string]*cldr.Locale{}}
	for tag, l := range data.Locales {
		moved := &cldr.Locale{Parent: l.Parent, Fields: map[cldr.Field]string{}}
		if s, ok := l.Fields[field]; ok {
			moved.Fields[field] = s
			delete(l.Fields, field)
		}
		out.Locales[tag] = moved
	}
	return out
}

func write(path string, data *cldr.Data) error {
	file, err := cldr.Encode(data)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d locales, %d bytes\n", filepath.Base(path), len(data.Locales), len(file))
	return os.WriteFile(path, file, 0o644)
}

// fetch unpacks an npm package below the work folder.
func fetch(work, pkg string) error {
	dir := filepath.Join(work, pkg)
	if _, err := os.Stat(filepath.Join(dir, "package.json")); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	pack := exec.Command("npm", "pack", "--silent", pkg+"@"+version)
	pack.Dir = work
	pack.Stderr = os.Stderr
	if err := pack.Run(); err != nil {
		return fmt.Errorf("npm pack %s: %w", pkg, err)
	}
	tar := exec.Command("tar", "xzf", pkg+"-"+version+".tgz", "-C", pkg, "--strip-components=1")
	tar.Dir = work
	return tar.Run()
}

// source reads the JSON files.
type source struct{ root string }

// node is a JSON object; its methods follow paths and never fail.
type node map[string]any

func (s *source) read(path ...string) (node, error) {
	doc, err := os.ReadFile(filepath.Join(append([]string{s.root}, path...)...))
	if err != nil {
		return nil, err
	}
	var n node
	if err := json.Unmarshal(doc, &n); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(path...), err)
	}
	return n, nil
}

// at is the object below names; nil when there is none.
func (n node) at(names ...string) node {
	for _, name := range names {
		m, ok := n[name].(map[string]any)
		if !ok {
			return nil
		}
		n = m
	}
	return n
}

// str is a text member; empty when there is none.
func (n node) str(name string) string {
	s, _ := n[name].(string)
	return s
}
