package pdf

import (
	"bytes"
	"fmt"
)

// file is a PDF in memory. Objects are read when they are asked for.
type file struct {
	b            []byte
	xref         []location // by object number
	trailer      dict
	opened       map[int]map[int]any                              // object streams that were read
	lengths      int                                              // how many lengths are being looked up
	read         int                                              // bytes of objects that were read
	unpacked     int                                              // bytes of object streams and cross-references
	unseal       func(objStream bool, raw []byte) ([]byte, error) // decrypts strings and streams; nil
	openMetadata bool                                             // the metadata are not encrypted
}

// location says where an object is.
type location struct {
	kind   kind
	offset int // in the file, or the number of its object stream
	gen    int // or the index in the object stream
}

type kind byte

const (
	free     kind = iota
	direct        // at an offset
	inStream      // in an object stream
)

// Bounds against files that are made to use up time and memory.
const (
	// maxNumbers bounds the table of objects, together with the size of the file:
	// hardly an object takes less than four bytes.
	maxNumbers  = 4 << 20
	someNumbers = 1 << 12
	// maxStructure bounds what object streams and cross-references unpack to.
	maxStructure = 96 << 20
	// maxOverlap is how often the bytes of a file may be read when each object is
	// read once.
	maxOverlap = 3
)

// open reads the cross-reference of a file.
func open(b []byte) (*file, error) {
	if !bytes.HasPrefix(b, []byte("%PDF-")) {
		return nil, damaged("it does not begin like a PDF")
	}
	at := bytes.LastIndex(b, []byte("startxref"))
	if at < 0 {
		return nil, damaged("it has no end")
	}
	l := &lexer{b: b, i: at + len("startxref")}
	start, err := l.integer()
	if err != nil {
		return nil, err
	}
	f := &file{b: b, opened: map[int]map[int]any{}}
	if err := f.readXrefs(start); err != nil {
		return nil, err
	}
	return f, nil
}

func (l *lexer) integer() (int, error) {
	v, err := l.value()
	if err != nil {
		return 0, err
	}
	n, ok := v.(int)
	if !ok {
		return 0, damaged("a number is missing at byte %d", l.i)
	}
	return n, nil
}

// resolve follows a reference.
func (f *file) resolve(v any) (any, error) {
	for range 8 {
		r, ok := v.(ref)
		if !ok {
			return v, nil
		}
		var err error
		if v, err = f.object(r.num); err != nil {
			return nil, err
		}
	}
	return nil, damaged("references lead nowhere")
}

// dict resolves a value that should be a dictionary; anything else is an empty
// one.
func (f *file) dict(v any) (dict, error) {
	v, err := f.resolve(v)
	switch v := v.(type) {
	case dict:
		return v, err
	case stream:
		return v.dict, err
	}
	return nil, err
}

func (f *file) array(v any) (array, error) {
	v, err := f.resolve(v)
	a, _ := v.(array)
	return a, err
}

// object reads an object; nil when there is none of that number.
func (f *file) object(num int) (any, error) {
	if num <= 0 || num >= len(f.xref) {
		return nil, nil
	}
	switch at := f.xref[num]; at.kind {
	case direct:
		return f.directObject(num, at.offset)
	case inStream:
		return f.streamObject(num, at.offset)
	}
	return nil, nil
}

func (f *file) directObject(num, offset int) (any, error) {
	if offset <= 0 || offset >= len(f.b) {
		return nil, damaged("object %d is outside of the file", num)
	}
	l := &lexer{b: f.b, i: offset}
	defer func() { f.read += l.i - offset }()
	found, err := l.header()
	if err != nil {
		return nil, fmt.Errorf("object %d: %w", num, err)
	}
	if found != num {
		return nil, damaged("object %d is not where it should be", num)
	}
	v, err := l.value()
	if err != nil {
		return nil, fmt.Errorf("object %d: %w", num, err)
	}
	if v, err = f.openStrings(num, v); err != nil {
		return nil, fmt.Errorf("object %d: %w", num, err)
	}
	if d, ok := v.(dict); ok && l.accept("stream") {
		return f.stream(l, num, d)
	}
	return v, nil
}

// openStrings decrypts the strings in an object that stands in the file itself.
// Those of the encryption are open.
func (f *file) openStrings(num int, v any) (any, error) {
	if f.unseal == nil || f.trailer.get("Encrypt") == (ref{num: num}) {
		return v, nil
	}
	var err error
	switch v := v.(type) {
	case text:
		b, err := f.unseal(false, v)
		return text(b), err
	case array:
		for i := range v {
			if v[i], err = f.openStrings(num, v[i]); err != nil {
				return nil, err
			}
		}
	case dict:
		if v.name("Type") == "XRef" {
			return v, nil
		}
		for i := range v {
			if v[i].key == "Contents" && v.name("Type") == "Sig" {
				continue
			}
			if v[i].value, err = f.openStrings(num, v[i].value); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// header reads "12 0 obj".
func (l *lexer) header() (num int, err error) {
	l.space()
	if num, err = l.plainInteger(); err != nil {
		return 0, err
	}
	l.space()
	if _, err = l.plainInteger(); err != nil {
		return 0, err
	}
	if !l.accept("obj") {
		return 0, damaged("no object at byte %d", l.i)
	}
	return num, nil
}

// plainInteger reads digits, and never a reference.
func (l *lexer) plainInteger() (int, error) {
	n, start := 0, l.i
	for l.i < len(l.b) && l.b[l.i] >= '0' && l.b[l.i] <= '9' && n < 1<<40 {
		n = n*10 + int(l.b[l.i]-'0')
		l.i++
	}
	if l.i == start {
		return 0, damaged("a number is missing at byte %d", l.i)
	}
	return n, nil
}

// stream reads the data after "stream".
func (f *file) stream(l *lexer, num int, d dict) (any, error) {
	if l.has("\r\n") {
		l.i += 2
	} else if l.has("\n") || l.has("\r") {
		l.i++
	}
	length, err := f.length(d.get("Length"))
	if err != nil {
		return nil, err
	}
	n, ok := length.(int)
	if !ok || n < 0 || n > len(l.b)-l.i {
		return nil, damaged("the data of object %d has no length", num)
	}
	raw := l.b[l.i : l.i+n]
	l.i += n
	if !l.accept("endstream") {
		return nil, damaged("the data of object %d does not end where it should", num)
	}
	if f.unseal == nil || d.name("Type") == "XRef" || f.openMetadata && d.name("Type") == "Metadata" {
		return stream{d, raw}, nil
	}
	raw, err = f.unseal(d.name("Type") == "ObjStm", raw)
	return stream{d, raw}, err
}

// length resolves the length of a stream. To read it, another stream may have to
// be read, the one that has the number, but no chain of them.
func (f *file) length(v any) (any, error) {
	const most = 3
	if f.lengths++; f.lengths > most {
		return nil, damaged("the lengths of its data lead in circles")
	}
	v, err := f.resolve(v)
	f.lengths--
	return v, err
}

// streamObject reads an object out of an object stream.
func (f *file) streamObject(num, container int) (any, error) {
	objs, opened := f.opened[container]
	if !opened {
		var err error
		if objs, err = f.openObjects(container); err != nil {
			return nil, fmt.Errorf("object stream %d: %w", container, err)
		}
		f.opened[container] = objs
	}
	return objs[num], nil
}

// unpack unpacks a stream of the file's structure.
func (f *file) unpack(s stream) ([]byte, error) {
	b, err := s.decodeUpTo(maxStructure - f.unpacked)
	f.unpacked += len(b)
	return b, err
}

func (f *file) openObjects(container int) (map[int]any, error) {
	if container <= 0 || container >= len(f.xref) || f.xref[container].kind != direct {
		return nil, damaged("there is none")
	}
	v, err := f.directObject(container, f.xref[container].offset)
	if err != nil {
		return nil, err
	}
	s, ok := v.(stream)
	if !ok {
		return nil, damaged("it is no stream")
	}
	b, err := f.unpack(s)
	if err != nil {
		return nil, err
	}
	count, _ := s.dict.get("N").(int)
	first, _ := s.dict.get("First").(int)
	return readObjects(b, count, first)
}

// readObjects reads the values of an object stream: a table of numbers and
// offsets, then the values.
func readObjects(b []byte, count, first int) (map[int]any, error) {
	if count < 0 || first < 0 || first > len(b) || count > len(b) {
		return nil, damaged("its table is wrong")
	}
	objs := make(map[int]any, min(count, first/2))
	table := &lexer{b: b[:first]}
	read := 0
	for range count {
		num, err := table.integer()
		if err != nil {
			return nil, err
		}
		offset, err := table.integer()
		if err != nil {
			return nil, err
		}
		if offset < 0 || offset > len(b)-first {
			return nil, damaged("its table is wrong")
		}
		l := &lexer{b: b, i: first + offset}
		if objs[num], err = l.value(); err != nil {
			return nil, err
		}
		if read += l.i - first - offset; read > maxOverlap*len(b) {
			return nil, damaged("its objects overlap")
		}
	}
	return objs, nil
}
