package data

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCSV(t *testing.T) {
	l := loader(t, Config{})
	tests := map[string]struct {
		content  string
		settings map[string]any
		want     string
	}{
		"comma": {"id,name,amount\n1,Ana,12.50\n2,Boris,7\n", nil, `[{"id":1,"name":"Ana","amount":12.50},{"id":2,"name":"Boris","amount":7}]`},
		"semicolon, decimal comma, Windows line ends": {
			"Artikel;Preis;Stück\r\nSchraube;1.234,50;3\r\nMutter;0,99;10\r\n", nil,
			`[{"Artikel":"Schraube","Preis":1234.50,"Stück":3},{"Artikel":"Mutter","Preis":0.99,"Stück":10}]`,
		},
		"tab":             {"a\tb\n1\t2,5\n", nil, `[{"a":1,"b":2.5}]`},
		"pipe":            {"a|b\nx|y\n", nil, `[{"a":"x","b":"y"}]`},
		"named delimiter": {"sep=;\na;b\n1;2", nil, `[{"a":1,"b":2}]`},
		"quotes": {
			"name,note\n\"Smith, John\",\"said \"\"hi\"\"\nand left\"\n", nil,
			`[{"name":"Smith, John","note":"said \"hi\"\nand left"}]`,
		},
		"single quotes":        {"'name','note'\n'a, b','c'\n", nil, `[{"name":"a, b","note":"c"}]`},
		"apostrophes":          {"name,note\nO'Brien,it's\n", nil, `[{"name":"O'Brien","note":"it's"}]`},
		"grouped by comma":     {"a;b\n1,234.50;x\n12.00;y\n", nil, `[{"a":1234.50,"b":"x"},{"a":12.00,"b":"y"}]`},
		"leading zeros":        {"zip,phone\n01234,+49123\n99999,+49124\n", nil, `[{"zip":"01234","phone":"+49123"},{"zip":"99999","phone":"+49124"}]`},
		"long numbers":         {"id,x\n12345678901234567890,1\n", nil, `[{"id":12345678901234567890,"x":1}]`},
		"empty fields":         {"a,b,c\n1,,\n,,x\n", nil, `[{"a":1,"b":null,"c":null},{"a":null,"b":null,"c":"x"}]`},
		"blank lines":          {"a,b\n\n1,2\n\n\n3,4\n\n", nil, `[{"a":1,"b":2},{"a":3,"b":4}]`},
		"booleans":             {"a,b\nTRUE,x\nfalse,y\n", nil, `[{"a":true,"b":"x"},{"a":false,"b":"y"}]`},
		"dotted dates":         {"d;e\n1.2.2024;x\n29.02.2024;y\n", nil, `[{"d":"2024-02-01","e":"x"},{"d":"2024-02-29","e":"y"}]`},
		"no such dates":        {"d;e\n31.02.2024;x\n", nil, `[{"d":"31.02.2024","e":"x"}]`},
		"ISO dates":            {"d,e\n2024-02-29,x\n", nil, `[{"d":"2024-02-29","e":"x"}]`},
		"mixed stays text":     {"a,b\n1,x\nn/a,y\n", nil, `[{"a":"1","b":"x"},{"a":"n/a","b":"y"}]`},
		"doubled, empty names": {"a,a,,b\n1,2,3,4\n", nil, `[{"a":1,"a_2":2,"column3":3,"b":4}]`},
		"one column":           {"name\nAna\nBoris\n", nil, `[{"name":"Ana"},{"name":"Boris"}]`},
		"only names":           {"a,b\n", nil, `[]`},
		"byte order mark":      {"\ufeffa,b\n1,2\n", nil, `[{"a":1,"b":2}]`},
		"short and long rows":  {"a,b\n1\n1,2,3\n", nil, `[{"a":1,"b":null},{"a":1,"b":2}]`},
		"open quote":           {"a,b\n\"x,1\ny,2\n", nil, `[{"a":"\"x","b":1},{"a":"y","b":2}]`},
		"no header":            {"1,x\n2,y\n", map[string]any{"header": false}, `[{"column1":1,"column2":"x"},{"column1":2,"column2":"y"}]`},
		"no types":             {"a,b\n1,true\n", map[string]any{"types": false}, `[{"a":"1","b":"true"}]`},
		"set delimiter":        {"a,b;c\n1,2;3\n", map[string]any{"delimiter": ";"}, `[{"a,b":1.2,"c":3}]`},
		"set decimal":          {"a;b\n1.234;x\n", map[string]any{"decimal": "comma"}, `[{"a":1234,"b":"x"}]`},
		"no quote":             {"a,b\n\"x,1\n", map[string]any{"quote": "none"}, `[{"a":"\"x","b":1}]`},
		"set column": {"zip,day,n\n01234,02/29/2024 17:05,x\n", map[string]any{"columns": []any{
			map[string]any{"name": "zip", "type": "number"}, map[string]any{"name": "day", "format": "MM/dd/yyyy HH:mm"}, map[string]any{"name": "n", "type": "text"},
		}}, `[{"zip":"01234","day":"2024-02-29T17:05:00","n":"x"}]`},
		"set column of two lines": {"\"net\nprice\",b\n1,2\n", map[string]any{"columns": []any{map[string]any{"name": "net\nprice", "type": "text"}}}, `[{"net\nprice":"1","b":2}]`},
		"old Macintosh line ends": {"a,b\r1,2\r3,4\r", nil, `[{"a":1,"b":2},{"a":3,"b":4}]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			settings := map[string]any{"content": tt.content}
			for k, v := range tt.settings {
				settings[k] = v
			}
			got, err := loadOne(t, l, "csv", settings)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestCSVSaysWhatIsWrong(t *testing.T) {
	l := loader(t, Config{MaxRows: 2})
	tests := map[string]struct {
		settings map[string]any
		want     string
	}{
		"delimiter":          {map[string]any{"content": "a,b", "delimiter": "::"}, "not one character"},
		"column":             {map[string]any{"content": "a,b\n1,2", "columns": []any{map[string]any{"name": "c"}}}, `there is no column "c"; the columns are "a", "b"`},
		"rows":               {map[string]any{"content": "a\n1\n2\n3\n4"}, "more than 2 rows"},
		"delimiter is quote": {map[string]any{"content": "a", "delimiter": "\""}, "cannot be the quote"},
	}
	for name, tt := range tests {
		if _, err := loadOne(t, l, "csv", tt.settings); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTextOfAnyEncodingIsRead(t *testing.T) {
	tests := map[string]struct{ raw, charset, want string }{
		"UTF-8":               {"Größe", "", "Größe"},
		"UTF-8 with mark":     {"\xef\xbb\xbfGröße", "", "Größe"},
		"Windows-1252":        {"Gr\xf6\xdfe \x80", "", "Größe €"},
		"declared":            {"\xc8\xe6", "windows-1250", "Čć"},
		"declared wrongly":    {"Größe", "x-unknown", "Größe"},
		"UTF-16LE with mark":  {"\xff\xfea\x00\xe4\x00", "", "aä"},
		"UTF-16BE with mark":  {"\xfe\xff\x00a\x00\xe4", "", "aä"},
		"UTF-16LE, no mark":   {"a\x00,\x00b\x00\n\x00", "", "a,b\n"},
		"UTF-16BE, no mark":   {"\x00a\x00,\x00b\x00\n", "", "a,b\n"},
		"empty":               {"", "", ""},
		"Latin-1 as declared": {"caf\xe9", "iso-8859-1", "café"},
	}
	for name, tt := range tests {
		if got := decodeText([]byte(tt.raw), tt.charset); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// FuzzCSV checks that reading never fails by surprise, takes time in
// proportion, and agrees with encoding/csv where that accepts the text.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a;b\r\n\"x;\"\"y\";1,5\r\n", "sep=|\na|b", "'a','b'\n", "\"", ",,\n\"\"", "a\tb\n\"c\nd\"\te", "\ufeffä,ö\n1.234,5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		start := time.Now()
		table, err := readCSV(content, csvFormat{Delimiter: "auto", Quote: "auto", Header: true, Types: true, Decimal: "auto"}, 1_000_000)
		if took := time.Since(start); took > 2*time.Second {
			t.Fatalf("%d bytes took %v", len(content), took)
		}
		if err == nil && table.rows == nil {
			t.Fatal("no rows and no error")
		}
		std := csv.NewReader(strings.NewReader(content))
		std.FieldsPerRecord = -1
		want, err := std.ReadAll()
		if err != nil || strings.Contains(content, "\r") {
			return
		}
		p := csvParser{src: content, delimiter: ',', quote: '"'}
		var got [][]string
		for {
			record, ok := p.record()
			if !ok {
				break
			}
			got = append(got, record)
		}
		want = withoutBlank(want)
		if !cmp.Equal(got, want) && len(got)+len(want) > 0 {
			t.Fatalf("%q: got %q, encoding/csv %q", content, got, want)
		}
	})
}

func withoutBlank(records [][]string) [][]string {
	var kept [][]string
	for _, r := range records {
		if len(r) > 1 || r[0] != "" {
			kept = append(kept, r)
		}
	}
	return kept
}
