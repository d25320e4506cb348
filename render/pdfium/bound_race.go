//go:build race

package pdfium

// bound is how much memory a child may take beside what it begins with, in bytes: the race
// detector remembers every access.
const bound = 8 * memory
