package text

// footnote is the name of the format that makes a footnote of a text.
const footnote = "footnote"

// The classes of footnotes and of the parentheses around their texts. The paginator
// puts a number into the place of each and its text at the foot of the page; where
// nobody does, as in workbooks and headers, the parentheses stay.
const (
	Note      = "q-note"
	NoteAside = "q-aside"
)

// asNote makes a footnote of what was appended to dst since start, where one can
// stand. Empty texts make none.
func asNote(dst []byte, start int, env *Env, esc Escaper) []byte {
	if len(dst) == start {
		return dst
	}
	if esc != EscapeText && esc != EscapeHTML {
		env.warn("a footnote can stand in text, not here; it is left out")
		return dst[:start]
	}
	note := string(dst[start:])
	dst = append(dst[:start], `<span class="`+Note+`"><span class="`+NoteAside+`"> (</span>`...)
	return append(AppendEscaped(dst, note, esc), `<span class="`+NoteAside+`">)</span></span>`...)
}
