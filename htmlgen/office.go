package htmlgen

// forWord reports whether the document is made for a document of Word, which makes its
// own pages. Presentations, which have those of the report, leave out some of them.
func (in *Input) forWord() bool { return in.Charted && !in.Slides }

// forOffice reports whether the document is made for any program of Office.
func (in *Input) forOffice() bool { return in.Typed || in.Charted }
