// The page that shows a theme: one of everything that a theme has a say in.

const SOLD = [
  { group: "Seating", article: "Chair", amount: 690, pieces: 12 },
  { group: "Seating", article: "Bench", amount: 1240.5, pieces: 4 },
  { group: "Tables", article: "Desk", amount: 1356, pieces: 6 },
  { group: "Tables", article: "Side table", amount: 480, pieces: 9 },
];

/** A report in the theme's look, without data sources. */
export function specimen(theme: Record<string, unknown>) {
  return {
    version: 1,
    name: "Specimen",
    theme: "being-designed",
    template: "plain",
    include: { themes: [{ ...theme, code: "being-designed" }], templates: [{ name: "Plain", code: "plain", layouts: [{}] }] },
    dataSources: [{ name: "sold", type: "json", settings: { content: SOLD } }],
    pages: [{ id: 1, name: "Specimen", elements: elements() }],
  };
}

function elements() {
  return [
    { type: "heading", props: { level: "H1", title: "Heading one" } },
    { type: "paragraph", props: { text: "Body text. A theme decides about type, colour and space; a report in another theme is the same report. Numbers such as 1,234.50 stand in it, too." } },
    { type: "heading", props: { level: "H2", title: "Heading two" } },
    {
      type: "data-table",
      props: {
        source: "$data.sold",
        columns: [
          { field: "article", title: "Article", footer: { text: "Sum" } },
          { field: "pieces", title: "Pieces" },
          { field: "amount", title: "Amount", format: "currency", footer: { aggregate: "sum" } },
        ],
        groups: [{ field: "group", caption: { enabled: true, text: "{$group.$key}" } }],
        footer: { enabled: true },
      },
    },
    { type: "figure-caption", props: { channel: "tables", name: "Table", title: "What was sold" } },
    { type: "heading", props: { level: "H3", title: "Heading three" } },
    {
      type: "flow",
      props: { gap: "16px" },
      children: [
        { type: "generic-chart", props: { source: "$data.sold", height: "170px", grow: true, decorative: true, series: [{ name: "Amount", chartType: "column", xField: "article", yField: "amount" }, { name: "Pieces", chartType: "line", xField: "article", yField: "pieces", secondaryAxis: true }], xAxis: { type: "category" } } },
        { type: "pie-chart", props: { source: "$data.sold", nameField: "article", valueField: "amount", height: "170px", width: "250px", decorative: true } },
      ],
    },
    { type: "key-value-grid", props: { items: [{ key: "Customer", value: "Architekturbüro Lindner" }, { key: "Terms", value: "30 days net" }] } },
    { type: "separator" },
    { type: "heading", props: { level: "H4", title: "Heading four" } },
    {
      type: "flow",
      props: { gap: "12px", alignItems: "center" },
      children: [
        { type: "link", props: { text: "A link", href: "https://example.com" } },
        { type: "badge", props: { value: "Badge" } },
        { type: "text", props: { text: "A line of text" } },
      ],
    },
    { type: "list", props: { items: ["First of a list", "Second of a list"] } },
  ];
}
