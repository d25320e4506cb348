// Writes the conformance data of package text: what ICU, through Node.js's
// Intl, prints for formats in many locales. Run by hand, once for each change:
//
//	node report/text/internal/intlgen/generate.mjs > report/text/testdata/intl.tsv
//
// Further arguments are locales instead of the usual ones. A line is
// locale, format, value, text; lines after a locale's first leave it out, and
// so do those of one format.

const locales = process.argv.length > 2 ? process.argv.slice(2) : [
	"en-US", "en-GB", "de-DE", "de-CH", "fr-FR", "es-ES", "pt-BR", "it-IT", "sr-Latn-RS", "sr-Cyrl-RS", "bs-BA", "hr-HR", "pl-PL",
	"cs-CZ", "ru-RU", "tr-TR", "ar-EG", "he-IL", "hi-IN", "zh-CN", "ja-JP", "ko-KR", "th-TH", "sv-SE", "nl-NL", "bn-BD", "fa-IR",
];

const number = (min, max, more) => ({ minimumFractionDigits: min, maximumFractionDigits: max, ...more });
const money = (currency, more) => ({ style: "currency", currency, ...more });
const compact = { notation: "compact" };
const accounting = { currencySign: "accounting" };
const signed = { signDisplay: "exceptZero" };

const numbers = [
	["n", number(0, 12), "0", "1234.5", "-9876543.21", "1234567890123.4", "1000", "10000"],
	["n;2", number(2, 2), "1.005", "-1.005", "0.995", "1234567.891"],
	["n;0;3", number(0, 3), "0.0005", "12345.6784"],
	["n;0;0;+", number(0, 0, signed), "1234", "-1234", "0", "0.4"],
	["n;0;0;c", number(0, 0, compact), "105000", "999", "1500", "999999", "1234567", "-2500000000", "3000000000000"],
	["n;0;1;c", number(0, 1, compact), "1234", "99950", "7654321"],
	["n;;;c", { ...compact }, "1234", "98765", "1000000"],
	["p", { style: "percent", maximumFractionDigits: 2 }, "0.1234", "12.5", "-0.5"],
	["p;1", { style: "percent", ...number(1, 1) }, "0.256"],
	["c;USD", money("USD"), "1234.5", "-1234.5", "0.005"],
	["c;EUR", money("EUR"), "1234567.891", "-0.5"],
	["c;CHF", money("CHF"), "1234.5", "-99"],
	["c;JPY", money("JPY"), "1234.5"],
	["c;GBP;2;2;a", money("GBP", { ...accounting, ...number(2, 2) }), "1234.5", "-1234.5"],
	["c;EUR;0", money("EUR", number(0, 0)), "1234.5"],
	["c;RSD;2", money("RSD", number(2, 2)), "-1234.5"],
	["c;INR;2", money("INR", number(2, 2)), "12345678.9"],
	["c;USD;0;0;c", money("USD", { ...compact, ...number(0, 0) }), "105000", "-1234567", "999"],
	["c;SEK;2;2;+", money("SEK", { ...signed, ...number(2, 2) }), "12.3", "-12.3"],
];

const letters = {
	yyyy: ["year", "numeric"], yy: ["year", "2-digit"], M: ["month", "numeric"], MM: ["month", "2-digit"], MMM: ["month", "short"],
	MMMM: ["month", "long"], dd: ["day", "2-digit"], d: ["day", "numeric"], D: ["weekday", "narrow"], DDD: ["weekday", "short"],
	DDDD: ["weekday", "long"], H: ["hour", "numeric"], HH: ["hour", "2-digit"], h: ["hour", "numeric"], hh: ["hour", "2-digit"],
	mm: ["minute", "2-digit"], ss: ["second", "2-digit"], t: ["timeZoneName", "short"], tttt: ["timeZoneName", "long"],
};

// twelve is the half-day clock of a locale. (The option hour12 counts from 0 in
// this version where 24 hours are usual: "00:05 pm".)
const twelve = (locale) => locale.startsWith("ja") ? "h11" : "h12";

// options reads our pattern letters as options of Intl.DateTimeFormat.
function options(pattern, locale) {
	const o = {};
	for (const [run] of pattern.matchAll(/([a-zA-Z])\1*/g)) {
		if (run === "A") { o.hourCycle = twelve(locale); continue; }
		const [name, value] = letters[run];
		o[name] = value;
		if (run[0] === "H") o.hourCycle = "h23";
		if (run[0] === "h") o.hourCycle = twelve(locale);
	}
	return o;
}

const evening = "2024-02-01T21:05:09Z", morning = "2023-10-29T00:30:00Z";
const dates = [
	["d", { year: "numeric", month: "numeric", day: "numeric" }, evening, morning],
	["t", { hour: "numeric", minute: "2-digit" }, evening, morning],
	["dt", { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "2-digit" }, evening],
	...["yyMd", "yyyyMMdd", "yyyyMMMMdd", "yyyyMMMMd", "yyyyMMMd", "yyyyMMMM", "yyyyMMM", "yyyyMM", "MMMM", "MMM", "MMMMd", "MMMd", "MMdd", "Md",
		"DDDD", "DDD", "D", "DDDyyyyMd", "DDDDyyyyMMMMd", "DDDMMMd", "yyyy", "dd", "HHmm", "HHmmss", "hhmmA", "hA", "H", "mmss",
		"yyyyMMddHHmmss", "yyyyMMMdHHmm", "yyyyMMMMdHHmm", "DDDDyyyyMMMMdHHmm", "yyyyMdhmmA", "yyyyd", "DDDyyyy", "MMMMHHmm", "yyyyHH", "DDDHHmm", "DDDDd"]
		.map((p) => ["dt;" + p, p, evening]),
	["dt;DDDDyyyyMMMMd", "DDDDyyyyMMMMd", morning],
	["dt;HHmm", "HHmm", morning],
	["dt;HHmmt", "HHmmt", morning, evening],
	["dt;yyyyMMddHHmmtttt", "yyyyMMddHHmmtttt", morning],
	["dt;hhmmA", "hhmmA", "2024-02-01T11:05:09Z"],
];

let last = ["", ""];
function line(locale, format, value, text) {
	const row = [last[0] === locale ? "" : locale, last[0] === locale && last[1] === format ? "" : format, value, text];
	last = [locale, format];
	console.log(row.join("\t"));
}

console.log(`# ICU ${process.versions.icu}, CLDR ${process.versions.cldr}, times in Europe/Berlin`);
for (const locale of locales) {
	for (const [format, o, ...values] of numbers) {
		const f = new Intl.NumberFormat(locale, o);
		for (const v of values) line(locale, format, v, f.format(v));
	}
	for (const [format, o, ...values] of dates) {
		const wanted = typeof o === "string" ? options(o, locale) : o;
		const f = new Intl.DateTimeFormat(locale, { timeZone: "Europe/Berlin", ...wanted });
		for (const v of values) line(locale, format, v, f.format(new Date(v)));
	}
}
