package font

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// SystemDirs are where systems keep the fonts that a browser finds by itself.
func SystemDirs() []string {
	return []string{"/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts", `C:\Windows\Fonts`}
}

// Library is the fonts in some folders. They are looked at once, when somebody
// first asks: a browser that is running does not see later ones either.
type Library struct {
	Dirs []string
	once sync.Once
	all  Set
	// families by their names in lower case
	families map[string]string
}

// Has tells whether any font has a character. A nil library has none.
func (l *Library) Has(r rune) bool {
	if l == nil {
		return false
	}
	l.once.Do(l.look)
	return l.all.Has(r)
}

// Family is how a family writes its name; empty when there is none.
func (l *Library) Family(name string) string {
	if l == nil {
		return ""
	}
	l.once.Do(l.look)
	name = strings.ToLower(name)
	if known := l.families[name]; known != "" {
		return known
	}
	for _, twin := range twins[name] {
		if known := l.families[twin]; known != "" {
			return known
		}
	}
	return ""
}

// twins are free fonts of the same widths as well known ones, by which browsers
// replace them.
var twins = map[string][]string{
	"arial": {"liberation sans", "arimo"}, "helvetica": {"liberation sans", "arimo", "nimbus sans"},
	"times new roman": {"liberation serif", "tinos"}, "times": {"liberation serif", "tinos", "nimbus roman"},
	"courier new": {"liberation mono", "cousine"}, "courier": {"liberation mono", "cousine", "nimbus mono ps"},
	"calibri": {"carlito"}, "cambria": {"caladea"}, "georgia": {"gelasio"},
}

// Families are the names of all families.
func (l *Library) Families() []string {
	if l == nil {
		return nil
	}
	l.once.Do(l.look)
	list := make([]string, 0, len(l.families))
	for _, name := range l.families {
		list = append(list, name)
	}
	return list
}

// Bounds of what is looked at.
const (
	mostFiles   = 20_000
	mostFonts   = 64 // of a collection
	mostOfTable = 4 << 20
)

func (l *Library) look() {
	l.families = map[string]string{}
	var sets []Set
	files := 0
	for _, dir := range l.Dirs {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // what cannot be read the browser cannot read either
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc":
			default:
				return nil
			}
			if files++; files > mostFiles {
				return fs.SkipAll
			}
			for _, f := range readFile(path) {
				sets = append(sets, f.Chars)
				for _, name := range f.Names {
					l.families[strings.ToLower(name)] = name
				}
			}
			return nil
		})
	}
	l.all = Union(sets...)
}

// readFile reads what fonts of a file say, and nothing of their outlines.
func readFile(path string) []*Font {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	var list []*Font
	for _, at := range fontsIn(file) {
		dir, err := directory(file, info.Size(), at)
		if err != nil {
			continue
		}
		tables := map[string][]byte{}
		for _, tag := range []string{"name", "OS/2", "cmap"} {
			t := dir[tag]
			tables[tag] = make([]byte, min(t.length, mostOfTable))
			if _, err := file.ReadAt(tables[tag], t.offset); err != nil {
				tables[tag] = nil
			}
		}
		if f, err := read(tables); err == nil {
			list = append(list, f)
		}
	}
	return list
}

// fontsIn are the offsets of the fonts of a file: several in a collection.
func fontsIn(file *os.File) []int64 {
	var head [12 + 4*mostFonts]byte
	n, _ := file.ReadAt(head[:], 0)
	if n < 16 || u32(head[:], 0) != tagTTC {
		return []int64{0}
	}
	var list []int64
	for i := range min(int(u32(head[:], 8)), mostFonts, (n-12)/4) {
		list = append(list, int64(u32(head[:], 12+4*i)))
	}
	return list
}
