package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report/text/internal/cldr"
)

// resolved is the data of a locale before what its parent has is taken away.
type resolved struct {
	fields map[cldr.Field]string
	lists  map[cldr.Field]map[string]string
}

// build reads every locale that CLDR covers at least basically.
func (s *source) build() (*cldr.Data, error) {
	tags, err := s.covered()
	if err != nil {
		return nil, err
	}
	all := map[string]*resolved{}
	for _, tag := range tags {
		if all[tag], err = s.resolve(tag); err != nil {
			return nil, fmt.Errorf("%s: %w", tag, err)
		}
	}
	parents, err := s.parents()
	if err != nil {
		return nil, err
	}
	d := &cldr.Data{Locales: map[string]*cldr.Locale{}}
	for _, tag := range tags {
		parent := nearest(tag, parents, all)
		d.Locales[tag] = &cldr.Locale{Parent: parent, Fields: difference(all[tag], all[parent])}
	}
	d.Globals, err = s.globals()
	return d, err
}

// covered are the tags of the locales that CLDR calls basic or better; the
// root is "und".
func (s *source) covered() ([]string, error) {
	levels, err := s.read("cldr-core", "coverageLevels.json")
	if err != nil {
		return nil, err
	}
	level := levels.at("effectiveCoverageLevels")
	dirs, err := os.ReadDir(filepath.Join(s.root, "cldr-numbers-full", "main"))
	if err != nil {
		return nil, err
	}
	tags := []string{}
	for _, d := range dirs {
		for t := d.Name(); t != ""; t = truncate(t) {
			if level.str(t) != "" || t == "und" {
				tags = append(tags, d.Name())
				break
			}
		}
	}
	return tags, nil
}

// truncate drops the last subtag.
func truncate(tag string) string {
	i := strings.LastIndexByte(tag, '-')
	return tag[:max(i, 0)]
}

func (s *source) parents() (node, error) {
	n, err := s.read("cldr-core", "supplemental", "parentLocales.json")
	return n.at("supplemental", "parentLocales", "parentLocale"), err
}

// nearest is the closest ancestor with data; the root has none.
func nearest(tag string, parents node, all map[string]*resolved) string {
	if tag == "und" {
		return ""
	}
	for {
		switch parent := parents.str(tag); {
		case parent == "root" || parent == "und":
			return "und"
		case parent != "":
			tag = parent
		default:
			tag = truncate(tag)
		}
		if tag == "" {
			return "und"
		}
		if all[tag] != nil {
			return tag
		}
	}
}

// difference keeps what the parent has not.
func difference(r, parent *resolved) map[cldr.Field]string {
	out := map[cldr.Field]string{}
	if parent == nil {
		parent = &resolved{}
	}
	for f, v := range r.fields {
		if pv, ok := parent.fields[f]; v != pv || !ok {
			out[f] = v
		}
	}
	for f, list := range r.lists {
		if d := listDifference(list, parent.lists[f]); d != "" {
			out[f] = d
		}
	}
	return out
}

// listDifference writes the entries that the parent has not, and an entry
// without value for each that only the parent has.
func listDifference(list, parent map[string]string) string {
	var items []string
	for _, k := range slices.Sorted(maps.Keys(list)) {
		if pv, ok := parent[k]; pv != list[k] || !ok {
			items = append(items, k+cldr.Sub+list[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(parent)) {
		if _, ok := list[k]; !ok {
			items = append(items, k+cldr.Sub)
		}
	}
	return strings.Join(items, cldr.Sep)
}

// resolve reads the files of a locale.
func (s *source) resolve(tag string) (*resolved, error) {
	r := &resolved{map[cldr.Field]string{}, map[cldr.Field]map[string]string{}}
	for _, read := range []func(string, *resolved) error{s.numbers, s.currencies, s.calendar, s.fieldNames, s.zoneNames} {
		if err := read(tag, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func join(items ...string) string { return strings.Join(items, cldr.Sep) }

// members are members of an object in an order, joined.
func (n node) members(names ...string) string {
	items := make([]string, len(names))
	for i, name := range names {
		items[i] = n.str(name)
	}
	return join(items...)
}
