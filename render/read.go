package render

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/render/layout"
)

// Reading says what of a document is read.
type Reading struct {
	State layout.State
	// Draw says which pictures are drawn; nil: none. It is called for all that have a
	// number. In flow they are drawn as they stand before the document is paginated.
	Draw func(m *layout.ImageOf) bool
}

// Read is what was read of a document.
type Read struct {
	Document *layout.Document
	// Drawings are the pictures by their numbers, counted from 1 in the document. What
	// was not asked for, or cannot be drawn, is empty.
	Drawings []Drawing
	Warnings []Warning
	Timings  Timings
}

// Pictures of documents are drawn as finely as paper has them.
const (
	readScale  = 3
	readPixels = 2400
)

// Read lays a document out and reads it back. Like Print it waits for its turn.
func (p *Pool) Read(ctx context.Context, job Job, reading Reading) (*Read, error) {
	job.Paginate, job.HTMLOut = false, false
	it := newItem(ctx, job, true)
	it.read, it.reader = &reading, p.c.Reader
	res, err := p.do(it)
	if err != nil {
		return nil, err
	}
	res.read.Timings = res.Timings
	return res.read, nil
}

// answered is what the reader answers with.
type answered struct {
	Pieces   int       `json:"pieces"`
	Warnings []Warning `json:"warnings"`

	// PageOf are the numbers of the pages of anchors; the others what the places for
	// page numbers, counts and what runs on show in the bodies, in order.
	PageOf  map[string]string `json:"pageOf"`
	Numbers []string          `json:"numbers"`
	Counts  []string          `json:"counts"`
	Runs    []string          `json:"runs"`
	Running []string          `json:"running"`
}

// read fills a document into the tab and reads it back.
func (t *tab) read(ctx context.Context, it *item) (*Read, error) {
	if err := t.freshen(ctx, it.job.HTML, it.job.Resources); err != nil {
		return nil, err
	}
	if err := t.openReader(ctx, it.reader); err != nil {
		return nil, err
	}
	t.bytes += int64(len(it.job.HTML))
	flow := it.read.State == layout.Flow
	expression := "quireReader.pages()"
	if flow {
		expression = "quireReader.flow()"
	}
	value, err := t.fill(ctx, it.job.HTML, expression)
	if err != nil {
		return nil, err
	}
	first, err := readAnswer(value)
	if err != nil {
		return nil, err
	}
	r := &Read{Warnings: first.Warnings}
	if r.Document, err = t.document(ctx, first.Pieces); err != nil {
		return nil, err
	}
	if r.Drawings, err = t.drawings(ctx, r.Document, it.read.Draw); err != nil {
		return nil, err
	}
	if places := placesIn(r.Document); flow && places.any() {
		value, err := t.evaluate(ctx, "quireReader.finish()")
		if err != nil {
			return nil, err
		}
		last, err := readAnswer(value)
		if err != nil {
			return nil, err
		}
		places.fill(last)
	}
	_, err = t.evaluate(ctx, "quireReader.drop()")
	return r, err
}

// openReader puts the reader beside the paginator, where it stays until the tab is
// emptied.
func (t *tab) openReader(ctx context.Context, script []byte) error {
	if t.reader {
		return nil
	}
	if len(script) == 0 || !t.script {
		return fail(ErrPageFailed, "there is no reader")
	}
	if _, err := t.evaluate(ctx, string(script)+"\nnull"); err != nil {
		return err
	}
	t.reader = true
	return nil
}

func readAnswer(value []byte) (*answered, error) {
	a := &answered{}
	if err := json.Unmarshal(value, a); err != nil {
		return nil, fail(ErrPageFailed, "the reader's answer is unreadable: %v", err)
	}
	return a, nil
}

// document fetches what was read, piece by piece.
func (t *tab) document(ctx context.Context, pieces int) (*layout.Document, error) {
	var text []byte
	for i := range pieces {
		value, err := t.evaluate(ctx, "quireReader.piece("+strconv.Itoa(i)+")")
		if err != nil {
			return nil, err
		}
		var piece string
		if err := json.Unmarshal(value, &piece); err != nil {
			return nil, fail(ErrPageFailed, "what was read of the document is unreadable: %v", err)
		}
		if text = append(text, piece...); len(text) > layout.MostBytes {
			break
		}
	}
	d, err := layout.Decode(text)
	if err != nil {
		return nil, fail(ErrPageFailed, "%v", err)
	}
	return d, nil
}

// drawings draws the pictures that are asked for.
func (t *tab) drawings(ctx context.Context, d *layout.Document, want func(*layout.ImageOf) bool) ([]Drawing, error) {
	drawings := make([]Drawing, d.Drawings)
	if want == nil || d.Drawings == 0 {
		return drawings, nil
	}
	wanted := make([]bool, d.Drawings)
	any := false
	for n := range d.Nodes() {
		if m := n.Image; m != nil && m.Drawing > 0 && want(m) {
			wanted[m.Drawing-1], any = true, true
		}
	}
	if !any {
		return drawings, nil
	}
	var numbers []int
	for i, w := range wanted {
		if w {
			numbers = append(numbers, i+1)
		}
	}
	return drawings, t.paint(ctx, drawings, numbers)
}

// painted is a drawing as the reader paints it.
type painted struct {
	spot
	Scale float64 // pixels that one of CSS has in it, at most
	PNG   []byte  // empty for what only the window shows
}

// How many drawings the reader is asked for at a time, and how many bytes of them it
// answers with before it ends: one that was begun is brought whole.
const (
	paintedAtOnce = 16
	paintedBytes  = 8 << 20
)

// paint has the reader paint the drawings of some numbers. Those that it cannot paint
// are taken from the window, which costs several times as much. When there is no more room
// the others stay empty.
func (t *tab) paint(ctx context.Context, drawings []Drawing, numbers []int) error {
	if err := t.lendFiles(ctx, numbers); err != nil {
		return err
	}
	room, window := drawingBytes, false
	for len(numbers) > 0 && room > 0 {
		some := numbers[:min(len(numbers), paintedAtOnce)]
		value, err := t.evaluate(ctx, fmt.Sprintf("quireReader.draw(%s, %d, %d, %d)", jsonOf(some), readScale, readPixels, min(room, paintedBytes)))
		if err != nil {
			return err
		}
		var list []painted
		if err := json.Unmarshal(value, &list); err != nil || len(list) == 0 || len(list) > len(some) {
			return fail(ErrPageFailed, "the reader's drawings are unreadable: %v", err)
		}
		numbers = numbers[len(list):]
		for i, p := range list {
			d := &drawings[some[i]-1]
			if len(p.PNG) > 0 {
				*d, room = Drawing{PNG: p.PNG, Width: p.Width, Height: p.Height}, room-len(p.PNG)
				continue
			}
			if t.windowless {
				return errOnlyWindow
			}
			if !window {
				window = true
				if err := t.transparent(ctx); err != nil {
					return err
				}
			}
			if *d, err = t.capture(ctx, p.spot, p.Scale, readPixels, &room); err != nil {
				return err
			}
		}
	}
	if !window {
		return nil
	}
	_, err := t.call(ctx, "Emulation.setDefaultBackgroundColorOverride", nil)
	return err
}

// lendFiles gives the reader the fonts and pictures of vector drawings: as pictures they have none
// of the document's.
func (t *tab) lendFiles(ctx context.Context, numbers []int) error {
	value, err := t.evaluate(ctx, "quireReader.filesOf("+jsonOf(numbers)+")")
	if err != nil {
		return err
	}
	var addresses []string
	if err := json.Unmarshal(value, &addresses); err != nil {
		return fail(ErrPageFailed, "the reader's files are unreadable: %v", err)
	}
	resources := t.resources.Load()
	lent := [][2]string{}
	for _, address := range addresses {
		path, inside := strings.CutPrefix(address, ResourceBase)
		if !inside || resources == nil || *resources == nil {
			continue
		}
		kind, body, ok := (*resources)(unescapePath(path))
		if !ok {
			continue
		}
		lent = append(lent, [2]string{address, "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(body)})
	}
	if len(lent) == 0 {
		return nil
	}
	_, err = t.evaluate(ctx, "quireReader.lend("+jsonOf(lent)+")")
	return err
}

// jsonOf writes numbers, texts and lists of them as JavaScript has them.
func jsonOf(v any) string {
	b, _ := json.Marshal(v) //nolint:errcheck // numbers and texts always marshal
	return string(b)
}

// pagePlaces are the fields of the bodies that depend on pages; references to pages are
// those of headers and footers, too.
type pagePlaces struct{ of, numbers, counts, runs, running []*layout.Node }

func placesIn(d *layout.Document) *pagePlaces {
	p := &pagePlaces{}
	for i := range d.Sheets {
		s := &d.Sheets[i]
		for _, part := range []*layout.Node{s.FirstHeader, s.Header, s.Footer} {
			for n := range part.All() {
				if n.Field == layout.PageOf {
					p.of = append(p.of, n)
				}
			}
		}
		for n := range s.Body.All() {
			switch n.Field {
			case layout.PageOf:
				p.of = append(p.of, n)
			case layout.PageNumber:
				p.numbers = append(p.numbers, n)
			case layout.PageCount:
				p.counts = append(p.counts, n)
			case layout.RunCount:
				p.runs = append(p.runs, n)
			case layout.Running:
				p.running = append(p.running, n)
			}
		}
	}
	return p
}

func (p *pagePlaces) any() bool {
	return len(p.of)+len(p.numbers)+len(p.counts)+len(p.runs)+len(p.running) > 0
}

// fill gives fields the texts that they have on the pages. Where rows repeat there are
// more places than fields; these keep what they have.
func (p *pagePlaces) fill(a *answered) {
	for _, n := range p.of {
		if text, known := a.PageOf[n.Ref]; known {
			n.Text = text
		}
	}
	for _, list := range []struct {
		nodes []*layout.Node
		texts []string
	}{{p.numbers, a.Numbers}, {p.counts, a.Counts}, {p.runs, a.Runs}, {p.running, a.Running}} {
		if len(list.nodes) != len(list.texts) {
			continue
		}
		for i, n := range list.nodes {
			n.Text = list.texts[i]
		}
	}
}
