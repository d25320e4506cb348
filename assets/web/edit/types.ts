// What the fields of the designer and the editors they load say to each other.

export type Language = "javascript" | "sql" | "json" | "css" | "html" | "template" | "expression";

/** Something that can be written at a place. */
export interface Completion {
  label: string;
  detail?: string;
  info?: string;
  /** As CodeMirror names its pictures: variable, property, class, function, keyword, … */
  type?: string;
  /** Whether a member of it is what is meant: a dot follows, and the next completion. */
  more?: boolean;
}

/**
 * What can follow a prefix, which ends where a new name begins: "" for the
 * keywords such as $data, "$data.invoice." for members, "$data.total:" for formats.
 */
export type Completions = (prefix: string) => Completion[];

/** A problem in a line, counted from 1. */
export interface Diagnostic {
  line: number;
  column?: number;
  message: string;
}

/** What both kinds of editors are made with. */
export interface EditorOptions {
  parent: HTMLElement;
  id: string;
  labelledBy: string;
  describedBy?: string | undefined;
  value: string;
  change: (value: string) => void;
}

export interface CodeOptions extends EditorOptions {
  language: Language;
  /** Whether Enter begins a new line. */
  multiline: boolean;
  rows: number;
  placeholder: string;
  /** Where the selection was in the plain field before. */
  selection: [number, number];
  /** The nonce of the page's styles. */
  nonce: string;
  completions: Completions;
}

/** An editor in a page. setValue does nothing when the value is what it has. */
export interface Editor {
  setValue(value: string): void;
  focus(): void;
  /** Writes in the place of what is selected. */
  insert(text: string): void;
  destroy(): void;
}

export interface CodeEditor extends Editor {
  /** It is called otherwise from now on. */
  setId(id: string, labelledBy: string, describedBy?: string): void;
  setDiagnostics(list: Diagnostic[]): void;
}

/** The module dist/editor.js. */
export interface CodeModule {
  mountCode(options: CodeOptions): CodeEditor;
}

/** What the editor of formatted text is made with besides. */
export interface RichOptions extends EditorOptions {
  /** Words of the interface, as its bundle has none of its own. */
  texts: Record<string, string> | undefined;
}

/** The module dist/rich.js. */
export interface RichModule {
  mountRich(options: RichOptions): Editor;
  /** Whether the editor can hold a text without losing anything of it. */
  holds(html: string): boolean;
}
