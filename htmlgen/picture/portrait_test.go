package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

// corners is a picture whose quarters are red and green, blue and white.
func corners(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i, c := range []color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}} {
		at := image.Pt(i%2*w/2, i/2*h/2)
		draw.Draw(img, image.Rectangle{at, at.Add(image.Pt(w/2, h/2))}, image.NewUniform(c), image.Point{}, draw.Src)
	}
	return img
}

func asPNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func asJPEG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// held is the segment of a camera that says how it was held.
func held(orientation byte) string {
	return "\xE1Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" + string(orientation) + "\x00\x00\x00\x00\x00\x00\x00"
}

// quarters are the first letters of the colours of the quarters.
func quarters(t *testing.T, content []byte) (names string, size image.Point) {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	size = img.Bounds().Size()
	for i := range 4 {
		r, g, b, _ := img.At(size.X/4+i%2*size.X/2, size.Y/4+i/2*size.Y/2).RGBA()
		switch {
		case r > 0x8000 && g > 0x8000:
			names += "w"
		case r > 0x8000:
			names += "r"
		case g > 0x8000:
			names += "g"
		case b > 0x8000:
			names += "b"
		default:
			names += "?"
		}
	}
	return names, size
}

func TestPortraitsStandUpright(t *testing.T) {
	photo := asJPEG(t, corners(640, 640))
	turned := map[byte]string{1: "rgbw", 2: "grwb", 3: "wbgr", 4: "bwrg", 5: "rbgw", 6: "brwg", 7: "wgbr", 8: "gwrb", 9: "rgbw"}
	for orientation, want := range turned {
		made, kind, err := Portrait(with(photo, held(orientation)), 256)
		if err != nil || kind != "image/jpeg" {
			t.Fatalf("%d: %s %v", orientation, kind, err)
		}
		if got, size := quarters(t, made); got != want || size != image.Pt(256, 256) {
			t.Errorf("orientation %d: %s %v; want %s", orientation, got, size, want)
		}
		if bytes.Contains(made, []byte("Exif")) {
			t.Errorf("orientation %d: the portrait has metadata", orientation)
		}
	}
	wide := asJPEG(t, corners(640, 320))
	for orientation, want := range map[byte]image.Point{1: {200, 100}, 2: {200, 100}, 3: {200, 100}, 4: {200, 100}, 5: {50, 100}, 6: {50, 100}, 7: {50, 100}, 8: {50, 100}, 9: {200, 100}} {
		made, _, err := Fit(with(wide, held(orientation)), 200, 100)
		if err != nil {
			t.Fatalf("%d: %v", orientation, err)
		}
		if names, size := quarters(t, made); names != turned[orientation] || size != want {
			t.Errorf("orientation %d fits as %s %v; want %s %v", orientation, names, size, turned[orientation], want)
		}
	}
}

func TestPortraitsAreSquareAndSmall(t *testing.T) {
	wide := image.NewRGBA(image.Rect(0, 0, 900, 300))
	draw.Draw(wide, image.Rect(300, 0, 600, 300), corners(300, 300), image.Point{}, draw.Src)
	clear := corners(40, 80)
	clear.SetRGBA(20, 40, color.RGBA{})
	webp, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==") // one pixel
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content []byte
		kind    string
		side    int
	}{
		"wide":               {asPNG(t, wide), "image/jpeg", 256},
		"high, small, clear": {asPNG(t, clear), "image/png", 40},
		"one pixel of WebP":  {webp, "", 1},
		"a line":             {asPNG(t, image.NewGray(image.Rect(0, 0, 2000, 1))), "image/jpeg", 1},
	} {
		made, kind, err := Portrait(c.content, 256)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, size := quarters(t, made)
		if c.kind != "" && kind != c.kind || size != image.Pt(c.side, c.side) {
			t.Errorf("%s: %s %v", name, kind, size)
		}
		if name == "wide" && got != "rgbw" {
			t.Errorf("the middle of a wide picture is %s", got)
		}
	}
}

func TestPortraitsOfNothingElse(t *testing.T) {
	var animation bytes.Buffer
	if err := gif.Encode(&animation, corners(8, 8), nil); err != nil {
		t.Fatal(err)
	}
	whole := asPNG(t, corners(64, 64))
	bomb := func(w, h uint32) []byte { return pngHeader(w, h) }
	// A canvas of one pixel that says that a huge picture lies on it.
	hidden := []byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00VP8L\x0e\x00\x00\x00\x2f\xff\xff\xff\x0f\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	binary.LittleEndian.PutUint32(hidden[4:], uint32(len(hidden)-8))
	for name, c := range map[string]struct {
		content []byte
		want    error
	}{
		"nothing":                   {nil, ErrNoPicture},
		"a text":                    {[]byte("Ana Jović"), ErrNoPicture},
		"a page":                    {[]byte("<html><script>alert(1)</script>"), ErrNoPicture},
		"a drawing":                 {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), ErrNoPicture},
		"an animation":              {animation.Bytes(), ErrNoPicture},
		"a picture that was cut":    {whole[:len(whole)/2], ErrNoPicture},
		"many pixels":               {bomb(5000, 5000), ErrTooManyPixels},
		"billions of pixels":        {bomb(2_000_000_000, 2_000_000_000), ErrNoPicture}, // package png refuses them
		"a line of many pixels":     {bomb(1, 20_000_000), ErrTooManyPixels},
		"a head without a body":     {bomb(4000, 4000), ErrNoPicture},
		"WebP larger than it says":  {hidden, ErrNoPicture},
		"no pixel":                  {bomb(0, 10), ErrNoPicture},
		"a photo that is only head": {asJPEG(t, corners(64, 64))[:200], ErrNoPicture},
	} {
		if made, _, err := Portrait(c.content, 256); !errors.Is(err, c.want) || made != nil {
			t.Errorf("%s: %d bytes, %v; want %v", name, len(made), err, c.want)
		}
	}
}
