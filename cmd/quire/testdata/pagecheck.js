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

  function look(pages) {
    for (const tool of document.querySelectorAll(".q-tools, .q-warnings")) tool.remove();
    settle(pages);
    const bodies = pages.map((p) => p.querySelector(":scope > .q-page-body"));
    return {
      Pages: pages.length,
      Text: bodies.map(textOf).join("").replace(/\s+/g, ""),
      Sliced: document.querySelector("tr.q-sliced") !== null,
      Overflow: pages.flatMap(overflow).slice(0, 5),
      Boxes: pages.map((p) => ({ ...rect(p), Attached: p.dataset.attached !== undefined })),
      Codes: pages.flatMap((p, i) => [...p.querySelectorAll("[data-code]")].map((el) => ({ Page: i, Text: el.dataset.code, Format: el.dataset.format, ...rect(el, p) }))),
    };
  }

  /** Draws all pages, without shadows, each at whole pixels, so that pictures of them can be compared. */
  function settle(pages) {
    const style = document.createElement("style");
    style.textContent = ".q-frame{margin:0!important;width:max-content!important;height:auto!important;overflow:visible!important}.q-desk{align-items:flex-start!important;gap:8px!important;padding:20px!important;transform:none!important}.q-desk>.q-page{content-visibility:visible!important;box-shadow:none!important}";
    document.head.append(style);
    for (const p of pages) {
      const top = p.getBoundingClientRect().top + scrollY;
      p.style.marginTop = `${Math.ceil(top - 0.001) - top}px`;
    }
  }

  function rect(el, from) {
    const r = el.getBoundingClientRect();
    const o = from ? from.getBoundingClientRect() : { left: -scrollX, top: -scrollY };
    return { X: r.left - o.left, Y: r.top - o.top, Width: r.width, Height: r.height };
  }

  function textOf(body) {
    const copy = body.cloneNode(true);
    for (const el of copy.querySelectorAll("[data-repeated], .q-page-number, .q-page-count, .q-page-of, script, style")) el.remove();
    return copy.textContent;
  }

  function overflow(page, i) {
    const found = [];
    for (const part of page.querySelectorAll(":scope > .q-page-body, :scope > .q-page-header, :scope > .q-page-footer")) {
      const room = part.getBoundingClientRect();
      for (const el of part.querySelectorAll("*")) {
        // The body may hang over with the margin of its last block.
        if (el.ownerSVGElement || el.closest(".q-hidden") || el.matches(".q-body, .q-scaled-content")) continue;
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

  /** Text that is cut off; what ends in an ellipsis was asked for. */
  function clipped(el) {
    const style = getComputedStyle(el);
    if (style.overflowX === "visible" || style.textOverflow === "ellipsis" || style.clipPath !== "none") return false;
    return el.scrollWidth > el.clientWidth + TOLERANCE || el.scrollHeight > el.clientHeight + TOLERANCE;
  }
  wait();
})
