package htmlgen

import (
	"strings"

	"github.com/quire-reports/quire/report/text"
)

// noDataWords are what a chart without values says, by language.
var noDataWords = map[string]string{
	"ar": "لا توجد بيانات", "bg": "Няма данни", "bn": "কোনো তথ্য নেই", "bs": "Nema podataka", "ca": "Sense dades", "cs": "Žádná data",
	"da": "Ingen data", "de": "Keine Daten", "el": "Δεν υπάρχουν δεδομένα", "en": "No data", "es": "Sin datos", "et": "Andmed puuduvad",
	"eu": "Daturik ez", "fa": "داده\u200cای وجود ندارد", "fi": "Ei tietoja", "fr": "Aucune donnée", "ga": "Gan sonraí", "gl": "Sen datos",
	"he": "אין נתונים", "hi": "कोई डेटा नहीं", "hr": "Nema podataka", "hu": "Nincs adat", "hy": "Տվյալներ չկան", "id": "Tidak ada data",
	"is": "Engin gögn", "it": "Nessun dato", "ja": "データなし", "ka": "მონაცემები არ არის", "kk": "Деректер жоқ", "ko": "데이터 없음",
	"lt": "Nėra duomenų", "lv": "Nav datu", "mk": "Нема податоци", "ms": "Tiada data", "nb": "Ingen data", "nl": "Geen gegevens",
	"nn": "Ingen data", "no": "Ingen data", "pl": "Brak danych", "pt": "Sem dados", "ro": "Fără date", "ru": "Нет данных", "sk": "Žiadne údaje",
	"sl": "Ni podatkov", "sq": "Nuk ka të dhëna", "sr": "Нема података", "sr-Latn": "Nema podataka", "sv": "Inga data", "ta": "தரவு இல்லை",
	"th": "ไม่มีข้อมูล", "tr": "Veri yok", "uk": "Немає даних", "ur": "کوئی ڈیٹا نہیں", "vi": "Không có dữ liệu", "zh": "无数据",
	"zh-Hant": "無資料", "zh-TW": "無資料", "zh-HK": "無資料",
}

// noData is what a chart without values says in a language.
func noData(l *text.Locale) string { return wordIn(noDataWords, l) }

// contentsWords are what a list of the parts of a document is called, by language.
var contentsWords = map[string]string{
	"ar": "المحتويات", "bg": "Съдържание", "bn": "সূচিপত্র", "bs": "Sadržaj", "ca": "Contingut", "cs": "Obsah", "da": "Indhold", "de": "Inhalt",
	"el": "Περιεχόμενα", "en": "Contents", "es": "Contenido", "et": "Sisukord", "eu": "Edukia", "fa": "فهرست", "fi": "Sisällys", "fr": "Sommaire",
	"ga": "Clár", "gl": "Contido", "he": "תוכן", "hi": "विषय-सूची", "hr": "Sadržaj", "hu": "Tartalom", "hy": "Բովանդակություն", "id": "Daftar isi",
	"is": "Efnisyfirlit", "it": "Indice", "ja": "目次", "ka": "სარჩევი", "kk": "Мазмұны", "ko": "목차", "lt": "Turinys", "lv": "Saturs",
	"mk": "Содржина", "ms": "Kandungan", "nb": "Innhold", "nl": "Inhoud", "nn": "Innhald", "no": "Innhold", "pl": "Spis treści", "pt": "Conteúdo",
	"ro": "Cuprins", "ru": "Содержание", "sk": "Obsah", "sl": "Vsebina", "sq": "Përmbajtja", "sr": "Садржај", "sr-Latn": "Sadržaj", "sv": "Innehåll",
	"ta": "உள்ளடக்கம்", "th": "สารบัญ", "tr": "İçindekiler", "uk": "Зміст", "ur": "فہرست", "vi": "Mục lục", "zh": "目录", "zh-Hant": "目錄", "zh-TW": "目錄", "zh-HK": "目錄",
}

// ContentsTitle is what a list of the parts of a document is called in a language.
func ContentsTitle(l *text.Locale) string { return wordIn(contentsWords, l) }

// wordIn is a word in a language; English where nobody has translated it.
func wordIn(words map[string]string, l *text.Locale) string {
	for tag := l.Tag(); tag != ""; {
		if word, ok := words[tag]; ok {
			return word
		}
		tag = tag[:max(0, strings.LastIndexByte(tag, '-'))]
	}
	return words["en"]
}
