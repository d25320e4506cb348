// The theme editor: every value of a theme as a form or as one JSON document,
// live on a specimen page, with a word about colours that are hard to read.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, type Drawing } from "../designer/api";
import { fillFrame } from "../designer/frame";
import { Field } from "../designer/panel";
import { Tabs } from "../designer/tabs";
import { type Weak, weakTexts } from "./contrast";
import type { Definition } from "./kinds";
import { specimen } from "./specimen";
import type { Library } from "./state";
import { Whole } from "./whole";
import { say, t } from "../words";

const tab = signal("Form");

export function Theme({ library }: { library: Library }) {
  return (
    <div class="l-theme">
      <Tabs
        label={say("Ways to edit")}
        chosen={tab}
        tabs={[
          { name: say("Form"), content: () => <ThemeForm library={library} /> },
          { name: "JSON", content: () => <Whole key={library.chosen.value} library={library} label={t("The theme as JSON, without name and code")} object={t("A theme is an object: { … }.")} check={(theme) => check(library, theme)} /> },
        ]}
      />
      <Specimen library={library} />
    </div>
  );
}

function ThemeForm({ library }: { library: Library }) {
  const value = library.value.value!;
  return (
    <form class="d-form" onSubmit={(e) => e.preventDefault()}>
      {library.schema.value?.schemas.themes?.map((s) => (
        <Field key={s.name} state={library} setting={s} value={value[s.name]} change={(v) => library.set(s.name, v)} path={`theme.${s.name}`} />
      ))}
    </form>
  );
}

/** What the service says against a theme; empty when it takes it. */
async function check(library: Library, theme: Definition): Promise<string> {
  try {
    await draw(library, theme);
    return "";
  } catch (e) {
    const details = (e as { details?: { path: string; message: string }[] }).details ?? [];
    return details.length > 0 ? details.map((d) => `${d.path.replace(/^.*themes\[0\]\.?/, "")}: ${d.message}`).join("\n") : String(e instanceof Error ? e.message : e);
  }
}

function draw(library: Library, theme: Definition): Promise<Drawing> {
  return ask("POST", library.address("/render"), { definition: specimen(theme) });
}

/** How wide the specimen is at most. */
const WIDTH = 640;

function Specimen({ library }: { library: Library }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [size, measure] = useState({ width: 842, height: 1180 });
  const [weak, warn] = useState<Weak[]>([]);
  const [fault, fail] = useState("");
  const [ready, load] = useState(false);
  const [room, fit] = useState(WIDTH);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => section.current && fit(Math.min(WIDTH, section.current.clientWidth)));
    observer.observe(section.current!);
    return () => observer.disconnect();
  }, []);
  const value = library.value.value!;
  useEffect(() => {
    if (!ready) return;
    let late = false;
    const timer = setTimeout(async () => {
      try {
        const { html } = await draw(library, value);
        if (late || !frame.current) return;
        await fillFrame(frame.current, html, measure);
        warn(weakTexts(frame.current.contentDocument!));
        fail("");
      } catch (e) {
        if (!late) fail(e instanceof Error ? e.message : String(e));
      }
    }, 120);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [value, ready]);
  const zoom = room / size.width;
  return (
    <section ref={section} class="l-specimen" aria-label={t("Specimen")} tabIndex={0}>
      {fault && <p class="field-problem">{fault}</p>}
      <div style={{ width: `${room}px`, height: `${size.height * zoom}px`, position: "relative" }}>
        <iframe ref={frame} class="d-frame" title={t("Specimen")} sandbox="allow-same-origin" src={`${library.api.base}/ui/canvas`} onLoad={() => load(true)} style={{ width: `${size.width}px`, height: `${size.height}px`, transform: `scale(${zoom})` }} />
      </div>
      <h3>{t("Contrast")}</h3>
      {weak.length === 0 ? (
        <p class="d-hint">{t("All texts of the specimen can be read well (WCAG 2.2, AA).")}</p>
      ) : (
        <ul>
          {weak.map((w) => (
            <li key={w.text}>{t("“{0}” has {1} : 1; {2} : 1 is needed.", w.text, w.ratio.toFixed(1), w.needed)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
