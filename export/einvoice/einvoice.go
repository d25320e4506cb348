// Package einvoice makes the electronic invoice that goes with a PDF: an object of
// a report's data in, XML of the profiles of Factur-X (which is ZUGFeRD) out. It
// computes every sum anew, without floating point, and refuses what a profile does
// not accept; it knows neither reports nor PDF.
package einvoice

import (
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
)

// Profile is how much an invoice says.
type Profile struct {
	Name  string // in definitions
	Level string // what the description of a PDF calls it
	File  string // name of the XML in a PDF
	// Version is that of the specification which the description of a PDF names.
	Version string
	// Whole says that the XML says all that the pages say; otherwise it is data for
	// who enters the invoice, and no invoice.
	Whole bool

	guideline string
	depth     depth
	xrechnung bool
}

// depth is from which profile on something is written.
type depth int

const (
	minimum depth = iota
	basicWL
	basic
	full
	extended
)

// Profiles are those of Factur-X 1.07, from the shortest to the longest, and the
// German reference profile.
func Profiles() []Profile {
	return []Profile{
		{Name: "minimum", Level: "MINIMUM", guideline: "urn:factur-x.eu:1p0:minimum", depth: minimum},
		{Name: "basic-wl", Level: "BASIC WL", guideline: "urn:factur-x.eu:1p0:basicwl", depth: basicWL},
		{Name: "basic", Level: "BASIC", guideline: "urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic", depth: basic, Whole: true},
		{Name: "en16931", Level: "EN 16931", guideline: "urn:cen.eu:en16931:2017", depth: full, Whole: true},
		{Name: "extended", Level: "EXTENDED", guideline: "urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended", depth: extended, Whole: true},
		{
			Name: "xrechnung", Level: "XRECHNUNG", File: "xrechnung.xml", Version: "3.0", guideline: "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
			depth: full, Whole: true, xrechnung: true,
		},
	}
}

// ProfileOf finds a profile by its name in definitions.
func ProfileOf(name string) (Profile, error) {
	all := Profiles()
	at := slices.IndexFunc(all, func(p Profile) bool { return p.Name == name })
	if at < 0 {
		names := make([]string, len(all))
		for i := range all {
			names[i] = all[i].Name
		}
		return Profile{}, report.Problemf("profile", "unknown profile %q; accepted: %s", name, strings.Join(names, ", "))
	}
	p := all[at]
	if p.File == "" {
		p.File, p.Version = "factur-x.xml", "1.0"
	}
	return p, nil
}

// XML writes an invoice, an object of a report's data, in a profile. What the
// profile does not accept are problems, with the path as the place of the object.
func XML(value any, p Profile, path string) ([]byte, error) {
	in, problems := read(value, path)
	if len(problems) > 0 {
		return nil, problems
	}
	c := checker{in: in, profile: p, path: path}
	c.sums()
	c.rules()
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return c.document(), nil
}
