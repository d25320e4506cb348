"""A report of chapters with charts, as Quire sets it in HTML, taken apart for the others: headings, paragraphs, tables, and charts as SVG."""
import html, re, subprocess
from pathlib import Path
from xml.etree import ElementTree

import tinyhtml5

ROOT = Path(__file__).parent.parent.parent.parent
WORK = ROOT / "bin/compare"
SVG = "{http://www.w3.org/2000/svg}"
ElementTree.register_namespace("", SVG.strip("{}"))


def data(name):
    page = WORK / f"{name}.source.html"
    subprocess.run([ROOT / "bin/quire", "render", ROOT / f"examples/gallery/reports/{name}.json", "-o", page], check=True, capture_output=True)
    tree = tinyhtml5.parse(page.read_text(), namespace_html_elements=False)
    reader = Reader(name, "".join(style.text or "" for style in tree.iter("style")))
    for sheet in tree.iter("section"):
        if sheet.get("data-count") != "0":  # a cover is a picture
            begins = len(reader.blocks)
            for body in (e for e in sheet if "q-body" in classes(e)):
                reader.read(body)
            for first in reader.blocks[begins:begins + 1] if begins else []:
                first["anew"] = True
    return {"blocks": figures(reader.blocks)}


def classes(el):
    return (el.get("class") or "").split()


def is_chart(el):
    return any(kind.endswith("-chart") for kind in classes(el))


def plain(el):
    return re.sub(r"\s+", " ", "".join(el.itertext())).strip()


def inline(el, marks):
    """Text with what is bold, italic or refers, as marks say it."""
    def text(s):
        return marks["text"](re.sub(r"\s+", " ", s or ""))
    out = text(el.text)
    for child in el:
        inner = inline(child, marks)
        if "q-note" in classes(child):
            inner = marks["note"](text(child[0].tail))
        if child.tag in marks:
            to = child.get("href", "#")[1:]
            inner = marks[child.tag](inner, "" if to.startswith("equation-") else to)
        out += inner + text(child.tail)
    return out


IN_HTML = {"text": html.escape, "note": lambda s: f'<span class="note">{s}</span>', "b": lambda s, _: f"<b>{s}</b>", "i": lambda s, _: f"<i>{s}</i>", "a": lambda s, to: f'<a href="#{to}">{s}</a>' if to else s}
IN_TYPST = {"text": lambda s: re.sub(r"([\\#$*_@<>~`\[\]=])", r"\\\1", s), "note": lambda s: f"#footnote[{s}]", "b": lambda s, _: f"#strong[{s}]", "i": lambda s, _: f"#emph[{s}]",
            "a": lambda s, to: f"#link(<{to}>)[{s}]" if to else s}


def both(el):
    return {"html": inline(el, IN_HTML).strip(), "markup": inline(el, IN_TYPST).strip()}


class Reader:
    def __init__(self, name, css):
        self.name, self.blocks, self.charts = name, [], 0
        self.variables = dict(re.findall(r"(--[\w-]+):([^;}]*)", css))
        self.rules = " ".join(self.valued(r) for r in re.findall(r"(?<=[{}])[^{}@]*\.q-c[^{}]*\{[^}]*\}", css) if not re.search(r":(is|has|not)\(", r))

    def valued(self, css):
        """Styles with the values of their variables."""
        def value(found):
            return self.variables.get(found[1], (found[2] or ",")[1:])
        while (done := re.sub(r"var\((--[\w-]+)(,[^()]*)?\)", value, css)) != css:
            css = done
        return css

    def read(self, el):
        for e in el:
            kinds = classes(e) if isinstance(e.tag, str) else []
            if e.tag in ("h1", "h2", "h3"):
                self.blocks.append({"kind": e.tag, "id": e.get("id"), "anew": e.get("data-break-before") == "page", **both(e)})
            elif e.tag == "p":
                self.blocks.append({"kind": "p", **both(e)})
            elif is_chart(e):
                self.blocks.append({"kind": "charts", "charts": [self.chart(e)]})
            elif "q-flow" in kinds and any(is_chart(c) for c in e):
                self.blocks.append({"kind": "charts", "charts": [self.chart(c) for c in e]})
            elif "q-flow" in kinds and any("q-kpi-tile" in classes(c) for c in e):
                self.blocks.append({"kind": "tiles", "tiles": [[plain(next(d for d in c.iter("div") if f"q-kpi-{part}" in classes(d))) for part in ("label", "value", "change")] for c in e]})
            elif "q-figure-caption" in kinds:
                self.caption(e)
            elif "q-data-table" in kinds:
                self.table(e)
            elif e.tag == "dl":
                self.blocks.append({"kind": "pairs", "pairs": [[both(row.find("dt")), both(row.find("dd"))] for row in e.iter("div")]})
            elif e.tag in ("ul", "ol"):
                self.blocks.append({"kind": "list", "items": [both(i) for i in e.iter("li")]})
            elif "q-toc" in kinds or "q-tof" in kinds:
                entries = [{"to": a.get("href")[1:], "level": int("".join(re.findall(r"q-toc-(\d)", a.get("class"))) or 1), **both(next(s for s in a if "q-entry-title" in classes(s)))} for a in e.iter("a")]
                self.blocks.append({"kind": "contents", "of": entries[0]["to"].split("-")[1] if "q-tof" in kinds else "chapters", "entries": entries})
            elif isinstance(e.tag, str) and "q-math" not in kinds:
                if "q-text" in kinds:
                    self.blocks.append({"kind": "h3", "id": e.get("data-id"), "anew": False, **both(e)})
                self.read(e)

    def chart(self, el):
        svg = next(el.iter(SVG + "svg"))
        width, height = map(float, svg.get("viewBox").split()[2:])
        self.charts += 1
        file = f"{self.name}.chart{self.charts}.svg"
        svg.set("width", str(width))
        svg.set("height", str(height))
        drawn = self.valued(ElementTree.tostring(svg, encoding="unicode"))
        drawn = drawn.replace(">", f"><style>svg{{font-family:{self.valued('var(--font)').split(',')[0]};fill:{self.valued('var(--text)')}}} {self.rules}</style>", 1)
        (WORK / file).write_text(drawn.replace("currentColor", self.valued("var(--text)")))
        said = next((d.get("aria-label") for d in el.iter("div") if d.get("aria-label")), None) or el.get("aria-label") or "Chart"
        return {"file": file, "width": width, "height": height, "alt": said}

    def caption(self, el):
        name = plain(next(s for s in el if "q-figure-name" in classes(s)))
        self.blocks.append({"kind": "caption", "id": el.get("id"), "of": el.get("id").split("-")[1], "name": name, "title": plain(el)[len(name):].strip(), "above": el.get("data-keep-next") is not None})

    def table(self, el):
        rows = []
        for tr in el.iter("tr"):
            kinds = classes(tr)
            cells = [{"text": plain(c), "right": "q-right" in classes(c), "span": int(c.get("colspan", 1)), "down": int(c.get("rowspan", 1)), "head": c.tag == "th"} for c in tr]
            kind = "total" if any(k.endswith(("total", "footer")) or "foot" in k for k in kinds) else "group" if len(cells) == 1 else ""
            rows.append({"cells": cells, "kind": kind})
        head = len(el.find("thead")) if el.find("thead") is not None else 0
        self.blocks.append({"kind": "table", "columns": sum(c["span"] for c in rows[0]["cells"]), "right": [c["right"] for c in rows[0]["cells"] for _ in range(c["span"])], "head": rows[:head], "rows": rows[head:]})


def figures(blocks):
    """Joins charts and tables with their captions."""
    out = []
    for b in blocks:
        if b["kind"] == "caption" and not b["above"]:
            parts = []
            while out and out[-1]["kind"] in ("charts", "table"):
                parts.insert(0, out.pop())
            out.append({**b, "kind": "figure", "parts": parts})
        elif b["kind"] == "caption":
            out.append({**b, "kind": "figure", "parts": []})
        elif b["kind"] in ("charts", "table") and out and out[-1]["kind"] == "figure" and out[-1]["above"] and not out[-1]["parts"]:
            out[-1]["parts"].append(b)
        else:
            out.append(b)
    return out
