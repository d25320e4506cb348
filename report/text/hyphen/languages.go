package hyphen

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

//go:embed patterns.zip
var patternsFile []byte

// archive is the patterns: a file for each language, with the two least numbers of
// letters in its first line, the patterns in its second, the exceptions in its third.
var archive = sync.OnceValue(func() *zip.Reader {
	r, err := zip.NewReader(bytes.NewReader(patternsFile), int64(len(patternsFile)))
	if err != nil {
		panic(err) // the file is part of the binary
	}
	return r
})

// read keeps the hyphenators of For.
var read struct {
	sync.Mutex
	byName map[string]*Hyphenator
}

// Languages are the names of the patterns that there are, as tags of BCP 47.
func Languages() []string {
	var names []string
	for _, f := range archive().File {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// For is the hyphenator of a language, by its BCP 47 tag; nil when there are no
// patterns for it, or none for its script.
func For(tag string) *Hyphenator {
	name := nameFor(tag)
	if name == "" {
		return nil
	}
	read.Lock()
	defer read.Unlock()
	if h, ok := read.byName[name]; ok {
		return h
	}
	if read.byName == nil {
		read.byName = map[string]*Hyphenator{}
	}
	var h *Hyphenator
	for _, f := range archive().File {
		if f.Name == name {
			h = mustRead(f)
		}
	}
	read.byName[name] = h
	return h
}

// american are the regions in which English is divided as in the United States:
// by sound rather than by the parts of a word.
var american = []string{"US", "CA", "PR", "PH", "VI", "GU", "AS", "MP", "UM", "LR"}

// nameFor is the name under which patterns for a tag stand; "" when there are none.
func nameFor(tag string) string {
	t, err := language.Parse(strings.ReplaceAll(tag, "_", "-"))
	if err != nil {
		return ""
	}
	base, sure := t.Base()
	if sure != language.Exact {
		return ""
	}
	name := base.String()
	script, _ := t.Script()
	switch {
	case name == "zh" && script.String() == "Latn":
		return "zh-Latn"
	case name != "sa" && name != "cop" && !ownScript(base, script):
		return ""
	case name == "no":
		return "nb"
	case name == "en":
		region, _ := t.Region()
		if !slices.Contains(american, region.String()) {
			return "en-GB"
		}
	case name == "el" && slices.ContainsFunc(t.Variants(), func(v language.Variant) bool { return v.String() == "polyton" }):
		return "el-polyton"
	}
	return name
}

// ownScript says whether a script is the one that a language is written in unless
// somebody says otherwise.
func ownScript(base language.Base, script language.Script) bool {
	usual, err := language.Compose(base)
	if err != nil {
		return false
	}
	own, _ := usual.Script()
	return own == script
}

func mustRead(f *zip.File) *Hyphenator {
	r, err := f.Open()
	if err != nil {
		panic(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	h, err := parse(string(content))
	if err != nil {
		panic(fmt.Errorf("%s: %w", f.Name, err))
	}
	return h
}

// parse reads a file of the archive.
func parse(content string) (*Hyphenator, error) {
	lines := strings.SplitN(content, "\n", 3)
	if len(lines) < 3 {
		return nil, fmt.Errorf("%d lines instead of three", len(lines))
	}
	h := &Hyphenator{exceptions: map[string][]int{}}
	if _, err := fmt.Sscan(lines[0], &h.left, &h.right); err != nil || h.left < 1 || h.right < 1 {
		return nil, fmt.Errorf("%q are not two numbers of letters", lines[0])
	}
	h.trie = newTrie(strings.Fields(lines[1]))
	for _, s := range strings.Fields(lines[2]) {
		word, places := parseException(s)
		h.exceptions[word] = slices.DeleteFunc(places, func(at int) bool { return at < h.left || at > len([]rune(word))-h.right })
	}
	h.apostrophe = h.trie.knows('\'') || h.trie.knows('’')
	return h, nil
}
