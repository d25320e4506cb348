// Package subset makes fonts small: of the characters that a document shows, with
// what their shaping needs, by HarfBuzz, which runs as WebAssembly.
package subset

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/quire-reports/quire/report/font"
)

const (
	idle      = time.Minute // HarfBuzz is let go when nobody asks for so long
	mostBytes = 8 << 20     // of fonts that are kept
	pages     = 4096        // of 64 KB that HarfBuzz may take
)

// Subsetter makes subsets of fonts that belong to the program: their files are
// trusted. It is safe for concurrent use.
type Subsetter struct {
	wasm   func() []byte
	folder string

	mu     sync.Mutex
	engine *engine
	rest   *time.Timer
	kept   kept
}

// New makes a Subsetter of HarfBuzz's code. What is compiled of it is kept in a
// folder, where one is given and can be written.
func New(wasm func() []byte, folder string) *Subsetter {
	return &Subsetter{wasm: wasm, folder: folder, kept: kept{fonts: map[key]*list.Element{}}}
}

// Wish is what is wanted of a font.
type Wish struct {
	Chars []rune
	// Variants keeps the glyphs that are only shown where styles ask for them, such as
	// small capitals; those for figures of one width are kept always.
	Variants bool
}

// WOFF2 gives a font with no more than what is wished as WOFF2. The name is that of
// its file, and always of the same content.
func (s *Subsetter) WOFF2(name string, content func() ([]byte, error), wish Wish) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := keyOf(name, wish)
	if made, ok := s.kept.get(k); ok {
		return made, nil
	}
	made, err := s.make(name, content, wish)
	if err != nil {
		return nil, fmt.Errorf("subset of %s: %w", name, err)
	}
	s.kept.add(k, made)
	return made, nil
}

func (s *Subsetter) make(name string, content func() ([]byte, error), wish Wish) ([]byte, error) {
	if s.engine == nil {
		engine, err := start(s.wasm(), s.folder)
		if err != nil {
			return nil, err
		}
		s.engine = engine
		s.rest = time.AfterFunc(idle, s.Close)
	}
	s.rest.Reset(idle)
	plain, err := s.engine.subset(name, content, wish)
	if err != nil {
		s.close() // whatever state it is in
		return nil, err
	}
	return font.Pack(plain)
}

// Close lets HarfBuzz go; it starts again when somebody asks.
func (s *Subsetter) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.close()
}

func (s *Subsetter) close() {
	if s.engine != nil {
		s.rest.Stop()
		s.engine.close()
		s.engine = nil
	}
}

// start has HarfBuzz ready, from what was compiled earlier where that is there.
func start(wasm []byte, folder string) (*engine, error) {
	if folder == "" {
		return run(wasm, nil)
	}
	cache, err := wazero.NewCompilationCacheWithDir(folder)
	if err != nil {
		return run(wasm, nil)
	}
	e, err := run(wasm, cache)
	if err != nil { // nothing that lies in a folder is in the way
		e, err = run(wasm, nil)
	}
	return e, err
}

func run(wasm []byte, cache wazero.CompilationCache) (*engine, error) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(pages)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	runtime := wazero.NewRuntimeWithConfig(ctx, config)
	module, err := runtime.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		_ = runtime.Close(ctx)
		return nil, err
	}
	return &engine{runtime: runtime, module: module, faces: map[string]uint64{}}, nil
}

type key [sha256.Size]byte

func keyOf(name string, wish Wish) key {
	b := []byte(name)
	if wish.Variants {
		b = append(b, '+')
	}
	for _, r := range wish.Chars {
		b = binary.BigEndian.AppendUint32(b, uint32(r))
	}
	return sha256.Sum256(b)
}

// kept are the fonts that were made last.
type kept struct {
	fonts map[key]*list.Element
	order list.List // the last asked for first
	bytes int
}

type made struct {
	key     key
	content []byte
}

func (k *kept) get(of key) ([]byte, bool) {
	e, ok := k.fonts[of]
	if !ok {
		return nil, false
	}
	k.order.MoveToFront(e)
	return e.Value.(*made).content, true
}

func (k *kept) add(of key, content []byte) {
	k.fonts[of] = k.order.PushFront(&made{of, content})
	for k.bytes += len(content); k.bytes > mostBytes && k.order.Len() > 1; {
		last := k.order.Remove(k.order.Back()).(*made)
		delete(k.fonts, last.key)
		k.bytes -= len(last.content)
	}
}
