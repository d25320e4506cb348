// Package render prints HTML: a Pool takes a finished HTML document and gives
// back PDF, the pages it has, and where its anchors landed.
//
// It owns the browser: its processes, its tabs, what they may load, and what
// happens when they fail. It knows no report and no data, and it does not
// finish the PDF: package render/pdf joins the parts and adds title, outline
// and protection.
//
// A Pool is a queue (queue.go), slots that take jobs from it (slot.go), and
// supervised browser processes (supervisor.go, process.go) in which each slot
// has a warm tab (tab.go). A job is filled into the tab, paginated by the
// bundle of package assets, and printed in one go or in chunks (print.go,
// chunks.go).
package render
