package text

// continued are what stands behind a caption that repeats on the next page, by language.
const continued = `
en continued
ar تابع
cs pokračování
da fortsat
de Fortsetzung
el συνέχεια
es continuación
fi jatkuu
fr suite
he המשך
hr nastavak
hu folytatás
it segue
ja 続き
ko 계속
nb forts.
nl vervolg
nn forts.
no forts.
pl cd.
pt continuação
ro continuare
ru продолжение
sr наставак
sr-Latn nastavak
sv forts.
tr devam
uk продовження
zh 续
zh-Hant 續
`

// Continued is the word, in parentheses, for what goes on from the page before, in the
// language of the locale, in English where its word is not known.
func (l *Locale) Continued() string { return "(" + l.line(continued) + ")" }
