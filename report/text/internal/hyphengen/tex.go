package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// source is a file of patterns.
type source struct {
	header      string // the comments before the patterns
	left, right int
	patterns    []string
	exceptions  []string
}

var (
	comment = regexp.MustCompile(`(?m)%.*$`)
	least   = regexp.MustCompile(`(?s)typesetting:\s*%\s*left:\s*(\d+)[^\n]*\n%\s*right:\s*(\d+)`)
	input   = regexp.MustCompile(`\\input\s+(\S+\.tex)`)
	block   = regexp.MustCompile(`(?s)\\(patterns|hyphenation)\s*\{(.*?)\}`)
)

// fewest is how many letters stay at an end of a word: a single one is no line's end.
const fewest = 2

func readSource(from, name string) (*source, error) {
	content, err := os.ReadFile(filepath.Join(from, "hyph-"+name+".tex"))
	if err != nil {
		return nil, err
	}
	s := &source{left: fewest, right: fewest}
	s.header, _, _ = strings.Cut(string(content), `\`)
	if m := least.FindStringSubmatch(s.header); m != nil {
		s.left, _ = strconv.Atoi(m[1])
		s.right, _ = strconv.Atoi(m[2])
		s.left, s.right = max(s.left, fewest), max(s.right, fewest)
	}
	tex := comment.ReplaceAllString(string(content), "")
	if m := input.FindStringSubmatch(tex); m != nil {
		inner, err := readSource(from, strings.TrimSuffix(strings.TrimPrefix(m[1], "hyph-"), ".tex"))
		if err != nil {
			return nil, err
		}
		s.header += "\n" + inner.header
		s.patterns = inner.patterns
	}
	for _, m := range block.FindAllStringSubmatch(tex, -1) {
		words := strings.Fields(m[2])
		if m[1] == "patterns" {
			s.patterns = append(s.patterns, words...)
		} else {
			s.exceptions = append(s.exceptions, words...)
		}
	}
	if len(s.patterns) == 0 {
		return nil, fmt.Errorf("hyph-%s.tex has no patterns", name)
	}
	for _, p := range slices.Concat(s.patterns, s.exceptions) {
		if strings.ContainsAny(p, `\^{}`) {
			return nil, fmt.Errorf("hyph-%s.tex: %q is written in TeX", name, p)
		}
	}
	return s, nil
}

// content is the file as package hyphen reads it.
func (s *source) content() string {
	slices.SortFunc(s.patterns, func(a, b string) int { return strings.Compare(letters(a), letters(b)) })
	return fmt.Sprintf("%d %d\n%s\n%s", s.left, s.right, strings.Join(slices.Compact(s.patterns), " "), strings.Join(s.exceptions, " "))
}

// letters are those of a pattern without its levels: in their order there is least
// to do when it is read.
func letters(pattern string) string { return digits.ReplaceAllString(pattern, "") }

var digits = regexp.MustCompile(`[0-9]`)
