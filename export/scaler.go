package export

import (
	"container/list"
	"context"
	"crypto/sha256"
	"strings"
	"sync"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/htmlgen/picture"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
)

// scaler makes photos as small as the page shows them, one at a time, and
// remembers some: most documents have the pictures of those before them.
type scaler struct {
	turn chan struct{}

	mu    sync.Mutex
	bytes int
	order *list.List // of *scaled, the most recently used first
	made  map[scaledKey]*list.Element
}

type scaledKey struct {
	sum  [sha256.Size]byte
	w, h int
}

type scaled struct {
	key  scaledKey
	file *report.File // nil: the picture is better left as it is
}

// scaledBytes is how much is remembered.
const scaledBytes = 32 << 20

func newScaler() *scaler {
	return &scaler{turn: make(chan struct{}, 1), order: list.New(), made: map[scaledKey]*list.Element{}}
}

// fit refuses a picture that would cost the browser too much, and makes one
// smaller that has many more pixels than the space can show.
func (s *scaler) fit(ctx context.Context, f *report.File, space htmlgen.Space) (*report.File, error) {
	p, err := picture.Vet(f.Content, strings.HasPrefix(f.ContentType, "image/svg"))
	if err != nil {
		return nil, err
	}
	w, h, worth := p.Scaled(f.Content, space.Width, space.Height, space.Cover)
	if !worth {
		return f, nil
	}
	key := scaledKey{sha256.Sum256(f.Content), w, h}
	small, known := s.remembered(key)
	if !known {
		if small, err = s.scale(ctx, f, p, w, h); err != nil {
			return nil, err
		}
		s.remember(key, small)
	}
	if small == nil {
		return f, nil
	}
	named := *small
	named.Name = f.Name // another may have been made small under its own
	return &named, nil
}

// scale waits for its turn: a large picture takes four bytes a pixel.
func (s *scaler) scale(ctx context.Context, f *report.File, p *picture.Picture, w, h int) (*report.File, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	giveBack, err := budget.Borrow(ctx, 5*int64(p.Width)*int64(p.Height))
	if err != nil {
		return nil, err
	}
	defer giveBack()
	content, err := picture.Scale(f.Content, w, h)
	if err != nil || len(content) >= len(f.Content) && p.Width*p.Height < picture.AlwaysSmaller {
		return nil, nil // the browser shows what it can of it
	}
	return &report.File{ContentType: f.ContentType, Content: content}, nil
}

func (s *scaler) remembered(key scaledKey) (f *report.File, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, known := s.made[key]
	if !known {
		return nil, false
	}
	s.order.MoveToFront(e)
	return e.Value.(*scaled).file, true
}

func (s *scaler) remember(key scaledKey, f *report.File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.made[key]; known {
		return
	}
	e := &scaled{key, f}
	s.made[key] = s.order.PushFront(e)
	for s.bytes += e.size(); s.bytes > scaledBytes; {
		last := s.order.Remove(s.order.Back()).(*scaled)
		delete(s.made, last.key)
		s.bytes -= last.size()
	}
}

func (s *scaled) size() int {
	if s.file == nil {
		return 256
	}
	return 256 + len(s.file.Content)
}
