package data

import "strings"

// arrayReader reads PostgreSQL's text form of arrays.
type arrayReader struct {
	src  string
	at   int
	item func(any) any
}

func (a *arrayReader) list() ([]any, bool) {
	if strings.HasPrefix(a.src[a.at:], "[") { // bounds: [0:2]={…}
		_, after, found := strings.Cut(a.src[a.at:], "=")
		if !found {
			return nil, false
		}
		a.at = len(a.src) - len(after)
	}
	if !a.accept('{') {
		return nil, false
	}
	items := []any{}
	if a.accept('}') {
		return items, true
	}
	for {
		v, ok := a.value()
		if !ok {
			return nil, false
		}
		items = append(items, v)
		if a.accept('}') {
			return items, true
		}
		if !a.accept(',') {
			return nil, false
		}
	}
}

func (a *arrayReader) accept(c byte) bool {
	if a.at < len(a.src) && a.src[a.at] == c {
		a.at++
		return true
	}
	return false
}

func (a *arrayReader) value() (any, bool) {
	if a.at >= len(a.src) {
		return nil, false
	}
	switch a.src[a.at] {
	case '{':
		return a.list()
	case '"':
		return a.quoted()
	}
	end := strings.IndexAny(a.src[a.at:], ",}")
	if end < 0 {
		return nil, false
	}
	text := a.src[a.at : a.at+end]
	a.at += end
	if text == "NULL" {
		return nil, true
	}
	return a.item([]byte(text)), true
}

func (a *arrayReader) quoted() (any, bool) {
	var b strings.Builder
	for a.at++; a.at < len(a.src); a.at++ {
		switch c := a.src[a.at]; c {
		case '"':
			a.at++
			return a.item([]byte(b.String())), true
		case '\\':
			a.at++
			if a.at < len(a.src) {
				b.WriteByte(a.src[a.at])
			}
		default:
			b.WriteByte(c)
		}
	}
	return nil, false
}
