package report

// Secret is text that never reaches a log, an error or a JSON document:
// printing it in any way shows dots. Reveal gives the text itself.
type Secret string

const hidden = "•••"

// String shows dots, or nothing when the secret is empty.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString is String, so that %#v shows dots too.
func (s Secret) GoString() string { return s.String() }

// MarshalText writes dots; a secret is never part of a document.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Reveal is the secret text.
func (s Secret) Reveal() string { return string(s) }
