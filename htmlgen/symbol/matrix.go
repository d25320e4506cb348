package symbol

import (
	"fmt"
	"html"
	"image"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/aztec"
	"github.com/boombuler/barcode/datamatrix"
)

// Matrix is a code in two dimensions.
type Matrix struct {
	Rows [][]bool // modules from the top, each from the left; true is dark
	// Quiet is how many modules around the code stay light.
	Quiet int
	// RowHeight is the height of a row in widths of a module.
	RowHeight int
	// Text is what the code says, for people.
	Text string
}

// MatrixFormat is a symbology in two dimensions.
type MatrixFormat struct {
	Name    string // as reports say it: "DataMatrix"
	Accepts string // what it can hold, for messages

	encode func(text string) (*Matrix, error)
}

// MatrixFormats lists the symbologies in two dimensions besides QR codes.
func MatrixFormats() []MatrixFormat {
	return []MatrixFormat{
		{"DataMatrix", "up to 1558 characters of ASCII or 3116 digits, fewer with others of ISO 8859-1", encodeDataMatrix},
		{"GS1 DataMatrix", "application identifiers in parentheses, such as (01)09501101530003(10)AB-123", encodeGS1DataMatrix},
		{"Aztec", "up to about 1900 characters of ISO 8859-1, or 3800 digits", encodeAztec},
		{"PDF417", "up to about 1000 bytes of ISO 8859-1, 1700 letters or 2500 digits", encodePDF417},
	}
}

// maxMatrixText bounds what is looked at, in bytes.
const maxMatrixText = 8000

// EncodeMatrix encodes a text in the symbology of a name, as Encode does.
func EncodeMatrix(format, text string) (*Matrix, error) {
	f, err := findMatrix(format)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, fmt.Errorf("%s: the text is empty; it takes %s", f.Name, f.Accepts)
	}
	if len(text) > maxMatrixText {
		return nil, fmt.Errorf("%s: the text is %d characters long; it takes %s", f.Name, len(text), f.Accepts)
	}
	m, err := f.encode(text)
	if err != nil {
		return nil, fmt.Errorf("%s takes %s: %w", f.Name, f.Accepts, err)
	}
	return m, nil
}

func findMatrix(name string) (*MatrixFormat, error) {
	list := MatrixFormats()
	var names []string
	for i := range list {
		if plainName(list[i].Name) == plainName(name) {
			return &list[i], nil
		}
		names = append(names, list[i].Name)
	}
	return nil, fmt.Errorf("unknown format %q; accepted: %s", name, strings.Join(names, ", "))
}

// latin1 is a text as bytes of ISO 8859-1, which readers assume where a code
// says nothing else.
func latin1(text string) ([]byte, error) {
	var b []byte
	for _, r := range text {
		if r > 255 {
			return nil, fmt.Errorf("%q is not among the characters of ISO 8859-1; a QR code holds any", r)
		}
		b = append(b, byte(r))
	}
	return b, nil
}

func encodeDataMatrix(text string) (*Matrix, error) {
	data, err := latin1(text)
	if err != nil {
		return nil, err
	}
	if data[0] == datamatrix.FNC1 {
		// The encoder takes the byte for the mark of GS1.
		return nil, fmt.Errorf("the first character cannot be %q", rune(data[0]))
	}
	return dataMatrix(data, text)
}

func encodeGS1DataMatrix(text string) (*Matrix, error) {
	elements, _, err := gs1Data(text)
	if err != nil {
		return nil, err
	}
	data := []byte{datamatrix.FNC1}
	for _, r := range elements {
		if r == fnc1 {
			r = rune(datamatrix.FNC1)
		}
		data = append(data, byte(r))
	}
	return dataMatrix(data, text)
}

func dataMatrix(data []byte, text string) (*Matrix, error) {
	code, err := datamatrix.Encode(string(data))
	if err != nil {
		return nil, tooLong(text)
	}
	return &Matrix{Rows: modulesIn(code), Quiet: 1, RowHeight: 1, Text: printable(text)}, nil
}

// aztecCorrection is the share of error correction that the standard recommends,
// in percent.
const aztecCorrection = 23

func encodeAztec(text string) (*Matrix, error) {
	data, err := latin1(text)
	if err != nil {
		return nil, err
	}
	code, err := aztec.Encode(data, aztecCorrection, aztec.DEFAULT_LAYERS)
	if err != nil {
		return nil, tooLong(text)
	}
	// The standard asks for no light zone; one module keeps what is around apart.
	return &Matrix{Rows: modulesIn(code), Quiet: 1, RowHeight: 1, Text: printable(text)}, nil
}

func tooLong(text string) error {
	return fmt.Errorf("the text has %d characters and is too long", len([]rune(text)))
}

// modulesIn reads the modules of a picture that has one pixel for each.
func modulesIn(picture image.Image) [][]bool {
	size := picture.Bounds()
	rows := make([][]bool, size.Dy())
	for y := range rows {
		rows[y] = make([]bool, size.Dx())
		for x := range rows[y] {
			rows[y][x] = color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y < 128
		}
	}
	return rows
}

// MatrixLook is how a code is drawn. Colours are CSS; Module is the width of a
// module in CSS pixels.
type MatrixLook struct {
	Module     float64
	Background string
	Color      string
}

// Size is the width and the height of the code with its quiet zone, in modules.
func (m *Matrix) Size() (width, height float64) {
	return float64(len(m.Rows[0]) + 2*m.Quiet), float64(len(m.Rows)*m.RowHeight + 2*m.Quiet)
}

// SVG draws the code in units of its modules. The quiet zone is part of it.
func (m *Matrix) SVG(l MatrixLook) string {
	s := &svg{}
	width, height := m.Size()
	s.WriteString(`<svg width="`)
	s.number(width * l.Module)
	s.WriteString(`" height="`)
	s.number(height * l.Module)
	s.WriteString(`" viewBox="0 0 `)
	s.number(width)
	s.WriteByte(' ')
	s.number(height)
	s.WriteString(`" aria-hidden="true">`)
	s.background(width, height, l.Background)
	s.modules(m.Rows, float64(m.Quiet), float64(m.RowHeight), l.Color)
	s.WriteString("</svg>")
	return s.String()
}

// modules draws dark modules as one path, neighbours in a row as one.
func (s *svg) modules(rows [][]bool, quiet, height float64, color string) {
	s.WriteString(`<path shape-rendering="crispEdges" d="`)
	for y, row := range rows {
		for x := 0; x < len(row); {
			if !row[x] {
				x++
				continue
			}
			n := 1
			for x+n < len(row) && row[x+n] {
				n++
			}
			s.rect(quiet+float64(x), quiet+float64(y)*height, float64(n), height)
			x += n
		}
	}
	s.WriteString(`" fill="` + html.EscapeString(color) + `"/>`)
}
