// Package htmlgen compiles a report to one HTML document: definition, data and
// theme go in, HTML comes out that preview, HTML export and print share. The
// paginator makes pages of it; nothing here knows how many there are.
//
// A component is one file: its settings as a struct, its compile function, and
// its examples in testdata/<type>.txt. The list of types is in types.go. What is
// wrong with a report is collected as warnings with the element's place and
// never stops a compile.
package htmlgen
