package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
)

// mostPortrait is how many pixels a picture may have of which a portrait is made:
// cameras of phones have twelve million. Decoding takes up to twelve bytes for each.
const mostPortrait = 16_000_000

// Why no portrait is made of a file.
var (
	ErrNoPicture     = errors.New("no picture that can be read; accepted: PNG, JPEG and WebP")
	ErrTooManyPixels = fmt.Errorf("the picture has more than %d million pixels", mostPortrait/1_000_000)
)

// Portrait makes a square of at most side pixels from the middle of a PNG, JPEG
// or WebP picture, upright and with nothing of the file but its pixels: PNG
// where it has clear parts, else JPEG. The size is checked before anything is decoded.
func Portrait(content []byte, side int) (made []byte, contentType string, err error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || c.Width <= 0 || c.Height <= 0 || format != "png" && format != "jpeg" && format != "webp" {
		return nil, "", ErrNoPicture
	}
	if c.Height > mostPortrait/c.Width {
		return nil, "", ErrTooManyPixels
	}
	large, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, "", ErrNoPicture
	}
	from := large.Bounds()
	edge := min(from.Dx(), from.Dy())
	if edge < 1 {
		return nil, "", ErrNoPicture
	}
	if parts, ok := large.(interface {
		SubImage(r image.Rectangle) image.Image
	}); ok {
		corner := from.Min.Add(image.Pt((from.Dx()-edge)/2, (from.Dy()-edge)/2))
		large = parts.SubImage(image.Rectangle{corner, corner.Add(image.Pt(edge, edge))})
	}
	small := average(large, min(edge, side), min(edge, side))
	if format == "jpeg" {
		small = upright(small, orientation(content))
	}
	var out bytes.Buffer
	if small.Opaque() {
		err = jpeg.Encode(&out, small, &jpeg.Options{Quality: quality})
		return out.Bytes(), "image/jpeg", err
	}
	err = png.Encode(&out, small)
	return out.Bytes(), "image/png", err
}

// upright turns a square as the camera says that it was held.
func upright(img *image.RGBA, orientation int) *image.RGBA {
	if orientation < 2 || orientation > 8 {
		return img
	}
	turned := image.NewRGBA(img.Rect)
	last := img.Rect.Dx() - 1
	for y := range last + 1 {
		for x := range last + 1 {
			fromX, fromY := x, y
			switch orientation {
			case 2:
				fromX = last - x
			case 3:
				fromX, fromY = last-x, last-y
			case 4:
				fromY = last - y
			case 5:
				fromX, fromY = y, x
			case 6:
				fromX, fromY = y, last-x
			case 7:
				fromX, fromY = last-y, last-x
			case 8:
				fromX, fromY = last-y, x
			}
			turned.SetRGBA(x, y, img.RGBAAt(fromX, fromY))
		}
	}
	return turned
}
