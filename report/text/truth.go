package text

import "strings"

// truths are the words for true and false, by language, and by script where one
// language has several.
const truths = `
en Yes No
af Ja Nee
am አዎ አይ
ar نعم لا
az Bəli Xeyr
be Так Не
bg Да Не
bn হ্যাঁ না
bs Da Ne
bs-Cyrl Да Не
ca Sí No
cs Ano Ne
da Ja Nej
de Ja Nein
el Ναι Όχι
es Sí No
et Jah Ei
eu Bai Ez
fa بله خیر
fi Kyllä Ei
fil Oo Hindi
fr Oui Non
gl Si Non
gu હા ના
he כן לא
hi हाँ नहीं
hr Da Ne
hu Igen Nem
hy Այո Ոչ
id Ya Tidak
is Já Nei
it Sì No
ja はい いいえ
ka დიახ არა
kk Иә Жоқ
kn ಹೌದು ಇಲ್ಲ
ko 예 아니요
lt Taip Ne
lv Jā Nē
mk Да Не
ml അതെ ഇല്ല
mr होय नाही
ms Ya Tidak
nb Ja Nei
nl Ja Nee
nn Ja Nei
no Ja Nei
pa ਹਾਂ ਨਹੀਂ
pl Tak Nie
pt Sim Não
ro Da Nu
ru Да Нет
sk Áno Nie
sl Da Ne
sq Po Jo
sr Да Не
sr-Latn Da Ne
sv Ja Nej
sw Ndiyo Hapana
ta ஆம் இல்லை
te అవును కాదు
th ใช่ ไม่ใช่
tr Evet Hayır
uk Так Ні
ur ہاں نہیں
uz Ha Yoʻq
vi Có Không
zh 是 否
`

// Truth is a truth in words: Yes or No in the language of the locale, in English
// where its words are not known.
func (l *Locale) Truth(v bool) string {
	yes, no, _ := strings.Cut(l.line(truths), " ")
	if v {
		return yes
	}
	return no
}

// line is what a list of words by language has for the locale's language or script,
// else for English, whose line is the first.
func (l *Locale) line(list string) string {
	name := ""
	if l != nil {
		name = l.name
	}
	for ; name != ""; name = name[:max(0, strings.LastIndexByte(name, '-'))] {
		if _, rest, found := strings.Cut(list, "\n"+name+" "); found {
			line, _, _ := strings.Cut(rest, "\n")
			return line
		}
	}
	line, _, _ := strings.Cut(strings.TrimPrefix(list, "\nen "), "\n")
	return line
}
