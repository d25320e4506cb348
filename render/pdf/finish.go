package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// LinkBase is what the addresses of links inside the document begin with when
// the browser could not make links of them, because the target is in another
// part; the identifier of the anchor follows.
const LinkBase = "https://quire.invalid/.goto#"

// Options say what the finished document is to be.
type Options struct {
	Title    string
	Lang     string // language tag, such as de-DE
	Author   string
	Subject  string
	Keywords string
	Creator  string // program the document comes from
	// Created is written as the time of creation; the zero time writes none.
	// Without Protect, the same parts and options give the same bytes.
	Created time.Time
	// Anchors are the places that links between parts point at. Those with a
	// Level become the outline when Outline is set.
	Anchors []Anchor
	Outline bool
	// Labels are the numbers that the pages show, 0 for one without. Viewers show
	// them, and go to the page of a number.
	Labels []int
	// Sizes are those of the pages in CSS pixels. The browser knows whole pixels only:
	// its pages are a little larger, and cut to size here.
	Sizes []Size
	// Glyphs asks for a look at every letter of the pages: whether a font had it,
	// and that programs read those of several glyphs as they are written. It takes
	// some of the time of printing, and text in Latin letters needs none of it.
	Glyphs bool
	// Divided says that words have soft hyphens. Where a line does not end at one the
	// browser shows a blank without width, at which some programs part the word; it is
	// taken out.
	Divided bool
	// Accessible finishes the structure that the browser wrote as PDF/UA asks for.
	Accessible bool
	// Archive makes the document PDF/A, which excludes Protect.
	Archive Archive
	// Embedded are files inside of the document, for Archive3B.
	Embedded []Embedded
	// Invoice makes it an electronic invoice, where it is PDF/A-3.
	Invoice *Invoice
	// Attached are pages of other documents in the places of printed ones.
	Attached []Attached
	// Protect encrypts the document; nil leaves it open.
	Protect *Protection
	// Sign leaves room for a signature in a document that is not for a press; Info.Unsigned
	// then signs the file. A signature field whose link says so shows it.
	Sign *Signature
	// Press makes the document PDF/X-4.
	Press *Press
	// Typing gives the font of a family for what is filled in into form fields, or another
	// where there is none of it. It must be set where there are fields.
	Typing func(family string) (Face, error)
	// Bleed is how much larger than its size each page was printed, at each edge, in
	// whole CSS pixels: what is beyond the edge is cut off after printing.
	Bleed int
	// CropMarks draws in the corners where the pages are cut.
	CropMarks bool
}

// version is that of PDF which the document is written in.
func (o *Options) version() string {
	if o.Press != nil {
		return "1.6" // PDF/X-4 knows no later one
	}
	return "1.7"
}

// Anchor is a place in the finished document. X and Y are CSS pixels (96 to the
// inch) from the upper left corner of the page.
type Anchor struct {
	ID    string
	Page  int // from 1
	X, Y  float64
	Level int // of a heading, from 1; 0 for other anchors
	Text  string
}

// Protection encrypts a document with AES-256. Reading by assistive technology
// is always allowed.
type Protection struct {
	UserPassword  string // asked for when the document is opened; may be empty
	OwnerPassword string // lifts the restrictions; empty means a random one
	AllowPrinting bool
	AllowCopying  bool
}

// Part is one PDF file of the browser.
type Part interface {
	Open() (io.ReadCloser, error)
}

// Locked is a Part that may be protected: one of the passwords opens it, or
// none is needed. The document itself is protected only as its options say.
type Locked interface {
	Part
	Passwords() []string
}

// Info says what was written.
type Info struct {
	Pages int
	Bytes int64
	// Unmet is what keeps the document from being PDF/UA or PDF/A as the options
	// ask for; without any, it says that it is.
	Unmet []Unmet
	// Archive is the kind of PDF/A that it says to be.
	Archive Archive
	// Missing is the text that no font had glyphs for, as far as Glyphs asked.
	Missing []Missing
	// Unused are the inks of Options.Press that no page shows the colours of.
	Unused []Ink
	// Unsigned has room for the signature that Options.Sign asks for.
	Unsigned *Unsigned
}

// Finish joins the parts in their order and writes the document to w. It reads
// one part at a time.
func Finish[P Part](ctx context.Context, w io.Writer, parts []P, o Options) (Info, error) {
	if o.Archive != NoArchive && o.Protect != nil {
		return Info{}, errors.New("a PDF/A document cannot be protected")
	}
	if o.Press != nil && (o.Protect != nil || o.Accessible || o.Archive != NoArchive) {
		return Info{}, errors.New("a PDF/X document can be neither protected nor tagged, and no other archive")
	}
	if o.Press != nil && o.Sign != nil {
		return Info{}, errors.New("a PDF/X document cannot be signed")
	}
	m := newMerger(w, o, len(parts))
	if err := m.attach(o.Attached); err != nil {
		return Info{}, err
	}
	for i, p := range parts {
		if err := ctx.Err(); err != nil {
			return Info{}, err
		}
		b, err := readPart(p)
		if err != nil {
			return Info{}, fmt.Errorf("reading part %d: %w", i+1, err)
		}
		if err := m.add(b, passwordsOf(p)); err != nil {
			return Info{}, fmt.Errorf("joining part %d: %w", i+1, err)
		}
	}
	if err := m.finish(); err != nil {
		return Info{}, err
	}
	info := Info{Pages: len(m.pages), Bytes: m.w.offset}
	info.Unmet, info.Archive, info.Missing, info.Unused = m.unmet(), m.archive(), m.missing, m.unused()
	if o.Sign != nil {
		if m.form.signature == 0 {
			return Info{}, errors.New("the document has no room for a signature")
		}
		m.unsigned.size = info.Bytes
		info.Unsigned = &m.unsigned
	}
	return info, nil
}

// passwordsOf are what a part may be opened with; none for one that is open.
func passwordsOf(p Part) []string {
	if locked, ok := p.(Locked); ok {
		return append(locked.Passwords(), "")
	}
	return nil
}

// PageCount tells how many pages a document has that Finish wrote, opened by
// one of some passwords or by none.
func PageCount(b []byte, passwords []string) (int, error) {
	f, err := open(b)
	if err != nil {
		return 0, err
	}
	if err := f.unlockAny(append(passwords, "")); err != nil {
		return 0, err
	}
	catalog, err := f.dict(f.trailer.get("Root"))
	if err != nil {
		return 0, err
	}
	tree, err := f.dict(catalog.get("Pages"))
	if n, ok := tree.get("Count").(int); err == nil && ok && n > 0 {
		return n, nil
	}
	return 0, damaged("it has no pages")
}

func readPart(p Part) ([]byte, error) {
	r, err := p.Open()
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(r)
	if closeErr := r.Close(); err == nil {
		err = closeErr
	}
	return b, err
}
