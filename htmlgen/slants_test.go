package htmlgen

import "testing"

func TestSlants(t *testing.T) {
	for _, c := range []struct {
		css, body string
		want      bool
	}{
		{"p{font-weight:700}", "<p>upright", false},
		{"p{font-style:italic}", "", true},
		{"p{FONT-STYLE: ITALIC}", "", true},
		{"p{font-style:Oblique 10deg}", "", true},
		{"", `<p style="font-style:OBLIQUE">`, true},
		{"", "<p>a <em>word</em>", true},
		{"", "<p>a <I>word</I>", true},
		{"", "<img>", false},
	} {
		if got := slants(c.css, []byte(c.body)); got != c.want {
			t.Errorf("%q, %q: %t", c.css, c.body, got)
		}
	}
}
