// Package symbol draws bar codes and QR codes: a text goes in, modules and
// static SVG come out. Each symbology is a file and a line in Formats. It knows
// nothing of reports.
package symbol

import (
	"fmt"
	"strings"
)

// Format is a bar code symbology.
type Format struct {
	Name    string // as reports say it: "EAN13"
	Accepts string // what it can hold, for messages

	encode func(text string) (*Bars, error)
}

// Formats lists the symbologies.
func Formats() []Format {
	return []Format{
		{"CODE128", "up to 80 ASCII characters", encodeCode128},
		{"CODE128A", "up to 80 capitals, digits, punctuation and control characters", encodeCode128A},
		{"CODE128B", "up to 80 printable ASCII characters", encodeCode128B},
		{"CODE128C", "an even number of digits, up to 160", encodeCode128C},
		{"GS1-128", "application identifiers in parentheses, such as (01)09501101530003(10)AB-123", encodeGS1},
		{"CODE39", "up to 80 capitals, digits, blanks and - . $ / + %", encodeCode39},
		{"CODE93", "up to 80 ASCII characters", encodeCode93},
		{"EAN13", "12 or 13 digits, the last the check digit, and perhaps + with the 2 or 5 digits of an add-on", withAddOn(encodeEAN13)},
		{"EAN8", "7 or 8 digits, the last the check digit, and perhaps + with the 2 or 5 digits of an add-on", withAddOn(encodeEAN8)},
		{"UPC-A", "11 or 12 digits, the last the check digit, and perhaps + with the 2 or 5 digits of an add-on", withAddOn(encodeUPCA)},
		{"UPC-E", "6 to 8 digits: the number system 0 or 1 and the check digit may be left out, and perhaps + with the 2 or 5 digits of an add-on", withAddOn(encodeUPCE)},
		{"ISBN", "the number of a book with 10 or 13 digits, with or without hyphens, and perhaps + with the 2 or 5 digits of an add-on", withAddOn(encodeISBN)},
		{"ITF", "an even number of digits, up to 80", encodeITF},
		{"ITF14", "13 or 14 digits, the last the check digit", encodeITF14},
		{"MSI", "up to 40 digits", encodeMSI},
		{"MSI10", "up to 40 digits, a check digit is added", encodeMSI10},
		{"MSI11", "up to 40 digits, a check digit is added", encodeMSI11},
		{"MSI1010", "up to 40 digits, two check digits are added", encodeMSI1010},
		{"MSI1110", "up to 40 digits, two check digits are added", encodeMSI1110},
		{"Pharmacode", "a whole number from 3 to 131070", encodePharmacode},
		{"Codabar", "up to 60 digits and - $ : / . +, with start and stop letters A to D if they matter", encodeCodabar},
		{"Intelligent Mail", "the 20 digits of the tracking code and perhaps the 5, 9 or 11 of the ZIP code", encodeIMail},
		{"RM4SCC", "up to 9 capitals and digits: a postcode of the Royal Mail and its delivery point, such as SN34RD1A", encodeRM4SCC},
		{"KIX", "a Dutch postcode, a number of up to 5 digits, and perhaps X and up to 6 capitals and digits, such as 2500GG30250XA", encodeKIX},
		{"Australia Post", "a format (11, 45, 59, 62, 87 or 92), the 8 digits of a delivery point, and with 59 or 62 information of the customer", encodeAusPost},
	}
}

// Bars is an encoded bar code.
type Bars struct {
	// Modules is the code from left to right in units of its narrowest bar: '1'
	// is dark. Quiet zones are not part of it.
	Modules string
	// Quiet is how many modules must stay light on the left and on the right.
	Quiet [2]int
	// Text is what stands below the bars.
	Text string
	// Groups place parts of the text below parts of the code, as retail codes
	// have it; without groups the text stands as one.
	Groups []Group
	// Above is what stands above the bars.
	Above string
	// AddOn is the code to the right of a retail code: its modules and its text,
	// which stands above it. One without text is none.
	AddOn Group
	// Bearer reports whether bars above and below frame the code.
	Bearer bool
	// Post is the code of a post, which has no modules.
	Post *Post
}

// Group is a part of the text and the modules it stands below. From and To may
// lie in the quiet zones.
type Group struct {
	Text     string
	From, To int
}

// guard reports whether a module belongs to a bar that reaches down between the
// groups of the text.
func (b *Bars) guard(module int) bool {
	if len(b.Groups) == 0 || b.added(module) {
		return false
	}
	for _, g := range b.Groups {
		if module >= g.From && module < g.To {
			return false
		}
	}
	return true
}

// added reports whether a module belongs to the add-on.
func (b *Bars) added(module int) bool { return b.AddOn.Text != "" && module >= b.AddOn.From }

// maxText bounds what is looked at, in bytes.
const maxText = 400

// Encode encodes a text in the symbology of a name, in which case, blanks and
// hyphens do not matter. The error says what is wrong and what is accepted.
func Encode(format, text string) (*Bars, error) {
	f, err := find(format)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, fmt.Errorf("%s: the text is empty; it takes %s", f.Name, f.Accepts)
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("%s: the text is %d characters long; it takes %s", f.Name, len(text), f.Accepts)
	}
	bars, err := f.encode(text)
	if err != nil {
		return nil, fmt.Errorf("%s takes %s: %w", f.Name, f.Accepts, err)
	}
	return bars, nil
}

func find(name string) (*Format, error) {
	list := Formats()
	var names []string
	for i := range list {
		if plainName(list[i].Name) == plainName(name) {
			return &list[i], nil
		}
		names = append(names, list[i].Name)
	}
	return nil, fmt.Errorf("unknown bar code format %q; accepted: %s", name, strings.Join(names, ", "))
}

func plainName(name string) string {
	return strings.NewReplacer("-", "", " ", "", "_", "").Replace(strings.ToUpper(name))
}

// unspaced is a number without the blanks and hyphens that part it for people.
func unspaced(text string) string { return strings.NewReplacer(" ", "", "-", "").Replace(text) }

// digits checks that a text is digits only and reports the first that is none.
func digits(text string) error {
	for _, r := range text {
		if r < '0' || r > '9' {
			return fmt.Errorf("%q is no digit", r)
		}
	}
	return nil
}

// runs writes alternating bars and spaces of the widths given, a bar first.
func runs(b *strings.Builder, widths string) {
	dark := true
	for i := range len(widths) {
		run(b, dark, int(widths[i]-'0'))
		dark = !dark
	}
}

func run(b *strings.Builder, dark bool, width int) {
	c := byte('0')
	if dark {
		c = '1'
	}
	for range width {
		b.WriteByte(c)
	}
}

// wide writes alternating bars and spaces, a bar first: '1' is wide.
func wide(b *strings.Builder, pattern string, ratio int) {
	dark := true
	for i := range len(pattern) {
		width := 1
		if pattern[i] == '1' {
			width = ratio
		}
		run(b, dark, width)
		dark = !dark
	}
}
