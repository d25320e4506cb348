package htmlgen

// Types lists the element types in the order of the palette. A new component
// is its file and a line here.
func Types() []Type {
	return []Type{
		textType,
		paragraph,
		heading,
		link,
		list,
		rawHTML,
		dateTime,
		flow,
		spacer,
		separator,
		image,
		placeholder,
		dataTable,
		pieChart,
		genericChart,
	}
}
