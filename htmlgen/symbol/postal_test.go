package symbol

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
)

// The bars of these are printed in the documents of the posts, or were made by
// the encoder of the post itself. bwip-js 4.11 made the same of them and of 3200 random
// texts, zint 1.2 of those that it takes, but for digits alone as customer information.
func TestPostalCodesAreThoseOfThePosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, text, states, label string }{
		// USPS-B-3200, revision H, appendix A and figure 5.
		{"Intelligent Mail", "01234567094987654321", "ATTFATTDTTADTAATTDTDTATTDAFDDFADFDFTFFFFFTATFAAAATDFFTDAADFTFDTDT", "01 234 567094 987654321"},
		{"intelligent-mail", "01234567094987654321-01234", "DTTAFADDTTFTDTFTFDTDDADADAFADFATDDFTAAAFDTTADFAAATDFDTDFADDDTDFFT", "01 234 567094 987654321 01234"},
		{"Intelligent Mail", "01234567094987654321 012345678", "ADFTTAFDTTTTFATTADTAAATFTFTATDAAAFDDADATATDTDTTDFDTDATADADTDFFTFA", "01 234 567094 987654321 01234 5678"},
		{"Intelligent Mail", "01 234 567094 987654321 01234-5678-91", "AADTFFDFTDADTAADAATFDTDDAAADDTDTTDAFADADDDTFFFDDTTTADFAAADFTDAADA", "01 234 567094 987654321 01234 5678 91"},
		// The encoder of the USPS, at postalpro.usps.com.
		{"Intelligent Mail", "23270592831482031240-96713024817", "DDADATADTAATDTTTDFDTTFTFFADTFTDFTATAAFTTFATDAATATDATATFADAADDTFDT", "23 270 592831 482031240 96713 0248 17"},
		// Customer Barcoding Technical Specifications (August 2012), diagram 1.
		{"Australia Post", "96184209", "ATFAFATFDFFADDAAFDFFTFTDFFTDADADTADAT", "11 96184209"},
		// A Guide to Printing the 4-State Barcode (March 2012), figures 3 and 4.
		{"Australia Post", "11 39549554", "ATFAFAAFTFADAATFADADAATTADAFATAATDDAT", "11 39549554"},
		{"Australia Post", "59 56439111 ABA 9", "ATADTFADDFAAAFTFFAFAFAFFFFFAFFFFFTTDDTTAFADAFFFTTAAT", "59 56439111 ABA 9"},
		{"Australia Post", "6232211324123456789012345", "ATDFFDAFFDFDFAFAAFFDAAFAFDAFAAADDFDADDTFFFFAFDAFAAADTADDATFAFFFTFAT", "62 32211324 123456789012345"},
		// The check character of the example of the Royal Mail is K.
		{"RM4SCC", "sn3 4rd 1a", "AFTFTFDTADTAFDTFAFTADTFADTDAFDADAADDAF", "SN34RD1A"},
		{"RM4SCC", "BX11LT1A", "ADFTAFATDTDAFTDAFFTTFFDATTDAFDADAATDFF", "BX11LT1A"},
		// Handleiding KIX code of PostNL, 2.1, example 4.
		{"KIX", "1231 FZ 13 Xhs", "TDAFTDFADTAFTDAFDAADFFTTTDAFDTAFFATDDFATFTFT", "1231FZ13XHS"},
	} {
		b, err := Encode(c.format, c.text)
		switch {
		case err != nil:
			t.Errorf("%s %q: %v", c.format, c.text, err)
		case b.Post.States != c.states || b.Text != c.label:
			t.Errorf("%s %q: %s %q, want %s %q", c.format, c.text, b.Post.States, b.Text, c.states, c.label)
		}
	}
}

// readPostal reads the bars back, by the rules that the posts give to readers.
// What a customer adds in Australia has no mark that tells digits from letters.
func readPostal(format, text, states string) (string, error) {
	switch format {
	case "RM4SCC":
		return unRM4(states)
	case "KIX":
		return unRM4Characters(states)
	case "Australia Post":
		return unAusPost(states, digits(text) == nil)
	}
	return unIMail(states)
}

func unRM4(states string) (string, error) {
	if states[0] != 'A' || states[len(states)-1] != 'F' {
		return "", fmt.Errorf("%s has no start and stop", states)
	}
	text, err := unRM4Characters(states[1 : len(states)-1])
	if err != nil {
		return "", err
	}
	// The weights 4, 2, 1 and 0 of the bars that go up, and of those that go down,
	// summed over all characters, agree with the check character modulo 6.
	weigh := func(bars string, state byte) int {
		sum := 0
		for i, w := range [4]int{4, 2, 1, 0} {
			if bars[i] == state || bars[i] == 'F' {
				sum += w
			}
		}
		return sum % 6
	}
	for _, state := range []byte("AD") {
		sum := 0
		body := states[1 : len(states)-5]
		for i := 0; i < len(body); i += 4 {
			sum += weigh(body[i:i+4], state)
		}
		if check := weigh(states[len(states)-5:len(states)-1], state); sum%6 != check {
			return "", fmt.Errorf("%s: the sum is %d, the check %d", states, sum%6, check)
		}
	}
	return text[:len(text)-1], nil
}

func unRM4Characters(states string) (string, error) {
	var text strings.Builder
	for i := 0; i < len(states); i += 4 {
		found := false
		// 4, 2, 1 and 0 as weights give each of the six patterns a number, 6 being 0.
		ups, downs := strings.Count(states[i:i+4], "A"), strings.Count(states[i:i+4], "D")
		if full := strings.Count(states[i:i+4], "F"); ups+full != 2 || downs+full != 2 {
			return "", fmt.Errorf("%s has not two bars up and two down", states[i:i+4])
		}
		for v, r := range "ZUVWXY501234B6789AHCDEFGNIJKLMTOPQRS" {
			up, down := 0, 0
			for j, w := range [4]int{4, 2, 1, 0} {
				if s := states[i+j]; s == 'A' || s == 'F' {
					up += w
				}
				if s := states[i+j]; s == 'D' || s == 'F' {
					down += w
				}
			}
			if up%6 == v/6 && down%6 == v%6 {
				text.WriteRune(r)
				found = true
			}
		}
		if !found {
			return "", fmt.Errorf("%s is no character", states[i:i+4])
		}
	}
	return text.String(), nil
}

func unAusPost(states string, numbers bool) (string, error) {
	values := strings.NewReplacer("F", "0", "A", "1", "D", "2", "T", "3").Replace(states)
	if !strings.HasPrefix(values, "13") || !strings.HasSuffix(values, "13") {
		return "", fmt.Errorf("%s has no start and stop", states)
	}
	body := values[2 : len(values)-2]
	// The powers of 2 in the field; the value of the polynomial is 0 at the first four.
	var power [63]int
	for i, v := 0, 1; i < 63; i++ {
		power[i] = v
		if v *= 2; v > 63 {
			v = v%64 ^ 3
		}
	}
	log := map[int]int{}
	for i, v := range power {
		log[v] = i
	}
	for root := 1; root <= 4; root++ {
		value := 0
		for i := 0; i < len(body); i += 3 {
			if value != 0 {
				value = power[(log[value]+root)%63]
			}
			value ^= int(body[i]-'0')*16 + int(body[i+1]-'0')*4 + int(body[i+2]-'0')
		}
		if value != 0 {
			return "", fmt.Errorf("%s: the value at root %d is %d", states, root, value)
		}
	}
	number := func(bars string) (string, bool) {
		var n strings.Builder
		for i := 0; i+1 < len(bars); i += 2 {
			d := int(bars[i]-'0')*3 + int(bars[i+1]-'0')
			if bars[i:i+2] == "33" {
				break
			}
			if bars[i+1] == '3' || d > 9 {
				return "", false
			}
			n.WriteByte(byte('0' + d))
		}
		return n.String(), true
	}
	text, _ := number(body[:20])
	if numbers {
		n, ok := number(body[20 : len(body)-12])
		if !ok {
			return "", fmt.Errorf("%s has no digits", states)
		}
		return text + n, nil
	}
	return text + ausLetters(body[20:len(body)-12]), nil
}

// ausLetters are three bars each: of those without a middle the capitals and 0,
// of those that begin with one the digits, then the small letters.
func ausLetters(bars string) string {
	capitals, digits, others := "ABCDEFGHIJKLMNOPQRSTUVWXYZ0", "123456789", "abcdefghijklmnopqrstuvwxyz"
	of := map[string]byte{"003": ' ', "013": '#'}
	for v := range 64 {
		triple := fmt.Sprintf("%d%d%d", v/16, v/4%4, v%4)
		var from *string
		switch {
		case of[triple] != 0:
			continue
		case !strings.Contains(triple, "3"):
			from = &capitals
		case triple[0] == '3' && !strings.Contains(triple[1:], "3"):
			from = &digits
		default:
			from = &others
		}
		if *from != "" {
			of[triple], *from = (*from)[0], (*from)[1:]
		}
	}
	var text strings.Builder
	for bars = bars[:len(bars)/3*3]; bars != ""; bars = bars[3:] {
		if bars[:3] == "333" && strings.Trim(bars, "3") == "" { // filled up; z is 333, too
			break
		}
		text.WriteByte(of[bars[:3]])
	}
	return text.String()
}

// unIMail takes the characters from the bars, the checksum from those that stand
// inverted, and the digits from their numbers.
func unIMail(states string) (string, error) {
	var characters [10]int
	for i, s := range states {
		for _, half := range []struct{ table, states string }{{imailDown, "DF"}, {imailUp, "AF"}} {
			place := strings.Fields(half.table)[i]
			var bit int
			_, _ = fmt.Sscan(place[1:], &bit)
			if strings.ContainsRune(half.states, s) {
				characters[place[0]-'A'] |= 1 << bit
			}
		}
	}
	sum := 0
	value := new(big.Int)
	for i, c := range characters {
		if n := bits.OnesCount(uint(c)); n == 8 || n == 11 {
			sum |= 1 << i
			c ^= 0x1FFF
		}
		word := imailWord(c)
		base := int64(1365)
		switch i {
		case 0:
			if word >= 659 {
				word -= 659
				sum |= 1 << 10
			}
		case 9:
			word /= 2
			base = 636
		}
		value.Mul(value, big.NewInt(base)).Add(value, big.NewInt(int64(word)))
	}
	if got := imailDivided(value); got != sum {
		return "", fmt.Errorf("%s: the checksum is %03x, not %03x", states, sum, got)
	}
	tracking := ""
	for i := 19; i >= 0; i-- {
		base, digit := big.NewInt(10), new(big.Int)
		if i == 1 {
			base = big.NewInt(5)
		}
		value.DivMod(value, base, digit)
		tracking = digit.String() + tracking
	}
	routing := value.Int64()
	switch {
	case routing == 0:
		return tracking, nil
	case routing <= 100_000:
		return tracking + fmt.Sprintf("%05d", routing-1), nil
	case routing <= 1_000_100_000:
		return tracking + fmt.Sprintf("%09d", routing-100_001), nil
	}
	return tracking + fmt.Sprintf("%011d", routing-1_000_100_001), nil
}

// imailWord counts how many come before a character, as the table of the standard
// is made: its procedure works upwards from 0, pairs from the beginning and those
// that mirror themselves from the end.
func imailWord(c int) int {
	mirror := func(v int) int {
		m := 0
		for i := range 13 {
			m |= v >> i & 1 << (12 - i)
		}
		return m
	}
	set := bits.OnesCount(uint(c))
	low, high, offset := 0, 1286, 0
	if set == 2 {
		high, offset = 77, 1287
	}
	for v := range 8192 {
		m := mirror(v)
		switch {
		case bits.OnesCount(uint(v)) != set || m < v:
		case m == v && v == c:
			return offset + high
		case m == v:
			high--
		case v == c:
			return offset + low
		case m == c:
			return offset + low + 1
		default:
			low += 2
		}
	}
	return -1
}

// imailDivided is the checksum as the standard has it, byte by byte.
func imailDivided(value *big.Int) int {
	var data [13]byte
	value.FillBytes(data[:])
	sum := uint16(0x7FF)
	for i, b := range data {
		first := 0
		d := binary.BigEndian.Uint16([]byte{0, b}) << 3
		if i == 0 {
			first, d = 2, d<<2
		}
		for range 8 - first {
			odd := (sum^d)&0x400 != 0
			sum <<= 1
			if odd {
				sum ^= 0xF35
			}
			sum &= 0x7FF
			d <<= 1
		}
	}
	return int(sum)
}

func TestRandomPostalCodesAreReadBack(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	some := func(alphabet string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	const numbers, letters = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for range 200 {
		for _, c := range [][2]string{
			{"RM4SCC", some(rm4Characters, 1+r.IntN(9))},
			{"KIX", some(numbers, 4) + some(letters, 2) + some(numbers, 1+r.IntN(5))},
			{"KIX", some(numbers, 4) + some(letters, 2) + some(numbers, 1+r.IntN(5)) + "X" + some(rm4Characters, 1+r.IntN(6))},
			{"Intelligent Mail", some(numbers, 1) + some("01234", 1) + some(numbers, 18+[]int{0, 5, 9, 11}[r.IntN(4)])},
			{"Australia Post", []string{"11", "45", "87", "92"}[r.IntN(4)] + some(numbers, 8)},
			{"Australia Post", "59" + some(numbers, 8+1+r.IntN(8))},
			{"Australia Post", "62" + some(numbers, 8+1+r.IntN(15))},
			{"Australia Post", "62" + some(numbers, 8) + some(letters, 1) + some("Qq #7"+letters, r.IntN(8)) + some("Qqy7", 1)},
		} {
			b, err := Encode(c[0], c[1])
			if err != nil {
				t.Errorf("%s %q: %v", c[0], c[1], err)
				continue
			}
			if got, err := readPostal(c[0], c[1], b.Post.States); err != nil || got != c[1] {
				t.Errorf("%s %q is read as %q: %v", c[0], c[1], got, err)
			}
		}
	}
}

// TestAReaderFindsWhatIsWrong: each bar that changes is noticed.
func TestAReaderFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"RM4SCC", "SN34RD1A"}, {"Intelligent Mail", "0123456709498765432101234567891"}, {"Australia Post", "5956439111ABA 9"}} {
		b, err := Encode(c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Post.States {
			wrong := []byte(b.Post.States)
			wrong[i] = map[byte]byte{'F': 'T', 'A': 'D', 'D': 'A', 'T': 'F'}[wrong[i]]
			if got, err := readPostal(c[0], c[1], string(wrong)); err == nil && got == c[1] {
				t.Errorf("%s %q is read from %s", c[0], c[1], wrong)
			}
		}
	}
}

// TestPostalCodesHaveTheSizeOfTheirStandard, in millimetres.
func TestPostalCodesHaveTheSizeOfTheirStandard(t *testing.T) {
	t.Parallel()
	type bounds [2]float64
	us := map[string]bounds{"bar": {0.381, 0.635}, "pitch": {25.4 / 24, 25.4 / 20}, "tracker": {0.991, 1.448}, "half": {2.083, 2.819}, "full": {3.175, 4.191}}
	rm := map[string]bounds{"bar": {0.38, 0.63}, "pitch": {25.4 / 24, 25.4 / 20}, "tracker": {1.02, 1.52}, "half": {2.64, 3.68}, "full": {4.22, 5.84}}
	aus := map[string]bounds{"bar": {0.4, 0.6}, "pitch": {25.4 / 25, 25.4 / 22}, "tracker": {1, 1.6}, "half": {2.6, 3.7}, "full": {4.2, 5.8}}
	for _, c := range []struct {
		format, text  string
		sizes         map[string]bounds
		sides, around float64
	}{
		{"Intelligent Mail", "01234567094987654321", us, 3.175, 0.711},
		{"RM4SCC", "SN34RD1A", rm, 2, 2},
		{"KIX", "2500GG30250", rm, 2, 2},
		{"Australia Post", "1196184209", aus, 6, 2},
	} {
		b, err := Encode(c.format, c.text)
		if err != nil {
			t.Fatal(err)
		}
		s := b.Post.Size
		for name, v := range map[string]float64{"bar": s.Bar, "pitch": s.Pitch, "tracker": s.Tracker, "half": s.Tracker + s.Reach, "full": s.Tracker + 2*s.Reach} {
			if is := c.sizes[name]; v < is[0] || v > is[1] {
				t.Errorf("%s: %s is %.3f mm, not %v", c.format, name, v, is)
			}
		}
		if s.Clear[0] < c.sides || s.Clear[1] < c.around {
			t.Errorf("%s: %v is not light enough", c.format, s.Clear)
		}
	}
	// The whole code of the United States is 2.667 to 3.225 inches long.
	b, _ := Encode("Intelligent Mail", "01234567094987654321")
	if long := (b.Post.Width() - 2*b.Post.Size.Clear[0]) / 25.4; long < 2.667 || long > 3.225 {
		t.Errorf("an Intelligent Mail barcode is %.3f inches long", long)
	}
	svg := b.SVG(Look{Module: 9, Height: 900, FontSize: 8, TextMargin: 2, ShowText: true, Background: "#fff", Line: "#000"})
	if !strings.HasPrefix(svg, `<svg width="305.19" height="29.29"`) || strings.Count(svg, "M") != 66 {
		t.Errorf("%.200s", svg)
	}
}
