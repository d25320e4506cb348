// Package text turns text templates and values into text: "{$record.amount:n;2|none}"
// with a scope of values becomes "1,234.50", in the language, time zone and
// currency of one run.
//
// Templates are parsed once and appended many times. Nothing here fails a
// render: a path that leads nowhere prints nothing and is reported through
// Env.Warn; what is wrong with the template itself is in Template.Problems.
// Formats work alone too (ParseFormat), for the columns of tables. The locale
// data is CLDR's, made by internal/cldrgen into locales.bin. JavaScript in
// templates is run by whoever fills Env.Expr; HTML is built in htmlgen, this
// package only escapes for it.
package text
