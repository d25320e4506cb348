// The bar above what is selected on the page. Of a text: size, weight, italic,
// colour, where it is aligned, and the format of the value that it prints.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import { optionWords } from "./labels";
import { useLeft } from "./fields";
import { Floating, LABEL, toPage } from "./floating";
import { lockOf } from "./locks";
import type { Node } from "./model";
import { formatIn, nameOfFormat, type Placeholder, placeholderAt, VALUE_FORMATS, withFormat } from "./placeholders";
import type { State } from "./state";
import { BOLD, type Look, lookOf, mainText, selectedTexts, setTrait, type Switch, switchLook, themeColors, traitsOf } from "./textlook";
import { OPTIONS } from "./touchwords";
import { say, t } from "../words";

/** The text that is being written while the bar is there: what the caret is in, and another text in its place. */
export interface Written {
  template: string;
  caret: number;
  put(template: string): void;
}

export function TextBar({ state, zoom, written, leave = toPage }: { state: State; zoom: number; layout?: number; written?: Written | undefined; leave?: () => void }) {
  const nodes = selectedTexts(state);
  const traits = traitsOf(state, nodes);
  const [first] = nodes;
  const part = first && state.stage!.parts(first.id)[0];
  if (!part || traits.size === 0 || nodes.some((n) => lockOf(state.report.value, n.id)) || state.shadow.value || state.marquee.value) return null;
  const box = part.getBoundingClientRect();
  const look = lookOf(part);
  return (
    <Floating label={t("Look of the text")} around={{ left: box.left * zoom, right: box.right * zoom, top: box.top * zoom, bottom: box.bottom * zoom, free: written ? 10 : LABEL }} leave={leave}>
      {nodes.length === 1 && <Format state={state} node={first} written={written} />}
      {traits.has("fontSize") && <Size size={look.size} change={(points) => setTrait(state, nodes, "fontSize", points ? `${points}pt` : undefined)} />}
      {traits.has("fontWeight") && <Weight look={look} offered={traits.get("fontWeight")!} change={(weight) => setTrait(state, nodes, "fontWeight", weight)} />}
      <Switches state={state} look={look} offered={(what) => traits.has(TRAIT[what])} />
      {traits.has("color") && <Colour state={state} look={look} own={first.props?.color} change={(color) => setTrait(state, nodes, "color", color)} />}
      {traits.has("textAlign") && <Align look={look} own={first.props?.textAlign} offered={traits.get("textAlign")!} change={(side) => setTrait(state, nodes, "textAlign", side)} />}
    </Floating>
  );
}

/** The format of the value that a text prints, where it prints one. */
function Format({ state, node, written }: { state: State; node: Node; written: Written | undefined }) {
  const setting = mainText(state, node.type);
  const template = written?.template ?? String((setting && node.props?.[setting.name]) ?? "");
  const place = setting && placeholderAt(template, written?.caret);
  if (!setting || !place) return null;
  const format = formatIn(template, place);
  const name = nameOfFormat(format);
  const change = (chosen: string) => put(withFormat(template, place, VALUE_FORMATS[chosen] ?? format));
  const put = written?.put ?? ((text: string) => state.set(node.id, t("Format of the value"), (n) => ({ ...n, props: { ...n.props, [setting.name]: text } })));
  return (
    <select aria-label={t("Format of the value")} title={t("Format of {0}", pathOf(template, place))} value={name} onChange={(e) => change(e.currentTarget.value)}>
      {Object.entries(OPTIONS.formats).map(([option, words]) => (
        <option key={option} value={option}>
          {t(words)}
        </option>
      ))}
      {name === "own" && <option value="own">{format}</option>}
    </select>
  );
}

const pathOf = (template: string, { from, formats }: Placeholder): string => template.slice(from + 1, formats.from);

const SIZES = [6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32, 36, 48, 60, 72];

function Size({ size, change }: { size: number; change: (points: number | undefined) => void }) {
  return (
    <span class="d-size">
      <input type="number" aria-label={t("Size of the text")} title={t("Size in points")} min={1} max={400} step={0.5} {...useLeft(size)} onChange={(e) => (e.currentTarget.value === "" ? change(undefined) : e.currentTarget.validity.badInput || change(Math.min(400, Math.max(1, e.currentTarget.valueAsNumber))))} onKeyDown={(e) => e.key === "Enter" && toPage()} />
      <label title={t("Usual sizes")}>
        <Icon name="chevron-down" />
        <select aria-label={t("Usual sizes")} value={SIZES.includes(size) ? size : ""} onChange={(e) => change(Number(e.currentTarget.value) || undefined)}>
          <option value="">{t("As in the theme")}</option>
          {SIZES.map((points) => (
            <option key={points} value={points}>
              {points}
            </option>
          ))}
        </select>
      </label>
    </span>
  );
}

function Weight({ look, offered, change }: { look: Look; offered: string[]; change: (weight: string | undefined) => void }) {
  const weights = offered.filter((w) => w !== "");
  const now = String(look.weight);
  return (
    <select class="d-weight" aria-label={t("Weight of the text")} title={t("Weight of the text")} value={weights.includes(now) ? now : ""} onChange={(e) => change(e.currentTarget.value || undefined)}>
      <option value="">{t("As in the theme")}</option>
      {weights.map((weight) => (
        <option key={weight} value={weight}>
          {WEIGHTS[weight] ? t(WEIGHTS[weight]) : weight}
        </option>
      ))}
    </select>
  );
}

const WEIGHTS: Record<string, string> = { 300: say("Light | weight"), 400: say("Regular | weight"), 500: say("Medium | weight"), 600: say("Semibold | weight"), 700: say("Bold | weight"), 800: say("Extra bold | weight") };

const TRAIT = { bold: "fontWeight", italic: "fontStyle", underlined: "textDecoration" } as const;
const SWITCHES: Record<Switch, { name: string; icon: string; on: (look: Look) => boolean }> = {
  bold: { name: say("Bold (Ctrl+B)"), icon: "bold", on: (l) => l.weight >= BOLD },
  italic: { name: say("Italic (Ctrl+I)"), icon: "italic", on: (l) => l.italic },
  underlined: { name: say("Underline (Ctrl+U)"), icon: "underline", on: (l) => l.underlined },
};

function Switches({ state, look, offered }: { state: State; look: Look; offered: (what: Switch) => boolean }) {
  return (
    <span class="d-segments">
      {(Object.keys(SWITCHES) as Switch[]).filter(offered).map((what) => (
        <button key={what} type="button" title={t(SWITCHES[what].name)} aria-label={t(SWITCHES[what].name)} aria-pressed={SWITCHES[what].on(look)} onClick={() => switchLook(state, what)}>
          <Icon name={SWITCHES[what].icon} />
        </button>
      ))}
    </span>
  );
}

/** The colours of the theme, any other, and none of one's own. */
function Colour({ state, look, own, change }: { state: State; look: Look; own: unknown; change: (color: string | undefined) => void }) {
  const [open, show] = useState(false);
  const around = useRef<HTMLSpanElement>(null);
  const list = useRef<HTMLSpanElement>(null);
  // Below its button, but not beyond the edges of the page.
  useLayoutEffect(() => {
    const el = list.current;
    const stage = el?.closest(".d-stage")?.getBoundingClientRect();
    if (!el || !stage) return;
    const from = around.current!.getBoundingClientRect().left;
    el.style.left = `${Math.max(stage.left + 4, Math.min(from - 40, stage.right - el.offsetWidth - 4)) - from}px`;
  }, [open]);
  const close = () => (around.current!.querySelector("button")!.focus(), show(false));
  const take = (color: string | undefined) => (close(), change(color));
  const away = (e: FocusEvent) => (e.currentTarget as HTMLElement).contains(e.relatedTarget as Element | null) || show(false);
  const key = (e: KeyboardEvent) => {
    if (e.key !== "Escape" || !open) return;
    e.stopPropagation();
    close();
  };
  return (
    <span ref={around} class="d-ink" onFocusOut={away} onKeyDown={key}>
      <button type="button" title={t("Colour of the text")} aria-label={t("Colour of the text")} aria-expanded={open} onClick={(e) => (show(!open), e.currentTarget.focus())}>
        <b style={{ borderColor: look.color }}>A</b>
      </button>
      {open && (
        <span ref={list} class="d-inks">
          {themeColors(state.stage!.doc).map(({ name, value }) => (
            <button key={name} type="button" class="d-spot" title={name} aria-label={name} aria-pressed={own === `var(--color-${name})`} style={{ background: value }} onClick={() => take(`var(--color-${name})`)} />
          ))}
          <label class="d-spot d-any" title={t("Another colour")}>
            <input type="color" aria-label={t("Another colour")} value={hexOf(look.color)} onChange={(e) => change(e.currentTarget.value)} />
          </label>
          <button type="button" class="d-none" onClick={() => take(undefined)}>
            {t("As in the theme")}
          </button>
        </span>
      )}
    </span>
  );
}

/** rgb(29, 78, 137) as colour fields take it. */
export function hexOf(color: string): string {
  const parts = /^rgba?\((\d+),\s*(\d+),\s*(\d+)/.exec(color);
  return parts ? `#${parts.slice(1).map((n) => Number(n).toString(16).padStart(2, "0")).join("")}` : "#000000";
}

const SIDES: Record<string, string> = { left: "text-align-start", center: "text-align-center", right: "text-align-end", justify: "text-align-justify" };

function Align({ look, own, offered, change }: { look: Look; own: unknown; offered: string[]; change: (side: string | undefined) => void }) {
  return (
    <span class="d-segments">
      {offered
        .filter((side) => SIDES[side])
        .map((side) => {
          const words = side in OPTIONS.align ? t(OPTIONS.align[side as "left"]) : optionWords(side);
          return (
            <button key={side} type="button" title={words} aria-label={words} aria-pressed={look.align === side} onClick={() => change(own === side ? undefined : side)}>
              <Icon name={SIDES[side]!} />
            </button>
          );
        })}
    </span>
  );
}
