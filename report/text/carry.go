package text

import "strings"

// carries are what stands before sums that go on on the next page, and before those
// of the page before, by language.
const carries = `
en Carried forward|Brought forward
cs K převodu|Z převodu
da Transport|Transport
de Übertrag|Übertrag
es Suma y sigue|Suma anterior
fi Siirto|Siirto
fr À reporter|Report
hu Átvitel|Áthozat
it A riportare|Riporto
ja 次頁へ繰越|前頁より繰越
nb Overføres|Overført
nl Transport|Transport
nn Overførast|Overført
no Overføres|Overført
pl Do przeniesienia|Z przeniesienia
pt A transportar|Transporte
ro De reportat|Report
sv Transport|Transport
zh 过次页|承前页
zh-Hant 過次頁|承前頁
`

// Carries are the words for a sum that is carried forward to the next page and for
// one brought forward from the page before, in the language of the locale, in
// English where its words are not known.
func (l *Locale) Carries() (forward, brought string) {
	forward, brought, _ = strings.Cut(l.line(carries), "|")
	return forward, brought
}

// pageSums are what stands before the sums of one page, by language.
const pageSums = `
en Page total
ar مجموع الصفحة
cs Součet strany
da Sidesum
de Seitensumme
es Total de la página
fi Sivun summa
fr Total de la page
he סה״כ בעמוד
hu Oldal összesen
it Totale pagina
ja 頁計
ko 쪽 합계
nb Sidesum
nl Paginatotaal
nn Sidesum
no Sidesum
pl Suma strony
pt Total da página
ro Total pagină
ru Итого по странице
sv Sidsumma
tr Sayfa toplamı
uk Разом за сторінкою
zh 本页合计
zh-Hant 本頁合計
`

// PageSum is what stands before the sums of one page, in the language of the locale, in
// English where its words are not known.
func (l *Locale) PageSum() string { return l.line(pageSums) }
