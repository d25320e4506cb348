package report

import "fmt"

// upgrades bring a definition of an older format up to date, one version at a
// time: upgrades[n] turns version n+1 into version n+2. Version 1 is the first,
// so the list is empty; a change of the format appends its step here together
// with a file of the older format in testdata/upgrade.
var upgrades []func(*Object)

// upgrade brings a parsed definition to the current version. A missing version
// means the current one.
func upgrade(value any) Problems {
	doc, ok := value.(*Object)
	if !ok {
		return nil // the decoder says what is wrong
	}
	given, ok := doc.Get("version")
	if !ok || given == nil {
		doc.Set("version", int64(Version))
		return nil
	}
	n, err := toFloat(given)
	if err != nil || n < 1 || n != float64(int(n)) {
		return Problems{Problemf("version", "must be a whole number from 1 to %d, not %s", Version, describe(given))}
	}
	if n > Version {
		return Problems{Problemf("version", "the file has format version %v; this program reads up to %d, so a newer Quire is needed", given, Version)}
	}
	for _, step := range upgrades[int(n)-1:] {
		step(doc)
	}
	doc.Set("version", int64(Version))
	return nil
}

// Parse reads a definition: a Report, Theme, Template or any other struct of
// this package, upgraded to the current version when it has one.
func Parse[T any](doc []byte) (*T, Problems) {
	value, err := ParseValue(doc)
	if err != nil {
		return nil, asProblems(err)
	}
	var t T
	if versioned(&t) {
		if problems := upgrade(value); problems != nil {
			return nil, problems
		}
	}
	if _, ok := value.(*Object); !ok {
		return nil, Problems{Problemf("", "must be an object, not %s", describe(value))}
	}
	return &t, AssignInto(value, &t, "")
}

func versioned(t any) bool {
	switch t.(type) {
	case *Report, *Workspace:
		return true
	}
	return false
}

// ParseReport reads a report file and checks what can be checked without
// knowing the element types: identities and codes.
func ParseReport(doc []byte) (*Report, Problems) {
	r, problems := Parse[Report](doc)
	if r == nil {
		return nil, problems
	}
	return r, append(problems, r.check()...)
}

// check finds doubled identities.
func (r *Report) check() Problems {
	var problems Problems
	pages := map[int]bool{}
	for i := range r.Pages {
		p := &r.Pages[i]
		at := fmt.Sprintf("pages[%d]", i)
		if p.ID == 0 {
			p.ID = r.nextPageID()
		}
		if p.ID < 0 || pages[p.ID] {
			problems = append(problems, Problemf(at+".id", "page id %d is used twice or negative; every page needs its own", p.ID))
		}
		pages[p.ID] = true
	}
	problems = append(problems, doubled("dataSources", r.DataSources, func(s SourceUse) string { return firstOf(s.Name, s.Reuse) })...)
	return append(problems, doubled("parameters", r.Parameters, func(p ParameterUse) string { return firstOf(p.Name, p.Reuse) })...)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// nextPageID is the number after the highest in use.
func (r *Report) nextPageID() int {
	highest := 0
	for i := range r.Pages {
		highest = max(highest, r.Pages[i].ID)
	}
	return highest + 1
}

// doubled finds names that stand twice in a list.
func doubled[T any](list string, items []T, name func(T) string) Problems {
	var problems Problems
	seen := map[string]bool{}
	for i, item := range items {
		n := name(item)
		at := fmt.Sprintf("%s[%d].name", list, i)
		if n == "" {
			problems = append(problems, Problemf(at, `"name" is missing`))
		} else if seen[n] {
			problems = append(problems, Problemf(at, "the name %q stands twice", n))
		}
		seen[n] = true
	}
	return problems
}
