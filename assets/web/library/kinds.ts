// The kinds of definitions in the library, as people see them.

export interface Kind {
  name: string;
  label: string;
  one: string;
  help: string;
  /** What a new one begins with; n makes its name and code free. */
  begin(n: number): Definition;
}

export type Definition = Record<string, unknown> & { name: string; code?: string };

/** Kinds in the order of the list. */
export const KINDS: Kind[] = [
  { name: "templates", label: "Templates", one: "template", help: "The frame of pages: paper, margins, headers and footers, and the places that reports fill.", begin: (n) => ({ name: `Template ${n}`, code: `template-${n}`, layouts: [{}] }) },
  { name: "themes", label: "Themes", one: "theme", help: "Colours, type, tables and charts. A report changes its look by naming another theme.", begin: (n) => ({ name: `Theme ${n}`, code: `theme-${n}` }) },
  { name: "dataSources", label: "Data sources", one: "data source", help: "Sources that several reports use, or all of them.", begin: (n) => ({ name: `source${n}`, type: "json", scope: "reusable", settings: { content: "[]" } }) },
  { name: "parameters", label: "Parameters", one: "parameter", help: "Values that several reports ask for, defined once.", begin: (n) => ({ name: `parameter${n}`, label: `Parameter ${n}`, type: "text", scope: "reusable" }) },
  { name: "dictionaries", label: "Dictionaries", one: "dictionary", help: "Texts in several languages: {$dict.total} prints the entry in the language of the report.", begin: (n) => ({ name: `Dictionary ${n}`, code: `dictionary-${n}`, entries: {} }) },
  { name: "languages", label: "Languages", one: "language", help: "The languages that reports are printed in. The first is the default.", begin: (n) => ({ name: `Language ${n}`, code: `l${n}` }) },
  { name: "reportTypes", label: "Report types", one: "report type", help: "A type groups reports; its code addresses its default report in the API.", begin: (n) => ({ name: `Type ${n}`, code: `type-${n}` }) },
  { name: "pageTypes", label: "Page types", one: "page type", help: "Kinds of pages, such as cover and content; templates have a layout for each.", begin: (n) => ({ name: `Page type ${n}`, code: `page-type-${n}` }) },
];
