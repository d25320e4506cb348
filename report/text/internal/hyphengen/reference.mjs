// Makes report/text/hyphen/testdata/reference.txt.gz: 1000 words of each of ten languages (names of CLDR: of
// languages, countries, currencies, time zones and units), divided by the npm package "hyphen", an implementation
// of Liang's algorithm that shares no line with package hyphen.
//
//   mkdir /tmp/ref && cd /tmp/ref && npm install hyphen@1.14.1 cldr-localenames-full@48.2.0 cldr-numbers-full@48.2.0
//   node <repository>/report/text/internal/hyphengen/reference.mjs /tmp/ref/node_modules <repository>/report/text/hyphen/testdata/reference.txt.gz
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

const [modules, out] = process.argv.slice(2);
const require = createRequire(`${modules}/hyphen/`);
const createHyphenator = require(`${modules}/hyphen/hyphen.js`);

const languages = { da: "da", de: "de-1996", el: "el-monoton", en: "en-us", es: "es", fi: "fi-x-school", fr: "fr", nl: "nl", pl: "pl", uk: "uk" };
const wanted = 1000;

function* strings(value) {
  if (typeof value === "string") yield value;
  else for (const inner of Object.values(value)) yield* strings(inner);
}

function wordsOf(language) {
  const words = new Set();
  for (const file of ["cldr-localenames-full/main/$/languages.json", "cldr-localenames-full/main/$/territories.json", "cldr-numbers-full/main/$/currencies.json", "cldr-localenames-full/main/$/scripts.json", "cldr-localenames-full/main/$/localeDisplayNames.json"]) {
    for (const text of strings(JSON.parse(readFileSync(`${modules}/${file.replace("$", language)}`, "utf8"))))
      for (const word of text.match(/(?<![\p{L}\p{N}'’-])\p{L}\p{Ll}{4,}(?![\p{L}\p{N}'’])/gu) ?? []) words.add(word.toLowerCase());
  }
  const sorted = [...words].sort();
  // Spread over all of them, so that no part of the alphabet is left out.
  return sorted.filter((_, i) => Math.floor((i * wanted) / sorted.length) !== Math.floor(((i - 1) * wanted) / sorted.length)).slice(0, wanted);
}

let text = "";
for (const [language, name] of Object.entries(languages)) {
  const hyphenate = createHyphenator(require(`${modules}/hyphen/patterns/${name}.js`), { hyphenChar: "-", minWordLength: 1, html: false });
  const words = wordsOf(language);
  console.log(language, words.length);
  text += `${language} ${words.map((word) => hyphenate(word)).join(" ")}\n`;
}
writeFileSync(out, gzipSync(text, { level: 9 }));
