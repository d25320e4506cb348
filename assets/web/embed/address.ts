// The address of a preview, by the attributes of the element.

/** Attributes that are options of the address under a name of their own, and those of the same name. */
const OPTIONS: Record<string, string> = { "temp-data-id": "tempDataId", lang: "lang", timezone: "timezone", template: "template", theme: "theme", toolbar: "toolbar", size: "size", zoom: "zoom", page: "page" };

/** What decides the address beside the service, the nonce and the parameters. */
export const MARKS = ["workspace", "report", ...Object.keys(OPTIONS).filter((name) => name !== "size")];

/** Refuses what cannot be an address with what is missing. */
export function frameAddress(service: string, of: (name: string) => string | null, params: Record<string, unknown>): string {
  if (service === "") throw new Error("address is missing; accepted: the address of the service, such as https://reports.example.com");
  const workspace = of("workspace");
  const report = of("report");
  if (!workspace || !report) throw new Error(`${workspace ? "report" : "workspace"} is missing; accepted: a code or an ID`);
  const url = new URL(`ws/${encodeURIComponent(workspace)}/reports/${encodeURIComponent(report)}/preview`, service.endsWith("/") ? service : `${service}/`);
  for (const [name, option] of Object.entries(OPTIONS)) {
    const value = of(name);
    if (value !== null && value !== "") url.searchParams.set(option, value);
  }
  if (Object.keys(params).length > 0) url.searchParams.set("params", JSON.stringify(params));
  url.searchParams.set("ask", "beside");
  const nonce = of("nonce");
  if (nonce) url.searchParams.set("nonce", nonce);
  return url.href;
}
