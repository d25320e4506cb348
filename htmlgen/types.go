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
		richText,
		rawHTML,
		dateTime,
		toc,
		tof,
		figureCaption,
		badge,
		flow,
		spacer,
		separator,
		image,
		qrCode,
		barcode,
		placeholder,
		subreport,
		dataTable,
		customTable,
		keyValueGrid,
		pieChart,
		genericChart,
		advancedChart,
	}
}
