// Package opctest looks in tests for what is wrong with the package of an Office file,
// whatever is in it: parts without a type, relationships that lead nowhere, parts that
// nothing leads to, what is no XML, and axes of charts that do not meet.
package opctest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strings"
	"testing"
)

const (
	relationNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	typesPart         = "/[Content_Types].xml"
)

// Parts reads the parts of a package by their names, which begin with a slash.
func Parts(t testing.TB, content []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, entry := range r.File {
		opened, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		name := "/" + entry.Name
		if _, twice := parts[name]; twice || strings.Contains(name, "//") || strings.Contains(name, "..") || strings.Contains(name, `\`) {
			t.Errorf("%s is there twice, or is no name of a part", name)
		}
		parts[name] = string(text)
	}
	return parts
}

// Faults are what is wrong with a package.
func Faults(parts map[string]string) []string {
	f := &finder{parts: parts, related: map[string]map[string]bool{}, led: map[string]bool{typesPart: true}}
	f.types()
	for name := range parts {
		if strings.HasSuffix(name, ".rels") {
			f.relations(name)
		}
	}
	for name := range parts {
		switch {
		case strings.HasSuffix(name, ".xml"):
			f.part(name)
			fallthrough
		case !strings.HasSuffix(name, ".rels"):
			if !f.led[name] {
				f.fault("nothing leads to %s", name)
			}
		}
	}
	return f.faults
}

type finder struct {
	parts   map[string]string
	related map[string]map[string]bool // ids of relationships by the part that has them
	led     map[string]bool            // parts that something leads to
	faults  []string
}

func (f *finder) fault(format string, values ...any) {
	f.faults = append(f.faults, fmt.Sprintf(format, values...))
}

// each reads the elements of a part; Go's reader knows the characters of XML.
func (f *finder) each(name string, element func(e xml.StartElement), end func(name string)) {
	d := xml.NewDecoder(strings.NewReader(f.parts[name]))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			f.fault("%s: %v", name, err)
			return
		}
		switch token := token.(type) {
		case xml.StartElement:
			seen := map[xml.Name]bool{}
			for _, a := range token.Attr {
				if seen[a.Name] {
					f.fault("%s: %s has %s twice", name, token.Name.Local, a.Name.Local)
				}
				seen[a.Name] = true
			}
			element(token)
		case xml.EndElement:
			if end != nil {
				end(token.Name.Local)
			}
		}
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// types looks whether each part has a type, and only one.
func (f *finder) types() {
	endings, named := map[string]bool{}, map[string]bool{}
	f.each(typesPart, func(e xml.StartElement) {
		switch e.Name.Local {
		case "Default":
			if ending := strings.ToLower(attr(e, "Extension")); endings[ending] {
				f.fault("%s has two types", ending)
			} else {
				endings[ending] = true
			}
		case "Override":
			part := attr(e, "PartName")
			if named[part] {
				f.fault("%s has two types", part)
			}
			named[part] = true
			if _, there := f.parts[part]; !there {
				f.fault("%s has a type, and is not there", part)
			}
		}
	}, nil)
	for name := range f.parts {
		if name != typesPart && !named[name] && !endings[strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))] {
			f.fault("%s has no type", name)
		}
	}
}

// relations looks where the relationships of a part lead.
func (f *finder) relations(name string) {
	folder, file := path.Split(name)
	of := path.Join(path.Dir(path.Clean(folder)), strings.TrimSuffix(file, ".rels"))
	if _, there := f.parts[of]; !there && name != "/_rels/.rels" {
		f.fault("%s are relationships of nothing", name)
	}
	ids := map[string]bool{}
	f.each(name, func(e xml.StartElement) {
		if e.Name.Local != "Relationship" {
			return
		}
		id, target := attr(e, "Id"), attr(e, "Target")
		if ids[id] || id == "" || attr(e, "Type") == "" {
			f.fault("%s has %q twice, or without a type", name, id)
		}
		ids[id] = true
		if attr(e, "TargetMode") == "External" {
			return
		}
		if !strings.HasPrefix(target, "/") {
			target = path.Join(path.Dir(of), target)
		}
		if _, there := f.parts[target]; !there {
			f.fault("%s leads to %s, which is not there", name, target)
		}
		f.led[target] = true
	}, nil)
	f.related[of] = ids
}

// part looks at what is in a part: that it refers to relationships that are there, and,
// of a chart, that its axes meet.
func (f *finder) part(name string) {
	a := axes{crosses: map[string]string{}}
	f.each(name, func(e xml.StartElement) {
		for _, of := range e.Attr {
			if of.Name.Space == relationNamespace && !f.related[name][of.Value] {
				f.fault("%s refers to %q, which is no relationship", name, of.Value)
			}
		}
		a.open(e)
	}, a.close)
	for _, fault := range a.faults() {
		f.fault("%s: %s", name, fault)
	}
}

// axes are those of a chart.
type axes struct {
	within  []string
	id      string
	own     []string // of a plot
	plots   [][]string
	kinds   []string
	crosses map[string]string
}

func (a *axes) open(e xml.StartElement) {
	parent := ""
	if n := len(a.within); n > 0 {
		parent = a.within[n-1]
	}
	switch e.Name.Local {
	case "axId":
		if strings.HasSuffix(parent, "Ax") {
			a.id = attr(e, "val")
			if _, twice := a.crosses[a.id]; twice {
				a.crosses[a.id] = "itself, for there are two of it"
			} else {
				a.crosses[a.id] = ""
			}
		} else {
			a.own = append(a.own, attr(e, "val"))
		}
	case "crossAx":
		a.crosses[a.id] = attr(e, "val")
	}
	a.within = append(a.within, e.Name.Local)
}

func (a *axes) close(name string) {
	a.within = a.within[:len(a.within)-1]
	if strings.HasSuffix(name, "Chart") && len(a.within) > 0 && a.within[len(a.within)-1] == "plotArea" {
		a.plots, a.kinds, a.own = append(a.plots, a.own), append(a.kinds, name), nil
	}
}

func (a *axes) faults() (list []string) {
	for id, other := range a.crosses {
		if a.crosses[other] != id {
			list = append(list, fmt.Sprintf("the axis %s crosses %q, which crosses %q", id, other, a.crosses[other]))
		}
	}
	for i, own := range a.plots {
		round := a.kinds[i] == "pieChart" || a.kinds[i] == "doughnutChart"
		if round && len(own) > 0 || !round && (len(own) != 2 || a.crosses[own[0]] != own[1]) {
			list = append(list, fmt.Sprintf("a %s has the axes %v", a.kinds[i], own))
		}
	}
	return list
}
