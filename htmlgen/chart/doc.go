// Package chart draws charts as static SVG: numbers and texts in, markup out.
// It knows nothing of reports, data sources or templates. Colours and fonts
// are CSS variables and values that the caller gives; sizes are CSS pixels,
// because the layout of a chart has to know how wide its texts are.
//
// The same input gives the same bytes. The markup holds no ids, no scripts and
// no style sheet: the classes q-c-… are styled by the document.
package chart
