package hyphen

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// trie is the patterns of a language. The children of a node stand side by side in
// the order of their letters.
type trie struct {
	nodes  []node
	levels []uint8              // of all patterns, one after the other
	first  map[rune]int32       // where a letter leads from the root
	ascii  [utf8.RuneSelf]int32 // the same for letters of ASCII; 0 is nowhere
	known  map[rune]bool
}

// node is a letter within patterns.
type node struct {
	letter   rune
	children int32 // where the first stands
	levels   int32 // where those of the pattern that ends here begin
	count    uint16
	size     uint8 // of the levels; 0 where no pattern ends
}

// pattern is letters and the levels before, between and after them.
type pattern struct {
	letters []rune
	levels  []uint8
}

// patterns reads patterns as TeX writes them: ".ab3a". Their letters and levels share
// two arrays.
func patterns(list []string) []pattern {
	size := 0
	for _, s := range list {
		size += len(s) + 1
	}
	letters, levels := make([]rune, 0, size), make([]uint8, 0, size)
	all := make([]pattern, 0, len(list))
	for _, s := range list {
		from, at := len(letters), len(levels)
		levels = append(levels, 0)
		for _, r := range s {
			if r >= '0' && r <= '9' {
				levels[len(levels)-1] = uint8(r - '0')
				continue
			}
			letters, levels = append(letters, r), append(levels, 0)
		}
		if from < len(letters) {
			all = append(all, pattern{letters[from:len(letters):len(letters)], levels[at:len(levels):len(levels)]})
		}
	}
	slices.SortFunc(all, func(a, b pattern) int { return slices.Compare(a.letters, b.letters) })
	return all
}

// newTrie makes the trie of a list of patterns.
func newTrie(list []string) trie {
	t := trie{nodes: make([]node, 1, 4*len(list)+1), first: map[rune]int32{}, known: map[rune]bool{}}
	t.fill(0, patterns(list), 0)
	root := t.nodes[0]
	for i := root.children; i < root.children+int32(root.count); i++ {
		if r := t.nodes[i].letter; r < utf8.RuneSelf {
			t.ascii[r] = i
		} else {
			t.first[r] = i
		}
	}
	for i := range t.nodes[1:] {
		t.known[t.nodes[i+1].letter] = true
	}
	return t
}

// fill gives a node the children that sorted patterns have behind so many letters.
func (t *trie) fill(at int32, sorted []pattern, depth int) {
	for len(sorted) > 0 && len(sorted[0].letters) == depth {
		t.nodes[at].levels, t.nodes[at].size = int32(len(t.levels)), uint8(len(sorted[0].levels))
		t.levels = append(t.levels, sorted[0].levels...)
		sorted = sorted[1:]
	}
	first := int32(len(t.nodes))
	for i := range sorted {
		if i == 0 || sorted[i].letters[depth] != sorted[i-1].letters[depth] {
			t.nodes = append(t.nodes, node{letter: sorted[i].letters[depth]})
		}
	}
	t.nodes[at].children, t.nodes[at].count = first, uint16(int32(len(t.nodes))-first)
	for child := first; len(sorted) > 0; child++ {
		n := 1
		for n < len(sorted) && sorted[n].letters[depth] == sorted[0].letters[depth] {
			n++
		}
		t.fill(child, sorted[:n], depth+1)
		sorted = sorted[n:]
	}
}

// knows says whether a letter stands in a pattern.
func (t *trie) knows(r rune) bool {
	if r > 0 && r < utf8.RuneSelf && t.ascii[r] != 0 {
		return true
	}
	return t.known[r]
}

// raise raises levels to those of the patterns with which letters begin.
func (t *trie) raise(letters []rune, levels []uint8) {
	at := int32(0)
	if r := letters[0]; r < utf8.RuneSelf {
		at = t.ascii[r]
	} else {
		at = t.first[r]
	}
	for i := 1; at != 0; i++ {
		n := &t.nodes[at]
		for j, level := range t.levels[n.levels : n.levels+int32(n.size)] {
			levels[j] = max(levels[j], level)
		}
		if i == len(letters) {
			return
		}
		at = t.child(n, letters[i])
	}
}

// child is where a letter leads from a node; 0 is nowhere.
func (t *trie) child(n *node, r rune) int32 {
	children := t.nodes[n.children : n.children+int32(n.count)]
	low, high := 0, len(children)
	for low < high {
		middle := (low + high) / 2
		if children[middle].letter < r {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(children) && children[low].letter == r {
		return n.children + int32(low)
	}
	return 0
}

// parseException reads a word of an exception: "ta-ble".
func parseException(s string) (word string, places []int) {
	parts := strings.Split(s, "-")
	at := 0
	for _, p := range parts[:len(parts)-1] {
		at += utf8.RuneCountInString(p)
		places = append(places, at)
	}
	return strings.Join(parts, ""), places
}
