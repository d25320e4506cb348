package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var chartText = regexp.MustCompile(`<text[^>]*>([^<]*)</text>`)

// TestNothingIsLeftOutInSilence draws charts of every size, those of a cell too: what
// has no room is warned of, and nothing else is.
func TestNothingIsLeftOutInSilence(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 7))
	told := map[string]int{}
	for round := range 3000 {
		c, warned := months(Column, 1+r.IntN(3), false), ""
		c.Warn = func(message string) { warned += message + "\n" }
		c.Width, c.Height, c.Turned = 20+r.Float64()*600, 15+r.Float64()*380, r.IntN(2) == 0
		c.Legend, c.Base.Hidden = []string{"top", "right", "bottom", "left", "none"}[r.IntN(5)], r.IntN(4) == 0
		titles := 1
		if r.IntN(2) == 0 {
			c.Base.Title = "Branches"
			titles++
		}
		if r.IntN(3) == 0 && len(c.Series) > 1 {
			c.Series[0].Second, c.Second = true, Axis{Title: "Pieces", Min: math.NaN(), Max: math.NaN()}
			titles++
		}
		c.Base.Categories = nil
		long := r.IntN(2) == 0
		for i := range 1 + r.IntN(45) {
			name := string([]rune{'A' + rune(i/26), 'A' + rune(i%26)})
			if long {
				name += fmt.Sprintf("-%d", r.IntN(900))
			}
			c.Base.Categories = append(c.Base.Categories, name)
		}
		doc := string(c.Render())
		named := 0
		for _, m := range chartText.FindAllStringSubmatch(doc, -1) {
			begin, cut := strings.CutSuffix(m[1], "…")
			named += boolIndex(slices.ContainsFunc(c.Base.Categories, func(name string) bool { return m[1] == name || cut && strings.HasPrefix(name, begin) }))
		}
		_, legend, _ := strings.Cut(doc, `<g class="q-c-legend">`)
		entries := len(chartText.FindAllString(legend, -1)) - strings.Count(legend, ">+")
		for what, lacks := range map[string]bool{
			"entries of the legend":   legend != "" && entries < len(c.Series),
			"room for the legend":     legend == "" && c.Legend != "none",
			"the titles of":           strings.Count(doc, "q-c-title") < titles,
			"the names of":            !c.Base.Hidden && named < len(c.Base.Categories),
			"the labels of an axis\n": len(numbersOf(doc)) == 0,
		} {
			if what == "the labels of an axis\n" && c.Series[0].Second {
				continue // one of the axes may have them
			}
			if lacks != strings.Contains(warned, what) {
				t.Errorf("round %d, %.0f x %.0f, turned %v, legend %s: %s: lacking is %v, warned of %q", round, c.Width, c.Height, c.Turned, c.Legend, what, lacks, warned)
			}
			told[what] += boolIndex(lacks)
		}
		if t.Failed() {
			return
		}
	}
	for what, n := range told {
		if n == 0 {
			t.Errorf("there was always room for %s", what)
		}
	}
}

// numbersOf are the texts of a chart that are numbers.
func numbersOf(doc string) (list []string) {
	for _, m := range chartText.FindAllStringSubmatch(doc, -1) {
		if strings.Trim(m[1], "0123456789.,−") == "" {
			list = append(list, m[1])
		}
	}
	return list
}

// TestFourteenNamesBesideBarsAreAllThere: finding model B10, where a chart of 200
// pixels showed seven of them.
func TestFourteenNamesBesideBarsAreAllThere(t *testing.T) {
	for _, title := range []string{"", "Revenue"} {
		for _, legend := range []string{"none", "top", "right"} {
			c, warned := months(Column, 1, false), ""
			c.Turned, c.Height, c.Value.Title, c.Legend, c.Base.Categories = true, 200, title, legend, nil
			c.Warn = func(message string) { warned += message }
			for i := range 14 {
				c.Base.Categories = append(c.Base.Categories, fmt.Sprintf("Department of Agriculture, branch %d", i))
			}
			if n := labelled(c.Render(), "Depart"); n != 14 || warned != "" {
				t.Errorf("title %q, legend %s: %d names, %q", title, legend, n, warned)
			}
		}
	}
}

// TestNamesThatDifferInTheirEndAreToldOf, where the end is what has no room: nobody
// knows which is which.
func TestNamesThatDifferInTheirEndAreToldOf(t *testing.T) {
	for _, c := range []struct{ text, legend, categories string }{
		{"Revenue of the northern and the western region in %d", "2 texts of the legend", " categories"},
		{"%d: revenue of the northern and the western region", "", ""},
		{"In %d", "", ""},
	} {
		for _, turned := range []bool{false, true} {
			of, warned := months(Column, 3, false), ""
			of.Legend, of.Turned, of.Warn = "right", turned, func(message string) { warned += message + "\n" }
			for i := range of.Series {
				of.Series[i].Legend = fmt.Sprintf(c.text, 2000+i)
			}
			for i := range of.Base.Categories {
				of.Base.Categories[i] = fmt.Sprintf(c.text, 2000+i)
			}
			of.Render()
			for _, what := range []string{c.categories, c.legend} {
				if what != "" && !strings.Contains(warned, what+" are shortened to what another one says, too\n") {
					t.Errorf("%q, turned %t: %q", c.text, turned, warned)
				}
			}
			if c.legend == "" && warned != "" {
				t.Errorf("%q, turned %t: %q", c.text, turned, warned)
			}
		}
	}
}

// TestLabelsThatCountMayBeLeftOut, and names may not without a word.
func TestLabelsThatCountMayBeLeftOut(t *testing.T) {
	months := map[string]bool{"march": true, "april": true}
	for labels, want := range map[string]bool{
		"2019 2020 2021":                 true,
		"Q1 Q2 Q3 Q4":                    true,
		"2024-01 2024-02 2024-03":        true,
		"30|March 31|March 1|April":      true,
		"March April":                    true,
		"Week|9 Week|10 Week|11":         true,
		"30|May 31|May 1|June":           false, // no names of months here
		"AT DE CH":                       false,
		"SE-101 SE-77 SE-340":            false,
		"A B C":                          false,
		"12|March|2026|at|ten|o'clock 1": false,
	} {
		a := &axis{Axis: &Axis{Calendar: func(word string) bool { return months[word] }}}
		for label := range strings.FieldsSeq(labels) {
			a.Categories = append(a.Categories, strings.ReplaceAll(label, "|", " "))
		}
		p := &plot{}
		p.st.complete()
		if got := p.counting(a); got != want {
			t.Errorf("%s: %v", labels, got)
		}
	}
}

func TestNamesWithoutRoomAreSmallerOrWarnedOf(t *testing.T) {
	names := func(n int, turned bool, width, height float64) (doc, warned string) {
		c := months(Column, 1, false)
		c.Turned, c.Width, c.Height, c.Legend, c.Base.Categories = turned, width, height, "none", nil
		c.Warn = func(message string) { warned += message }
		for i := range n {
			c.Base.Categories = append(c.Base.Categories, fmt.Sprint("Branch of town ", i))
		}
		return string(c.Render()), warned
	}
	for _, test := range []struct {
		n             int
		turned        bool
		width, height float64
		size, angle   string // of the labels, where they are not the usual ones
		named         bool   // all of them
	}{
		{40, true, 400, 420, "7.", "", true},
		{80, true, 400, 420, "", "", false},
		{20, false, 420, 220, "", "rotate(-40)", true},
		{30, false, 420, 220, "10.", "rotate(-60)", true},
		{40, false, 420, 220, "7.", "rotate(-60)", true},
		{46, false, 420, 220, "7.", "rotate(-90)", true},
		{60, false, 420, 220, "", "rotate(-90)", false},
	} {
		doc, warned := names(test.n, test.turned, test.width, test.height)
		_, size, _ := strings.Cut(doc, "--chart-label-size:")
		if (test.size == "") != (size == "") || !strings.HasPrefix(size, test.size) || !strings.Contains(doc, test.angle) {
			t.Errorf("%+v: labels of %.6s, turned: %v", test, size, strings.Contains(doc, "rotate("))
		}
		got, want := labelled([]byte(doc), "Branch"), ""
		if got < test.n {
			want = fmt.Sprintf("there is no room for the names of %d of %d categories", test.n-got, test.n)
		}
		if warned != want || (got == test.n) != test.named {
			t.Errorf("%+v: %d names, %q", test, got, warned)
		}
	}
}
