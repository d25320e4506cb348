package store

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

// resourceKind is one sort of resource: how it comes out of the table into a
// Library, and how it goes between a bundle and the table.
type resourceKind struct {
	name   string // in column kind
	plural string // in paths of problems and in bundles
	read   func(l, old *Library, row resourceRow) error
	pack   func(w *report.Workspace) ([]document, error)
	unpack func(l *Library, w *report.Workspace)
	check  func(text []byte) (document, error) // one definition as people send it; it may be unfinished
	list   func(l *Library) []Resource
}

// document is a definition on its way into the table.
type document struct {
	path string // of its problems
	key  string
	text string
}

// resourceKinds lists them in the order of a bundle. Adding one is adding a
// line here.
func resourceKinds() []resourceKind {
	return []resourceKind{
		kindOf("language", "languages", func(l *Library) *[]Entry[report.Language] { return &l.Languages },
			func(w *report.Workspace) *[]report.Language { return &w.Languages },
			func(x *report.Language) (string, error) { return byCode(x.Code) }),
		kindOf("page-type", "pageTypes", func(l *Library) *[]Entry[report.PageType] { return &l.PageTypes },
			func(w *report.Workspace) *[]report.PageType { return &w.PageTypes },
			func(x *report.PageType) (string, error) { return byCode(x.Code) }),
		kindOf("parameter", "parameters", func(l *Library) *[]Entry[report.Parameter] { return &l.Parameters },
			func(w *report.Workspace) *[]report.Parameter { return &w.Parameters },
			func(x *report.Parameter) (string, error) { return byName(x.Name) }),
		kindOf("dictionary", "dictionaries", func(l *Library) *[]Entry[report.Dictionary] { return &l.Dictionaries },
			func(w *report.Workspace) *[]report.Dictionary { return &w.Dictionaries },
			func(x *report.Dictionary) (string, error) { return byCode(x.Code) }),
		kindOf("data-source", "dataSources", func(l *Library) *[]Entry[report.DataSource] { return &l.DataSources },
			func(w *report.Workspace) *[]report.DataSource { return &w.DataSources },
			func(x *report.DataSource) (string, error) { return byName(x.Name) }),
		kindOf("template", "templates", func(l *Library) *[]Entry[report.Template] { return &l.Templates },
			func(w *report.Workspace) *[]report.Template { return &w.Templates },
			func(x *report.Template) (string, error) { return byCode(x.Code) }),
		kindOf("theme", "themes", func(l *Library) *[]Entry[report.Theme] { return &l.Themes },
			func(w *report.Workspace) *[]report.Theme { return &w.Themes },
			func(x *report.Theme) (string, error) { return byCode(x.Code) }),
		kindOf("job", "jobs", func(l *Library) *[]Entry[report.Job] { return &l.Jobs },
			func(w *report.Workspace) *[]report.Job { return &w.Jobs },
			func(x *report.Job) (string, error) { return byCode(x.Code) }),
	}
}

func byCode(code string) (string, error) { return codeKey(code), checkCode("code", code) }

// byName is for what templates call by name: $data.<name>, with case.
func byName(name string) (string, error) {
	if name == "" || len(name) > maxCode {
		return "", report.Problemf("name", "a name has 1 to %d characters", maxCode)
	}
	return name, nil
}

// kindOf makes a kind from where its definitions lie and what they are known by.
func kindOf[T any](name, plural string, entries func(*Library) *[]Entry[T], bundle func(*report.Workspace) *[]T, key func(*T) (string, error)) resourceKind {
	return resourceKind{
		name:   name,
		plural: plural,
		read: func(l, old *Library, row resourceRow) error {
			e, err := readEntry(*entries(old), row)
			if err != nil {
				return fmt.Errorf("reading %s %s: %w", name, row.Key, err)
			}
			*entries(l) = append(*entries(l), e)
			return nil
		},
		pack: func(w *report.Workspace) ([]document, error) { return packAll(*bundle(w), plural, key) },
		unpack: func(l *Library, w *report.Workspace) {
			*bundle(w) = Definitions(*entries(l))
		},
		check: func(text []byte) (document, error) {
			definition := new(T)
			if problems := report.DecodeDraft(text, definition); len(problems) > 0 {
				return document{}, problems
			}
			docs, err := packAll([]T{*definition}, "", key)
			if err != nil {
				return document{}, atTop(err)
			}
			return docs[0], nil
		},
		list: func(l *Library) []Resource {
			list := make([]Resource, len(*entries(l)))
			for i, e := range *entries(l) {
				list[i] = Resource{e.ID, e.Revision, e.Definition}
			}
			return list
		},
	}
}

// atTop takes the place in a list off the path of a Problem.
func atTop(err error) error {
	if p, ok := err.(*report.Problem); ok {
		p.Path = strings.TrimPrefix(strings.TrimPrefix(p.Path, "[0]"), ".")
	}
	return err
}

// readEntry decodes a row, or takes what was decoded of the same revision.
func readEntry[T any](old []Entry[T], row resourceRow) (Entry[T], error) {
	for _, e := range old {
		if e.ID == row.ID && e.Revision == row.Revision {
			return e, nil
		}
	}
	definition := new(T)
	problems := report.ReadStored([]byte(row.Document), definition)
	return Entry[T]{row.ID, row.Revision, row.Key, definition}, problems.Err()
}

// packAll writes definitions as documents and refuses two of one key.
func packAll[T any](definitions []T, plural string, key func(*T) (string, error)) ([]document, error) {
	docs := make([]document, len(definitions))
	seen := map[string]bool{}
	for i := range definitions {
		path := fmt.Sprintf("%s[%d]", plural, i)
		k, err := key(&definitions[i])
		if err != nil {
			return nil, under(path, err)
		}
		if seen[k] {
			return nil, report.Problemf(path, "%s has a second %q", plural, k)
		}
		seen[k] = true
		text, err := encode(&definitions[i], path)
		if err != nil {
			return nil, err
		}
		docs[i] = document{path, k, text}
	}
	return docs, nil
}

// encode writes a definition as JSON and makes sure that it can be read again:
// what is refused now cannot break an export later.
func encode[T any](definition *T, path string) (string, error) {
	text, err := json.Marshal(definition)
	if err != nil {
		return "", report.Problemf(path, "cannot be written as JSON: %v", err)
	}
	if problems := report.DecodeDraft(text, new(T)); len(problems) > 0 {
		return "", problems.Under(path)
	}
	return string(text), nil
}

// under puts the path of a Problem below a parent path.
func under(parent string, err error) error {
	if p, ok := err.(*report.Problem); ok {
		p.Path = report.JoinPath(parent, p.Path)
	}
	return err
}
