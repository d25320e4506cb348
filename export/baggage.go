package export

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/font"
)

// Baggage is what goes along when a template goes to another workspace.
type Baggage struct {
	// Goes is what the template uses: its theme, page types, global and shared
	// data sources and parameters, dictionaries, and files by their names.
	Goes report.Workspace
	// Stays is what belongs to its workspace: connections and reports, and files
	// whose names come of data, which may be any.
	Stays []Named
}

// BaggageOf finds the parts of its workspace that a template uses, and the parts that
// these use. Only the names of the files are read; fonts has the family of those that are fonts.
func BaggageOf(t *report.Template, from *report.Workspace, fonts map[string]string) *Baggage {
	p := &packer{from: from, fonts: fonts, packed: map[any]bool{}, files: map[string]bool{}}
	for i := range t.Layouts {
		code := t.Layouts[i].PageType
		pack(p, from.PageTypes, &p.out.Goes.PageTypes, func(k *report.PageType) bool { return code != "" && strings.EqualFold(k.Code, code) })
	}
	p.look(t)
	return &p.out
}

// FontFamily is the family of a font file; empty when it cannot be used.
func FontFamily(content []byte) string {
	parsed, err := font.Parse(content)
	if err != nil {
		return ""
	}
	return parsed.Family
}

// packer is one walk from a template to all that it uses.
type packer struct {
	from   *report.Workspace
	fonts  map[string]string
	packed map[any]bool // definitions of from, by their pointers
	files  map[string]bool
	out    Baggage
}

// pack packs the definitions that are wanted, and what they use.
func pack[T any](p *packer, from []T, to *[]T, wanted func(*T) bool) {
	for i := range from {
		d := &from[i]
		if p.packed[d] || !wanted(d) {
			continue
		}
		p.packed[d] = true
		*to = append(*to, *d)
		p.look(d)
	}
}

// look packs what a definition names, and what its texts read.
func (p *packer) look(definition any) {
	for _, n := range Names(definition) {
		p.named(n)
	}
	doc, err := report.MarshalDefinition(definition)
	if err != nil {
		return // what cannot be written reads nothing either
	}
	text, goes := string(doc), &p.out.Goes
	pack(p, p.from.DataSources, &goes.DataSources, func(d *report.DataSource) bool {
		return d.Scope == report.ScopeGlobal && mentions(text, "$data."+d.Name)
	})
	pack(p, p.from.Parameters, &goes.Parameters, func(d *report.Parameter) bool {
		return d.Scope == report.ScopeGlobal && mentions(text, "$params."+d.Name)
	})
	pack(p, p.from.Dictionaries, &goes.Dictionaries, func(d *report.Dictionary) bool {
		for entry := range d.Entries {
			if mentions(text, "$dict."+entry) {
				return true
			}
		}
		return false
	})
	for i := range p.from.Files {
		if family := p.fonts[p.from.Files[i].Name]; family != "" && strings.Contains(text, family) {
			p.file(p.from.Files[i].Name)
		}
	}
}

func (p *packer) named(n Named) {
	goes := &p.out.Goes
	switch n.Kind {
	case NamedTheme:
		pack(p, p.from.Themes, &goes.Themes, func(d *report.Theme) bool { return strings.EqualFold(d.Code, n.Name) })
	case NamedSource:
		pack(p, p.from.DataSources, &goes.DataSources, func(d *report.DataSource) bool { return d.Name == n.Name })
	case NamedParameter:
		pack(p, p.from.Parameters, &goes.Parameters, func(d *report.Parameter) bool { return d.Name == n.Name })
	case NamedFile:
		if n.Name != "" {
			p.file(n.Name)
			return
		}
		p.stay(n)
	default:
		p.stay(n)
	}
}

// stay notes once what stays.
func (p *packer) stay(n Named) {
	for _, known := range p.out.Stays {
		if known.Kind == n.Kind && known.Name == n.Name {
			return
		}
	}
	p.out.Stays = append(p.out.Stays, n)
}

func (p *packer) file(name string) {
	for i := range p.from.Files {
		if p.from.Files[i].Name == name && !p.files[name] {
			p.files[name] = true
			p.out.Goes.Files = append(p.out.Goes.Files, report.File{Name: name})
		}
	}
}

// mentions tells whether a text has a path, and not only one that begins like it.
func mentions(text, path string) bool {
	for {
		_, after, found := strings.Cut(text, path)
		if !found {
			return false
		}
		if next, _ := utf8.DecodeRuneInString(after); next != '_' && !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			return true
		}
		text = after
	}
}
