// Package xlsxtest reads workbooks in tests: what their cells hold, and whether their
// formulas find what the cells show.
package xlsxtest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/office/opc/opctest"
)

// Book is a workbook that was read again.
type Book struct {
	parts  map[string][]byte
	codes  []string // of the styles
	sheets []sheet
}

type sheet struct {
	name string
	XML  content
	raw  string
}

// content is what of a sheet's part is looked at.
type content struct {
	Cols []struct {
		Width  string `xml:"width,attr"`
		Hidden string `xml:"hidden,attr"`
	} `xml:"cols>col"`
	Pane struct {
		TopLeft string `xml:"topLeftCell,attr"`
	} `xml:"sheetViews>sheetView>pane"`
	Rows []struct {
		Number int    `xml:"r,attr"`
		Level  string `xml:"outlineLevel,attr"`
		Cells  []struct {
			Ref     string `xml:"r,attr"`
			Style   int    `xml:"s,attr"`
			Type    string `xml:"t,attr"`
			Formula string `xml:"f"`
			Value   string `xml:"v"`
			Text    string `xml:"is>t"`
		} `xml:"c"`
	} `xml:"sheetData>row"`
	Filter struct {
		Ref string `xml:"ref,attr"`
	} `xml:"autoFilter"`
	Merged []struct {
		Ref string `xml:"ref,attr"`
	} `xml:"mergeCells>mergeCell"`
	Links []struct {
		Ref      string `xml:"ref,attr"`
		Location string `xml:"location,attr"`
	} `xml:"hyperlinks>hyperlink"`
	Header string `xml:"headerFooter>oddHeader"`
	First  string `xml:"headerFooter>firstHeader"`
	Footer string `xml:"headerFooter>oddFooter"`
}

// Open reads a workbook; parts that are no XML end the test.
func Open(t testing.TB, workbook []byte) *Book {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(workbook), int64(len(workbook)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if parts[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(parts[f.Name], new(struct{})); err != nil && !strings.HasPrefix(f.Name, "xl/media/") {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	var names struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := errors.Join(xml.Unmarshal(parts["xl/styles.xml"], &styles), xml.Unmarshal(parts["xl/workbook.xml"], &names)); err != nil {
		t.Fatal(err)
	}
	b := &Book{parts: parts}
	for _, s := range styles.Cells {
		code := ""
		for _, f := range styles.Formats {
			if f.ID == s.Format {
				code = f.Code
			}
		}
		if code == "" && s.Format > 0 {
			code = "built-in " + strconv.Itoa(s.Format)
		}
		b.codes = append(b.codes, code)
	}
	for i, s := range names.Sheets {
		raw := parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)]
		read := sheet{name: s.Name, raw: string(raw)}
		if err := xml.Unmarshal(raw, &read.XML); err != nil {
			t.Fatal(err)
		}
		b.sheets = append(b.sheets, read)
	}
	return b
}

// Part is a part of the package, such as xl/drawings/drawing1.xml; empty if there is
// none.
func (b *Book) Part(name string) string { return string(b.parts[name]) }

// String shows what the cells hold: numbers with their codes, texts in quotes.
func (b *Book) String() string {
	var out strings.Builder
	for _, s := range b.sheets {
		fmt.Fprintf(&out, "== %s\n", s.name)
		for _, about := range [][2]string{{"header", s.XML.Header}, {"first header", s.XML.First}, {"footer", s.XML.Footer}, {"filter", s.XML.Filter.Ref}, {"frozen above", s.XML.Pane.TopLeft}} {
			if about[1] != "" {
				fmt.Fprintf(&out, "%s: %q\n", about[0], about[1])
			}
		}
		out.WriteString("widths:")
		for _, c := range s.XML.Cols {
			out.WriteString(" " + c.Width)
			if c.Hidden != "" {
				out.WriteString(" hidden")
			}
		}
		out.WriteString("\n")
		for _, m := range s.XML.Merged {
			out.WriteString("merged: " + m.Ref + "\n")
		}
		if strings.Contains(s.raw, "<tablePart ") {
			out.WriteString("table\n")
		}
		for _, l := range s.XML.Links {
			out.WriteString("link: " + l.Ref + " " + l.Location + "\n")
		}
		for _, r := range s.XML.Rows {
			if len(r.Cells) == 0 {
				continue
			}
			fmt.Fprintf(&out, "%d", r.Number)
			if r.Level != "" {
				fmt.Fprintf(&out, " (level %s)", r.Level)
			}
			for _, c := range r.Cells {
				value := c.Value
				switch {
				case c.Type == "inlineStr":
					value = strconv.Quote(c.Text)
				case c.Type == "" && value == "":
					continue
				case c.Type == "" && b.codes[c.Style] != "":
					value += " as " + b.codes[c.Style]
				}
				if c.Formula != "" {
					value += " =" + c.Formula
				}
				fmt.Fprintf(&out, " | %s", strings.TrimRight(c.Ref, "0123456789")+" "+value)
			}
			out.WriteString("\n")
		}
	}
	return out.String()
}

var subtotal = regexp.MustCompile(`^SUBTOTAL\((\d+),([A-Z]+)(\d+):([A-Z]+)(\d+)\)$`)

// Invalid is what is wrong with the package, and with what validators do not look at.
func (b *Book) Invalid() []string {
	parts := map[string]string{}
	for name, text := range b.parts {
		parts["/"+name] = string(text)
	}
	return append(opctest.Faults(parts), b.invariants()...)
}

// Faults are what is invalid, and formulas that, worked out as spreadsheets do, find
// something else than what the cell shows.
func (b *Book) Faults() (faults []string) {
	faults = b.Invalid()
	for _, s := range b.sheets {
		type place struct {
			column string
			row    int
		}
		numbers, nested := map[place]float64{}, map[place]bool{}
		for _, r := range s.XML.Rows {
			for _, c := range r.Cells {
				at := place{strings.TrimRight(c.Ref, "0123456789"), r.Number}
				if v, err := strconv.ParseFloat(c.Value, 64); err == nil && c.Type == "" {
					numbers[at] = v
				}
				nested[at] = c.Formula != ""
			}
		}
		for _, r := range s.XML.Rows {
			for _, c := range r.Cells {
				if c.Formula == "" {
					continue
				}
				m := subtotal.FindStringSubmatch(c.Formula)
				if m == nil || m[2] != m[4] {
					faults = append(faults, s.name+" "+c.Ref+": "+c.Formula)
					continue
				}
				from, _ := strconv.Atoi(m[3])
				to, _ := strconv.Atoi(m[5])
				var values []float64
				for row := from; row <= to; row++ {
					if v, ok := numbers[place{m[2], row}]; ok && !nested[place{m[2], row}] {
						values = append(values, v)
					}
				}
				sum := 0.0
				for _, v := range values {
					sum += v
				}
				want := map[string]float64{"9": sum, "2": float64(len(values)), "1": sum / float64(len(values))}[m[1]]
				if len(values) > 0 && m[1] == "4" {
					want = slices.Max(values)
				} else if len(values) > 0 && m[1] == "5" {
					want = slices.Min(values)
				}
				got, _ := strconv.ParseFloat(c.Value, 64)
				if d := got - want; d > 1e-6 || d < -1e-6 || d != d {
					faults = append(faults, fmt.Sprintf("%s %s: %s is %g, the cell shows %g", s.name, c.Ref, c.Formula, want, got))
				}
			}
		}
	}
	return faults
}

// Replaced is a workbook with something else in one of its parts.
func Replaced(t testing.TB, workbook []byte, part, old, by string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(workbook), int64(len(workbook)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	found := false
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == part {
			found = bytes.Contains(content, []byte(old))
			content = bytes.Replace(content, []byte(old), []byte(by), 1)
		}
		into, err := w.Create(f.Name)
		if err == nil {
			_, err = into.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || !found {
		t.Fatalf("%s does not hold %s: %v", part, old, err)
	}
	return out.Bytes()
}
