package symbol

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
)

// zbar reads none of these codes. The modules behind each checksum were read back
// by zxing-cpp 3 as the text that went in, and so were 900 random texts of up to
// 1,700 characters; a change of any module shows here.
func TestMatrixCodesAreThoseThatWereReadBack(t *testing.T) {
	for _, c := range []struct {
		format, text, want string
	}{
		{"DataMatrix", "QUIRE-42", "14x14 4edaf7da"},
		{"DataMatrix", "Größe 10", "16x16 d54860ba"},
		{"DataMatrix", strings.Repeat("0123456789", 150), "104x104 955d55a6"},
		{"GS1 DataMatrix", "(01)09501101530003(10)AB-123(17)271231", "20x20 ec72eaa4"},
		{"GS1 DataMatrix", "(01)09501101530003(17)270200(8003)095011015300031", "22x22 7daac136"},
		{"aztec", "M1LINDNER/ADA E7QK4NB BERLHR 0042 330Y014A0007", "23x23 ed30152d"},
		{"Aztec", strings.Repeat("Stück, 1. ", 40), "67x67 98bf1714"},
		{"PDF417", "7", "86x11 d224496c"},
		{"PDF417", "@AAMVA: Doe, Jöhn; 00123456789012345 {a}", "120x13 d5298c07"},
		{"PDF417", strings.Repeat("Anlage 3/b: ", 60), "341x36 d77ba5a7"},
	} {
		m, err := EncodeMatrix(c.format, c.text)
		if err != nil {
			t.Errorf("%s %.20q: %v", c.format, c.text, err)
			continue
		}
		if got := summary(m); got != c.want {
			t.Errorf("%s %.20q: %s, want %s", c.format, c.text, got, c.want)
		}
	}
}

// summary is the size of a code and the checksum of its modules.
func summary(m *Matrix) string {
	sum := crc32.NewIEEE()
	for _, row := range m.Rows {
		_, _ = fmt.Fprintln(sum, row)
	}
	return fmt.Sprintf("%dx%d %08x", len(m.Rows[0]), len(m.Rows), sum.Sum32())
}

// The codewords of a PDF417 code are a multiple of the polynomial whose roots are
// powers of 3: so a reader finds out what is damaged.
func TestTheChecksOfPDF417HaveTheRootsOfTheStandard(t *testing.T) {
	for level := range 9 {
		count := 2 << level
		words := []int{5, 453, 178, 121, 239}
		words = append(words, pdf417Checks(words, count)...)
		for root, i := 3, 0; i < count; root, i = root*3%pdf417Words, i+1 {
			value := 0
			for _, w := range words {
				value = (value*root + w) % pdf417Words
			}
			if value != 0 {
				t.Fatalf("level %d: the value at 3^%d is %d", level, i+1, value)
			}
		}
	}
	// The example of the standard (ISO/IEC 15438, annex Q): "PDF417" at level 1.
	if got := fmt.Sprint(pdf417Checks([]int{5, 453, 178, 121, 239}, 4)); got != "[452 327 657 619]" {
		t.Errorf("the example of the standard has %s", got)
	}
}

func TestEveryPatternOfPDF417IsOfItsCluster(t *testing.T) {
	for cluster := range pdf417Patterns {
		seen := map[string]bool{}
		for word := range pdf417Words {
			p := pdf417Pattern(cluster, word)
			seen[p] = true
			var widths []int
			for i := range p {
				if i == 0 || p[i] != p[i-1] {
					widths = append(widths, 0)
				}
				widths[len(widths)-1]++
			}
			if len(p) != 17 || len(widths) != 8 || (widths[0]-widths[2]+widths[4]-widths[6]+18)%9 != 3*cluster {
				t.Fatalf("cluster %d, codeword %d: %s", cluster, word, p)
			}
		}
		if len(seen) != pdf417Words {
			t.Errorf("cluster %d has %d patterns", cluster, len(seen))
		}
	}
}

func TestTextsThatAMatrixCodeCannotHold(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"DataMatrix", "", "DataMatrix: the text is empty; it takes up to 1558 characters"},
		{"DataMatrix", "5 €", "'€' is not among the characters of ISO 8859-1; a QR code holds any"},
		{"DataMatrix", "è vero", "the first character cannot be 'è'"},
		{"DataMatrix", strings.Repeat("x", 1559), "the text has 1559 characters and is too long"},
		{"Aztec", strings.Repeat("ab1;", 1000), "the text has 4000 characters and is too long"},
		{"PDF417", strings.Repeat("x", 1800), "the text needs 967 codewords, and there is room for 928"},
		{"PDF417", strings.Repeat("x", 9000), "the text is 9000 characters long"},
		{"GS1 DataMatrix", "09501101530003", "does not begin with an identifier in parentheses"},
		{"GS1 DataMatrix", "(01)09501101530004", "the check digit of 09501101530004 is 3, not 4"},
		{"MaxiCode", "1", `unknown format "MaxiCode"; accepted: DataMatrix, GS1 DataMatrix, Aztec, PDF417`},
	} {
		if _, err := EncodeMatrix(c.format, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.20q: %v", c.format, c.text, err)
		}
	}
}

// TestACodeIsAsWideAsItSays, with its quiet zone.
func TestACodeIsAsWideAsItSays(t *testing.T) {
	m, err := EncodeMatrix("PDF417", "QUIRE")
	if err != nil {
		t.Fatal(err)
	}
	w, h := m.Size()
	want := fmt.Sprintf(`<svg width="%v" height="%v" viewBox="0 0 %v %v"`, 2*w, 2*h, w, h)
	if svg := m.SVG(MatrixLook{Module: 2, Background: "#fff", Color: "#000"}); !strings.HasPrefix(svg, want) || int(h) != 3*len(m.Rows)+4 {
		t.Errorf("%.90s, want %s", svg, want)
	}
}
