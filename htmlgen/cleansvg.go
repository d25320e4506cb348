package htmlgen

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/htmlgen/picture"
)

// cleanSVG is a drawing with only what draws: no scripts, links, styles or
// addresses outside of it. Identifiers get a prefix, so that two drawings of a
// document do not meet. Text that names no font of its own has that of the page.
func cleanSVG(source, prefix string) (string, error) {
	decoder := xml.NewDecoder(strings.NewReader(source))
	s := &svgCleaner{prefix: prefix}
	for {
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("the drawing cannot be read: %w", err)
		}
		s.token(token)
	}
	if s.depth != 0 || !s.begun {
		return "", errors.New("the drawing is not complete")
	}
	return string(s.out.Bytes()), nil
}

type svgCleaner struct {
	out    Writer
	prefix string
	names  map[string]string // of ids that are to stay apart; nil takes any
	depth  int               // of elements that are kept
	skip   int               // of elements inside one that is dropped
	begun  bool
}

// svgElements are what may stand in a drawing.
func svgElement(name string) bool {
	switch name {
	case "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "defs", "clipPath", "mask", "linearGradient", "radialGradient", "stop", "pattern", "image", "use":
		return true
	}
	return false
}

func (s *svgCleaner) token(token xml.Token) {
	switch t := token.(type) {
	case xml.StartElement:
		if s.skip > 0 || !svgElement(t.Name.Local) || t.Name.Space != "" || s.depth == 0 && (t.Name.Local != "svg" || s.begun) {
			s.skip++
			return
		}
		s.start(&t)
	case xml.EndElement:
		if s.skip > 0 {
			s.skip--
			return
		}
		if s.depth > 0 {
			s.depth--
			s.out.Raw("</" + t.Name.Local + ">")
		}
	case xml.CharData:
		if s.skip == 0 && s.depth > 0 {
			s.out.Text(string(t))
		}
	}
}

func (s *svgCleaner) start(t *xml.StartElement) {
	s.out.Raw("<" + t.Name.Local)
	for _, a := range t.Attr {
		name := a.Name.Local
		if a.Name.Space == "xlink" && name == "href" {
			name = "href"
		} else if a.Name.Space != "" {
			continue
		}
		if value, ok := s.attribute(name, a.Value); ok {
			s.out.Attr(name, value)
		}
	}
	s.out.Raw(">")
	s.depth++
	s.begun = true
}

var (
	svgAttribute = regexp.MustCompile(`^(?:d|x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|dx|dy|fx|fy|width|height|viewBox|points|transform|gradientTransform|gradientUnits|patternTransform|patternUnits|patternContentUnits|clipPathUnits|maskUnits|offset|preserveAspectRatio|fill|fill-opacity|fill-rule|clip-rule|stroke|stroke-width|stroke-opacity|stroke-dasharray|stroke-dashoffset|stroke-linecap|stroke-linejoin|stroke-miterlimit|opacity|stop-color|stop-opacity|text-anchor|dominant-baseline|font-family|font-size|font-weight|font-style|paint-order|clip-path|mask|xml:space|shape-rendering)$`)
	svgReference = regexp.MustCompile(`url\(\s*['"]?#([\w-]+)['"]?\s*\)`)
	noFamily     = regexp.MustCompile(`font-family:\s*sans-serif\s*(?:;|$)`) // what Apache ECharts writes for none
	svgImage     = regexp.MustCompile(`^data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$`)
)

// attribute is what an attribute may be, and whether it may.
func (s *svgCleaner) attribute(name, value string) (string, bool) {
	switch {
	case name == "id":
		return s.name(value), true
	case name == "href" && strings.HasPrefix(value, "#"):
		return "#" + s.name(value[1:]), true
	case name == "href":
		return value, svgImage.MatchString(value) && picture.VetURI(value) == nil
	case name == "style":
		kept, _ := declarations(noFamily.ReplaceAllString(value, ""))
		return kept, kept != ""
	case !svgAttribute.MatchString(name):
		return "", false
	}
	return s.references(value)
}

// name is an id as the document has it.
func (s *svgCleaner) name(id string) string {
	if s.names == nil {
		return s.prefix + anchorName(id)
	}
	if s.names[id] == "" {
		s.names[id] = s.prefix + strconv.Itoa(len(s.names)+1)
	}
	return s.names[id]
}

// references is a value that refers to nothing but what is in the drawing.
func (s *svgCleaner) references(value string) (string, bool) {
	value = svgReference.ReplaceAllStringFunc(value, func(m string) string {
		return "url(#" + s.name(svgReference.FindStringSubmatch(m)[1]) + ")"
	})
	rest := svgReference.ReplaceAllString(value, "")
	return value, !strings.Contains(strings.ToLower(rest), "url(") && !strings.ContainsAny(rest, "\\<>")
}
