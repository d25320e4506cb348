package symbol

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
)

// zbarNames are what zbar calls a symbology; it knows no MSI and no Pharmacode,
// which the decoders below read.
var zbarNames = map[string]string{
	"CODE128": "CODE-128", "CODE128A": "CODE-128", "CODE128B": "CODE-128", "CODE128C": "CODE-128", "GS1-128": "CODE-128", "CODE39": "CODE-39", "CODE93": "CODE-93",
	"EAN13": "EAN-13", "EAN8": "EAN-8", "UPC-A": "UPC-A", "UPC-E": "UPC-E", "ISBN": "EAN-13", "ITF": "I2/5", "ITF14": "I2/5", "Codabar": "Codabar", "QR": "QR-Code",
}

// read has zbar read a picture of modules.
func read(t *testing.T, symbology string, rows [][]bool, quiet [2]int) string {
	t.Helper()
	program, err := exec.LookPath("zbarimg")
	if err != nil {
		judges.Missing(t, "zbarimg is not installed (Debian package zbar-tools); make test installs it")
	}
	args := []string{"-q", "--raw", "--nodbus", "-S*.disable", "-S" + configName(symbology) + ".enable"}
	switch symbology {
	case "EAN-13+add-on":
		args = []string{"-q", "--raw", "--nodbus", "-S*.disable", "-Sean13.enable", "-Sean2.enable", "-Sean5.enable"}
	case "UPC-A": // a kind of EAN-13 for zbar
		args = append(args, "-Sean13.enable")
	case "QR-Code": // else zbar guesses the character set, often as an East Asian one
		args = append(args, "-Sqrcode.binary")
	}
	cmd := exec.Command(program, append(args, "PNG:-")...)
	cmd.Stdin = bytes.NewReader(picture(rows, quiet))
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: zbar reads nothing: %v", symbology, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// configName is zbar's name of a symbology among its settings.
func configName(symbology string) string {
	switch symbology {
	case "I2/5":
		return "i25"
	case "QR-Code":
		return "qrcode"
	}
	return strings.ReplaceAll(strings.ToLower(symbology), "-", "")
}

// picture draws modules three pixels wide.
func picture(rows [][]bool, quiet [2]int) []byte {
	const scale = 3
	height := len(rows)
	repeat := 1
	if height == 1 {
		repeat = 30
	}
	img := image.NewGray(image.Rect(0, 0, (len(rows[0])+quiet[0]+quiet[1])*scale, (height*repeat+8)*scale))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for y := range height * repeat * scale {
		for x := range len(rows[0]) * scale {
			if rows[y/scale/repeat][x/scale] {
				img.SetGray(x+quiet[0]*scale, y+4*scale, color.Gray{})
			}
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img)
	return b.Bytes()
}

func modulesOf(b *Bars) [][]bool {
	row := make([]bool, len(b.Modules))
	for i := range row {
		row[i] = b.Modules[i] == '1'
	}
	return [][]bool{row}
}

func TestCodesReadAsTheTextThatWentIn(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"CODE128", "Quire-2026/11 #42", "Quire-2026/11 #42"},
		{"CODE128", "00123456789012", "00123456789012"},
		{"CODE128", "AB1234567C", "AB1234567C"},
		{"CODE128", "12345", "12345"},
		{"CODE128", "tab\there", "tab\there"},
		{"CODE128A", "LOT 7\tA", "LOT 7\tA"},
		{"CODE128B", "lower Case", "lower Case"},
		{"CODE128C", "20261120", "20261120"},
		{"gs1-128", "(01)09501101530003(10)AB-123(17)271231", "\x1d0109501101530003" + "10AB-123\x1d17271231"},
		{"CODE39", "quire-39 $/+%.", "QUIRE-39 $/+%."},
		{"CODE93", "QUIRE 93", "QUIRE 93"},
		{"CODE93", "Mixed case, {all} ~ASCII!", "Mixed case, {all} ~ASCII!"},
		{"EAN13", "400638133393", "4006381333931"},
		{"EAN13", "978-3-16-148410-0", "9783161484100"},
		{"EAN8", "96385074", "96385074"},
		{"EAN8", "9638507", "96385074"},
		{"UPC-A", "03600029145", "036000291452"},
		{"UPCA", "036000291452", "036000291452"},
		{"UPC-E", "01234565", "01234565"},
		{"UPC-E", "123456", "01234565"},
		{"ISBN", "978-3-16-148410-0", "9783161484100"},
		{"ISBN", "ISBN 0-8044-2957-X", "9780804429573"},
		{"ITF", "123456", "123456"},
		{"ITF14", "1540014128876", "15400141288763"},
		{"Codabar", "A40156B", "A40156B"},
		{"Codabar", "31117013206375", "A31117013206375A"},
	} {
		b, err := Encode(c.format, c.text)
		if err != nil {
			t.Errorf("%s %q: %v", c.format, c.text, err)
			continue
		}
		f, _ := find(c.format)
		got := read(t, zbarNames[f.Name], modulesOf(b), b.Quiet)
		if f.Name == "GS1-128" { // zbar leaves the leading FNC1 out or writes it as a separator
			got, c.want = strings.TrimPrefix(got, "\x1d"), strings.TrimPrefix(c.want, "\x1d")
		}
		if got != c.want {
			t.Errorf("%s %q is read as %q", c.format, c.text, got)
		}
	}
}

// TestAddOnsAreReadBack by zbar; zxing-cpp 3 read 1600 random ones beside EAN13,
// EAN8, UPC-A and UPC-E.
func TestAddOnsAreReadBack(t *testing.T) {
	for _, c := range []struct{ format, text, want, label string }{
		// ISO/IEC 15420, figure 8, and the General Specifications of GS1, figure 5.2.2-5.
		{"EAN13", "978-0-521-42557-5 + 51999", "51999\n9780521425575", "9780521425575 51999"},
		{"EAN13", "977147396801+05", "05\n9771473968012", "9771473968012 05"},
		{"ISBN", "3-16-148410-X+90000", "90000\n9783161484100", "9783161484100 90000"},
		{"UPC-A", "070989335608+12", "12\n0070989335608", "070989335608 12"},
		{"UPC-A", "07098933560+54495", "54495\n0070989335608", "070989335608 54495"},
	} {
		b, err := Encode(c.format, c.text)
		if err != nil {
			t.Errorf("%s %q: %v", c.format, c.text, err)
			continue
		}
		if got := read(t, "EAN-13+add-on", modulesOf(b), b.Quiet); got != c.want || b.Text != c.label {
			t.Errorf("%s %q is read as %q, for people %q", c.format, c.text, got, b.Text)
		}
	}
}

// unAddOn reads the digits of an add-on and verifies its parity, as zbar does
// with EAN-13 only.
func unAddOn(modules string) string {
	digits, sets := "", ""
	body := strings.TrimPrefix(modules, "1011")
	for body != "" {
		for d, left := range eanLeft {
			mirrored := []byte(left)
			for i := range left {
				mirrored[6-i] = left[i] ^ 1
			}
			switch body[:7] {
			case left:
				digits, sets = digits+fmt.Sprint(d), sets+"0"
			case string(mirrored):
				digits, sets = digits+fmt.Sprint(d), sets+"1"
			}
		}
		body = strings.TrimPrefix(body[7:], "01")
	}
	var number, check int
	_, _ = fmt.Sscan(strings.TrimLeft(digits[:len(digits)-1], "0")+digits[len(digits)-1:], &number)
	if len(digits) == 2 {
		check = number % 4
		if sets != fmt.Sprintf("%02b", check) {
			return "wrong sets " + sets
		}
		return digits
	}
	for i, d := range digits {
		check += int(d-'0') * (3 + 6*(i%2))
	}
	// Which two digits are of set G, by the General Specifications of GS1, 5.2.2.5.
	if want := strings.Fields("11000 10100 10010 10001 01100 00110 00011 01010 01001 00101")[check%10]; sets != want {
		return "wrong sets " + sets
	}
	return digits
}

func TestEveryAddOnSaysItsDigits(t *testing.T) {
	t.Parallel()
	for n := range 100_000 {
		for _, digits := range []string{fmt.Sprintf("%05d", n), fmt.Sprintf("%02d", n)} {
			if len(digits) != 2 && len(digits) != 5 || n%97 != 0 && len(digits) == 5 {
				continue
			}
			if got := unAddOn(addOnModules(digits)); got != digits {
				t.Errorf("%s is read as %s", digits, got)
			}
		}
	}
}

func TestAnAddOnStandsBelowItsText(t *testing.T) {
	t.Parallel()
	b, err := Encode("ISBN", "978-3-16-148410-0+51999")
	if err != nil {
		t.Fatal(err)
	}
	svg := b.SVG(Look{Module: 1, Height: 50, TextMargin: 2, FontSize: 10, ShowText: true, Background: "#fff", Line: "#000"})
	for _, want := range []string{
		`<text x="58.5" y="8" text-anchor="middle" font-size="10" fill="#000">ISBN 978-3-16-148410-0</text>`,
		`<text x="138.5" y="20" text-anchor="middle" font-size="10" fill="#000">51999</text>`,
		"M115 24h1v45.5h-1z", // the add-on begins 9 modules after the code, below its text, and is as deep as the guards
		"M103 12h1v57.5h-1z", // the last guard
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is not in %s", want, svg)
		}
	}
	if svg := b.SVG(Look{Module: 1, Height: 50, FontSize: 10}); !strings.Contains(svg, "M115 0h1v50h-1z") || strings.Contains(svg, "<text") {
		t.Errorf("without text: %s", svg)
	}
}

func TestTheNumberOfABookStandsAboveItsBars(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"978-3-16-148410-0": "ISBN 978-3-16-148410-0", "978-3-16-148410": "ISBN 978-3-16-148410-0", "3-16-148410-X": "ISBN 978-3-16-148410-0",
		"isbn 3 16 148410": "ISBN 978-3-16-148410-0", "9783161484100": "ISBN 9783161484100", "978-3161484100": "ISBN 9783161484100", "316148410X": "ISBN 9783161484100",
	} {
		if b, err := Encode("ISBN", text); err != nil || b.Above != want {
			t.Errorf("%q: %+v, %v", text, b, err)
		}
	}
}

func TestRandomTextsAreReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(alphabet string, low, high int) string {
		b := make([]byte, low+r.IntN(high-low+1))
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	const number = "0123456789"
	printables := ""
	for c := ' '; c < 127; c++ {
		printables += string(c)
	}
	for range 12 {
		for _, c := range []struct{ format, text string }{
			{"CODE128", text(printables, 3, 24)},
			{"CODE128", text(number+number+"aB", 3, 24)},
			{"CODE39", text(code39Characters[:43], 3, 16)},
			{"CODE93", text(printables, 4, 18)},
			{"EAN13", text(number, 12, 12)},
			{"EAN8", text(number, 7, 7)},
			{"UPC-A", text(number, 11, 11)},
			{"UPC-E", "0" + text(number, 6, 6)},
			{"ITF14", text(number, 13, 13)},
			{"Codabar", "A" + text(codabarCharacters[:16], 6, 14) + "B"},
		} {
			if strings.TrimSpace(c.text) != c.text {
				continue // zbarimg's output cannot show blanks at the ends apart
			}
			b, err := Encode(c.format, c.text)
			if err != nil {
				t.Errorf("%s %q: %v", c.format, c.text, err)
				continue
			}
			if got := read(t, zbarNames[c.format], modulesOf(b), b.Quiet); !strings.HasPrefix(got, strings.TrimSuffix(c.text, "\n")) {
				t.Errorf("%s %q is read as %q", c.format, c.text, got)
			}
		}
	}
}

func TestQRCodesAreReadBack(t *testing.T) {
	for _, level := range []string{"L", "M", "Q", "H"} {
		for _, text := range []string{"7", "https://quire.example/invoice/2026-0042?x=1&y=%C3%A4", strings.Repeat("Größe 10 – ", 40), "BCD\n002\n1\nSCT\n\nLindner & Söhne\nAT611904300234573201\nEUR1234.50\n"} {
			modules, err := QR(text, level)
			if err != nil {
				t.Error(err)
				continue
			}
			if got := read(t, "QR-Code", modules, [2]int{4, 4}); got != strings.TrimSuffix(text, "\n") && got != text {
				t.Errorf("%s %.30q is read as %.60q", level, text, got)
			}
		}
	}
}

// unMSI and unPharmacode read what zbar does not know, from the modules alone.
func unMSI(modules string) string {
	body := strings.TrimSuffix(strings.TrimPrefix(modules, "110"), "1001")
	text := ""
	for ; len(body) >= 12; body = body[12:] {
		digit := 0
		for bit := range 4 {
			digit = digit*2 + map[string]int{"100": 0, "110": 1}[body[bit*3:bit*3+3]]
		}
		text += fmt.Sprint(digit)
	}
	return text
}

func unPharmacode(modules string) int {
	n, weight := 0, 1
	bars := strings.Split(modules, "00")
	for i := len(bars) - 1; i >= 0; i-- {
		n += weight * map[string]int{"1": 1, "111": 2}[bars[i]]
		weight *= 2
	}
	return n
}

func TestCodesThatZbarDoesNotKnow(t *testing.T) {
	for format, want := range map[string]string{"MSI": "1234567", "MSI10": "12345674", "MSI11": "12345674", "MSI1010": "123456741", "MSI1110": "123456741"} {
		b, err := Encode(format, "1234567")
		if err != nil {
			t.Fatal(err)
		}
		if got := unMSI(b.Modules); got != want || b.Text != want {
			t.Errorf("%s: the bars say %s, the text %s, not %s", format, got, b.Text, want)
		}
	}
	for _, n := range []int{3, 4, 7, 1234, 131069, 131070} {
		b, err := Encode("pharmacode", fmt.Sprint(n))
		if err != nil {
			t.Fatal(err)
		}
		if got := unPharmacode(b.Modules); got != n {
			t.Errorf("Pharmacode %d says %d", n, got)
		}
	}
}

func TestTextsThatASymbologyCannotHold(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"EAN13", "40063813339", `EAN13 takes 12 or 13 digits, the last the check digit, and perhaps + with the 2 or 5 digits of an add-on: "40063813339" has 11 digits`},
		{"EAN13", "4006381333930", "the check digit of 4006381333930 is 1, not 0"},
		{"EAN8", "9638507x", `'x' is no digit`},
		{"UPC-E", "21234565", "the number system is 2, not 0 or 1"},
		{"UPC-E", "01234560", "the check digit of 01234560 is 5, not 0"},
		{"ITF", "12345", `"12345" has 5 digits`},
		{"CODE39", "naïve", `'Ï' is not among its characters`},
		{"CODE39", "A*B", `'*' only begins and ends the code`},
		{"CODE128", "Größe", `'ö' is no ASCII character`},
		{"CODE128A", "small", `'s' is not among its characters`},
		{"CODE128C", "123", `"123" has 3 digits`},
		{"GS1-128", "0109501101530003", `"0109501101530003" does not begin with an identifier in parentheses`},
		{"GS1-128", "(01)0950110153000", "(01) has a value of 14 characters, not 13"},
		{"GS1-128", "(01)09501101530004", "(01): the check digit of 09501101530004 is 3, not 4"},
		{"GS1-128", "(29)1", "(29) is no application identifier of GS1"},
		{"GS1-128", "(17)271331", "(17): 271331 is no date of the form YYMMDD"},
		{"GS1-128", "(17)270230", "(17): 270230 is no date"},
		{"GS1-128", "(3103)00125", "(3103) has a value of 6 characters, not 5"},
		{"GS1-128", "(37)12A", "(37): 'A' is no digit"},
		{"GS1-128", "(10)AB#1", "(10): it cannot hold '#'"},
		{"GS1-128", "(10)" + strings.Repeat("A", 21), "(10) has a value of 1 to 20 characters, not 21"},
		{"GS1-128", "(414)9501101530004", "(414): the check digit of 9501101530004 is 3, not 4"},
		{"GS1-128", "(253)950110153000", "(253) has a value of 13 to 30 characters, not 12"},
		{"GS1-128", "(21)" + strings.Repeat("A", 20) + "(10)" + strings.Repeat("B", 20) + "(37)12", "have 50 characters; GS1-128 holds 48"},
		{"EAN13", "4006381333931+123", `the add-on "123" has 3 digits, not 2 or 5`},
		{"EAN13", "4006381333931+", `the add-on "" has 0 digits, not 2 or 5`},
		{"EAN13", "4006381333931+1x", `the add-on: 'x' is no digit`},
		{"EAN13", "4006381333931+12+34", `the add-on: '+' is no digit`},
		{"ISBN", "4006381333931", "4006381333931 does not begin with 978 or 979"},
		{"ISBN", "3-16-148410-1", "the check digit of 3161484101 is X, not 1"},
		{"ISBN", "978-3-16-148410-X", "'X' is no digit"},
		{"ISBN", "12", `"12" has 2 digits`},
		{"Intelligent Mail", "0123456709498765432", "Intelligent Mail takes the 20 digits of the tracking code and perhaps the 5, 9 or 11 of the ZIP code: \"0123456709498765432\" has 19 digits"},
		{"Intelligent Mail", "01234567094987654321-0123", "has 24 digits"},
		{"Intelligent Mail", "05234567094987654321", "the second digit is 5, not 0 to 4"},
		{"Intelligent Mail", "0123456709498765432A", "'A' is no digit"},
		{"RM4SCC", "SN34RD1A99", `"SN34RD1A99" has 10 characters`},
		{"RM4SCC", "SN3/4RD", `'/' is no capital and no digit`},
		{"RM4SCC", "-", `"" has 0 characters`},
		{"KIX", "250GG30250", `"250GG30250" is no such address`},
		{"KIX", "2500GG30250A", `"2500GG30250A" is no such address`},
		{"Australia Post", "1396184209", `"13" is none of the formats 11, 45, 59, 62, 87 and 92`},
		{"Australia Post", "9618420", `"9618420" is too short`},
		{"Australia Post", "119618420X", "'X' is no digit"},
		{"Australia Post", "1196184209 7", `format 11 has no room for "7", which the customer adds`},
		{"Australia Post", "5996184209 123456789", `format 59 has room for 8 digits or 5 other characters of the customer, not for "123456789"`},
		{"Australia Post", "5996184209 A-1", `'-' is not among the letters, digits, blanks and #`},
		{"Pharmacode", "2", `not "2"`},
		{"MSI", "12-3", `'-' is no digit`},
		{"Codabar", "12E", `'E' is not among its characters`},
		{"EAN13", "", "EAN13: the text is empty; it takes 12 or 13 digits"},
		{"CODE128", strings.Repeat("x", 500), "the text is 500 characters long"},
		{"QRX", "1", `unknown bar code format "QRX"; accepted: CODE128,`},
	} {
		if _, err := Encode(c.format, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.40q: %v", c.format, c.text, err)
		}
	}
	for _, c := range []struct{ text, level, want string }{
		{"", "M", "the text is empty"}, {"x", "Z", `unknown error correction "Z"`}, {strings.Repeat("x", 3000), "L", "the text has 3000 bytes"},
	} {
		if _, err := QR(c.text, c.level); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("QR %.20q: %v", c.text, err)
		}
	}
}

func FuzzEncode(f *testing.F) {
	for _, format := range Formats() {
		f.Add(format.Name, "123456789012")
	}
	for _, add := range [][2]string{
		{"GS1-128", "(01)09501101530003(10)A"},
		{"EAN13", "978052142557+51999"},
		{"UPC-E", "123456+05"},
		{"ISBN", "3-16-148410-X+90000"},
		{"Intelligent Mail", "01234567094987654321-01234567891"},
		{"RM4SCC", "SN34RD1A"},
		{"KIX", "2500GG30250XA"},
		{"Australia Post", "59 56439111 ABA 9"},
	} {
		f.Add(add[0], add[1])
	}
	f.Fuzz(func(t *testing.T, format, text string) {
		b, err := Encode(format, text)
		if err != nil {
			return
		}
		if b.Post != nil {
			name, _ := find(format)
			if _, err := readPostal(name.Name, strings.TrimSpace(text[min(len(text), 10):]), b.Post.States); err != nil || len(b.Post.States) > 80 {
				t.Errorf("%s %q: %s: %v", format, text, b.Post.States, err)
			}
			b.Modules = "1"
		}
		if len(b.Modules) > 4000 || strings.Trim(b.Modules, "01") != "" || b.Modules[0] != '1' || b.Modules[len(b.Modules)-1] != '1' {
			t.Errorf("%s %q: %s", format, text, b.Modules)
		}
		if svg := b.SVG(Look{Module: 1, Height: 10, ShowText: true, FontSize: 8}); strings.Contains(svg, "NaN") {
			t.Error(svg)
		}
		_, _ = QR(text, "M")
	})
}

func BenchmarkEncode(b *testing.B) {
	for _, c := range [][2]string{{"CODE128", "Quire-2026/11 #42"}, {"EAN13", "400638133393"}} {
		b.Run(c[0], func(b *testing.B) {
			for b.Loop() {
				bars, _ := Encode(c[0], c[1])
				bars.SVG(Look{Module: 1.5, Height: 48, ShowText: true, FontSize: 10})
			}
		})
	}
	b.Run("QR", func(b *testing.B) {
		for b.Loop() {
			modules, _ := QR("https://quire.example/invoice/2026-0042", "M")
			QRSVG(modules, QRLook{})
		}
	})
}

// TestAQRCodeTakesTheLevelThatHoldsItsText, unless one is asked for.
func TestAQRCodeTakesTheLevelThatHoldsItsText(t *testing.T) {
	t.Parallel()
	for n, fits := range map[int]bool{2331: true, 2332: true, 2900: true, 2953: true, 2954: false} {
		if _, err := QR(strings.Repeat("a", n), ""); (err == nil) != fits {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := QR(strings.Repeat("a", 2332), "M"); err == nil {
		t.Error("the level that was asked for is not kept")
	}
}
