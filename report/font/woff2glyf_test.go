package font

import (
	"bytes"
	"os"
	"testing"
)

// FuzzRestoreGlyphs takes outlines out of their packed form, which may be damaged: what
// comes out packs, and comes out the same again.
func FuzzRestoreGlyphs(f *testing.F) {
	for _, name := range []string{"inter/inter-greek-400-normal.woff2", "noto-sans-hebrew/noto-sans-hebrew-hebrew-400-normal.woff2"} {
		content, err := os.ReadFile("../../assets/fonts/" + name)
		if err != nil {
			f.Fatal(err)
		}
		tables, err := unpackWOFF2(content)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(tables["glyf"])
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		plain, err := restoreGlyphs(packed)
		if err != nil {
			return
		}
		places := make([]int, len(plain.loca)/4)
		for i := range places {
			places[i] = int(u32(plain.loca, 4*i))
		}
		again := packGlyphs(plain.glyf, places)
		if again == nil {
			t.Fatal("what came out does not pack")
		}
		other, err := restoreGlyphs(again)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(plain.glyf, other.glyf) || !bytes.Equal(plain.loca, other.loca) {
			t.Error("it does not come out the same again")
		}
	})
}
