// Hyphengen makes patterns.zip of package hyphen, and the list of the patterns'
// licences beside it, from a copy of https://github.com/hyphenation/tex-hyphen:
//
//	go run ./report/text/internal/hyphengen -from tex-hyphen/hyph-utf8/tex/generic/hyph-utf8/patterns/tex -out report/text/hyphen
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	from := flag.String("from", "", "folder with the patterns as TeX reads them (hyph-de-1996.tex …)")
	out := flag.String("out", "report/text/hyphen", "folder to write patterns.zip and LICENSES to")
	flag.Parse()
	if err := run(*from, *out); err != nil {
		fmt.Fprintln(os.Stderr, "hyphengen:", err)
		os.Exit(1)
	}
}

func run(from, out string) error {
	var file, licences bytes.Buffer
	licences.WriteString(preface)
	z := zip.NewWriter(&file)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		src, err := readSource(from, sources[name])
		if err != nil {
			return err
		}
		w, err := z.Create(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, src.content()); err != nil {
			return err
		}
		fmt.Fprintf(&licences, "\n%s\n%s: hyph-%s.tex\n\n%s", strings.Repeat("=", 80), name, sources[name], src.header)
	}
	if err := z.Close(); err != nil {
		return err
	}
	fmt.Printf("patterns.zip: %d languages and dialects, %d bytes\n", len(sources), file.Len())
	if err := os.WriteFile(filepath.Join(out, "patterns.zip"), file.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "LICENSES"), licences.Bytes(), 0o644)
}

const preface = `The patterns in patterns.zip are those of https://github.com/hyphenation/tex-hyphen, without their comments,
in another order and in a form of their own, made by report/text/internal/hyphengen. They are modified in
that sense alone. Each file keeps its own licence, and all of them may be used, changed and given on; where a
file is offered under several licences, it is used here under the most permissive one (MIT). What the files
say of themselves follows. Where one names the MIT licence and no more, this is its text:

    Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
    documentation files (the "Software"), to deal in the Software without restriction, including without limitation
    the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
    to permit persons to whom the Software is furnished to do so, subject to the following conditions:

    The above copyright notice and this permission notice shall be included in all copies or substantial portions
    of the Software.

    THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
    THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
    AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
    CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
    DEALINGS IN THE SOFTWARE.
`
