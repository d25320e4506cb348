package export

import (
	"io/fs"
	"sync"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/htmlgen/formula"
	"github.com/quire-reports/quire/report/font"
)

// fonts tells what the fonts have that a document may use: those inside the
// program, those of workspaces, and those that the printing browser finds on the
// machine.
type fonts struct {
	system *font.Library
	mu     sync.Mutex
	known  map[string]knownFont // by the file of a face
}

// knownFont is a font file that was read, or why it cannot be.
type knownFont struct {
	font *font.Font
	err  error
}

// mostFontsKnown bounds how many files are remembered: those of the program are some
// hundred.
const mostFontsKnown = 1_000

// texFormulas makes MathML of TeX for all: the same formulas come again and again.
var texFormulas = formula.New(assets.Temml)

func newFonts(system *font.Library) *fonts {
	return &fonts{system: system, known: map[string]knownFont{}}
}

// read reads a font file once.
func (f *fonts) read(file string, load func() ([]byte, error)) (*font.Font, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k, ok := f.known[file]; ok {
		return k.font, k.err
	}
	content, err := load()
	if err != nil {
		return nil, err // of the storage: the next one may find it
	}
	var k knownFont
	k.font, k.err = font.Parse(content)
	if len(f.known) >= mostFontsKnown {
		clear(f.known)
	}
	f.known[file] = k
	return k.font, k.err
}

// Face implements htmlgen.Glyphs. Fonts of workspaces have been read by then.
func (f *fonts) Face(face *htmlgen.FontFace, r rune) bool {
	known, err := f.read(face.File, func() ([]byte, error) { return fs.ReadFile(assets.Fonts(), face.File) })
	return err == nil && known.Chars.Has(r)
}

// System implements htmlgen.Glyphs.
func (f *fonts) System(r rune) bool { return f.system.Has(r) }

// Family implements htmlgen.Glyphs.
func (f *fonts) Family(name string) string { return f.system.Family(name) }

// Families implements htmlgen.Glyphs.
func (f *fonts) Families() []string { return f.system.Families() }
