package text

// ReferredTo is what a reference prints of what it names.
type ReferredTo uint8

// What references print.
const (
	noReference ReferredTo = iota
	PageOf                 // the number of the page that it stands on
	TitleOf
	NumberOf
)

// references are the formats that make references of names.
var references = map[string]ReferredTo{"pageOf": PageOf, "titleOf": TitleOf, "numberOf": NumberOf}

// asReference makes a reference of the name that was appended to dst since start,
// where one can stand; elsewhere the name is printed. An empty name makes none.
func asReference(dst []byte, start int, what ReferredTo, env *Env, esc Escaper) []byte {
	if len(dst) == start {
		return dst
	}
	if env == nil || env.Refer == nil || esc != EscapeText && esc != EscapeHTML {
		env.warn("a reference can stand in text, not here; its name is printed")
		return esc.value(dst, start, start)
	}
	return env.Refer(dst[:start], what, string(dst[start:]))
}
