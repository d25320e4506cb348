package pdf

// readXrefs reads the cross-reference section at an offset and those it
// continues. The section read first holds.
func (f *file) readXrefs(start int) error {
	seen := map[int]bool{}
	for start > 0 {
		if seen[start] || start >= len(f.b) {
			return damaged("its cross-reference is wrong")
		}
		seen[start] = true
		trailer, err := f.readXref(start)
		if err != nil {
			return err
		}
		if f.trailer == nil {
			f.trailer = trailer
		}
		// A file for readers of two ages has the rest in a stream.
		if at, ok := trailer.get("XRefStm").(int); ok && at > 0 && at < len(f.b) && !seen[at] {
			seen[at] = true
			if _, err := f.readXref(at); err != nil {
				return err
			}
		}
		start, _ = trailer.get("Prev").(int)
	}
	if f.trailer == nil {
		return damaged("it has no trailer")
	}
	return nil
}

func (f *file) readXref(at int) (dict, error) {
	l := &lexer{b: f.b, i: at}
	if l.accept("xref") {
		return f.readTable(l)
	}
	return f.readXrefStream(l)
}

// readTable reads a classic table: sections of lines of 20 bytes.
func (f *file) readTable(l *lexer) (dict, error) {
	for !l.accept("trailer") {
		first, err := l.integer()
		if err != nil {
			return nil, err
		}
		count, err := l.integer()
		if err != nil {
			return nil, err
		}
		if count < 0 || count > (len(l.b)-l.i)/18 {
			return nil, damaged("its table of objects is wrong")
		}
		for i := range count {
			if err := f.readLine(l, first+i); err != nil {
				return nil, err
			}
		}
	}
	v, err := l.value()
	if err != nil {
		return nil, err
	}
	d, ok := v.(dict)
	if !ok {
		return nil, damaged("it has no trailer")
	}
	return d, nil
}

func (f *file) readLine(l *lexer, num int) error {
	l.space()
	offset, err := l.plainInteger()
	if err != nil {
		return err
	}
	l.space()
	gen, err := l.plainInteger()
	if err != nil {
		return err
	}
	switch {
	case l.accept("n"):
		return f.locate(num, location{direct, offset, gen})
	case l.accept("f"):
		return f.locate(num, location{})
	}
	return damaged("its table of objects is wrong")
}

// locate notes where an object is, unless a newer section has said so.
func (f *file) locate(num int, at location) error {
	if num < 0 || num > min(someNumbers+len(f.b)/4, maxNumbers) {
		return damaged("it has an object number %d", num)
	}
	for len(f.xref) <= num {
		f.xref = append(f.xref, location{})
	}
	if f.xref[num].kind == free {
		f.xref[num] = at
	}
	return nil
}

func (f *file) readXrefStream(l *lexer) (dict, error) {
	num, err := l.header()
	if err != nil {
		return nil, err
	}
	v, err := l.value()
	if err != nil {
		return nil, err
	}
	d, ok := v.(dict)
	if !ok || d.name("Type") != "XRef" || !l.accept("stream") {
		return nil, damaged("it has no cross-reference")
	}
	v, err = f.stream(l, num, d)
	if err != nil {
		return nil, err
	}
	s := v.(stream)
	b, err := f.unpack(s)
	if err != nil {
		return nil, err
	}
	return d, f.readRows(d, b)
}

func (f *file) readRows(d dict, b []byte) error {
	w, err := widths(d)
	if err != nil {
		return err
	}
	index, _ := d.get("Index").(array)
	if index == nil {
		index = array{0, d.get("Size")}
	}
	for i := 0; i+1 < len(index); i += 2 {
		first, ok1 := index[i].(int)
		count, ok2 := index[i+1].(int)
		if !ok1 || !ok2 || first < 0 || count < 0 {
			return damaged("its cross-reference is wrong")
		}
		for n := 0; n < count && len(b) >= w[0]+w[1]+w[2]; n++ {
			if err := f.locate(first+n, row(b, w)); err != nil {
				return err
			}
			b = b[w[0]+w[1]+w[2]:]
		}
	}
	return nil
}

func widths(d dict) (w [3]int, err error) {
	a, _ := d.get("W").(array)
	if len(a) < 3 {
		return w, damaged("its cross-reference is wrong")
	}
	total := 0
	for i := range w {
		n, ok := a[i].(int)
		if !ok || n < 0 || n > 8 {
			return w, damaged("its cross-reference is wrong")
		}
		w[i] = n
		total += n
	}
	if total == 0 {
		return w, damaged("its cross-reference is wrong")
	}
	return w, nil
}

// row reads one entry; without a type it is a direct object.
func row(b []byte, w [3]int) location {
	kindNum := 1
	if w[0] > 0 {
		kindNum = bigEndian(b[:w[0]])
	}
	at := location{offset: bigEndian(b[w[0] : w[0]+w[1]]), gen: bigEndian(b[w[0]+w[1] : w[0]+w[1]+w[2]])}
	switch kindNum {
	case 1:
		at.kind = direct
	case 2:
		at.kind = inStream
	}
	return at
}

func bigEndian(b []byte) int {
	n := 0
	for _, c := range b {
		n = n<<8 | int(c)
	}
	return n
}
