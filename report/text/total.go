package text

// totals are what stands before sums of all, by language.
const totals = `
en Total
ar المجموع
bg Общо
ca Total
cs Celkem
da I alt
de Gesamt
el Σύνολο
es Total
et Kokku
fa جمع کل
fi Yhteensä
fr Total
he סה״כ
hr Ukupno
hu Összesen
id Total
it Totale
ja 合計
ko 합계
lt Iš viso
lv Kopā
nb Sum
nl Totaal
nn Sum
no Sum
pl Razem
pt Total
ro Total
ru Итого
sk Spolu
sl Skupaj
sr Укупно
sv Totalt
th รวม
tr Toplam
uk Разом
vi Tổng cộng
zh 合计
zh-Hant 合計
`

// Total is what stands before a sum of all, in the language of the locale, in English
// where its word is not known.
func (l *Locale) Total() string { return l.line(totals) }

// counts are what heads a column of how many there are, by language.
const counts = `
en Count
ar العدد
cs Počet
da Antal
de Anzahl
es Número
fi Lukumäärä
fr Nombre
he מספר
hu Darab
it Numero
ja 件数
ko 개수
nb Antall
nl Aantal
nn Tal
no Antall
pl Liczba
pt Número
ro Număr
ru Количество
sv Antal
tr Adet
uk Кількість
zh 数量
zh-Hant 數量
`

// Count is what heads a column of how many there are, in the language of the locale,
// in English where its word is not known.
func (l *Locale) Count() string { return l.line(counts) }
