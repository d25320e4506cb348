// The kinds of definitions in the library, as people see them.

import { say } from "../words";

export interface Kind {
  name: string;
  /** The name of its drawing. */
  icon: string;
  label: string;
  one: string;
  help: string;
  /** What a new one begins with; n makes its name and code free. */
  begin(n: number): Definition;
}

export type Definition = Record<string, unknown> & { name: string; code?: string };

/** Kinds in the order of the list. */
export const KINDS: Kind[] = [
  { name: "templates", icon: "file-stack", label: say("Templates"), one: say("template"), help: say("The frame of pages: paper, margins, headers and footers, and the places that reports fill."), begin: (n) => ({ name: `Template ${n}`, code: `template-${n}`, layouts: [{}] }) },
  { name: "themes", icon: "type", label: say("Themes"), one: say("theme"), help: say("Colours, type, tables and charts. A report changes its look by naming another theme."), begin: (n) => ({ name: `Theme ${n}`, code: `theme-${n}` }) },
  { name: "dataSources", icon: "database", label: say("Data sources"), one: say("data source"), help: say("Sources that several reports use, or all of them."), begin: (n) => ({ name: `source${n}`, type: "json", scope: "reusable", settings: { content: [] } }) },
  { name: "parameters", icon: "sliders-horizontal", label: say("Parameters"), one: say("parameter"), help: say("Values that several reports ask for, defined once."), begin: (n) => ({ name: `parameter${n}`, label: `Parameter ${n}`, type: "text", scope: "reusable" }) },
  { name: "dictionaries", icon: "book-open", label: say("Dictionaries"), one: say("dictionary"), help: say("Texts in several languages: {$dict.total} prints the entry in the language of the report."), begin: (n) => ({ name: `Dictionary ${n}`, code: `dictionary-${n}`, entries: {} }) },
  { name: "languages", icon: "languages", label: say("Languages"), one: say("language"), help: say("The languages that reports are printed in. The first is the default."), begin: (n) => ({ name: `Language ${n}`, code: `l${n}` }) },
  { name: "reportTypes", icon: "files", label: say("Report types"), one: say("report type"), help: say("A type groups reports; its code addresses its default report in the API."), begin: (n) => ({ name: `Type ${n}`, code: `type-${n}` }) },
  { name: "pageTypes", icon: "file-text", label: say("Page types"), one: say("page type"), help: say("Kinds of pages, such as cover and content; templates have a layout for each."), begin: (n) => ({ name: `Page type ${n}`, code: `page-type-${n}` }) },
  { name: "jobs", icon: "calendar-clock", label: say("Jobs"), one: say("job"), help: say("Documents for every row of a data source, on a schedule or when asked, delivered where they belong."), begin: (n) => ({ name: `Job ${n}`, code: `job-${n}`, active: false }) },
];
