package data

import (
	"fmt"
	"strings"
)

// csvParser splits text into records. It takes what spreadsheets and programs
// write rather than one standard: any line ends, quotes doubled inside quotes,
// text behind a closing quote, blank lines between records.
type csvParser struct {
	src       string
	at        int
	delimiter byte
	quote     byte  // 0 for none
	line      int   // of records read so far
	starts    []int // of the records
	odd       []oddity
}

// oddity is what seems wrong at a byte.
type oddity struct {
	message string
	at      int
}

// record is the next record, without blank lines.
func (p *csvParser) record() ([]string, bool) {
	for p.at < len(p.src) {
		p.line++
		start := p.at
		fields := p.fields()
		if len(fields) > 1 || fields[0] != "" {
			p.starts = append(p.starts, start)
			return fields, true
		}
	}
	return nil, false
}

func (p *csvParser) fields() []string {
	var fields []string
	for {
		field := p.field()
		fields = append(fields, field)
		if p.at >= len(p.src) {
			return fields
		}
		switch p.src[p.at] {
		case p.delimiter:
			p.at++
			if p.at >= len(p.src) {
				return append(fields, "")
			}
		case '\r':
			p.at++
			if p.at < len(p.src) && p.src[p.at] == '\n' {
				p.at++
			}
			return fields
		default: // a line feed
			p.at++
			return fields
		}
	}
}

// behind is where the next so many fields of a record end.
func (p *csvParser) behind(fields int) int {
	for i := range fields {
		if i > 0 && p.at < len(p.src) && p.src[p.at] == p.delimiter {
			p.at++
		}
		p.field()
	}
	return p.at
}

// field reads up to a delimiter or line end, which it leaves.
func (p *csvParser) field() string {
	if p.quote != 0 && p.at < len(p.src) && p.src[p.at] == p.quote {
		return p.quoted()
	}
	return p.plain()
}

func (p *csvParser) plain() string {
	start := p.at
	for p.at < len(p.src) && p.src[p.at] != p.delimiter && p.src[p.at] != '\n' && p.src[p.at] != '\r' {
		p.at++
	}
	return p.src[start:p.at]
}

func (p *csvParser) quoted() string {
	open := p.at
	p.at++
	var b strings.Builder
	for {
		end := strings.IndexByte(p.src[p.at:], p.quote)
		if end < 0 { // never closed: from here on quotes are only characters
			if len(p.odd) < maxWarnings {
				p.odd = append(p.odd, oddity{fmt.Sprintf("row %d: a quote is never closed", p.line), open})
			}
			p.at, p.quote = open, 0
			return p.plain()
		}
		b.WriteString(p.src[p.at : p.at+end])
		p.at += end + 1
		if p.at < len(p.src) && p.src[p.at] == p.quote {
			b.WriteByte(p.quote)
			p.at++
			continue
		}
		return b.String() + p.plain()
	}
}

// signs are the delimiter and the quote, from the settings or from the text,
// and the text that remains after a line that only names the delimiter.
func (f csvFormat) signs(content string) (delimiter, quote byte, rest string, err error) {
	rest = content
	quote = findQuote(content)
	switch {
	case f.Quote == "none":
		quote = 0
	case len(f.Quote) == 1:
		quote = f.Quote[0]
	case f.Quote != "auto" && f.Quote != "":
		return 0, 0, "", failed("", "the quote %q is not one character", f.Quote)
	}
	if first, after, found := strings.Cut(content, "\n"); found && strings.HasPrefix(first, "sep=") && len(strings.TrimRight(first, "\r")) == 5 {
		delimiter, rest = first[4], after
	}
	switch {
	case f.Delimiter == "tab":
		delimiter = '\t'
	case len(f.Delimiter) == 1:
		delimiter = f.Delimiter[0]
	case f.Delimiter != "auto" && f.Delimiter != "":
		return 0, 0, "", failed("", "the delimiter %q is not one character", f.Delimiter)
	case delimiter == 0:
		delimiter = findDelimiter(rest, quote)
	}
	if delimiter == quote || delimiter == '\n' || delimiter == '\r' {
		return 0, 0, "", failed("", "the delimiter cannot be the quote or a line end")
	}
	return delimiter, quote, rest, nil
}

// sampleSize is how much of the text is looked at to find its signs.
const sampleSize = 64 << 10

// findQuote is the double quote unless only single quotes stand around fields.
func findQuote(content string) byte {
	sample := content[:min(len(content), sampleSize)]
	if strings.Contains(sample, `"`) {
		return '"'
	}
	opening, closing := 0, 0
	for i := range len(sample) {
		if sample[i] != '\'' {
			continue
		}
		if i == 0 || isFieldEnd(sample[i-1]) {
			opening++
		}
		if i == len(sample)-1 || isFieldEnd(sample[i+1]) {
			closing++
		}
	}
	if opening > 1 && opening == closing {
		return '\''
	}
	return '"'
}

func isFieldEnd(b byte) bool { return strings.IndexByte(",;|\t\r\n", b) >= 0 }

// findDelimiter is the sign that gives the most even records with more than
// one field; a comma when none does.
func findDelimiter(content string, quote byte) byte {
	best, bestScore := byte(','), 0.0
	for _, d := range []byte{',', ';', '\t', '|'} {
		if score := evenness(content, d, quote); score > bestScore {
			best, bestScore = d, score
		}
	}
	return best
}

// evenness is high when most records have the same number of fields, more so
// when that number is large.
func evenness(content string, delimiter, quote byte) float64 {
	p := csvParser{src: content[:min(len(content), sampleSize)], delimiter: delimiter, quote: quote}
	counts := map[int]int{}
	total := 0
	for total < 100 {
		record, ok := p.record()
		if !ok {
			break
		}
		counts[len(record)]++
		total++
	}
	score := 0.0
	for fields, n := range counts {
		if share := float64(n) / float64(total); fields > 1 {
			score = max(score, share*share*(1+float64(min(fields, 20))/100))
		}
	}
	return score
}
