// Looks at the pages of a document once they are there.
new Promise((done, fail) => {
  const started = Date.now();
  const wait = () => {
    const pages = [...document.querySelectorAll(".q-page")];
    if (pages.length && !document.querySelector(".q-sheet:not(.q-page)") && !document.querySelector(".q-progress") && document.fonts.status === "loaded") return done(look(pages));
    const failed = document.querySelector(".q-failed");
    if (failed || Date.now() - started > 30000) return fail(new Error("no pages: " + document.body.innerText.slice(0, 300)));
    setTimeout(wait, 20);
  };
  const TOLERANCE = 1.2;
  /** 5 pt. */
  const LEAST = 20 / 3;
  /** How much smaller than said elements are drawn. */
  const factors = new Map();

  function look(pages) {
    for (const tool of document.querySelectorAll(".q-tools, .q-warnings, .q-thumb")) tool.remove();
    settle(pages);
    const bodies = pages.map((p) => p.querySelector(":scope > .q-page-body"));
    return {
      Pages: pages.length,
      Text: [...bodies, ...document.querySelectorAll(".q-page-notes")].map(textOf).join("").replace(/\s+/g, ""),
      Sliced: document.querySelector("tr.q-sliced, .q-beside, [data-beside]") !== null,
      Overflow: pages.flatMap(overflow).slice(0, 5),
      Words: pages.flatMap(words).slice(0, 5),
      Boxes: pages.map((p) => ({ ...rect(p), Attached: p.dataset.attached !== undefined })),
      Codes: pages.flatMap((p, i) => [...p.querySelectorAll("[data-code]")].map((el) => ({ Page: i, Text: el.dataset.code, Format: el.dataset.format, ...rect(el, p) }))),
    };
  }

  /** Draws all pages, without shadows, each at whole pixels, so that pictures of them can be compared. */
  function settle(pages) {
    const style = document.createElement("style");
    style.textContent = ".q-frame{margin:0 auto 0 0!important;width:max-content!important;height:auto!important;overflow:visible!important}.q-desk{align-items:flex-start!important;gap:8px!important;padding:20px!important;transform:none!important}.q-desk>.q-page{content-visibility:visible!important;box-shadow:none!important}";
    document.head.append(style);
    const tops = pages.map((p) => p.getBoundingClientRect().top + scrollY);
    let moved = 0;
    pages.forEach((p, i) => {
      const top = tops[i] + moved;
      const gap = Math.ceil(top - 0.001) - top;
      p.style.marginTop = `${gap}px`;
      moved += gap;
    });
  }

  function rect(el, from) {
    const r = el.getBoundingClientRect();
    const o = from ? from.getBoundingClientRect() : { left: -scrollX, top: -scrollY };
    return { X: r.left - o.left, Y: r.top - o.top, Width: r.width, Height: r.height };
  }

  function textOf(body) {
    const copy = body.cloneNode(true);
    for (const el of copy.querySelectorAll("[data-repeated], .q-page-sum, .q-again, .q-page-number, .q-page-count, .q-page-run-count, .q-page-of, .q-page-running, .q-carry, .q-carried, .q-brought, .q-note-number, script, style")) el.remove();
    return copy.textContent;
  }

  function overflow(page, i) {
    const found = [];
    for (const part of page.querySelectorAll(":scope > .q-page-body, :scope > .q-page-header, :scope > .q-page-footer")) {
      const room = part.getBoundingClientRect();
      for (const el of part.querySelectorAll("*")) {
        // The body may hang over with the margin of its last block.
        if (el.ownerSVGElement || el.closest(".q-hidden") || el.matches(".q-body, .q-scaled-content")) continue;
        // What a box cuts off because its author said so is not drawn; the box itself is looked at.
        if (el.parentElement.closest("[data-overflow]")) continue;
        const r = el.getBoundingClientRect();
        // The box of inline text is as high as its font wants, whatever its line has.
        if (r.width === 0 || r.height === 0 || getComputedStyle(el).display === "inline") continue;
        const over = Math.max(r.right - room.right, room.left - r.left, r.bottom - room.bottom, room.top - r.top);
        if (over > TOLERANCE) found.push(`page ${i + 1}: <${el.tagName.toLowerCase()} class="${el.className}"> of ${el.closest("[data-id]")?.dataset.id ?? ""} by ${over.toFixed(1)} px: ${el.textContent.trim().slice(0, 40)}`);
        else if (clipped(el)) found.push(`page ${i + 1}: <${el.tagName.toLowerCase()} class="${el.className}"> of ${el.closest("[data-id]")?.dataset.id ?? ""} is clipped: ${el.textContent.trim().slice(0, 40)}`);
        if (found.length >= 3) return found;
      }
    }
    return found;
  }

  /** Words that are off the paper, cut off or too small to read. */
  function words(page, i) {
    const paper = page.getBoundingClientRect();
    const found = [];
    const texts = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode() && found.length < 3) {
      const text = texts.currentNode;
      const el = text.parentElement;
      if (text.data.trim() === "" || el.closest(".q-hidden, style, script, title, desc, [data-overflow]")) continue;
      range.selectNodeContents(text);
      const fault = offPaper(range, paper) || tiny(el) || covered(range, el);
      if (fault) found.push(`page ${i + 1}: "${text.data.trim().slice(0, 40)}" in <${el.tagName.toLowerCase()}> of ${el.closest("[data-id]")?.dataset.id ?? ""} ${fault}`);
    }
    return found;
  }

  function offPaper(range, paper) {
    const out = [...range.getClientRects()].find((r) => r.width > 0 && Math.max(r.right - paper.right, paper.left - r.left, r.bottom - paper.bottom, paper.top - r.top) > TOLERANCE);
    return out && `is at ${[out.left - paper.left, out.top - paper.top, out.right - paper.left, out.bottom - paper.top].map(Math.round)} of ${Math.round(paper.width)} x ${Math.round(paper.height)}`;
  }

  /** Smaller than 5 pt as drawn, though it was not asked to be. */
  function tiny(el) {
    if (el.closest("[data-code]")) return false; // what is written under a bar code is as large as its bars
    const size = parseFloat(getComputedStyle(el).fontSize);
    const drawn = size * drawnAs(el);
    return size >= LEAST && drawn < LEAST - 0.01 && `is ${(drawn * 0.75).toFixed(1)} pt high`;
  }

  function drawnAs(el) {
    const m = el.ownerSVGElement?.getScreenCTM();
    if (m) return Math.hypot(m.a, m.b);
    return el.currentCSSZoom * shrunk(el);
  }

  function shrunk(el) {
    if (el === null) return 1;
    if (!factors.has(el)) {
      const { transform } = getComputedStyle(el);
      const m = transform === "none" ? null : new DOMMatrix(transform);
      factors.set(el, shrunk(el.parentElement) * (m ? Math.hypot(m.a, m.b) : 1));
    }
    return factors.get(el);
  }

  /** A table's text that runs over the next cell. */
  function covered(range, el) {
    const cell = el.closest("td, th");
    if (!cell) return false;
    const own = cell.getBoundingClientRect();
    const over = [...range.getClientRects()].find((r) => r.width > 0 && Math.max(r.right - own.right, own.left - r.left) > TOLERANCE + 1);
    return over && `is ${Math.round(Math.max(over.right - own.right, own.left - over.left))} px over its cell`;
  }

  /** Text that is cut off; what ends in an ellipsis was asked for. */
  function clipped(el) {
    if (el.closest("[data-overflow]")) return false;
    const style = getComputedStyle(el);
    if (style.overflowX === "visible" || style.textOverflow === "ellipsis" || style.clipPath !== "none") return false;
    return el.scrollWidth > el.clientWidth + TOLERANCE || el.scrollHeight > el.clientHeight + TOLERANCE;
  }
  wait();
})
