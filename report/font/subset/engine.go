package subset

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/quire-reports/quire/report/font"
)

// Names of HarfBuzz: https://harfbuzz.github.io/harfbuzz-hb-subset.html
const (
	writable      = 2  // HB_MEMORY_MODE_WRITABLE
	featuresOfSet = 6  // HB_SUBSET_SETS_LAYOUT_FEATURE_TAG
	namesOfSet    = 4  // HB_SUBSET_SETS_NAME_ID
	notdefOutline = 64 // HB_SUBSET_FLAGS_NOTDEF_OUTLINE
)

// engine is HarfBuzz at work. It is used by one at a time.
type engine struct {
	runtime wazero.Runtime
	module  api.Module
	faces   map[string]uint64 // made ready, by their names
	err     error             // the first of a call
}

func (e *engine) close() { _ = e.runtime.Close(context.Background()) }

// call calls one of its functions; after an error none.
func (e *engine) call(name string, args ...uint64) uint64 {
	if e.err != nil {
		return 0
	}
	var results []uint64
	if results, e.err = e.module.ExportedFunction(name).Call(context.Background(), args...); e.err != nil || len(results) == 0 {
		return 0
	}
	return results[0]
}

var errRefused = errors.New("HarfBuzz refuses the font")

// subset gives a font with some of its characters, as TrueType or OpenType.
func (e *engine) subset(name string, content func() ([]byte, error), wish Wish) ([]byte, error) {
	face, err := e.face(name, content)
	if err != nil {
		return nil, err
	}
	input := e.call("hb_subset_input_create_or_fail")
	set := e.call("hb_subset_input_unicode_set", input)
	for _, r := range wish.Chars {
		e.call("hb_set_add", set, uint64(r))
	}
	e.features(e.call("hb_subset_input_set", input, featuresOfSet), wish)
	e.call("hb_set_clear", e.call("hb_subset_input_set", input, namesOfSet))
	e.call("hb_subset_input_set_flags", input, notdefOutline)
	small := e.call("hb_subset_or_fail", face, input)
	e.call("hb_subset_input_destroy", input)
	if e.err == nil && small == 0 {
		return nil, errRefused
	}
	blob := e.call("hb_face_reference_blob", small)
	length := e.call("hb_blob_get_length", blob)
	size := e.call("malloc", 4)
	made, ok := e.module.Memory().Read(uint32(e.call("hb_blob_get_data", blob, size)), uint32(length))
	if e.err == nil && !ok {
		return nil, errRefused
	}
	made = append([]byte(nil), made...)
	e.call("free", size)
	e.call("hb_blob_destroy", blob)
	e.call("hb_face_destroy", small)
	return made, e.err
}

// fractionSlash has figures around it made small by themselves.
const fractionSlash = '\u2044'

// features says in a set, which holds those that text is shaped with by itself, which
// features of the layout stay.
func (e *engine) features(set uint64, wish Wish) {
	if wish.Variants {
		e.call("hb_set_clear", set)
		e.call("hb_set_invert", set)
		return
	}
	e.call("hb_set_add", set, tag("tnum"))
	if !slices.Contains(wish.Chars, fractionSlash) {
		for _, name := range []string{"frac", "numr", "dnom"} {
			e.call("hb_set_del", set, tag(name))
		}
	}
}

func tag(name string) uint64 { return uint64(binary.BigEndian.Uint32([]byte(name))) }

// face gives a font to HarfBuzz, once.
func (e *engine) face(name string, content func() ([]byte, error)) (uint64, error) {
	if face, ok := e.faces[name]; ok {
		return face, nil
	}
	packed, err := content()
	if err != nil {
		return 0, err
	}
	plain, err := font.Unpack(packed)
	if err != nil {
		return 0, err
	}
	at := e.call("malloc", uint64(len(plain)))
	if e.err == nil && (at == 0 || !e.module.Memory().Write(uint32(at), plain)) {
		return 0, errRefused
	}
	blob := e.call("hb_blob_create", at, uint64(len(plain)), writable, 0, 0)
	face := e.call("hb_face_create", blob, 0)
	e.call("hb_blob_destroy", blob)
	ready := e.call("hb_subset_preprocess", face) // later subsets take a third of the time
	e.call("hb_face_destroy", face)
	if e.err != nil {
		return 0, e.err
	}
	e.faces[name] = ready
	return ready, nil
}
