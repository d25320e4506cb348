package export

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
)

// leastText is the smallest size of text that is read without effort, in points.
const leastText = 6.5

// mostFaces is how many typefaces a document has before it looks restless.
const mostFaces = 2

// small tells of text that is too small to read easily.
func (l *linter) small(e *lintElement, size float64, what string) {
	if size <= 0 || size >= leastText {
		return
	}
	place := e.path
	var repair *Repair
	if e.text("fontSize") != "" {
		place = e.at("fontSize")
		repair = offer(place, "6.5pt", "Set it in 6.5 pt")
	}
	l.mend(repair, RuleSmallText, place, "%s is set in %s pt, which few people read easily; 6.5 pt is the least for notes, and 9 pt for what is read", what, strconv.FormatFloat(size, 'f', -1, 64))
}

// face is a typeface and where it is asked for first.
type face struct {
	name string
	path string
	own  bool // by a setting of the element there
}

// typeface notes the typeface of an element's text.
func (l *linter) typeface(e *lintElement) {
	if !e.has("fontFamily") {
		return
	}
	own := firstFace(e.text("fontFamily"))
	name := own
	if name == "" && e.t.Look != nil {
		if style := e.t.Look(l.palette.Theme, e.text); style != nil {
			name = firstFace(style.FontFamily)
		}
	}
	if name == "" {
		name = firstFace(l.palette.Theme.Page.FontFamily)
	}
	if name != "" && !slices.ContainsFunc(l.faces, func(f face) bool { return strings.EqualFold(f.name, name) }) {
		l.faces = append(l.faces, face{name, e.path, own != ""})
	}
}

// firstFace is the first family that CSS names; empty where it cannot be told, and for
// those that are there for letters that others lack.
func firstFace(css string) string {
	first, _, _ := strings.Cut(css, ",")
	first = strings.Trim(strings.TrimSpace(first), `"'`)
	if strings.ContainsAny(first, "({") || strings.HasPrefix(first, "Noto ") || first == "inherit" {
		return ""
	}
	return first
}

// typefaces tells of more typefaces than go together.
func (l *linter) typefaces() {
	if len(l.faces) <= mostFaces {
		return
	}
	for _, f := range l.faces[mostFaces:] {
		place := f.path
		var repair *Repair
		if f.own {
			place += ".props.fontFamily"
			repair = offer(place, nil, "Use the typeface of the theme")
		}
		l.mend(repair, RuleTypefaces, place, "%s is one more typeface beside %s and %s; two are enough: take one of these, and set apart by size and weight", f.name, l.faces[0].name, l.faces[1].name)
	}
}

// alignedNumbers finds columns of numbers of different lengths that are not put at the
// right, so that their digits do not line up.
func (l *linter) alignedNumbers(e *lintElement, scope *lintScope) {
	columns, _ := e.props.Get("columns")
	list := listOf(columns)
	if !slices.ContainsFunc(list, func(c any) bool { return movedAside(object(c)) }) {
		return
	}
	if steps, _ := e.props.Get("transform"); steps != nil {
		return // rows are made that are not known here
	}
	rows := l.rows(e.text("source"), scope)
	for i, c := range list {
		column := object(c)
		if !movedAside(column) || !unevenNumbers(rows, words(valueOf(column, "field"))) {
			continue
		}
		at := place(e.at("columns"), i) + ".align"
		l.mend(offer(at, nil, "Put them at the right"), RuleNumbers, at, "the numbers of column %q are of different lengths and do not line up; left to the table, they stand at the right",
			firstText(words(valueOf(column, "title")), words(valueOf(column, "field"))))
	}
}

func valueOf(o *report.Object, name string) any { v, _ := o.Get(name); return v }

// movedAside reports whether a column prints values of a field, and not at the right.
func movedAside(column *report.Object) bool {
	align, renderer := words(valueOf(column, "align")), words(valueOf(column, "renderer"))
	return (align == "left" || align == "center") && (renderer == "" || renderer == "value") && words(valueOf(column, "value")) == "" && words(valueOf(column, "field")) != ""
}

// unevenNumbers reports whether all values of a field are numbers, of different lengths.
func unevenNumbers(rows []any, field string) bool {
	lengths := map[int]bool{}
	for _, row := range rows {
		record, ok := row.(*report.Object)
		if !ok {
			return false
		}
		switch v := valueOf(record, field).(type) {
		case nil:
		case json.Number:
			lengths[len(v)] = true
		case float64, int, int64:
			b, _ := json.Marshal(v)
			lengths[len(b)] = true
		default:
			return false
		}
	}
	return len(lengths) > 1
}

// plainColor is the repair of text that is hard to read: the colour that it has without
// one of its own, where that is strong enough on what is behind it.
func (l *linter) plainColor(e *lintElement, around shade) *Repair {
	if e.text("color") == "" {
		return nil
	}
	plain := l.shadeOf(&lintElement{e.t, without(e.props, "color"), e.path}, around)
	if !plain.color.known || !plain.background.known || htmlgen.Contrast(plain.color.rgb, plain.background.rgb) < 4.5 {
		return nil
	}
	return offer(e.at("color"), nil, "Use the usual colour")
}
