// Package pdf finishes PDF files: it joins the parts that the browser printed
// into one document, with title, language, outline, links between the parts
// and protection.
//
// Bytes go in and bytes come out; the package knows neither browser nor
// report. It reads what Chromium's PDF writer (Skia) writes, classic
// cross-reference tables and direct objects, and writes PDF 1.7 with object
// streams, one part at a time, so that memory is bounded by the largest part.
package pdf
