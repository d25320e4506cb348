// Invariants of pagination, checked in the browser by the tests of this package.
var check = (() => {
  const SKIP = ".q-page-sum,.q-page-number,.q-page-count,.q-page-of,.q-note,.q-note-call,[data-repeated]";
  const squeeze = (s) => s.replace(/\s+/g, "");
  const text = (selector) => {
    const whole = document.createElement("div");
    whole.append(...all(selector).map((e) => e.cloneNode(true)));
    for (const e of whole.querySelectorAll(SKIP)) e.remove();
    joinRows(whole);
    return squeeze(whole.textContent);
  };
  // A row that was sliced is read cell by cell.
  const joinRows = (whole) => {
    let first = null;
    for (const row of whole.querySelectorAll("tr.q-sliced")) {
      if (!row.classList.contains("q-cut-start")) first = row;
      else [...row.cells].forEach((cell, i) => first.cells[i].append(...cell.childNodes));
    }
  };
  const sorted = (s) => [...s].sort().join("");
  const all = (selector) => [...document.querySelectorAll(selector)];
  const name = (el) => `<${el.tagName.toLowerCase()} ${el.className} ${el.dataset.id ?? ""}>`;

  // The text before: to be called before quire.paginate().
  const source = () => text(".q-sheet > .q-body");

  function pages(before, opts) {
    const faults = [];
    const after = text(".q-page .q-page-body");
    // Boxes side by side that were sliced are read page by page.
    const beside = document.querySelector(".q-beside") !== null;
    if (beside ? sorted(before) !== sorted(after) : before !== after) faults.push(difference(before, after));
    all(".q-page").forEach((page, i) => {
      const where = `page ${i + 1}: `;
      for (const f of [...overflow(page), ...overlaps(page), ...furniture(page, opts), ...notes(page)]) faults.push(where + f);
    });
    faults.push(...wholes(), ...headings(), ...widows(), ...unique());
    all(".q-page-body > .q-scaled-content").forEach((el) => faults.push(`a page was squeezed: ${el.style.transform} page ${el.closest(".q-page").dataset.index}`));
    if (all(".q-sheet").length) faults.push("sources are still there");
    return faults.slice(0, 20);
  }

  // The anchors of the result against where their elements are.
  function anchors(list) {
    return list.flatMap((a) => {
      const el = document.getElementById(a.id);
      const page = el?.closest(".q-page");
      if (!page) return [`anchor ${a.id} is nowhere`];
      if (Number(page.dataset.index) !== a.page) return [`anchor ${a.id} on page ${page.dataset.index}, not ${a.page}`];
      const r = el.getBoundingClientRect(), p = page.getBoundingClientRect();
      const dx = r.left - p.left - a.x, dy = r.top - p.top - a.y;
      return Math.abs(dx) > 2 || Math.abs(dy) > 3 ? [`anchor ${a.id} is off by ${dx}, ${dy} page ${a.page}`] : [];
    });
  }

  function difference(a, b) {
    let i = 0;
    while (i < a.length && a[i] === b[i]) i++;
    return `text differs at ${i} (${a.length}, ${b.length}): "${a.slice(i - 20, i + 40)}" became "${b.slice(i - 20, i + 40)}"`;
  }

  function overflow(page) {
    const box = page.querySelector(".q-page-body").getBoundingClientRect();
    const out = [];
    const see = (r, what) => {
      if (r.height === 0 || r.width === 0) return;
      if (r.bottom > box.bottom + 2 || r.top < box.top - 2) out.push(`${what} at ${r.top - box.top}..${r.bottom - box.top} of ${box.height}`);
    };
    for (const el of page.querySelectorAll(".q-page-body > * *")) {
      const style = getComputedStyle(el);
      if (style.display === "none" || style.position === "absolute" || el.parentElement.closest("[data-overflow]")) continue;
      see(el.getBoundingClientRect(), name(el));
    }
    return out.slice(0, 2);
  }

  // Footnotes stand on the page of their numbers, between its text and its footer.
  function notes(page) {
    const numbers = (selector) => [...page.querySelectorAll(selector)].filter((el) => !el.closest("[data-repeated], .q-again") && el.getBoundingClientRect().height > 0).map((el) => Number(el.textContent));
    const [called, said] = [numbers(".q-note-call"), numbers(".q-note-number")];
    const out = called.sort((a, b) => a - b).join() === [...said].sort((a, b) => a - b).join() ? [] : [`notes ${said} for ${called}`];
    const area = page.querySelector(".q-page-notes")?.getBoundingClientRect();
    const text = page.querySelector(".q-page-body").getBoundingClientRect();
    const foot = page.querySelector(".q-page-footer")?.getBoundingClientRect().top ?? Infinity;
    if (area && (area.top < text.bottom - 1 || area.bottom > foot + 1 || text.height < 1)) out.push(`notes at ${area.top}..${area.bottom} between ${text.bottom} and ${foot}`);
    return out;
  }

  function overlaps(page) {
    const out = [];
    for (const parent of page.querySelectorAll(".q-body, tbody, table, ol, ul, .col")) {
      let low = -Infinity;
      for (const el of parent.children) {
        const style = getComputedStyle(el);
        if (el.tagName === "COLGROUP") continue;
        if (style.display === "none" || style.float !== "none" || style.position === "absolute" || style.display.startsWith("inline")) continue;
        const r = el.getBoundingClientRect();
        if (r.height === 0) continue;
        if (r.top < low - 1.5) out.push(`${name(el)} overlaps by ${low - r.top}`);
        low = Math.max(low, r.bottom);
      }
    }
    return out;
  }

  function furniture(page, opts) {
    const out = [];
    if (!page.matches(".q-blank") && opts.header && !page.querySelector(".q-page-header")?.textContent.trim()) out.push("no header");
    if (!page.matches(".q-blank") && opts.footer && !page.querySelector(".q-page-footer")?.textContent.trim()) out.push("no footer");
    const count = all(".q-page").filter((p) => p.dataset.number !== "").length;
    for (const el of page.querySelectorAll(".q-page-number:not([data-format])")) if (el.textContent !== page.dataset.number) out.push(`number ${el.textContent} on page ${page.dataset.number}`);
    for (const el of page.querySelectorAll(".q-page-count:not([data-format])")) if (el.textContent !== String(count)) out.push(`count ${el.textContent}, not ${count}`);
    return out;
  }

  // What may not be broken stands on one page, unless it is much taller than all.
  function wholes() {
    const parts = Map.groupBy(all('.q-page [data-break="avoid"][data-id]'), (el) => el.dataset.id);
    return [...parts.values()].filter((list) => list.length > 1).flatMap((list) => {
      const height = list.reduce((sum, el) => sum + el.getBoundingClientRect().height, 0);
      const rooms = list.map((el) => el.closest(".q-page-body").getBoundingClientRect().height);
      return height > Math.max(...rooms) ? [] : [`${name(list[0])} of ${height} px is on two pages of ${Math.max(...rooms)}`];
    });
  }

  // Headings do not end a page, unless the block behind them fills a page of its own.
  function headings() {
    return all(".q-page").slice(0, -1).flatMap((page, i) => {
      let last = page.querySelector(".q-page-body .q-body")?.lastElementChild;
      while (last && !last.hasAttribute("data-keep-next") && last.lastElementChild && last.tagName !== "TABLE") last = last.lastElementChild;
      const next = all(".q-page")[i + 1];
      if (!last?.hasAttribute?.("data-keep-next") || next.querySelector(".q-scaled,.q-sliced")) return [];
      if (next.dataset.page !== page.dataset.page || last.closest('[data-break="avoid"]')) return [];
      if (next.querySelector(".q-body > [data-break-before]:first-child, .q-body > :first-child [data-break-before]")) return [];
      return [`page ${i + 1}: ends with ${name(last)}`];
    });
  }

  // At least two lines on either side of a break.
  function widows() {
    return all(":is(p.q-cut-start, p.q-cut-end):not(.q-cut-off *)").flatMap((p) => {
      const tops = new Set();
      const range = document.createRange();
      range.selectNodeContents(p);
      let low = -Infinity;
      for (const r of range.getClientRects()) if (r.width > 0 && r.top > low - 4) { tops.add(Math.round(r.top)); low = r.bottom; }
      return tops.size < 2 && !p.closest(".q-sliced") ? [`${tops.size} line of ${name(p)}: "${p.textContent.slice(0, 30)}"`] : [];
    });
  }

  function unique() {
    const seen = new Set();
    return all("[id]").flatMap((el) => {
      if (seen.has(el.id)) return [`id ${el.id} is there twice`];
      seen.add(el.id);
      return [];
    });
  }

  return { source, pages, anchors };
})();
null;
