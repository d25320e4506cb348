package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

func svg(inside string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">` + inside + `</svg>`
}

// tenfold is elements that use ten times what is before them, so often.
func tenfold(times int, first string) string {
	s := `<g id="a0">` + first + `</g>`
	for i := range times {
		s += fmt.Sprintf(`<g id="a%d">%s</g>`, i+1, strings.Repeat(fmt.Sprintf(`<use href="#a%d"/>`, i), 10))
	}
	return s
}

func uri(kind string, content []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(content)
}

func TestDrawingsHaveBounds(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(`<rect width="1" height="1"/>`, 1000)
	for _, c := range []struct{ name, svg, fails string }{
		{"plain", svg(many + `<path d="M0 0L1 1"/>`), ""},
		{"used often enough", svg(tenfold(3, `<rect/>`)), ""},
		{"used too often", svg(tenfold(8, `<rect/>`)), "elements, each counted as often as it is used; accepted: 200000"},
		{"by the older name", strings.ReplaceAll(svg(tenfold(8, `<rect/>`)), "href", "xlink:href"), "elements"},
		{"using itself", svg(`<g id="a"><use href="#a"/></g>`), ""},
		{"patterns", svg(`<pattern id="p">` + many + `</pattern>` + strings.Repeat(`<rect fill="url(#p)"/>`, 300)), "elements"},
		{"patterns in styles", svg(`<pattern id="p">` + many + `</pattern>` + strings.Repeat(`<rect style="fill:url('#p')"/>`, 300)), "elements"},
		{"markers", svg(`<marker id="m">` + many + `</marker><path marker-mid="url(#m)" d="M0 0` + strings.Repeat(" 1 1", 300) + `"/>`), "elements"},
		{"filters", svg(`<filter id="f">` + strings.Repeat(`<feMorphology/>`, 30) + `</filter>` + strings.Repeat(`<rect filter="url(#f)"/>`, 100)), "steps of filters"},
		{"a shadow of a tool", svg(`<filter id="f"><feGaussianBlur stdDeviation="4 4"/><feMerge/></filter><rect filter="url(#f)"/>`), ""},
		{"a blur", svg(`<filter id="f"><feGaussianBlur stdDeviation="9000"/></filter><rect filter="url(#f)"/>`), "stdDeviation is 9000; accepted: 250"},
		{"a blur in a style", svg(`<rect style="filter:blur(900px)"/>`), "a blur of 900; accepted: 250"},
		{"a blur in a style sheet", svg(`<style>rect{filter:blur(900px)}</style><rect/>`), "a blur of 900"},
		{"too deep", svg(strings.Repeat("<g>", 300) + strings.Repeat("</g>", 300)), "inside each other"},
		{"addresses of a tool", `<!DOCTYPE svg [<!ENTITY ns "http://ns.example.com/">]>` + svg(`<g xmlns:x="&ns;"/>`), ""},
		{"entities", `<!DOCTYPE svg [<!ENTITY a "<g/>"><!ENTITY b "&a;&a;">]>` + svg("&b;"), "entities"},
		{"a picture inside", svg(`<image href="` + uri("image/png", pngHeader(20_000, 20_000)) + `"/>`), "a picture inside of it has 20000 × 20000 pixels"},
		{"a drawing inside", svg(`<image href="` + uri("image/svg+xml", []byte(svg(tenfold(8, `<rect/>`)))) + `"/>`), "a picture inside of it would take too long"},
	} {
		_, err := Vet([]byte(c.svg), true)
		if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
			t.Errorf("%s: %v; want %q", c.name, err, c.fails)
		}
	}
}

// pngHeader is the beginning of a PNG file.
func pngHeader(w, h uint32) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	head = append(head, 8, 6, 0, 0, 0)
	b := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(head))
}

func TestPixelsHaveBounds(t *testing.T) {
	t.Parallel()
	var anyGIF bytes.Buffer
	if err := gif.Encode(&anyGIF, image.NewGray(image.Rect(0, 0, 3, 2)), nil); err != nil {
		t.Fatal(err)
	}
	hugeGIF := bytes.Clone(anyGIF.Bytes())
	binary.LittleEndian.PutUint16(hugeGIF[6:], 20_000)
	binary.LittleEndian.PutUint16(hugeGIF[8:], 20_000)
	webp := []byte("RIFF\x20\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x1f\x4e\x00\x1f\x4e\x00")
	avif := append([]byte("\x00\x00\x00\x20ftypavif\x00\x00\x00\x00"), "\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x4e\x20\x00\x00\x4e\x20"...)
	bmp := append([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x20\x4e\x00\x00\x20\x4e\x00\x00\x01\x00\x18\x00"), make([]byte, 24)...)
	for name, c := range map[string]struct {
		content []byte
		fails   bool
	}{
		"a large PNG file": {pngHeader(9_000, 10_000), false}, "a huge PNG file": {pngHeader(20_000, 20_000), true},
		"a GIF file": {anyGIF.Bytes(), false}, "a huge GIF file": {hugeGIF, true},
		"a huge WebP file": {webp, true}, "a huge AVIF file": {avif, true}, "a huge BMP file": {bmp, true},
		"no picture": {[]byte("hello"), false}, "nothing": {nil, false},
	} {
		if _, err := Vet(c.content, false); (err != nil) != c.fails {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func photo(t testing.TB, w, h int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{byte(255 * x / w), byte(255 * y / h), byte(x ^ y), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// with puts segments behind the beginning of a JPEG file.
func with(content []byte, segments ...string) []byte {
	out := bytes.Clone(content[:2])
	for _, s := range segments {
		out = append(out, 0xFF, s[0])
		out = binary.BigEndian.AppendUint16(out, uint16(len(s)+1))
		out = append(out, s[1:]...)
	}
	return append(out, content[2:]...)
}

const (
	profile = "\xE2ICC_PROFILE\x00\x01\x01some profile"
	lying   = "\xE1Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
)

func TestSizeThatIsNeeded(t *testing.T) {
	t.Parallel()
	upright, turned := photo(t, 1600, 1200), with(photo(t, 1600, 1200), lying)
	for _, c := range []struct {
		name          string
		content       []byte
		width, height float64
		cover         bool
		w, h          int
	}{
		{"by width", upright, 96, 0, false, 300, 225},
		{"by height", upright, 0, 96, false, 400, 300},
		{"whole in a box", upright, 96, 96, false, 300, 225},
		{"over a box", upright, 96, 96, true, 400, 300},
		{"no space", upright, 0, 0, false, 0, 0},
		{"about as large", upright, 400, 0, false, 0, 0},
		{"turned", turned, 96, 0, false, 400, 300},
	} {
		p, err := Vet(c.content, false)
		if err != nil {
			t.Fatal(err)
		}
		w, h, ok := p.Scaled(c.content, c.width, c.height, c.cover)
		if w != c.w || h != c.h || ok != (c.w > 0) {
			t.Errorf("%s: %d × %d; want %d × %d", c.name, w, h, c.w, c.h)
		}
	}
}

func TestScaling(t *testing.T) {
	t.Parallel()
	large := with(photo(t, 1000, 700), profile, "\xE1http://ns.adobe.com/xap/1.0/\x00large", lying)
	small, err := Scale(large, 333, 233)
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{profile[1:], lying[1:]} {
		if !bytes.Contains(small, []byte(kept)) {
			t.Errorf("%q is lost", kept[:12])
		}
	}
	if bytes.Contains(small, []byte("adobe")) {
		t.Error("a description of the large one is kept")
	}
	img, format, err := image.Decode(bytes.NewReader(small))
	if err != nil || format != "jpeg" || img.Bounds().Dx() != 333 || img.Bounds().Dy() != 233 {
		t.Fatalf("%v %s %v", err, format, img)
	}
	for _, at := range []image.Point{{20, 20}, {166, 116}, {310, 210}} {
		r, g, _, _ := img.At(at.X, at.Y).RGBA()
		if dr, dg := int(r>>8)-255*at.X/333, int(g>>8)-255*at.Y/233; dr*dr > 64 || dg*dg > 64 {
			t.Errorf("the colour at %v is %d and %d off", at, dr, dg)
		}
	}
}

func TestScalingKeepsAlphaAndGamma(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			if x%2 == 0 {
				img.SetNRGBA(x, y, color.NRGBA{200, 100, 50, 255})
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	gamma := []byte("\x00\x00\x00\x04gAMA\x00\x00\xb1\x8f")
	gamma = binary.BigEndian.AppendUint32(gamma, crc32.ChecksumIEEE(gamma[4:]))
	large := append(append(bytes.Clone(b.Bytes()[:33]), gamma...), b.Bytes()[33:]...)
	small, err := Scale(large, 16, 16)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(small, gamma) {
		t.Error("the gamma is lost")
	}
	got, err := png.Decode(bytes.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	c := color.NRGBAModel.Convert(got.At(8, 8)).(color.NRGBA)
	if c.A < 126 || c.A > 129 || c.R < 198 || c.R > 202 || c.B < 48 || c.B > 52 {
		t.Errorf("half of it is transparent: %v", c)
	}
}

// BenchmarkScale is a photo of 20 megapixels in a place 500 pixels wide.
func BenchmarkScale(b *testing.B) {
	large := photo(b, 5472, 3648)
	b.SetBytes(int64(len(large)))
	b.ReportAllocs()
	for b.Loop() {
		small, err := Scale(large, 1563, 1042)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(small))/float64(len(large)), "of-its-bytes")
	}
}
