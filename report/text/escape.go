package text

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Escaper says where the text will stand, and so what must not appear in it.
type Escaper uint8

// The places of a text.
const (
	// Raw changes nothing: file names, mail subjects, spreadsheet cells.
	Raw Escaper = iota
	// EscapeText is for the content of HTML elements.
	EscapeText
	// EscapeAttr is for HTML attributes in double or single quotes.
	EscapeAttr
	// EscapeURL makes a URL. What the author wrote stays; values are encoded,
	// wholly after the first ? or #, and before it except for the characters
	// that divide a URL. A URL that would run a script becomes "about:invalid".
	// The result is a plain URL: the writer of the attribute escapes it.
	EscapeURL
	// EscapeCSS is for a style: what the author wrote stays, values cannot end
	// their declaration, open a string or load anything. The writer of the
	// attribute escapes the result.
	EscapeCSS
	// EscapeHTML is EscapeAttr for a template that is itself HTML: what the
	// author wrote stays. One of ParseHTML knows where its values stand.
	EscapeHTML
	// EscapeFolder is for the path of a folder: the slashes of the author divide
	// it, those of values do not.
	EscapeFolder
	// Printed is Raw for what people see on a page, such as the labels of a
	// chart.
	Printed
	// EscapeTeX is for a formula of TeX: what the author wrote stays; values are one
	// number, or words.
	EscapeTeX
	// escapeBare is EscapeAttr for an attribute without quotes.
	escapeBare
)

// shows reports whether the text is read by people on a page, and not by a
// program: numbers have a true minus there.
func (e Escaper) shows() bool { return e == EscapeText || e == EscapeHTML || e == Printed }

// literal is the text of the author, which is his own markup in some places.
func (e Escaper) literal(dst []byte, s string) []byte {
	switch e {
	case EscapeText, EscapeAttr:
		return AppendEscaped(dst, s, e)
	}
	return append(dst, s...)
}

// value escapes what was appended to dst since start.
func (e Escaper) value(dst []byte, start, templateStart int) []byte {
	switch e {
	case EscapeText:
		if plainIn(&plainText, dst[start:]) {
			return dst
		}
		return escapeTail(dst, start, textEntity)
	case EscapeAttr, EscapeHTML:
		if plainIn(&plainAttr, dst[start:]) {
			return dst
		}
		return escapeTail(dst, start, attrEntity)
	case escapeBare:
		return escapeTail(dst, start, bareEntity)
	case EscapeURL:
		whole := bytes.ContainsAny(dst[templateStart:start], "?#")
		if whole {
			return escapeTail(dst, start, urlComponent)
		}
		return escapeTail(dst, start, urlPart)
	case EscapeFolder:
		return escapeTail(dst, start, folderByte)
	case EscapeTeX:
		return append(dst[:start], asTeX(string(dst[start:]))...)
	case EscapeCSS:
		if safeFunctions(dst[start:]) {
			return escapeTail(dst, start, cssByte)
		}
		return escapeTail(dst, start, cssWord)
	}
	return dst
}

// AppendEscaped appends a string escaped for text or attributes.
func AppendEscaped(dst []byte, s string, e Escaper) []byte {
	start := len(dst)
	dst = append(dst, s...)
	return e.value(dst, start, start)
}

// plainText and plainAttr are the bytes that stay as they are in text and in
// attributes: what most values are made of, told by a look at a table.
var plainText, plainAttr = plainBytes(textEntity), plainBytes(attrEntity)

func plainBytes(entity func(b byte) string) (plain [256]bool) {
	for b := range plain {
		plain[b] = entity(byte(b)) == ""
	}
	return plain
}

// plainIn reports whether all bytes are plain, and make characters.
func plainIn(plain *[256]bool, s []byte) bool {
	all := byte(0)
	for _, b := range s {
		if !plain[b] {
			return false
		}
		all |= b
	}
	return all < utf8.RuneSelf || utf8.Valid(s)
}

// folderByte is a dash for what would divide a path, as in names of files.
func folderByte(b byte) string {
	if b == '/' || b == '\\' {
		return "-"
	}
	return ""
}

// escapeTail replaces bytes of dst[start:]. The replacement is built behind the
// text and moved down, so that it costs nothing when there is nothing to do.
func escapeTail(dst []byte, start int, entity func(b byte) string) []byte {
	end := len(dst)
	first := firstSpecial(dst[start:], entity)
	if first < 0 {
		return dst
	}
	first += start
	raw := dst[first:end]
	for i := 0; i < len(raw); {
		b := raw[i]
		if b < utf8.RuneSelf {
			if r := entity(b); r != "" {
				dst = append(dst, r...)
			} else {
				dst = append(dst, b)
			}
			i++
			continue
		}
		_, n := utf8.DecodeRune(raw[i:])
		if n == 1 {
			dst = append(dst, "\uFFFD"...)
		} else {
			dst = appendRune(dst, raw[i:i+n], entity)
		}
		i += n
	}
	n := copy(dst[first:], dst[end:])
	return dst[:first+n]
}

// appendRune appends a rune of several bytes, byte by byte where the place
// needs each encoded.
func appendRune(dst, r []byte, entity func(b byte) string) []byte {
	if entity(r[0]) == "" {
		return append(dst, r...)
	}
	for _, b := range r {
		dst = append(dst, entity(b)...)
	}
	return dst
}

// firstSpecial is the place of the first byte that needs replacing, or -1.
func firstSpecial(s []byte, entity func(b byte) string) int {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			if entity(s[i]) != "" {
				return i
			}
			i++
			continue
		}
		_, n := utf8.DecodeRune(s[i:])
		if n == 1 || entity(s[i]) != "" {
			return i
		}
		i += n
	}
	return -1
}

func textEntity(b byte) string {
	switch b {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case 0:
		return "\uFFFD" // no HTML parser keeps a NUL
	}
	return ""
}

func attrEntity(b byte) string {
	switch b {
	case '"':
		return "&#34;"
	case '\'':
		return "&#39;"
	}
	return textEntity(b)
}

const percentCodes = "%00%01%02%03%04%05%06%07%08%09%0A%0B%0C%0D%0E%0F%10%11%12%13%14%15%16%17%18%19%1A%1B%1C%1D%1E%1F" +
	"%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2D%2E%2F%30%31%32%33%34%35%36%37%38%39%3A%3B%3C%3D%3E%3F" +
	"%40%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5B%5C%5D%5E%5F" +
	"%60%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7B%7C%7D%7E%7F" +
	"%80%81%82%83%84%85%86%87%88%89%8A%8B%8C%8D%8E%8F%90%91%92%93%94%95%96%97%98%99%9A%9B%9C%9D%9E%9F" +
	"%A0%A1%A2%A3%A4%A5%A6%A7%A8%A9%AA%AB%AC%AD%AE%AF%B0%B1%B2%B3%B4%B5%B6%B7%B8%B9%BA%BB%BC%BD%BE%BF" +
	"%C0%C1%C2%C3%C4%C5%C6%C7%C8%C9%CA%CB%CC%CD%CE%CF%D0%D1%D2%D3%D4%D5%D6%D7%D8%D9%DA%DB%DC%DD%DE%DF" +
	"%E0%E1%E2%E3%E4%E5%E6%E7%E8%E9%EA%EB%EC%ED%EE%EF%F0%F1%F2%F3%F4%F5%F6%F7%F8%F9%FA%FB%FC%FD%FE%FF"

func percentCode(b byte) string { return percentCodes[int(b)*3 : int(b)*3+3] }

// urlComponent encodes all but the unreserved characters of RFC 3986.
func urlComponent(b byte) string {
	if isAlphanumeric(b) || strings.IndexByte("-_.~", b) >= 0 {
		return ""
	}
	return percentCode(b)
}

// urlPart keeps the characters that divide a URL, and % of one encoded before.
func urlPart(b byte) string {
	if isAlphanumeric(b) || strings.IndexByte("-_.~:/?#[]@!$&()*+,;=%", b) >= 0 {
		return ""
	}
	return percentCode(b)
}

// cssByte keeps what colours, lengths, functions and names are made of; all
// else becomes a CSS escape, which is part of a word and never syntax.
func cssByte(b byte) string {
	if isAlphanumeric(b) || b >= utf8.RuneSelf || strings.IndexByte(" #.,%+-_/()", b) >= 0 {
		return ""
	}
	return cssEscape(b)
}

// cssWord is cssByte without functions.
func cssWord(b byte) string {
	if b == '(' || b == ')' {
		return cssEscape(b)
	}
	return cssByte(b)
}

// cssEscape spells a byte as its number in hex and the blank that ends it.
func cssEscape(b byte) string {
	const hex = "0123456789abcdef"
	return string([]byte{'\\', hex[b>>4], hex[b&15], ' '})
}

// safeFunctions reports whether every function of a CSS value only computes a
// colour or a length, so that a value cannot load url(…).
func safeFunctions(css []byte) bool {
	for i, b := range css {
		if b == '(' && !safeFunction(css[:i]) {
			return false
		}
	}
	return true
}

func safeFunction(before []byte) bool {
	i := len(before)
	for i > 0 && (isAlphanumeric(before[i-1]) || before[i-1] == '-') {
		i--
	}
	switch strings.ToLower(string(before[i:])) {
	case "", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix",
		"calc", "min", "max", "clamp", "var", "linear-gradient", "radial-gradient", "rotate", "scale", "translate":
		return true
	}
	return false
}

func isAlphanumeric(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// safeURL reports whether a URL does not run code: it is relative or its scheme
// is one that documents link to or show.
func safeURL(url []byte) bool {
	scheme, _, found := bytes.Cut(bytes.TrimLeft(url, " \t\r\n\f\v\x00"), []byte(":"))
	if !found || bytes.ContainsAny(scheme, "/?#") {
		return true
	}
	switch strings.ToLower(string(scheme)) {
	case "http", "https", "mailto", "tel", "sms", "ftp", "ftps", "cid":
		return true
	case "data":
		i := bytes.IndexByte(url, ':')
		return bytes.HasPrefix(bytes.ToLower(url[i+1:min(len(url), i+7)]), []byte("image/"))
	}
	return false
}
