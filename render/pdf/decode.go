package pdf

import (
	"bytes"
	"compress/zlib"
	"io"
)

// maxDecoded bounds what a stream may unpack to.
const maxDecoded = 256 << 20

// decode unpacks the streams that make up a file's structure; those of pages
// are never unpacked.
func (s stream) decode() ([]byte, error) { return s.decodeUpTo(maxDecoded) }

// decodeUpTo unpacks a stream of no more than some bytes.
func (s stream) decodeUpTo(most int) ([]byte, error) {
	filter := s.dict.get("Filter")
	if a, ok := filter.(array); ok && len(a) == 1 {
		filter = a[0]
	}
	switch filter {
	case nil:
		return s.raw, nil
	case name("FlateDecode"):
	default:
		return nil, damaged("a stream is packed in an unknown way")
	}
	z, err := zlib.NewReader(bytes.NewReader(s.raw))
	if err != nil {
		return nil, damaged("a stream cannot be unpacked: %v", err)
	}
	b, err := io.ReadAll(io.LimitReader(z, int64(most)+1))
	if err != nil {
		return nil, damaged("a stream cannot be unpacked: %v", err)
	}
	if len(b) > most {
		return nil, damaged("a stream is too large")
	}
	return s.unpredict(b)
}

// unpredict undoes the PNG predictors that cross-reference streams use.
func (s stream) unpredict(b []byte) ([]byte, error) {
	parms := s.dict.get("DecodeParms")
	if a, ok := parms.(array); ok && len(a) == 1 {
		parms = a[0]
	}
	d, _ := parms.(dict)
	predictor, _ := d.get("Predictor").(int)
	if predictor < 2 {
		return b, nil
	}
	columns, ok := d.get("Columns").(int)
	if !ok {
		columns = 1
	}
	if predictor < 10 || columns <= 0 || columns > 1<<16 {
		return nil, damaged("a stream is packed in an unknown way")
	}
	out := make([]byte, 0, len(b))
	prev := make([]byte, columns)
	for len(b) > columns {
		line := b[1 : columns+1]
		unfilter(b[0], line, prev)
		out = append(out, line...)
		prev = line
		b = b[columns+1:]
	}
	return out, nil
}

// unfilter undoes one line; each pixel is one byte.
func unfilter(filter byte, line, up []byte) {
	var left, upLeft byte
	for i := range line {
		switch filter {
		case 1:
			line[i] += left
		case 2:
			line[i] += up[i]
		case 3:
			line[i] += byte((int(left) + int(up[i])) / 2)
		case 4:
			line[i] += paeth(left, up[i], upLeft)
		}
		left, upLeft = line[i], up[i]
	}
}

func paeth(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	da, db, dc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c))
	switch {
	case da <= db && da <= dc:
		return a
	case db <= dc:
		return b
	}
	return c
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
