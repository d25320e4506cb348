package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Line is a formula as a line of text, as people type one: (a+b)/2, √(x), x_i^2.
func Line(mathML string) string {
	nodes, err := html.ParseFragment(strings.NewReader("<math>"+mathML+"</math>"), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(line(n))
	}
	return strings.Join(strings.Fields(invisible.Replace(b.String())), " ")
}

// invisible are signs that say how what stands beside them belongs together.
var invisible = strings.NewReplacer("\u2061", "", "\u2062", "", "\u2063", "", "\u2064", "")

func line(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	parts := []string{}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type == html.ElementNode || strings.TrimSpace(child.Data) != "" || n.Data == "mtext" {
			parts = append(parts, line(child))
		}
	}
	all := strings.Join(parts, "")
	part := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	switch n.Data {
	case "mo":
		return spaced(n, all)
	case "mspace":
		if value(n, "width") == "" {
			return ""
		}
		return " "
	case "mfrac":
		return one(part(0)) + "/" + one(part(1))
	case "msqrt":
		return "√" + one(all)
	case "mroot":
		return "root(" + part(1) + ", " + part(0) + ")"
	case "msub", "munder":
		return part(0) + "_" + one(part(1))
	case "msup", "mover":
		return part(0) + "^" + one(part(1))
	case "msubsup", "munderover":
		return part(0) + "_" + one(part(1)) + "^" + one(part(2))
	case "mtr":
		return strings.Join(parts, ", ")
	case "mtable":
		return "[" + strings.Join(parts, "; ") + "]"
	case "mphantom":
		return ""
	}
	return all
}

// spaced has blanks around an operator between two things.
func spaced(n *html.Node, sign string) string {
	r, _ := utf8.DecodeRuneInString(sign)
	if n.PrevSibling == nil || n.NextSibling == nil || value(n, "form") != "" || strings.ContainsAny(sign, "∑∏∫∬∭∮⋃⋂|‖′″‴⁗⋅/") || !unicode.Is(unicode.Sm, r) && r != '→' {
		return sign
	}
	return " " + sign + " "
}

// one is a text in brackets unless it is one thing.
func one(s string) string {
	s = strings.TrimSpace(s)
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != ',' && utf8.RuneCountInString(s) > 1 {
			return "(" + s + ")"
		}
	}
	return s
}
