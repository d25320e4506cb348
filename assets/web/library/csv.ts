// CSV as spreadsheets write it (RFC 4180): fields in quotes may hold commas,
// line breaks and doubled quotes. Semicolons and tabs part fields, too.

/** The rows of a CSV text. */
export function readCSV(text: string): string[][] {
  const delimiter = delimiterOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  const endField = () => (row.push(field), (field = ""));
  const endRow = () => {
    endField();
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  const source = text.replace(/^\uFEFF/, "");
  for (let i = 0; i < source.length; i++) {
    const c = source[i]!;
    if (quoted) {
      if (c !== '"') field += c;
      else if (source[i + 1] === '"') (field += '"'), i++;
      else quoted = false;
    } else if (c === '"' && field === "") quoted = true;
    else if (c === delimiter) endField();
    else if (c === "\n") endRow();
    else if (c !== "\r") field += c;
  }
  endRow();
  return rows;
}

/** The delimiter that the first line has most of. */
function delimiterOf(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  const count = (d: string) => line.split(d).length;
  return [",", ";", "\t"].reduce((best, d) => (count(d) > count(best) ? d : best));
}

export function writeCSV(rows: string[][]): string {
  const field = (f: string) => (/[",\n\r;\t]/.test(f) ? `"${f.replaceAll('"', '""')}"` : f);
  return rows.map((r) => `${r.map(field).join(",")}\r\n`).join("");
}
