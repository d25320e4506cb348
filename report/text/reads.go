package text

// Read is a place of a template or expression that reads a value.
type Read struct {
	Source   string      // as written, such as "{$data.total:n}"
	Path     *Path       // that leads to the value, or
	Script   *Expression // that works it out
	Fallback bool        // whether the author has said what stands for no value
}

// Reads are the placeholders of the template in order.
func (t *Template) Reads() []Read {
	var reads []Read
	for _, p := range t.parts {
		if p.value != nil {
			reads = append(reads, p.value.read())
		}
	}
	return reads
}

// Reads are the bindings of the expression; what its code does with them is in
// Code.
func (e *Expression) Reads() []Read {
	var reads []Read
	for _, b := range e.bindings {
		reads = append(reads, b.read())
	}
	return reads
}

func (h *placeholder) read() Read {
	return Read{Source: h.source, Path: h.path, Script: h.expr, Fallback: h.hasFall}
}
