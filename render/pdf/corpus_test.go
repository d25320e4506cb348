package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
)

// broken is a damaged PDF. Damage that changes nothing of what is read may leave
// a file that can be attached; it must then be one that others can read.
type broken struct {
	name     string
	file     []byte
	harmless bool // may be attached without a word
}

// assemble writes a PDF of objects, the first of which is the catalog; a
// trailer's entries can be given.
func assemble(trailer string, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Root 1 0 R/Size %d%s>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, start)
	return b.Bytes()
}

const catalogAndPages = "<</Type/Catalog/Pages 2 0 R>>\x00<</Type/Pages/Kids[3 0 R]/Count 1>>\x00<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>"

// onePage is a PDF of a page whose content and further objects are given.
func onePage(objects ...string) []byte {
	return assemble("", append(strings.Split(catalogAndPages, "\x00"), objects...)...)
}

func zipped(b []byte) string {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.String()
}

// zeros packs a number of bytes of one value; a gigabyte takes a megabyte.
func zeros(value string, n int) string {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	block := []byte(strings.Repeat(value, 1<<20/len(value)))
	for done := 0; done < n; done += len(block) {
		z.Write(block)
	}
	z.Close()
	return out.String()
}

func dataObject(entries, data string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", entries, len(data), data)
}

// modern is a PDF whose cross-reference is a stream: rows of type, offset of four
// bytes and index of two. The last object is the cross-reference itself.
func modern(entries string, rows func(offsets []int) []byte, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	data := zipped(rows(append(offsets, start)))
	fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, dataObject("/Type/XRef/Root 1 0 R/W[1 4 2]/Filter/FlateDecode"+entries, data), start)
	return b.Bytes()
}

func xrefRow(kind, offset, index int) []byte {
	return []byte{byte(kind), byte(offset >> 24), byte(offset >> 16), byte(offset >> 8), byte(offset), byte(index >> 8), byte(index)}
}

// corpus makes the damaged files.
func corpus(t testing.TB) []broken {
	var list []broken
	add := func(name string, file []byte) { list = append(list, broken{name: name, file: file}) }
	r := rand.New(rand.NewPCG(2026, 11))
	sources := []string{"links.pdf", "objstm.pdf", "tagged.pdf", "statement1.pdf"}
	for _, source := range sources {
		whole := load(t, source)[0]
		for i := range 10 {
			add(fmt.Sprintf("%s cut at %d%%", source, 5+i*9), whole[:len(whole)*(5+i*9)/100])
		}
		for i := range 20 {
			b := bytes.Clone(whole)
			for range 1 + i {
				b[r.IntN(len(b)-32)] ^= 1 << r.IntN(8)
			}
			list = append(list, broken{fmt.Sprintf("%s with %d bits flipped", source, 1+i), b, true})
		}
		lengths := regexp.MustCompile(`/Length \d+[ />]`).FindAllIndex(whole, -1)
		for i := range min(len(lengths), 10) {
			at := lengths[i*len(lengths)/min(len(lengths), 10)]
			n, _ := strconv.Atoi(strings.Trim(string(whole[at[0]+8:at[1]-1]), " "))
			wrong := fmt.Sprint(map[int]int{0: n + 1 + i, 1: max(n-7-i, 0), 2: 99999999}[i%3])
			// The file keeps its length where it can, so that the places in it hold.
			b := append(bytes.Clone(whole[:at[0]+8]), wrong...)
			b = append(b, whole[at[1]-1:]...)
			list = append(list, broken{fmt.Sprintf("%s with a length of %s for %d", source, wrong, n), b, true})
		}
	}
	list = append(list, loops()...)
	list = append(list, bombs()...)
	list = append(list, nestings()...)
	return append(list, tables()...)
}

// loops are files whose parts refer to each other in circles, or nowhere.
func loops() (list []broken) {
	page := "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>"
	catalog := "<</Type/Catalog/Pages 2 0 R>>"
	for name, objects := range map[string][]string{
		"a node that is its own kid":        {catalog, "<</Type/Pages/Kids[2 0 R]/Count 1>>"},
		"nodes that are kids of each other": {catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Pages/Kids[2 0 R]/Count 1>>"},
		"a page twice":                      {catalog, "<</Type/Pages/Kids[3 0 R 3 0 R]/Count 2>>", page},
		"a page a hundred thousand times":   {catalog, "<</Type/Pages/Kids[" + strings.Repeat("3 0 R ", 100_000) + "]/Count 1>>", page},
		"a tree of nothing":                 {catalog, "null"},
		"a page that is a number":           {catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>", "42"},
		"a page of another kind":            {catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Font>>"},
		"kids that are no array":            {catalog, "<</Type/Pages/Kids 7/Count 1>>"},
		"kids that lead to themselves":      {catalog, "<</Type/Pages/Kids 3 0 R/Count 1>>", "3 0 R"},
		"a catalog of nothing":              {"null", "<</Type/Pages/Kids[3 0 R]/Count 1>>", page},
		"a catalog in the pages":            {"<</Type/Catalog/Pages 1 0 R>>"},
		"references in a circle":            {catalog, "3 0 R", "4 0 R", "3 0 R"},
		"lengths in a circle":               {catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>", page, "<</Length 5 0 R>>\nstream\n\nendstream", "<</Length 4 0 R>>\nstream\n\nendstream"},
		"a length of itself":                {catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>", page, "<</Length 4 0 R>>\nstream\n\nendstream"},
		"no length":                         {catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>", page, "<<>>\nstream\n\nendstream"},
		"a negative length":                 {catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>", page, "<</Length -5>>\nstream\n\nendstream"},
	} {
		list = append(list, broken{name: name, file: assemble("", objects...)})
	}
	chain := []string{catalog}
	for i := range 5000 {
		chain = append(chain, fmt.Sprintf("<</Type/Pages/Kids[%d 0 R]/Count 1>>", i+3))
	}
	list = append(list, broken{name: "a tree of five thousand levels", file: assemble("", append(chain, page)...)})
	// Forms that draw each other are for the reader to refuse; they must not stop us.
	forms := onePage(dataObject("", "/A Do"), dataObject("/Subtype/Form/Resources<</XObject<</A 5 0 R>>>>", "/A Do"))
	return append(list, broken{name: "a form that draws itself", file: forms, harmless: true})
}

// bombs are small files that unpack to large ones.
func bombs() (list []broken) {
	add := func(name string, file []byte) { list = append(list, broken{name: name, file: file}) }
	add("a page that unpacks to 600 MB", onePage(dataObject("/Filter/FlateDecode", zeros("0 0 m ", 600<<20))))
	three := strings.Split(catalogAndPages, "\x00")
	stm := func(entries, data string) []byte {
		return modern("/Size 8/Index[0 8]", func(at []int) []byte {
			rows := xrefRow(0, 0, 0)
			for i := range 3 {
				rows = append(rows, xrefRow(1, at[i], 0)...)
			}
			rows = append(rows, xrefRow(1, at[3], 0)...)
			rows = append(append(rows, xrefRow(2, 4, 0)...), xrefRow(2, 4, 1)...)
			return append(rows, xrefRow(1, at[4], 0)...)
		}, append(three, dataObject("/Type/ObjStm/Filter/FlateDecode"+entries, data))...)
	}
	for _, mb := range []int{128, 600} {
		add(fmt.Sprintf("an object stream of %d MB", mb), stm("/N 2/First 8", zeros("5 0 6 2 ", mb<<20)))
		add(fmt.Sprintf("an object stream of arrays, %d MB", mb), stm("/N 2/First 8", zeros("[[[[[[[[", mb<<20)))
	}
	add("an object stream with too many objects", stm("/N 99999999/First 8", zipped([]byte("5 0 6 2 1 2"))))
	add("an object stream with a negative number", stm("/N -1/First 8", zipped([]byte("5 0 6 2 1 2"))))
	add("an object stream that begins after its end", stm("/N 2/First 800", zipped([]byte("5 0 6 2 1 2"))))
	add("an object stream with wild offsets", stm("/N 2/First 10", zipped([]byte("5 0 6 9999 1 2"))))
	add("an object stream of no data", stm("/N 2/First 8", "no data"))
	add("an object stream in an unknown packing", stm("/N 2/First 8/DecodeParms<</Predictor 15/Columns 99999999>>", zipped([]byte("5 0 6 2 1 2"))))
	// Twenty thousand objects that all are the same long array.
	var table strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&table, "%d 0 ", i+5)
	}
	add("objects that overlap in an object stream", stm(fmt.Sprintf("/N 20000/First %d", table.Len()), zipped([]byte(table.String()+"["+strings.Repeat("1 ", 500_000)+"]"))))
	add("an object stream in itself", modern("/Size 6/Index[0 6]", func(at []int) []byte {
		rows := xrefRow(0, 0, 0)
		for i := range 3 {
			rows = append(rows, xrefRow(1, at[i], 0)...)
		}
		return append(append(rows, xrefRow(2, 4, 0)...), xrefRow(1, at[4], 0)...)
	}, append(three, dataObject("/Type/ObjStm/N 1/First 4", "4 0 1"))...))
	add("an object stream whose length is in it", modern("/Size 7/Index[0 7]", func(at []int) []byte {
		rows := xrefRow(0, 0, 0)
		for i := range 4 {
			rows = append(rows, xrefRow(1, at[i], 0)...)
		}
		return append(append(rows, xrefRow(2, 4, 0)...), xrefRow(1, at[4], 0)...)
	}, append(three, "<</Type/ObjStm/N 1/First 4/Length 5 0 R>>\nstream\n5 0 5\nendstream")...))
	return list
}

// nestings are values in values.
func nestings() (list []broken) {
	for _, depth := range []int{150, 10_000, 3_000_000} {
		for name, v := range map[string]string{
			"arrays":       strings.Repeat("[", depth) + strings.Repeat("]", depth),
			"dictionaries": strings.Repeat("<</A", depth) + " 1" + strings.Repeat(">>", depth),
			"open arrays":  strings.Repeat("[", depth),
		} {
			list = append(list, broken{name: fmt.Sprintf("%d %s in each other", depth, name), file: onePage(dataObject("", "q"), v)})
		}
		list = append(list, broken{name: fmt.Sprintf("a trailer of %d arrays", depth), file: assemble("/A "+strings.Repeat("[", depth), strings.Split(catalogAndPages, "\x00")...)})
		list = append(list, broken{name: fmt.Sprintf("%d brackets in a text", depth), file: onePage(dataObject("", "q"), strings.Repeat("(", depth))})
	}
	return list
}

// tables are wrong cross-references.
func tables() (list []broken) {
	add := func(name string, file []byte) { list = append(list, broken{name: name, file: file}) }
	three := strings.Split(catalogAndPages, "\x00")
	one := func(at []int) []byte {
		rows := xrefRow(0, 0, 0)
		for i := range at {
			rows = append(rows, xrefRow(1, at[i], 0)...)
		}
		return rows
	}
	content := dataObject("", "q")
	for _, index := range []string{"/Index[0 5 999999999 1]", "/Index[0 5 -3 1]", "/Index[4194000 99999999]", "/Index[0 999999999999999999]", "/Index[(a) 1]"} {
		add("a cross-reference of "+index, modern("/Size 999999999"+index, func(at []int) []byte { return append(one(at), bytes.Repeat(xrefRow(1, 9, 0), 9)...) }, append(three, content)...))
	}
	for _, w := range []string{"[0 0 0]", "[9 9 9]", "[-1 4 2]", "[1 4]", "7"} {
		add("widths of "+w, bytes.Replace(modern("/Size 6", one, append(three, content)...), []byte("/W[1 4 2]"), []byte("/W"+w), 1))
	}
	add("a million objects in one place", modern("/Size 1000000/Index[0 6 6 900000]", func(at []int) []byte {
		return append(one(at), bytes.Repeat(xrefRow(1, at[0], 0), 900_000)...)
	}, append(three, dataObject("", strings.Repeat("q", 4_000_000)))...))
	add("objects that overlap", overlapping(20_000))
	add("a cross-reference of 300 MB", modern("/Size 9", func(at []int) []byte { return make([]byte, 300<<20) }, append(three, content)...))
	for name, start := range map[string]string{"nothing": "", "minus": "-5", "behind the end": "99999999", "a name": "/A", "itself": "7"} {
		whole := onePage(content)
		at := bytes.LastIndex(whole, []byte("startxref\n"))
		add("a start of "+name, append(bytes.Clone(whole[:at+10]), start+"\n%%EOF\n"...))
	}
	whole := onePage(content)
	at := bytes.LastIndex(whole, []byte("xref\n0 "))
	add("a section that continues itself", assemble(fmt.Sprintf("/Prev %010d", at+len("/Prev 0123456789")), append(three, content)...))
	add("a section before the first", assemble("/Prev 1", append(three, content)...))
	add("a section in a stream that is none", assemble("/XRefStm 20", append(three, content)...))
	add("a table of too many lines", bytes.Replace(whole, []byte("xref\n0 5"), []byte("xref\n0 99999999"), 1))
	add("a table that begins at minus one", bytes.Replace(whole, []byte("xref\n0 5"), []byte("xref\n-1 5"), 1))
	add("a table of letters", bytes.Replace(whole, []byte("00000 n"), []byte("0000x n"), 1))
	add("no trailer", bytes.Replace(whole, []byte("trailer"), []byte("traitor"), 1))
	add("a protected file", assemble("/Encrypt<</Filter/Standard/V 5>>", append(three, content)...))
	var chain bytes.Buffer
	chain.WriteString("%PDF-1.7\n")
	before := 0
	for range 20_000 {
		start := chain.Len()
		fmt.Fprintf(&chain, "xref\n0 0\ntrailer\n<</Prev %d>>\n", before)
		before = start
	}
	fmt.Fprintf(&chain, "startxref\n%d\n%%%%EOF\n", before)
	add("twenty thousand sections", chain.Bytes())
	return list
}

// overlapping is a file of objects that begin in one another's data.
func overlapping(n int) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	three := strings.Split(catalogAndPages, "\x00")
	var rows []byte
	rows = append(rows, xrefRow(0, 0, 0)...)
	for i, o := range three {
		rows = append(rows, xrefRow(1, b.Len(), 0)...)
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	for i := range n {
		rows = append(rows, xrefRow(1, b.Len(), 0)...)
		fmt.Fprintf(&b, "%d 0 obj[", i+4)
	}
	start := b.Len()
	fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n", n+4, dataObject(fmt.Sprintf("/Type/XRef/Root 1 0 R/W[1 4 2]/Filter/FlateDecode/Size %d", n+4), zipped(rows)), start)
	return b.Bytes()
}

// TestDamagedAttachments attaches each damaged file. Each ends with an error, a
// warning or a document that qpdf reads, within seconds and a bound of memory.
func TestDamagedAttachments(t *testing.T) {
	judges.Slow(t)
	files := corpus(t)
	if len(files) < 200 {
		t.Fatalf("only %d files", len(files))
	}
	_, noQPDF := exec.LookPath("qpdf")
	printed := load(t, "statement1.pdf")
	errors, warnings, harmless := 0, 0, 0
	var most uint64
	var longest time.Duration
	for _, f := range files {
		debug.FreeOSMemory()
		watch := watchHeap()
		began := time.Now()
		d, err := OpenDocument(f.file)
		var out bytes.Buffer
		if err == nil {
			_, err = Finish(context.Background(), &out, printed, Options{Title: "Attached", Attached: []Attached{{At: 1, Document: d, Page: 1}}})
		}
		took, heap := time.Since(began), watch()
		longest, most = max(longest, took), max(most, heap)
		if took > 30*time.Second || heap > 400<<20 {
			t.Errorf("%s took %s and %d MB", f.name, took, heap>>20)
		}
		switch {
		case err != nil:
			errors++
			if s := err.Error(); len(s) > 300 || strings.TrimSpace(s) == "" {
				t.Errorf("%s: the message has %d characters", f.name, len(s))
			}
		case d.Damage() != "":
			warnings++
		case !f.harmless:
			t.Errorf("%s was attached without a word", f.name)
		default:
			harmless++
			if noQPDF != nil {
				continue
			}
			file := filepath.Join(t.TempDir(), "a.pdf")
			if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if message, err := exec.Command("qpdf", "--check", file).CombinedOutput(); err != nil {
				t.Errorf("%s was attached, but qpdf says %s", f.name, message)
			}
		}
	}
	t.Logf("%d damaged files: %d errors, %d warnings, %d with damage that changes nothing; at most %d MB of heap and %s", len(files), errors, warnings, harmless, most>>20, longest.Round(time.Millisecond))
}

// watchHeap measures the largest heap until it is asked.
func watchHeap() (most func() uint64) {
	var peak atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapAlloc))
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); <-done; return peak.Load() }
}
