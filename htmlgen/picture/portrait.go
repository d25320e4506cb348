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
	return reduced(content, func(from image.Rectangle) (part image.Rectangle, width, height int) {
		edge := min(from.Dx(), from.Dy())
		corner := from.Min.Add(image.Pt((from.Dx()-edge)/2, (from.Dy()-edge)/2))
		return image.Rectangle{corner, corner.Add(image.Pt(edge, edge))}, min(edge, side), min(edge, side)
	})
}

// Fit makes the whole of such a picture small enough for a box, as Portrait does
// with its middle. The box is for the upright picture.
func Fit(content []byte, width, height int) (made []byte, contentType string, err error) {
	if turn := orientation(content); turn >= 5 && turn <= 8 { // it lies on its side until it is small
		width, height = height, width
	}
	return reduced(content, func(from image.Rectangle) (part image.Rectangle, w, h int) {
		scale := min(1, float64(width)/float64(from.Dx()), float64(height)/float64(from.Dy()))
		return from, max(1, int(float64(from.Dx())*scale)), max(1, int(float64(from.Dy())*scale))
	})
}

// reduced makes a part of a picture smaller.
func reduced(content []byte, of func(from image.Rectangle) (part image.Rectangle, width, height int)) (made []byte, contentType string, err error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || c.Width <= 0 || c.Height <= 0 || format != "png" && format != "jpeg" && format != "webp" {
		return nil, "", ErrNoPicture
	}
	if c.Height > mostPortrait/c.Width {
		return nil, "", ErrTooManyPixels
	}
	large, _, err := image.Decode(bytes.NewReader(content))
	if err != nil || large.Bounds().Empty() {
		return nil, "", ErrNoPicture
	}
	part, width, height := of(large.Bounds())
	if parts, ok := large.(interface {
		SubImage(r image.Rectangle) image.Image
	}); ok {
		large = parts.SubImage(part)
	}
	small := average(large, width, height)
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

// upright turns a picture as the camera says that it was held.
func upright(img *image.RGBA, orientation int) *image.RGBA {
	if orientation < 2 || orientation > 8 {
		return img
	}
	right, bottom := img.Rect.Dx()-1, img.Rect.Dy()-1
	size := image.Rect(0, 0, right+1, bottom+1)
	if orientation > 4 {
		size = image.Rect(0, 0, bottom+1, right+1)
	}
	turned := image.NewRGBA(size)
	for y := range size.Dy() {
		for x := range size.Dx() {
			fromX, fromY := x, y
			switch orientation {
			case 2:
				fromX = right - x
			case 3:
				fromX, fromY = right-x, bottom-y
			case 4:
				fromY = bottom - y
			case 5:
				fromX, fromY = y, x
			case 6:
				fromX, fromY = y, bottom-x
			case 7:
				fromX, fromY = right-y, bottom-x
			case 8:
				fromX, fromY = right-y, x
			}
			turned.SetRGBA(x, y, img.RGBAAt(fromX, fromY))
		}
	}
	return turned
}
