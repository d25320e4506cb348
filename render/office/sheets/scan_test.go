package sheets

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// scanned are the tokens of a document as text.
func scanned(doc []byte) []byte {
	var b bytes.Buffer
	for s := scanFrom(doc, 0); s.read(); {
		fmt.Fprintf(&b, "%s %s", s.kind, s.name)
		switch s.kind {
		case html.TextToken:
			fmt.Fprintf(&b, " %q", s.text)
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, a := range s.attrs {
				fmt.Fprintf(&b, " %s=%q", a.name, a.value)
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// tokenized is scanned by the tokenizer of net/html.
func tokenized(doc []byte) []byte {
	var b bytes.Buffer
	for z := html.NewTokenizer(bytes.NewReader(doc)); z.Next() != html.ErrorToken; {
		t := z.Token()
		switch t.Type {
		case html.TextToken:
			fmt.Fprintf(&b, "%s  %q\n", t.Type, t.Data)
			continue
		case html.CommentToken, html.DoctypeToken:
			continue
		}
		fmt.Fprintf(&b, "%s %s", t.Type, atom.Lookup([]byte(t.Data)))
		for _, a := range t.Attr {
			if t.Type != html.EndTagToken {
				fmt.Fprintf(&b, " %s=%q", a.Key, a.Val)
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func TestScannerReadsAsTheTokenizer(t *testing.T) {
	docs := map[string][]byte{}
	files, err := filepath.Glob(filepath.Join("testdata", "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	for _, file := range files {
		if docs[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	for _, doc := range []string{
		"", "a < b && c > d <3", "<p>1 &lt; 2 &amp; &#65;&nbsp;&copy; &unknown;</p>", "<!DOCTYPE html><!-- <p> --><p>x",
		`<TD Class="A b" data-n='1' data-empty hidden= x=y/z>T</TD >`, "<style>p > a {}</p></style><script>if (a</b) {}</script>x",
		"<title>A &amp; <b>B</b></title>", "<br/><br /><img src=a.png>", "a\r\nb\rc", "<svg viewBox=\"0 0 1 1\"><path d='M0 0'/></svg>",
		`<a title="1 > 2">x</a>`, "<td", "<td class", "<td class=", `<td class="`, "</td", "<!--", "<", "</", "<textarea>&lt;</textarea>",
	} {
		docs[doc] = []byte(doc)
	}
	for name, doc := range docs {
		if got, want := scanned(doc), tokenized(doc); !bytes.Equal(got, want) {
			t.Errorf("%s: read as\n%s, net/html reads\n%s", name, firstDifferent(got, want), firstDifferent(want, got))
		}
	}
}

func firstDifferent(a, b []byte) []byte {
	for i := range a {
		if i == len(b) || a[i] != b[i] {
			return a[max(0, i-60):min(len(a), i+60)]
		}
	}
	return a[max(0, len(a)-60):]
}
