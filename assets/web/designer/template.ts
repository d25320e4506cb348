// A template at the service, edited as if its layouts were pages: each with the
// parts header, header of the first sheet, body and footer.

import { ask, based, type Desk, type Drawing, Refused, type Resource, type Saved, type Schema, type Warning } from "./api";
import { layoutOf, pageOf, type Template } from "./layouts";
import { type Node, type Page, type Report, walk } from "./model";
import { say, t } from "../words";

const SAMPLE = say("What a report brings stands here. This is a sample of it, long enough to fill a few lines, so that margins and the type of the theme can be judged.");

export class TemplateDesk implements Desk {
  readonly news: string;
  private readonly all: string;
  /** The types of elements that stand for what a report brings. */
  private places: Promise<string[]> = Promise.resolve([]);

  constructor(
    readonly base: string,
    readonly workspace: string,
    private readonly id: number,
  ) {
    this.all = `${base}/api/ui/ws/${workspace}/templates`;
    this.news = `${this.all}/${id}`;
  }

  components(): Promise<Schema> {
    const schema = ask<Schema>("GET", `${this.base}/api/ui/components`);
    this.places = schema.then(({ components }) => components.filter((c) => c.settings.some((s) => s.means === "place")).map((c) => c.name), () => []);
    return schema;
  }

  async read(): Promise<Saved> {
    const found = (await ask<(Resource<Template> & { problems?: Warning[] })[]>("GET", this.all)).find((t) => t.id === this.id);
    if (!found) throw new Refused(404, t("the template does not exist any more"), []);
    return savedOf(found);
  }

  async save(definition: Report, revision: number): Promise<Saved> {
    return savedOf(await ask("PUT", `${this.all}/${this.id}`, templateOf(definition), based(revision)));
  }

  restore(): Promise<unknown> {
    return ask("POST", `${this.all}/${this.id}/restore`);
  }

  async render(definition: Report): Promise<Drawing> {
    const template = { ...templateOf(definition), code: "being-designed" };
    const places = await this.places;
    const pages = definition.pages.map((p) => ({ id: p.id, name: p.name, ...(p.pageType ? { pageType: p.pageType } : {}), ...fillings(p, places) }));
    const sample = { version: 1, name: definition.name, template: template.code, ...(definition.theme ? { theme: definition.theme } : {}), include: { templates: [template] }, pages };
    const drawing = await ask<Drawing>("POST", `${this.all}/render`, { definition: sample });
    return { ...drawing, warnings: drawing.warnings.map((w) => ({ ...w, path: w.path.replace(/^(?:include\.)?templates\[0\]\./, "").replace(/^layouts\[/, "pages[") })) };
  }
}

function savedOf({ revision, definition, problems = [] }: { revision: number; definition: Template; problems?: Warning[] }): Saved {
  const { layouts = [], ...rest } = definition;
  return { revision, definition: { ...rest, pages: layouts.map(pageOf) }, problems: problems.map((p) => ({ ...p, path: p.path.replace(/^layouts\[/, "pages[") })) };
}

/** The definition without what only the designer knows. */
function templateOf({ pages, ...rest }: Report): Template {
  return { ...(rest as unknown as Template), layouts: pages.map(layoutOf) };
}

/** A sample for each placeholder of a layout. It has the placeholder's id, so that pointing at it means the placeholder. */
function fillings(page: Page, types: string[]): Record<string, unknown> {
  const places: Node[] = [];
  walk(page, (n) => types.includes(n.type) && places.push(n));
  const sample = (id: string): Node[] => [{ id, type: "paragraph", props: { text: t(SAMPLE) } }];
  if (places.length === 0) return { elements: sample("sample") };
  if (places.length === 1) return { elements: sample(places[0]!.id) };
  return { placeholders: Object.fromEntries(places.map((n) => [String(n.props?.name ?? ""), sample(n.id)])) };
}
