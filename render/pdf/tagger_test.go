package pdf

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// statement1.pdf and statement2.pdf in testdata were printed by Chromium from
// two pages that the paginator prepared: a running header with a link, headings
// of levels 2 and 4, a paragraph, a numbered list, a half transparent box with a
// link, a picture, and a table whose second row goes on on the other page, below
// header rows that are repeated there.

func accessibleOptions() Options {
	return Options{Title: "Statement", Lang: "en", Accessible: true, Created: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)}
}

// roles lists the structure of a document: roles by depth, with what matters of
// each.
func roles(t testing.TB, b []byte) string {
	t.Helper()
	f, err := open(b)
	if err != nil {
		t.Fatal(err)
	}
	catalog, _ := f.dict(f.trailer.get("Root"))
	root, _ := f.dict(catalog.get("StructTreeRoot"))
	var out strings.Builder
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		v, _ = f.resolve(v)
		switch v := v.(type) {
		case array:
			for _, e := range v {
				walk(e, depth)
			}
		case dict:
			role := string(v.name("S"))
			if role == "" {
				role = string(v.name("Type"))
			}
			fmt.Fprintf(&out, "%s%s", strings.Repeat(" ", depth), role)
			if alt, ok := v.get("Alt").(text); ok {
				fmt.Fprintf(&out, " %q", alt.String())
			}
			if lang, ok := v.get("Lang").(text); ok {
				fmt.Fprintf(&out, " %s", lang)
			}
			if a, _ := f.dict(v.get("A")); a != nil {
				out.Write((&appender{}).value([]byte(" "), a))
			}
			out.WriteByte('\n')
			walk(v.get("K"), depth+1)
		case int:
			fmt.Fprintf(&out, "%s#%d\n", strings.Repeat(" ", depth), v)
		}
	}
	walk(root.get("K"), 0)
	return out.String()
}

func TestStructureOfAnAccessibleDocument(t *testing.T) {
	b := finish(t, load(t, "statement1.pdf", "statement2.pdf"), accessibleOptions())
	check(t, b, "")
	want := `Document en
 P
  Link
   #0
   OBJR
 H1
  #1
 P
  #2
  Span fr
   #3
  #4
 L <</O/List/ListNumbering/Decimal>>
  LI
   Lbl
    #5
   LBody
    #6
  LI
   Lbl
    #7
   LBody
    #8
 P
  MCR
  Link
   MCR
   OBJR
 Figure "Red square" <</O/Layout/Placement/Block/BBox[34.5 426.21 57 448.71]>>
  #9
 H2
  #10
 Table
  THead
   TR
    TH <</O/Table/Scope/Column>>
     #11
    TH <</O/Table/Scope/Column>>
     #12
    TH <</O/Table/Scope/Column>>
     #13
  TBody
   TR
    TD <</O/Table/Headers[(h0000001)]>>
     #14
    TD <</O/Table/Headers[(h0000002)]>>
     #15
    TD <</O/Table/Headers[(h0000003)]>>
     #16
   TR
    TD <</O/Table/Headers[(h0000001)]>>
     #17
    TD <</O/Table/Headers[(h0000002)]>>
     #18
     MCR
    TD <</O/Table/Headers[(h0000003)]>>
     #19
   TR
    TD <</O/Table/Headers[(h0000001)]>>
     #1
    TD <</O/Table/Headers[(h0000002)]>>
     #2
    TD <</O/Table/Headers[(h0000003)]>>
     #3
   TR
    TD <</O/Table/ColSpan 2/Headers[(h0000001)]>>
     #4
    TD <</O/Table/Headers[(h0000003)]>>
 P
  #5
  Span de
   #6
`
	if got := roles(t, b); got != want {
		t.Errorf("the structure is\n%s\nwant\n%s", got, want)
	}
	for _, s := range []string{"pdfuaid:part>1<"} {
		if !bytes.Contains(b, []byte(s)) {
			t.Errorf("it does not say %s", s)
		}
	}
}

func TestAccessibleDocumentIsTheSameEachTime(t *testing.T) {
	parts := load(t, "statement1.pdf", "statement2.pdf", "statement1.pdf")
	first := finish(t, parts, accessibleOptions())
	for range 3 {
		if !bytes.Equal(first, finish(t, parts, accessibleOptions())) {
			t.Fatal("the bytes differ")
		}
	}
}

func TestWhatDoesNotConformDoesNotSaySo(t *testing.T) {
	good := load(t, "statement1.pdf")
	noAlt := bytesPart(bytes.Replace(good[0], []byte("/Alt (Red square)"), []byte("                 "), 1))
	attached, err := OpenDocument(load(t, "links.pdf")[0])
	if err != nil {
		t.Fatal(err)
	}
	wide := load(t, "statement1.pdf", "statement2.pdf") // the table goes on with rows of four columns below three
	wide[1] = bytesPart(bytes.Replace(wide[1], []byte("/ColSpan 2"), []byte("/ColSpan 4"), 1))
	for name, tt := range map[string]struct {
		parts  []bytesPart
		change func(*Options)
		want   Unmet
	}{
		"no alternative text": {[]bytesPart{noAlt}, func(*Options) {}, Unmet{Page: 1, Picture: true, Message: "a picture has no alternative text"}},
		"no title":            {good, func(o *Options) { o.Title = "" }, Unmet{Message: "it has no title"}},
		"no structure":        {load(t, "links.pdf"), func(*Options) {}, Unmet{Message: "the browser wrote no structure"}},
		"an irregular table":  {wide, func(*Options) {}, Unmet{Page: 2, Message: "a row of a table has 4 columns, those before it have 3"}},
		"attached":            {load(t, "statement1.pdf", "statement2.pdf"), func(o *Options) { o.Attached = []Attached{{At: 2, Document: attached, Page: 1}} }, Unmet{Message: "pages of an attached PDF have no structure"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := accessibleOptions()
			o.Archive = Archive2A
			tt.change(&o)
			var out bytes.Buffer
			info, err := Finish(context.Background(), &out, tt.parts, o)
			if err != nil {
				t.Fatal(err)
			}
			if unmet := slices.Compact(info.Unmet); len(unmet) != 1 || unmet[0] != tt.want {
				t.Errorf("unmet is %v, want %v", info.Unmet, tt.want)
			}
			if bytes.Contains(out.Bytes(), []byte("pdfuaid:part")) || bytes.Contains(out.Bytes(), []byte("pdfaid:part")) {
				t.Error("it says that it conforms")
			}
			check(t, out.Bytes(), "")
		})
	}
}

func TestAccessibleAndProtected(t *testing.T) {
	o := accessibleOptions()
	o.Protect = &Protection{UserPassword: "secret"}
	check(t, finish(t, load(t, "statement1.pdf", "statement2.pdf"), o), "secret")
}

func TestLinksOfAnAccessibleDocumentAreDescribed(t *testing.T) {
	b := finish(t, load(t, "statement1.pdf"), accessibleOptions())
	f, err := open(b)
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for num := range f.xref {
		d, _ := f.dict(ref{num: num})
		if d.name("Subtype") == "Link" {
			label, _ := d.get("Contents").(text)
			labels = append(labels, label.String())
		}
	}
	slices.Sort(labels)
	if want := []string{"imprint", "our terms"}; !slices.Equal(labels, want) {
		t.Errorf("links are described as %q, want %q", labels, want)
	}
}

func TestArchiveIsNotProtected(t *testing.T) {
	o := accessibleOptions()
	o.Archive, o.Protect = Archive2B, &Protection{}
	if _, err := Finish(context.Background(), io.Discard, load(t, "statement1.pdf"), o); err == nil {
		t.Error("a protected PDF/A was made")
	}
}

// TestDamagedStructureDoesNotStopTheProgram cuts, flips and doubles bytes of a
// tagged file; each ends with a document or an error.
func TestDamagedStructureDoesNotStopTheProgram(t *testing.T) {
	whole := load(t, "statement1.pdf")[0]
	r := rand.New(rand.NewPCG(7, 11))
	failed := 0
	for i := range 200 {
		b := bytes.Clone(whole)
		for range 1 + i%7 {
			at := r.IntN(len(b) - 40)
			switch r.IntN(4) {
			case 0:
				b[at] ^= 1 << r.IntN(8)
			case 1:
				copy(b[at:], whole[r.IntN(len(whole)-40):][:r.IntN(40)])
			case 2:
				digits(b[at:], r)
			case 3:
				if i%5 == 0 {
					b = append(b[:at:at], b[at+1+r.IntN(30):]...)
				}
			}
		}
		began := time.Now()
		if _, err := Finish(context.Background(), io.Discard, []bytesPart{b, whole}, accessibleOptions()); err != nil {
			failed++
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("damage %d took %s", i, d)
		}
	}
	if failed == 0 || failed == 200 {
		t.Errorf("%d of 200 damaged files were refused", failed)
	}
}

// digits changes the next number, such as a reference or a length.
func digits(b []byte, r *rand.Rand) {
	for i, c := range b {
		if c >= '0' && c <= '9' {
			b[i] = '0' + byte(r.IntN(10))
			return
		}
	}
}

func TestDamagedAttachmentsGiveAnErrorAtMost(t *testing.T) {
	for _, source := range []string{"links.pdf", "objstm.pdf", "tagged.pdf", "statement1.pdf"} {
		whole := load(t, source)[0]
		r := rand.New(rand.NewPCG(3, uint64(len(whole))))
		refused := 0
		for i := range 60 {
			b := bytes.Clone(whole)
			for range 1 + i%9 {
				at := r.IntN(len(b) - 40)
				if r.IntN(2) == 0 {
					digits(b[at:], r)
				} else {
					b[at] ^= 1 << r.IntN(8)
				}
			}
			if i%6 == 0 {
				b = b[:r.IntN(len(b))]
			}
			d, err := OpenDocument(b)
			if err != nil {
				refused++
				continue
			}
			o := accessibleOptions()
			o.Attached = []Attached{{At: 1, Document: d, Page: 1}}
			if _, err := Finish(context.Background(), io.Discard, load(t, "statement1.pdf"), o); err != nil {
				refused++
			}
		}
		if refused == 0 {
			t.Errorf("none of the damaged copies of %s was refused", source)
		}
	}
}
