// Package assets holds the files that are built into the program: the browser
// scripts with the paginator, the fonts of documents, and the demo workspace.
// The TypeScript in web is bundled into dist by go generate; dist is committed.
package assets

import (
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"strings"

	"github.com/quire-reports/quire/internal/live"
)

//go:generate go run ./build

//go:embed dist fonts all:demo starts third_party/echarts/echarts.min.js.gz third_party/harfbuzz/harfbuzz-subset.wasm.gz third_party/lucide third_party/temml/temml.min.js.gz
var embedded embed.FS

var files = live.FS(embedded, "assets")

// Paginator is the script that turns a document of htmlgen into pages. It is
// evaluated in the tab that prints, and defines the global object quire.
func Paginator() string { return read("dist/paginate.js") }

// Reader is the script that reads a document back from the tab that laid it out. It
// needs the paginator and defines the global object quireReader.
func Reader() string { return read("dist/read.js") }

// ECharts is the source of the library of advanced charts.
func ECharts() string { return string(unpacked("third_party/echarts/echarts.min.js.gz")) }

// Temml is the source of the library that makes MathML of TeX.
func Temml() string { return string(unpacked("third_party/temml/temml.min.js.gz")) }

// HarfBuzz is the part of that library that makes subsets of fonts, as WebAssembly.
func HarfBuzz() []byte { return unpacked("third_party/harfbuzz/harfbuzz-subset.wasm.gz") }

func unpacked(name string) []byte {
	r, err := gzip.NewReader(strings.NewReader(read(name)))
	if err != nil {
		panic("assets: " + err.Error())
	}
	content, err := io.ReadAll(r)
	if err != nil {
		panic("assets: " + err.Error())
	}
	return content
}

// Dist holds the built scripts and style sheets as they are served to browsers.
func Dist() fs.FS { return sub("dist") }

// Demo holds the demo workspace: a folder of JSON as report.ReadWorkspace takes it.
func Demo() fs.FS { return sub("demo") }

// Starts holds the layouts that new reports begin with, as a folder like Demo.
func Starts() fs.FS { return sub("starts") }

// Icons holds the drawings of the interface: {name}.svg of Lucide, 24 units wide.
func Icons() fs.FS { return sub("third_party/lucide") }

// read returns an embedded file. A file that is missing is a fault of the build
// that go:embed and the tests of this package rule out.
func read(name string) string {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		panic("assets: " + err.Error())
	}
	return string(content)
}

func sub(dir string) fs.FS {
	f, err := fs.Sub(files, dir)
	if err != nil {
		panic("assets: " + err.Error())
	}
	return f
}
