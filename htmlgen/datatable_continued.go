package htmlgen

// What says that a table or a group goes on is written once, where it begins, and not
// drawn there: it keeps the room that it takes on the pages after, on which the paginator
// shows it.

// again writes behind the caption of a group what it ends in where it repeats.
func (t *table) again(p *captionCell) {
	if !p.Again || !t.p.Break || t.c.in.Typed {
		return
	}
	t.c.Raw(` <span class="q-again">`)
	if p.Words == "" {
		t.c.Text(t.c.Env.Locale.Continued())
	} else {
		t.c.Print(p.Words)
	}
	t.c.Raw("</span>")
}

// continued writes the row above the head of the table on the pages after its first.
func (t *table) continued() {
	if t.p.Continued == "" || !t.p.Break || t.c.in.Typed {
		return
	}
	if t.c.in.forWord() {
		t.c.warnAt(t.e, "continuedText", "in documents of Word nothing stands above the head where a table goes on")
		return
	}
	t.c.Raw(`<tr class="q-again"><th scope="colgroup" colspan="`)
	t.c.Int(max(1, len(t.columns)))
	t.c.Raw(`">`)
	t.c.Print(t.p.Continued)
	t.c.Raw("</th></tr>\n")
}
