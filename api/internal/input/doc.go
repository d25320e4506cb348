// Package input reads what clients send: query strings, JSON bodies and the
// options of an export in every form that existing clients use. What is wrong
// comes back as a report.Problem that names the option and what is accepted;
// what comes out needs no further check of its form.
package input
