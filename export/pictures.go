package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/htmlgen/picture"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/font"
)

// pictures finds the images of one run: managed files by name, addresses
// through the guard. Each is fetched once. In a document that is printed they
// get addresses that only the printing browser can resolve; in one that is
// shown they are carried inside it.
type pictures struct {
	managed func(ctx context.Context, name string) (*report.File, error)
	guard   *egress.Guard
	scaler  *scaler
	inline  bool

	refused error // no memory for a picture: the document is not to be without it
	system  *font.Library

	mu    sync.Mutex
	known map[pictureKey]pictureAddress
	files map[string]*loaded // by their references
	byURL map[string]*report.File
}

// pictureKey is a picture in a size.
type pictureKey struct {
	ref   string
	space htmlgen.Space
}

type pictureAddress struct {
	url string
	err error
}

func (s *Service) pictures(r *run, inline bool) *pictures {
	return &pictures{
		managed: func(ctx context.Context, name string) (*report.File, error) {
			return s.managed(ctx, r, name)
		},
		guard:  s.cfg.Guard,
		scaler: s.scaler,
		system: s.cfg.Fonts,
		inline: inline,
		known:  map[pictureKey]pictureAddress{}, files: map[string]*loaded{}, byURL: map[string]*report.File{},
	}
}

// Image implements htmlgen.Images.
func (p *pictures) Image(ctx context.Context, ref string, space htmlgen.Space) (string, error) {
	key := pictureKey{ref, space}
	if known, ok := p.known[key]; ok {
		return known.url, known.err
	}
	var found pictureAddress
	found.url, found.err = p.find(ctx, ref, space)
	p.known[key] = found
	return found.url, found.err
}

// find finds a picture and makes it as small as the space allows.
func (p *pictures) find(ctx context.Context, ref string, space htmlgen.Space) (string, error) {
	f, err := p.load(ctx, ref)
	if err != nil {
		return "", err
	}
	fit, err := p.scaler.fit(ctx, f.File, space)
	var problem *report.Problem
	if errors.As(err, &problem) {
		p.refused = problem
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("%s %w", f.called, err)
	case fit == f.File && f.uri:
		return ref, nil
	}
	return p.address(fit), nil
}

// loaded is a picture and what people call it.
type loaded struct {
	*report.File
	called string
	uri    bool     // it was given as a data: address
	told   []string // what is wrong with its letters
}

func (p *pictures) load(ctx context.Context, ref string) (*loaded, error) {
	if f, ok := p.files[ref]; ok {
		return f, nil
	}
	f, err := p.loadNew(ctx, ref)
	if err != nil {
		return nil, err
	}
	p.files[ref] = f
	if strings.HasPrefix(f.ContentType, "image/svg") {
		f.told = p.told(f)
	}
	return f, nil
}

// told is what is wrong with the letters of a drawing. As a picture it has none of a
// document's fonts.
func (p *pictures) told(f *loaded) (list []string) {
	for _, name := range picture.Fonts(f.Content) {
		list = append(list, fmt.Sprintf("%s asks for the font %q, which a picture has only if it is inside of it or installed; convert its text to paths, or embed the font", f.called, name))
	}
	named := bytes.Contains(f.Content, []byte("font-family"))
	var lacking []rune
	for _, r := range picture.Letters(f.Content) {
		if p.system != nil && r >= 0x80 && htmlgen.IsPrinted(r) && !slices.Contains(lacking, r) && (unicode.Is(unicode.Co, r) && !named || !p.system.Has(r)) {
			lacking = append(lacking, r)
		}
	}
	if len(lacking) > 0 {
		list = append(list, fmt.Sprintf("no font has %s of %s; boxes are drawn in their place", htmlgen.Describe(string(lacking)), f.called))
	}
	return list
}

// File implements htmlgen.Files.
func (p *pictures) File(ctx context.Context, name string) ([]byte, error) {
	f, err := p.managed(ctx, strings.TrimPrefix(name, "/"))
	if missing := (*report.Problem)(nil); errors.As(err, &missing) && missing.Kind != report.NotFound {
		return nil, missing
	}
	if err != nil {
		return nil, fmt.Errorf("there is no managed file %q", short(name))
	}
	return f.Content, nil
}

// Letters implements htmlgen.Lettered.
func (p *pictures) Letters(ref string) []string {
	if f := p.files[ref]; f != nil {
		return f.told
	}
	return nil
}

func (p *pictures) loadNew(ctx context.Context, ref string) (*loaded, error) {
	lower := strings.ToLower(ref)
	switch {
	case strings.HasPrefix(lower, "data:image/"):
		kind, content, err := picture.DataURI(ref)
		if err != nil {
			return nil, fmt.Errorf("the picture in the data: address %w", err)
		}
		return &loaded{&report.File{Name: short(ref), ContentType: kind, Content: content}, "the picture in the data: address", true, nil}, nil
	case strings.HasPrefix(lower, "http://"), strings.HasPrefix(lower, "https://"):
		f, err := p.fetch(ctx, ref)
		if err != nil {
			return nil, err
		}
		host := ""
		if u, err := url.Parse(ref); err == nil {
			host = u.Hostname()
		}
		return &loaded{f, fmt.Sprintf("the picture from %q", host), false, nil}, nil
	case strings.Contains(ref, ":"):
		return nil, fmt.Errorf("the image address %q is not allowed; accepted: the name of a managed file, http(s): and data:image/", short(ref))
	}
	f, err := p.managed(ctx, strings.TrimPrefix(ref, "/"))
	if missing := (*report.Problem)(nil); errors.As(err, &missing) && missing.Kind != report.NotFound {
		return nil, missing
	}
	if err != nil {
		return nil, fmt.Errorf("there is no managed file %q", short(ref))
	}
	if !strings.HasPrefix(f.ContentType, "image/") {
		return nil, fmt.Errorf("the managed file %q is no image but %s", short(ref), f.ContentType)
	}
	return &loaded{f, fmt.Sprintf("the managed file %q", short(ref)), false, nil}, nil
}

func (p *pictures) fetch(ctx context.Context, address string) (*report.File, error) {
	if p.guard == nil {
		return nil, fmt.Errorf("images from other hosts cannot be loaded here")
	}
	answer, err := p.guard.Get(ctx, address)
	if problem := (*report.Problem)(nil); errors.As(err, &problem) {
		p.refused = problem
	}
	if err != nil {
		return nil, fmt.Errorf("the image cannot be loaded: %w", err)
	}
	if answer.Status != 200 {
		return nil, fmt.Errorf("the image cannot be loaded: its host answered %d", answer.Status)
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if !strings.HasPrefix(kind, "image/") {
		kind = report.ContentTypeOf("", answer.Body)
	}
	if !strings.HasPrefix(kind, "image/") {
		return nil, fmt.Errorf("what the address gives is no image but %s", kind)
	}
	return &report.File{Name: address, ContentType: kind, Content: answer.Body}, nil
}

// named puts the names of pictures where a message has the addresses that only
// the printing browser knows.
func (p *pictures) named(message string) string {
	if !strings.Contains(message, render.ResourceBase) {
		return message
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for path, f := range p.byURL {
		message = strings.ReplaceAll(message, render.ResourceBase+path, short(f.Name))
	}
	return message
}

// address is where the document finds a picture.
func (p *pictures) address(f *report.File) string {
	if p.inline {
		return dataURI(f.ContentType, f.Content)
	}
	sum := sha256.Sum256(f.Content)
	path := "image/" + hex.EncodeToString(sum[:12])
	p.mu.Lock()
	p.byURL[path] = f
	p.mu.Unlock()
	return render.ResourceBase + path
}

func dataURI(contentType string, content []byte) string {
	return "data:" + contentType + ";base64," + base64.StdEncoding.EncodeToString(content)
}

func short(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}
