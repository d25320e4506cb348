package data

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// DecodeText turns the bytes of a file, whose encoding nobody told, into text.
func DecodeText(raw []byte) string { return decodeText(raw, "") }

// decodeText turns bytes from outside into text: by their byte order mark, by
// the name of their encoding, as UTF-8 when they are valid in it, and as
// Windows-1252 otherwise, which is what spreadsheets of the West write.
func decodeText(raw []byte, charset string) string {
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		return strings.ToValidUTF8(string(raw[3:]), "\ufffd")
	case bytes.HasPrefix(raw, []byte("\xff\xfe")), bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return decodeWith(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), raw)
	}
	if charset != "" && !strings.EqualFold(charset, "utf-8") {
		if e, err := htmlindex.Get(charset); err == nil {
			return decodeWith(e, raw)
		}
	}
	if utf8.Valid(raw) {
		if e := bareUTF16(raw); e != nil {
			return decodeWith(e, raw)
		}
		return string(raw)
	}
	if e := bareUTF16(raw); e != nil {
		return decodeWith(e, raw)
	}
	return decodeWith(charmap.Windows1252, raw)
}

// bareUTF16 recognises UTF-16 without a mark by its zero bytes, every second
// one in Western text.
func bareUTF16(raw []byte) encoding.Encoding {
	sample := raw[:min(len(raw), 4096)&^1]
	even, odd := 0, 0
	for i := 0; i < len(sample); i += 2 {
		if sample[i] == 0 {
			even++
		}
		if sample[i+1] == 0 {
			odd++
		}
	}
	half := len(sample) / 4
	switch {
	case len(sample) < 4:
		return nil
	case odd > half && even == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case even > half && odd == 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

func decodeWith(e encoding.Encoding, raw []byte) string {
	out, err := e.NewDecoder().Bytes(raw)
	if err != nil {
		return strings.ToValidUTF8(string(raw), "\ufffd")
	}
	return string(out)
}
