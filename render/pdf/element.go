package pdf

// element is an element of the structure on its way into the document.
type element struct {
	role name // standard structure type; as the browser wrote it before it is shaped
	kids []kid
	alt  text
	said string // the text that its marks show, where they do not tell it
	lang string
	sign sign
	cell *cell      // of TH and TD
	list name       // ListNumbering of a list
	area bounds     // of a picture
	box  [4]float64 // of its page
	page int        // object number in the document of the page it is on; 0 unknown

	foot bool // of a row at the end of a table

	parent *element
	num    int // object number, given when it is placed in the document
	id     string
	sealed bool  // written before it has its place
	done   array // entries of kids that are written
	attrs  int   // object number of attributes that several share
	grid   *grid // of a table that is not finished
}

// kid is what an element has: another element, a mark or an annotation.
type kid struct {
	el    *element
	mark  *mark
	annot int // object number in the part
}

// sign is what the paginator says of an element, at the end of its language.
type sign byte

const (
	noSign    sign = iota
	continued      // goes on with the last element of its kind
	repeated       // shown before: the rows at the top of a page
	inHeader
	inFooter
	contents // a list of contents
	moreContents
	tableFoot
	moreTableFoot
	inColumn // a cell, with its column
	pairs    // a list of keys and values
	morePairs
	pairRow       // of such a list
	key           // of a pair
	captionOfLast // belongs to the figure or table before it
	captionOfData // belongs to the chart whose table for readers is before it
	captionOfNext // and after it
	footnote
	formula
)

// signs are the ends of languages that stand for a sign.
func signs() map[string]sign {
	return map[string]sign{
		"cont": continued, "rep": repeated, "head": inHeader, "foot": inFooter, "toc": contents, "toccont": moreContents, "sum": tableFoot, "sumcont": moreTableFoot,
		"cell": inColumn, "pairs": pairs, "pairscont": morePairs, "pair": pairRow, "key": key, "capprev": captionOfLast, "capdata": captionOfData, "capnext": captionOfNext, "note": footnote, "formula": formula,
	}
}

// cell is what a table says of a cell.
type cell struct {
	rows, columns int
	at            int // column that it stands in, from 1; 0 unknown
	of            int // columns of the table; 0 unknown
	row           int // of its part of the table, from 1; 0 unknown
	scope         name
}

// isRead says whether the text of an element is asked for: that of links and of
// labels of lists.
func (e *element) isRead() bool {
	for ; e != nil; e = e.parent {
		if e.role == "Link" || e.role == "Lbl" {
			return true
		}
	}
	return false
}

// language is the one that holds for the element; empty for that of the document.
func (e *element) language() string {
	for ; e.parent != nil && e.parent.parent != nil; e = e.parent {
		if e.lang != "" {
			return e.lang
		}
	}
	return e.lang
}

// each visits the marks below an element in reading order.
func (e *element) each(visit func(*mark)) {
	for _, k := range e.kids {
		switch {
		case k.mark != nil:
			visit(k.mark)
		case k.el != nil:
			k.el.each(visit)
		}
	}
}

// elements are the elements among kids.
func elements(kids []kid) []*element {
	var list []*element
	for _, k := range kids {
		if k.el != nil {
			list = append(list, k.el)
		}
	}
	return list
}

// group is an element of its own around some kids.
func group(role name, kids []kid) *element { return &element{role: role, kids: kids} }
