// The lists at the left: palette and outline.

import { useState } from "preact/hooks";
import type { Component } from "./api";
import type { Node } from "./model";
import type { State } from "./state";

/** What a new element begins with, so that something is to be seen. */
function beginning(c: Component): Node {
  const text = ["title", "text", "content", "value", "html"].map((n) => c.settings.find((s) => s.name === n && s.shape === "string")).find((s) => s);
  const node: Node = { id: "", type: c.name };
  if (text) node.props = { [text.name]: text.name === "html" || text.name === "content" ? `<p>${c.label}</p>` : c.label };
  return node;
}

export function Palette({ state }: { state: State }) {
  const [wanted, search] = useState("");
  const fitting = state.components.value.filter((c) => `${c.label} ${c.name} ${c.help}`.toLowerCase().includes(wanted.toLowerCase()));
  const categories = [...new Set(fitting.map((c) => c.category))];
  return (
    <section class="d-palette" aria-label="Components">
      <input type="search" placeholder="Find a component" aria-label="Find a component" value={wanted} onInput={(e) => search(e.currentTarget.value)} />
      {categories.map((category) => (
        <div key={category}>
          <h3>{category}</h3>
          <ul>
            {fitting
              .filter((c) => c.category === category)
              .map((c) => (
                <li key={c.name}>
                  <button type="button" title={c.help} onClick={() => ((state.source.value = null), state.add([beginning(c)], `Add ${c.label.toLowerCase()}`))}>
                    {c.label}
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
      {fitting.length === 0 && <p class="d-hint">No component is called that.</p>}
    </section>
  );
}

export function Outline({ state }: { state: State }) {
  const page = state.report.value.pages[state.page.value];
  const elements = page?.elements ?? [];
  return (
    <section class="d-outline" aria-label="Outline">
      <h3>Outline</h3>
      {elements.length === 0 ? <p class="d-hint">This page is empty. Choose a component to begin.</p> : <Branch state={state} nodes={elements} />}
    </section>
  );
}

function Branch({ state, nodes }: { state: State; nodes: Node[] }) {
  return (
    <ul>
      {nodes.map((n) => (
        <li key={n.id}>
          <button
            type="button"
            aria-pressed={state.selected.value.includes(n.id)}
            onClick={(e) => {
              state.source.value = null;
              state.selected.value = e.shiftKey ? [...state.selected.value, n.id] : [n.id];
            }}
            onPointerEnter={() => (state.hovered.value = n.id)}
            onPointerLeave={() => (state.hovered.value = null)}
          >
            <span>{n.name || state.components.value.find((c) => c.name === n.type)?.label || n.type}</span>
            <small>{hintOf(n)}</small>
          </button>
          {n.children && n.children.length > 0 && <Branch state={state} nodes={n.children} />}
        </li>
      ))}
    </ul>
  );
}

/** The beginning of what an element says. */
function hintOf(n: Node): string {
  for (const name of ["title", "text", "value", "source", "imageUrl"]) {
    const v = n.props?.[name];
    if (typeof v === "string" && v) return v.length > 30 ? `${v.slice(0, 29)}…` : v;
  }
  return "";
}
