package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
)

// Dots is how many dots to the inch a picture keeps, of its drawn size. Printers
// show no more than 300 of a photo.
const Dots = 300

// worth is how many times as many pixels as needed a picture has before it is
// made smaller: less gains little.
const worth = 2

// AlwaysSmaller is from how many pixels on a picture is made smaller even when
// its file becomes larger: the browser takes memory for pixels.
const AlwaysSmaller = 16_000_000

// scales tells whether the picture can be made smaller.
func (p *Picture) scales() bool { return p.Format == "jpeg" || p.Format == "png" }

// Scaled is the size that a picture needs to be drawn into a box of CSS pixels,
// whole or covering it; 0 bounds nothing. ok tells that it is worth it.
func (p *Picture) Scaled(content []byte, width, height float64, cover bool) (w, h int, ok bool) {
	if !p.scales() || p.Width <= 0 || p.Height <= 0 {
		return 0, 0, false
	}
	wide, high := float64(p.Width), float64(p.Height)
	if p.Format == "jpeg" && orientation(content) >= 5 {
		wide, high = high, wide // as it is drawn
	}
	across, down := width/wide, height/high
	factor := math.Min(across, down)
	switch {
	case width <= 0 && height <= 0:
		return 0, 0, false
	case width <= 0:
		factor = down
	case height <= 0:
		factor = across
	case cover:
		factor = math.Max(across, down)
	}
	factor *= Dots / 96.0
	if factor*factor*worth > 1 {
		return 0, 0, false
	}
	return max(1, int(math.Ceil(float64(p.Width)*factor))), max(1, int(math.Ceil(float64(p.Height)*factor))), true
}

// errPlain is a picture that is better left as it is.
var errPlain = errors.New("the picture is left as it is")

// quality of photos that are made smaller.
const quality = 88

// Scale makes a smaller picture of the same format, with the colour profile and
// the orientation of the large one.
func Scale(content []byte, w, h int) ([]byte, error) {
	large, format, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	if _, inks := large.(*image.CMYK); inks {
		return nil, errPlain // its profile is one of inks
	}
	small := average(large, w, h)
	large = nil
	var out bytes.Buffer
	if format == "png" {
		if err := png.Encode(&out, small); err != nil {
			return nil, err
		}
		return withChunks(out.Bytes(), content), nil
	}
	var img image.Image = small
	if isGray(content) {
		gray := image.NewGray(small.Rect)
		draw.Draw(gray, small.Rect, small, image.Point{}, draw.Src)
		img = gray
	}
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	return withSegments(out.Bytes(), content), nil
}

// isGray tells whether a JPEG file has one colour; its profile is then one of
// grays.
func isGray(content []byte) bool {
	c, _, err := image.DecodeConfig(bytes.NewReader(content))
	return err == nil && c.ColorModel == color.GrayModel
}

// average makes each pixel the mean of those it stands for. It goes through the
// large picture once, some rows at a time.
func average(large image.Image, w, h int) *image.RGBA {
	const rows = 16
	from := large.Bounds()
	strip := image.NewRGBA(image.Rect(0, 0, from.Dx(), rows))
	small := image.NewRGBA(image.Rect(0, 0, w, h))
	ratio := float64(from.Dy()) / float64(h)
	across := spans(from.Dx(), w)
	sums, line := make([]float32, 4*w), make([]float32, 4*w)
	at, filled := 0, 0.0 // the row that is made, and how much of it is there
	for top := 0; top < from.Dy(); top += rows {
		draw.Draw(strip, strip.Rect, large, image.Pt(from.Min.X, from.Min.Y+top), draw.Src)
		for y := range min(rows, from.Dy()-top) {
			averageRow(line, strip.Pix[y*strip.Stride:], across)
			for left := 1.0; left > 1e-9 && at < h; {
				part := math.Min(left, ratio-filled)
				for i, v := range line {
					sums[i] += v * float32(part)
				}
				left, filled = left-part, filled+part
				if filled >= ratio-1e-6 {
					writeRow(small.Pix[at*small.Stride:], sums, float32(filled))
					clear(sums)
					at, filled = at+1, 0
				}
			}
		}
	}
	if at < h && filled > 0 {
		writeRow(small.Pix[at*small.Stride:], sums, float32(filled))
	}
	return small
}

// span is from where to where a pixel reaches in the large picture.
type span struct {
	first, last int
	head, tail  float32 // how much of the first and the last is in it
	all         float32
}

func spans(from, to int) []span {
	list := make([]span, to)
	for i := range list {
		start, end := float64(i)*float64(from)/float64(to), float64(i+1)*float64(from)/float64(to)
		first, last := int(start), min(int(math.Ceil(end)), from)-1
		list[i] = span{first, last, float32(1 - (start - float64(first))), float32(end - float64(last)), float32(end - start)}
	}
	return list
}

func averageRow(line []float32, pixels []byte, across []span) {
	for i, s := range across {
		var sum [4]float32
		for x := s.first; x <= s.last; x++ {
			weight := float32(1)
			if x == s.first {
				weight = s.head
			}
			if x == s.last && x > s.first {
				weight = s.tail
			}
			p := pixels[4*x : 4*x+4]
			sum[0] += weight * float32(p[0])
			sum[1] += weight * float32(p[1])
			sum[2] += weight * float32(p[2])
			sum[3] += weight * float32(p[3])
		}
		for c := range sum {
			line[4*i+c] = sum[c] / s.all
		}
	}
}

func writeRow(pixels []byte, sums []float32, weight float32) {
	for i, v := range sums {
		pixels[i] = byte(min(255, v/weight+0.5))
	}
}

// orientation of a JPEG file is how it is turned: 1 upright, 5 to 8 lying.
func orientation(content []byte) int {
	for _, s := range segments(content) {
		if s[1] != 0xE1 || len(s) < 18 || string(s[4:10]) != "Exif\x00\x00" {
			continue
		}
		tiff := s[10:]
		var order binary.ByteOrder = binary.BigEndian
		if tiff[0] == 'I' {
			order = binary.LittleEndian
		}
		at := int(order.Uint32(tiff[4:]))
		if at < 8 || at+2 > len(tiff) {
			return 1
		}
		for n := int(order.Uint16(tiff[at:])); n > 0 && at+14 <= len(tiff); n-- {
			if order.Uint16(tiff[at+2:]) == 0x0112 {
				return int(order.Uint16(tiff[at+10:]))
			}
			at += 12
		}
	}
	return 1
}

// segments are the parts of a JPEG file before its pixels, each with its mark
// and its length.
func segments(content []byte) (list [][]byte) {
	for at := 2; at+4 <= len(content) && content[at] == 0xFF && content[at+1] != 0xDA; {
		end := at + 2 + int(binary.BigEndian.Uint16(content[at+2:]))
		if end > len(content) {
			break
		}
		list = append(list, content[at:end])
		at = end
	}
	return list
}

// withSegments puts what says how the colours and the sides of a photo are
// meant into a smaller one of it.
func withSegments(small, large []byte) []byte {
	out := append([]byte{}, small[:2]...)
	for _, s := range segments(large) {
		profile := s[1] == 0xE2 && bytes.HasPrefix(s[4:], []byte("ICC_PROFILE\x00"))
		if turned := s[1] == 0xE1 && bytes.HasPrefix(s[4:], []byte("Exif\x00\x00")); profile || turned {
			out = append(out, s...)
		}
	}
	return append(out, small[2:]...)
}

// withChunks does the same for PNG: they stand behind the first chunk.
func withChunks(small, large []byte) []byte {
	const first = 8 + 12 + 13 // signature and IHDR
	if len(small) < first || len(large) < first {
		return small
	}
	out := append([]byte{}, small[:first]...)
	for at := 8; at+12 <= len(large); {
		end := at + 12 + int(binary.BigEndian.Uint32(large[at:]))
		if end > len(large) || end < at {
			break
		}
		switch chunk := large[at:end]; string(chunk[4:8]) {
		case "iCCP", "sRGB", "gAMA", "cHRM":
			if crc32.ChecksumIEEE(chunk[4:len(chunk)-4]) == binary.BigEndian.Uint32(chunk[len(chunk)-4:]) {
				out = append(out, chunk...)
			}
		case "IDAT":
			return append(out, small[first:]...)
		}
		at = end
	}
	return append(out, small[first:]...)
}
