package htmlgen

import (
	"regexp"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// genericFamilies are names that every browser has a font for, and words that
// stand for another font.
var genericFamilies = []string{"serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "emoji", "inherit", "initial", "unset", "revert"}

// familyIn finds the families of CSS declarations.
var familyIn = regexp.MustCompile(`(?i)font-family\s*:\s*([^;}]+)`)

// asksOf warns of what CSS of an author asks of the browser that it does not have:
// fonts, and, unless the program has them in its place, the dictionaries by which
// words are divided.
func (c *Context) asksOf(css string, divides bool, warn func(format string, args ...any)) {
	c.namesFonts(css, warn)
	if !divides && dividesCSS.MatchString(css) {
		warn("hyphens: auto divides no words here, as the browser that prints has no dictionaries; the setting hyphens of texts, paragraphs, rich texts and data tables does")
	}
}

// namesFonts looks at the fonts that CSS of an author names.
func (c *Context) namesFonts(css string, warn func(format string, args ...any)) {
	if !strings.Contains(css, "font-family") {
		return
	}
	for _, found := range familyIn.FindAllStringSubmatch(css, -1) {
		c.namesFont(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(found[1]), "!important")), warn)
	}
}

// namesFont notes the families of a list that something of the report names, and
// warns when there is none of them: other letters than the author means would be
// printed, of another width.
func (c *Context) namesFont(list string, warn func(format string, args ...any)) {
	if list == "" || c.in.Glyphs == nil {
		return
	}
	var lacking []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.Trim(strings.TrimSpace(name), `"'`)
		lower := strings.ToLower(name)
		switch {
		case name == "":
		case slices.Contains(genericFamilies, lower), strings.HasPrefix(lower, "ui-"), strings.HasPrefix(lower, "var("):
			return
		case c.hasFaces(name):
			c.named[lower] = true
			return
		case c.in.Glyphs.Family(name) != "":
			c.elsewhere, c.installed = true, true
			return
		default:
			lacking = append(lacking, name)
		}
	}
	if len(lacking) == 0 {
		return
	}
	c.elsewhere = true
	hint := "; accepted: "
	own := c.families()
	if near := report.Nearest(lacking[0], append(slices.Clone(own), c.in.Glyphs.Families()...)); near != "" {
		hint = `; did you mean "` + near + `"? Also accepted: `
	}
	warn("there is no font %q, another is used%s%s", lacking[0], hint, strings.Join(own, ", "))
}

// hasFaces says whether the program or the workspace has a font of a family. The
// workspace is asked when the program has none.
func (c *Context) hasFaces(family string) bool {
	has := func(f FontFace) bool { return strings.EqualFold(f.Family, family) }
	if slices.ContainsFunc(c.faces, has) {
		return true
	}
	if c.in.OwnFonts == nil || c.askedOwn {
		return false
	}
	c.askedOwn = true
	own := c.in.OwnFonts()
	c.faces = append(slices.Clone(c.faces), own...)
	return slices.ContainsFunc(own, has)
}

// families are the names that a theme may choose from.
func (c *Context) families() []string {
	var names []string
	for _, f := range c.faces {
		if !slices.Contains(names, f.Family) && !isFallback(f.Family) {
			names = append(names, f.Family)
		}
	}
	return names
}

// isFallback says whether a family stands behind every other.
func isFallback(family string) bool { return strings.Contains(fallbackFamilies, `"`+family+`"`) }
