//go:build !race

package pdfium

// bound is how much memory a child may take beside what it begins with, in bytes.
const bound = 2 * memory
