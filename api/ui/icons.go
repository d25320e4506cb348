package ui

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
)

// icons gives the drawings of a set by their names. They stand beside words that
// say the same, so readers of screens pass over them.
func icons(set fs.FS) func(name string) (template.HTML, error) {
	return func(name string) (template.HTML, error) {
		if set == nil {
			return "", nil
		}
		file, err := fs.ReadFile(set, name+".svg")
		if err != nil {
			return "", err
		}
		_, inside, opened := bytes.Cut(file, []byte("<svg"))
		_, inside, tagged := bytes.Cut(inside, []byte(">"))
		inside, _, closed := bytes.Cut(inside, []byte("</svg>"))
		if !opened || !tagged || !closed {
			return "", fmt.Errorf("the icon %s is not an SVG", name)
		}
		return template.HTML(`<svg class="i" viewBox="0 0 24 24" aria-hidden="true">` + string(bytes.Join(bytes.Fields(inside), []byte(" "))) + "</svg>"), nil
	}
}
