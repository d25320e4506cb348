package main

// sources are the patterns that may be given on with any program, by the names
// that package hyphen has for them. Left out for their licences are ca, eo, hsb, ia,
// is, kmr, ru, sh, sv, th and tr (LPPL alone), cs, id, mk and sr-cyrl (GPL), hu (MPL,
// GPL or LGPL), hy (LGPL), lv (LGPL or GPL), ro and mn-cyrl-x-lmc (none), fi ("may be
// freely distributed", and no more: the patterns of schools stand for it). Left out
// for what they are: cu and mul-ethi (no hyphen is written where a word ends a line),
// old spellings of German (de-1901, de-ch-1901), Latin by other rules (la-x-classic,
// la-x-liturgic).
var sources = map[string]string{
	"af": "af", "as": "as", "be": "be", "bg": "bg", "bn": "bn", "cop": "cop", "cy": "cy", "da": "da", "de": "de-1996",
	"el": "el-monoton", "el-polyton": "el-polyton", "en": "en-us", "en-GB": "en-gb", "es": "es", "et": "et", "eu": "eu",
	"fi": "fi-x-school", "fr": "fr", "fur": "fur", "ga": "ga", "gl": "gl", "grc": "grc", "gu": "gu", "hi": "hi", "hr": "hr",
	"it": "it", "ka": "ka", "kk": "kk", "kn": "kn", "la": "la", "lt": "lt", "ml": "ml", "mn": "mn-cyrl", "mr": "mr",
	"nb": "nb", "nl": "nl", "nn": "nn", "oc": "oc", "or": "or", "pa": "pa", "pi": "pi", "pl": "pl", "pms": "pms",
	"pt": "pt", "rm": "rm", "sa": "sa", "sk": "sk", "sl": "sl", "sq": "sq", "ta": "ta", "te": "te", "tk": "tk",
	"uk": "uk", "zh-Latn": "zh-latn-pinyin",
}
