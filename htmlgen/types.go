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
		watermark,
		letterWindow,
		image,
		qrCode,
		barcode,
		matrixCode,
		placeholder,
		subreport,
		dataTable,
		pivotTable,
		customTable,
		keyValueGrid,
		timeline,
		pieChart,
		genericChart,
		advancedChart,
		progressBar,
		sparkline,
		rating,
		gauge,
		kpiTile,
	}
}
