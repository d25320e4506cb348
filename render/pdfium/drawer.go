package pdfium

import (
	"context"
	"crypto/sha256"
)

// keptBytes is how much a Drawer keeps of what it drew: documents of a run have the same
// terms attached, one after the other.
const keptBytes = 32 << 20

// secondsToDraw and secondsOfPage are how much time of processors a document may take, and
// each of its pages besides: others wait for their turn.
const secondsToDraw, secondsOfPage = 10, 2

// Drawer draws pages, for one document at a time, and keeps the last pictures.
type Drawer struct {
	folder  string
	seconds int           // that a document may take
	turn    chan struct{} // to read and write what follows, too
	known   map[pageKey]Picture
	order   []pageKey // the oldest first
	size    int
}

type pageKey struct {
	file [sha256.Size]byte
	page int
}

// NewDrawer makes a Drawer. The folder, which nobody else may write to, is for what takes
// seconds to be made; without one each document that is drawn takes them.
func NewDrawer(folder string) *Drawer {
	return &Drawer{folder: folder, seconds: secondsToDraw, turn: make(chan struct{}, 1), known: map[pageKey]Picture{}}
}

// Draw makes pictures of pages, counted from 1, of a PDF file. A page that cannot be drawn
// has none; the error says why, where it is known.
func (d *Drawer) Draw(ctx context.Context, content []byte, pages []int) ([]Picture, error) {
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	file := sha256.Sum256(content)
	list := make([]Picture, len(pages))
	var missing, places []int
	for i, page := range pages {
		if p, ok := d.known[pageKey{file, page}]; ok {
			list[i] = p
		} else {
			missing, places = append(missing, page), append(places, i)
		}
	}
	if len(missing) == 0 {
		return list, nil
	}
	drawn, err := draw(ctx, d.folder, task{content, missing, d.seconds + secondsOfPage*len(missing)})
	for i, p := range drawn {
		list[places[i]] = p
		d.keep(pageKey{file, missing[i]}, p)
	}
	return list, err
}

func (d *Drawer) keep(k pageKey, p Picture) {
	if _, known := d.known[k]; known || len(p.Content) == 0 {
		return
	}
	d.known[k], d.order = p, append(d.order, k)
	d.size += len(p.Content)
	for d.size > keptBytes {
		oldest := d.order[0]
		d.size -= len(d.known[oldest].Content)
		delete(d.known, oldest)
		d.order = d.order[1:]
	}
}
