// A stand-in for the real paginator in tests of this package: every table row
// is 10 mm high and every page holds data-rows rows; nothing is measured.
var quire = (() => {
  const pages = () => [...document.querySelectorAll('.q-page')];
  const box = (number, table) => {
    const page = document.createElement('div');
    page.className = 'q-page';
    page.dataset.number = number;
    page.append(table);
    return page;
  };
  const split = (table, perPage) => {
    const rows = [...table.tBodies[0].rows], tables = [];
    for (let i = 0; i < rows.length; i += perPage) {
      const t = table.cloneNode(false);
      if (table.tHead) t.append(table.tHead.cloneNode(true));
      const body = document.createElement('tbody');
      body.append(...rows.slice(i, i + perPage));
      t.append(body);
      tables.push(t);
    }
    return tables;
  };
  const style = '@page{size:210mm 297mm;margin:0} body{margin:0} .q-page{width:210mm;height:297mm;contain:strict;overflow:hidden;break-after:page}' +
    ' .q-page:last-of-type{break-after:auto} .q-off{display:none}';
  return {
    async paginate() {
      if (document.body.dataset.fail) throw new Error(document.body.dataset.fail);
      if (document.body.dataset.hang) await new Promise(() => {});
      await document.fonts.ready;
      const css = document.createElement('style');
      css.textContent = style;
      document.head.append(css);
      const result = { pages: [], anchors: [], warnings: [], ms: 0 };
      for (const sheet of [...document.querySelectorAll('section.q-sheet')]) {
        const table = sheet.querySelector('table[data-rows]');
        const parts = table ? split(table, +table.dataset.rows) : [sheet.querySelector('.q-body')];
        for (const part of parts) {
          const number = result.pages.length + 1;
          document.body.insertBefore(box(number, part), sheet);
          result.pages.push({ number, width: 793.7, height: 1122.5, name: sheet.dataset.name || '', sourcePage: sheet.dataset.page || '' });
        }
        sheet.remove();
      }
      for (const page of pages()) {
        const origin = page.getBoundingClientRect();
        for (const e of page.querySelectorAll('[id]')) {
          const r = e.getBoundingClientRect();
          result.anchors.push({ id: e.id, page: +page.dataset.number, x: r.left - origin.left, y: r.top - origin.top, level: +(e.dataset.outline || 0), text: e.textContent });
        }
      }
      return result;
    },
    show(from, to) {
      for (const p of pages()) p.classList.toggle('q-off', from !== undefined && (+p.dataset.number < from || +p.dataset.number > to));
    },
    extract(from, to) {
      let html = '';
      for (const p of pages()) {
        if (+p.dataset.number < from || +p.dataset.number > to) continue;
        p.classList.remove('q-off');
        html += p.outerHTML;
        p.remove();
      }
      return html;
    },
    adopt() {},
  };
})();
