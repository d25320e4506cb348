package pdf

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Facts are what a reader sees of a PDF, for tests: compare these, not bytes.
type Facts struct {
	Pages     []PageFacts
	Title     string
	Author    string
	Subject   string
	Keywords  string
	Creator   string
	Lang      string
	Tagged    bool
	Tags      map[string]int // how many structure elements of each type
	Said      []string       // texts that elements say in place of what they show
	Outline   []OutlineFacts
	Encrypted bool
	Printing  bool // permissions; all true when it is not encrypted
	Copying   bool
	Reading   bool // by assistive technology
}

// PageFacts are one page. Sizes are in millimetres.
type PageFacts struct {
	Width, Height float64
	Text          string // in reading order; empty when pdftotext is not installed
	Links         []string
}

// OutlineFacts is one entry of the outline.
type OutlineFacts struct {
	Level int
	Title string
	Page  int
}

// ReadFacts reads a PDF, with a password if it needs one.
func ReadFacts(ctx context.Context, b []byte, password string) (*Facts, error) {
	f, err := open(b)
	if err != nil {
		return nil, err
	}
	if err := f.unlock(password); err != nil {
		return nil, err
	}
	r := &factReader{f: f, facts: &Facts{Tags: map[string]int{}}, pages: map[int]int{}}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.facts, r.text(ctx, b, password)
}

type factReader struct {
	f     *file
	facts *Facts
	pages map[int]int // page number by object number
	seen  map[int]bool
	dests dict
}

// once says whether a value, if it is a reference, is met for the first time:
// a damaged tree can have circles.
func (r *factReader) once(v any) bool {
	at, ok := v.(ref)
	if !ok {
		return true
	}
	if r.seen == nil {
		r.seen = map[int]bool{}
	}
	first := !r.seen[at.num]
	r.seen[at.num] = true
	return first
}

func (r *factReader) read() error {
	catalog, err := r.f.dict(r.f.trailer.get("Root"))
	if err != nil {
		return err
	}
	lang, _ := catalog.get("Lang").(text)
	r.facts.Lang = lang.String()
	steps := []func(dict) error{r.info, r.permissions, r.readPages, r.links, r.tags, r.outline}
	for _, step := range steps {
		if err := step(catalog); err != nil {
			return err
		}
	}
	return nil
}

func (r *factReader) info(dict) error {
	info, err := r.f.dict(r.f.trailer.get("Info"))
	get := func(key name) string {
		t, _ := info.get(key).(text)
		return t.String()
	}
	x := r.facts
	x.Title, x.Author, x.Subject = get("Title"), get("Author"), get("Subject")
	x.Keywords, x.Creator = get("Keywords"), get("Creator")
	return err
}

func (r *factReader) permissions(dict) error {
	enc, err := r.f.dict(r.f.trailer.get("Encrypt"))
	p := -1
	if enc != nil {
		r.facts.Encrypted = true
		p, _ = enc.get("P").(int)
	}
	r.facts.Printing, r.facts.Copying = p&permitPrint != 0, p&permitCopy != 0
	r.facts.Reading = p&permitAccess != 0
	return err
}

func (r *factReader) readPages(catalog dict) error {
	p := &part{f: r.f, objs: make([]any, len(r.f.xref)), leaves: make([]bool, len(r.f.xref))}
	for num := range p.objs {
		v, err := r.f.object(num)
		if err != nil {
			return err
		}
		p.objs[num] = v
	}
	return p.walkPages(catalog.get("Pages"), nil, 0, func(num int, page dict) {
		box, _ := r.f.array(page.get("MediaBox"))
		facts := PageFacts{}
		if len(box) == 4 {
			facts.Width, facts.Height = millimetres(box[0], box[2]), millimetres(box[1], box[3])
		}
		r.facts.Pages = append(r.facts.Pages, facts)
		r.pages[num] = len(r.facts.Pages)
	})
}

func millimetres(from, to any) float64 {
	const point = 25.4 / 72
	mm := (number(to) - number(from)) * point
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(mm, 'f', 2, 64), 64)
	return rounded
}

func (r *factReader) links(catalog dict) error {
	var err error
	if r.dests, err = r.f.dict(catalog.get("Dests")); err != nil {
		return err
	}
	for num, page := range r.pages {
		d, err := r.f.dict(ref{num: num})
		if err != nil {
			return err
		}
		annots, err := r.f.array(d.get("Annots"))
		if err != nil {
			return err
		}
		for _, a := range annots {
			annot, err := r.f.dict(a)
			if err != nil {
				return err
			}
			r.facts.Pages[page-1].Links = append(r.facts.Pages[page-1].Links, r.target(annot))
		}
	}
	return nil
}

// target is where a link leads: an address, or "page 3".
func (r *factReader) target(annot dict) string {
	action, _ := r.f.dict(annot.get("A"))
	if uri, ok := action.get("URI").(text); ok {
		return string(uri)
	}
	if n := r.page(annot.get("Dest")); n > 0 {
		return "page " + strconv.Itoa(n)
	}
	return "nowhere"
}

// page is the number of the page that a destination lies on, or 0.
func (r *factReader) page(dest any) int {
	if n, ok := dest.(name); ok {
		dest = r.dests.get(n)
	}
	a, _ := r.f.array(dest)
	if len(a) == 0 {
		return 0
	}
	at, _ := a[0].(ref)
	return r.pages[at.num]
}

func (r *factReader) tags(catalog dict) error {
	mark, err := r.f.dict(catalog.get("MarkInfo"))
	if err != nil {
		return err
	}
	r.facts.Tagged, _ = mark.get("Marked").(bool)
	root, err := r.f.dict(catalog.get("StructTreeRoot"))
	if err != nil {
		return err
	}
	return r.countTags(root.get("K"), 0)
}

func (r *factReader) countTags(v any, depth int) error {
	if !r.once(v) {
		return nil
	}
	v, err := r.f.resolve(v)
	if err != nil || depth > maxDepth {
		return err
	}
	switch v := v.(type) {
	case array:
		for _, e := range v {
			if err := r.countTags(e, depth+1); err != nil {
				return err
			}
		}
	case dict:
		if s := v.name("S"); s != "" {
			r.facts.Tags[string(s)]++
			if said, ok := v.get("ActualText").(text); ok {
				r.facts.Said = append(r.facts.Said, said.String())
			}
			return r.countTags(v.get("K"), depth+1)
		}
	}
	return nil
}

func (r *factReader) outline(catalog dict) error {
	root, err := r.f.dict(catalog.get("Outlines"))
	if err != nil {
		return err
	}
	return r.outlineItems(root.get("First"), 1)
}

func (r *factReader) outlineItems(v any, level int) error {
	for v != nil && level < maxDepth && r.once(v) {
		item, err := r.f.dict(v)
		if err != nil {
			return err
		}
		title, _ := item.get("Title").(text)
		r.facts.Outline = append(r.facts.Outline, OutlineFacts{level, title.String(), r.page(item.get("Dest"))})
		if err := r.outlineItems(item.get("First"), level+1); err != nil {
			return err
		}
		v = item.get("Next")
	}
	return nil
}

// pdftotextPassword is how long a password pdftotext takes.
const pdftotextPassword = 32

// text asks pdftotext for the text of each page.
func (r *factReader) text(ctx context.Context, b []byte, password string) error {
	password = prepare(password)
	program, err := exec.LookPath("pdftotext")
	if err != nil || len(password) > pdftotextPassword {
		return nil // the other facts are worth having
	}
	file, err := os.CreateTemp("", "facts-*.pdf")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(b)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, program, "-layout", "-enc", "UTF-8", "-upw", password, "-opw", password, file.Name(), "-").Output()
	if err != nil {
		return fmt.Errorf("pdftotext: %w", err)
	}
	for i, page := range strings.Split(strings.TrimSuffix(string(out), "\f"), "\f") {
		if i < len(r.facts.Pages) {
			r.facts.Pages[i].Text = page
		}
	}
	return nil
}

// String prints the facts one a line; the text of a page follows its line,
// without empty lines and with single spaces.
func (x *Facts) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pages: %d\n", len(x.Pages))
	for _, line := range []struct{ label, value string }{
		{"title", x.Title},
		{"author", x.Author},
		{"subject", x.Subject},
		{"keywords", x.Keywords},
		{"creator", x.Creator},
		{"language", x.Lang},
	} {
		if line.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", line.label, line.value)
		}
	}
	fmt.Fprintf(&b, "tagged: %t\n", x.Tagged)
	if x.Encrypted {
		fmt.Fprintf(&b, "encrypted: printing %t, copying %t, reading aloud %t\n", x.Printing, x.Copying, x.Reading)
	}
	for _, o := range x.Outline {
		fmt.Fprintf(&b, "outline: %s%s, page %d\n", strings.Repeat("  ", o.Level-1), o.Title, o.Page)
	}
	for i, p := range x.Pages {
		x.writePage(&b, i+1, p)
	}
	return b.String()
}

func (x *Facts) writePage(b *strings.Builder, number int, p PageFacts) {
	fmt.Fprintf(b, "page %d: %g x %g mm\n", number, p.Width, p.Height)
	for _, l := range p.Links {
		fmt.Fprintf(b, "  link to %s\n", l)
	}
	for _, line := range strings.Split(p.Text, "\n") {
		if words := strings.Fields(line); len(words) > 0 {
			fmt.Fprintf(b, "  | %s\n", strings.Join(words, " "))
		}
	}
}
