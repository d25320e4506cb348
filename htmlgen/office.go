package htmlgen

// forWord reports whether the document is made for a document of Word, which makes its
// own pages. Presentations, which have those of the report, leave out some of them.
func (in *Input) forWord() bool { return in.Charted && !in.Slides }
