// The finder (Ctrl+K): everything that the page leads to, and reports, jobs and
// workspaces by their name. Without this script the navigation is all there.
const dialog = document.querySelector(".finder");
const field = dialog.querySelector("input");
const list = dialog.querySelector("ul");
const opener = document.querySelector("[data-find]");

/** What the navigation of this page has: {name, where, address} or {name, form}. */
function pages() {
  const entries = [];
  for (const nav of document.querySelectorAll(".rail nav")) {
    let where = "";
    for (const part of nav.children) {
      if (part.matches("p")) where = part.textContent.trim();
      else entries.push({ kind: "page", name: part.textContent.trim(), where, address: part.href, icon: part.querySelector("svg") });
    }
  }
  for (const link of document.querySelectorAll(".rail .menu-list :is(a, button)")) {
    entries.push({ kind: "page", name: link.textContent.trim(), where: "", press: link });
  }
  return entries;
}

/** How well a name fits: all letters in their order; together and at the start of words is better. */
function fit(name, asked) {
  const text = name.toLowerCase();
  const whole = text.indexOf(asked);
  if (whole >= 0) return 1000 - whole - (whole > 0 && /\S/.test(text[whole - 1]) ? 50 : 0);
  let at = -1;
  let score = 500;
  for (const letter of asked.replace(/\s+/g, "")) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return 0;
    score -= next - at;
    at = next;
  }
  return Math.max(1, score);
}

let shown = [];
let chosen = 0;
let last = 0;
let found = Promise.resolve(); // when what is asked for now is shown

function show(entries, note = "") {
  shown = entries;
  chosen = 0;
  list.replaceChildren(
    ...entries.map((entry, i) => {
      const item = document.createElement("li");
      item.id = `found-${i}`;
      item.role = "option";
      if (entry.icon) item.append(entry.icon.cloneNode(true));
      const name = document.createElement("span");
      name.textContent = entry.name;
      const where = document.createElement("small");
      where.textContent = entry.where ?? "";
      item.append(name, where);
      item.addEventListener("pointerenter", () => choose(i));
      item.addEventListener("click", (e) => go(i, e.ctrlKey || e.metaKey));
      return item;
    }),
  );
  if (note) {
    const item = document.createElement("li");
    item.className = "note";
    item.textContent = note;
    list.append(item);
  }
  choose(0);
}

function choose(i) {
  chosen = i;
  for (const item of list.querySelectorAll("[role=option]")) item.setAttribute("aria-selected", String(item.id === `found-${i}`));
  const item = document.getElementById(`found-${i}`);
  if (item) field.setAttribute("aria-activedescendant", item.id);
  else field.removeAttribute("aria-activedescendant");
  item?.scrollIntoView({ block: "nearest" });
}

function go(i, apart) {
  const entry = shown[i];
  if (!entry) return;
  dialog.close();
  if (entry.press) entry.press.click();
  else if (apart) open(entry.address);
  else location.href = entry.address;
}

/** The drawing of a kind, that of its entry in the navigation. */
function iconOf(kind) {
  const like = { report: "file-text", job: "play", workspace: "house" }[kind];
  return like && document.querySelector(`.icons [data-icon="${like}"] svg`);
}

async function search() {
  const asked = field.value.trim().toLowerCase();
  const mine = pages()
    .map((entry) => ({ entry, score: asked ? fit(entry.name, asked) : 1 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
  const round = ++last;
  if (!asked) return show(mine.slice(0, 12));
  if (shown.length === 0 || !shown.some((e) => e.kind !== "page")) show(mine.slice(0, 8));
  let hits = [];
  let note = "";
  await new Promise((done) => setTimeout(done, 100)); // who types on asks once
  if (round !== last) return;
  try {
    const answer = await fetch(`${dialog.dataset.address}?q=${encodeURIComponent(asked)}&place=${dialog.dataset.place}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    hits = (await answer.json()).map((hit) => ({ ...hit, icon: iconOf(hit.kind) }));
  } catch {
    note = list.dataset.unreachable;
  }
  if (round !== last) return;
  const close = mine.filter((entry) => fit(entry.name, asked) >= 900);
  const rest = mine.filter((entry) => !close.includes(entry));
  const all = [...close, ...hits, ...rest].slice(0, 20);
  show(all, note || (all.length === 0 ? list.dataset.nothing : ""));
}

function openFinder() {
  if (dialog.open) return dialog.close();
  field.value = "";
  dialog.showModal();
  field.focus();
  found = search();
}

field.addEventListener("input", () => (found = search()));
field.addEventListener("keydown", (e) => {
  const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 }[e.key];
  if (to !== undefined && shown.length > 0) choose((to + shown.length) % shown.length);
  else if (e.key === "Enter") void found.then(() => go(chosen, e.ctrlKey || e.metaKey)); // never what an earlier search had
  else return;
  e.preventDefault();
});
dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
addEventListener("keydown", (e) => {
  if ((e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === "k") {
    e.preventDefault();
    openFinder();
  }
});
opener.hidden = false;
opener.addEventListener("click", openFinder);
