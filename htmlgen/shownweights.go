package htmlgen

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// Which weights text may have is told by the names in style sheets alone: an
// element with a class that some rule makes bold may be bold. Too many are no
// harm.

const normalWeight = 400

// weightRules are the weights that style sheets give, by the class or tag that
// an element, or one around it, must have.
type weightRules struct {
	byName    map[string]map[int]bool
	variables map[string][]string // what variables may be
}

// everywhere is the name of what may match anything.
const everywhere = "*"

var (
	styleRule   = regexp.MustCompile(`([^{}]*)\{([^{}]*)\}`)
	declaration = regexp.MustCompile(`(?:^|[;{\s"])(--[A-Za-z0-9_-]+|font|font-weight)\s*:\s*([^;}"]*)`)
	varOf       = regexp.MustCompile(`^var\(\s*(--[A-Za-z0-9_-]+)\s*(?:,(.*))?\)$`)
	compound    = regexp.MustCompile(`^(\*|[a-z][a-z0-9]*)?((?:[.#][A-Za-z0-9_-]+)*)$`)
)

// boldTags are bold by themselves.
var boldTags = map[string][]int{"b": {700, 900}, "strong": {700, 900}, "h1": {700}, "h2": {700}, "h3": {700}, "h4": {700}, "h5": {700}, "h6": {700}, "th": {700}}

// anyWeight is all that there are.
var anyWeight = []int{100, 200, 300, 400, 500, 600, 700, 800, 900}

func weightRulesOf(sheets string) weightRules {
	r := weightRules{byName: map[string]map[int]bool{}, variables: map[string][]string{}}
	for tag, weights := range boldTags {
		r.add(tag, weights)
	}
	rules := styleRule.FindAllStringSubmatch(sheets, -1)
	for _, rule := range rules {
		r.learn(rule[2])
	}
	for _, rule := range rules {
		weights := r.declared(rule[2])
		if len(weights) == 0 {
			continue
		}
		for _, selector := range outside(rule[1], ',') {
			r.add(nameIn(selector), weights)
		}
	}
	return r
}

func (r *weightRules) add(name string, weights []int) {
	if r.byName[name] == nil {
		r.byName[name] = map[int]bool{}
	}
	for _, w := range weights {
		r.byName[name][w] = true
	}
}

// learn notes what variables are set to.
func (r *weightRules) learn(declarations string) {
	for _, m := range declaration.FindAllStringSubmatch(declarations, -1) {
		if name, value := m[1], strings.TrimSpace(m[2]); strings.HasPrefix(name, "--") {
			r.variables[name] = append(r.variables[name], value)
		}
	}
}

// declared are the weights that declarations give.
func (r *weightRules) declared(declarations string) []int {
	var weights []int
	for _, m := range declaration.FindAllStringSubmatch(declarations, -1) {
		switch value := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(m[2]), "!important")); m[1] {
		case "font-weight":
			weights = append(weights, r.weightsOf(value, map[string]bool{})...)
		case "font":
			if value != "inherit" {
				weights = append(weights, anyWeight...)
			}
		}
	}
	return weights
}

// mostAsked is how many variables are followed for one value.
const mostAsked = 100

// weightsOf are the weights that a value may stand for. Each variable is asked once.
func (r *weightRules) weightsOf(value string, asked map[string]bool) []int {
	switch value {
	case "", "inherit", "unset":
		return nil
	case "normal", "initial":
		return []int{normalWeight}
	case "bold":
		return []int{700}
	case "bolder":
		return []int{400, 700, 900}
	case "lighter":
		return []int{100, 400, 700}
	}
	if n, err := strconv.Atoi(value); err == nil {
		return []int{n}
	}
	m := varOf.FindStringSubmatch(value)
	if m == nil || len(asked) > mostAsked {
		return anyWeight
	}
	if asked[value] {
		return nil
	}
	asked[value] = true
	weights := r.weightsOf(strings.TrimSpace(m[2]), asked)
	for _, v := range r.variables[m[1]] {
		if weights = append(weights, r.weightsOf(v, asked)...); len(asked) > mostAsked {
			return anyWeight
		}
	}
	return weights
}

// nameIn is a class or tag that what a selector matches has, or that is around it.
func nameIn(selector string) string {
	selector = strings.TrimSpace(strings.ReplaceAll(selector, ">", " > "))
	if strings.ContainsAny(selector, "+~[") {
		return everywhere
	}
	for _, part := range slices.Backward(outside(selector, ' ')) {
		part, _, _ = strings.Cut(part, ":")
		m := compound.FindStringSubmatch(part)
		switch {
		case m == nil:
			continue // ">"
		case m[2] != "" && m[2] != ".q-el": // which every component has
			return m[2][strings.LastIndexAny(m[2], ".#"):]
		case m[1] != "" && m[1] != "*":
			return m[1]
		}
	}
	return everywhere
}

// of are the weights that an element may give to its text.
func (r *weightRules) of(n *html.Node) map[int]bool {
	found := map[int]bool{}
	note := func(weights map[int]bool) {
		for w := range weights {
			found[w] = true
		}
	}
	note(r.byName[n.Data])
	if n.Data == "body" {
		note(r.byName[everywhere])
		note(r.byName["html"])
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "class":
			for class := range strings.FieldsSeq(a.Val) {
				note(r.byName["."+class])
			}
		case "id":
			note(r.byName["#"+a.Val])
		case "style":
			for _, w := range r.declared(a.Val) {
				found[w] = true
			}
		case "font-weight":
			for _, w := range r.weightsOf(a.Val, map[string]bool{}) {
				found[w] = true
			}
		}
	}
	return found
}

// nearestFace is the weight of the face that is taken for a weight, of those that a
// family has in a style: https://www.w3.org/TR/css-fonts-4/#font-style-matching.
func nearestFace(weight int, style string, family []FontFace) string {
	best, rank := "", 0
	for i := range family {
		f := &family[i]
		if f.Style != style {
			continue
		}
		low, high := weightRange(f.Weight)
		if r := distance(weight, low, high); best == "" || r < rank {
			best, rank = f.Weight, r
		}
	}
	return best
}

func weightRange(s string) (low, high int) {
	from, to, isRange := strings.Cut(s, " ")
	low, _ = strconv.Atoi(from)
	if high = low; isRange {
		high, _ = strconv.Atoi(to)
	}
	return low, high
}

// distance ranks a face for a weight: the least is taken.
func distance(weight, low, high int) int {
	const other = 1000 // what is on the other side comes after all on the one
	switch {
	case low <= weight && weight <= high:
		return 0
	case weight >= 400 && weight <= 500:
		switch {
		case low > weight && low <= 500:
			return low - weight
		case high < weight:
			return other + weight - high
		}
		return 2*other + low - weight
	case weight < 400:
		if high < weight {
			return weight - high
		}
		return other + low - weight
	}
	if low > weight {
		return low - weight
	}
	return other + weight - high
}
