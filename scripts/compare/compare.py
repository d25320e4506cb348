"""Sets the same documents by Quire, Typst, WeasyPrint and Paged.js, and says where they differ.

Quire prints reports of the gallery. The others get the same data, fonts, sizes and margins,
in a template as a user of theirs would write it: documents/NAME.typ for Typst,
documents/NAME.html (Jinja) for WeasyPrint and Paged.js. What comes out is in bin/compare:
NAME.TOOL.pdf, NAME.png with the pages side by side, and figures.md.

    python compare.py            all documents
    python compare.py menu ...   some of them
"""
import glob, json, os, re, shutil, subprocess, sys, time
from html import unescape
from pathlib import Path
from statistics import mean

import jinja2
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw

import documents

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
WORK = ROOT / "bin/compare"
TOOLS = {"quire": "Quire", "typst": "Typst", "weasyprint": "WeasyPrint", "pagedjs": "Paged.js"}
FONTS = {
    "Source Serif 4": ("source-serif-4", "latin", [(400, "normal"), (400, "italic"), (600, "normal"), (700, "normal")]),
    "Source Sans 3": ("source-sans-3", "latin", [(400, "normal"), (600, "normal"), (700, "normal")]),
    "Inter": ("inter", "latin", [(400, "normal"), (500, "normal"), (600, "normal"), (700, "normal")]),
    "Noto Sans Arabic": ("noto-sans-arabic", "arabic", [(400, "normal"), (700, "normal")]),
}


def fonts():
    """Quire's fonts as TTF, which all read, and the rules that name them."""
    rules = []
    (WORK / "fonts").mkdir(parents=True, exist_ok=True)
    for family, (code, script, faces) in FONTS.items():
        for weight, style in faces:
            name = f"{code}-{script}-{weight}-{style}"
            ttf = WORK / f"fonts/{name}.ttf"
            if not ttf.exists():
                font = TTFont(ROOT / f"assets/fonts/{code}/{name}.woff2")
                font.flavor = None
                font.save(ttf)
            rules.append(f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{style};src:url(fonts/{name}.ttf)}}")
    (WORK / "fonts.css").write_text("\n".join(rules))


def sources(name):
    """What the templates need: data for Typst and HTML for the others, beside the fonts."""
    data = documents.data(name)
    (WORK / f"{name}.json").write_text(json.dumps(data, ensure_ascii=False))
    for typ in (HERE / "documents").glob("*.typ"):
        shutil.copy(typ, WORK)
    html = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "documents"), trim_blocks=True, lstrip_blocks=True)
    text = html.get_template(f"{name}.html").render(**data)
    (WORK / f"{name}.html").write_text(text)
    script = '<script src="paged.js"></script>'
    (WORK / f"{name}.paged.html").write_text(text.replace("</head>", script + "</head>"))


def commands(name):
    """How each tool is called; all make tagged files, PDF/UA-1 where they can."""
    typst = "import sys,typst;typst.compile(sys.argv[1],output=sys.argv[2],font_paths=['fonts'],ignore_system_fonts=True,pdf_standards=['ua-1'])"
    chromium = next(filter(None, map(shutil.which, ["chromium-headless-shell", "chromium", "google-chrome", "chrome-headless-shell"])), "chromium")
    out = {tool: f"{name}.{tool}.pdf" for tool in TOOLS}
    return {
        "quire": [str(ROOT / "bin/quire"), "render", str(ROOT / f"examples/gallery/reports/{name}.json"), "-o", out["quire"], "--accessible"],
        "typst": [sys.executable, "-c", typst, f"{name}.typ", out["typst"]],
        "weasyprint": [sys.executable, "-m", "weasyprint", "-q", "--pdf-variant", "pdf/ua-1", f"{name}.html", out["weasyprint"]],
        "pagedjs": ["node", str(HERE / "paged.mjs"), f"{name}.paged.html", out["pagedjs"], chromium],
    }


def set_one(name):
    """How many seconds each tool took; what fails is told and left out."""
    took = {}
    for tool, command in commands(name).items():
        if tool == "pagedjs" and not (WORK / "paged.js").exists():
            continue
        began = time.monotonic()
        done = subprocess.run(command, cwd=WORK, capture_output=True, text=True)
        ended = time.monotonic()
        if done.returncode or not (WORK / f"{name}.{tool}.pdf").exists():
            print(f"{name}: {tool} failed\n{done.stderr[-2000:]}", file=sys.stderr)
            continue
        took[tool] = ended - began
    return took


def lines(pdf, last=1000):
    """Lines of a PDF file up to a page, by blocks: lists of (left, right, text of a word)."""
    said = subprocess.run(["pdftotext", "-bbox-layout", "-l", str(last), pdf, "-"], cwd=WORK, capture_output=True, text=True).stdout
    for block in re.findall(r"<block.*?</block>", said, re.S):
        yield [[(float(left), float(right), unescape(word)) for left, right, word in
                re.findall(r'<word xMin="([\d.-]+)" yMin="[\d.-]+" xMax="([\d.-]+)" yMax="[\d.-]+">(.*?)</word>', line)]
               for line in re.findall(r"<line.*?</line>", block, re.S)]


def justified(pdf, column):
    """Figures of justified lines, those as wide as a column is; None without any."""
    gaps, hyphens, full, runts, pieces, row = [], 0, 0, 0, 0, 0
    longest = 0
    for block in lines(pdf, 2):  # schedules follow in Quire's contract
        broken = was_full = False
        for words in filter(None, block):
            width = words[-1][1] - words[0][0]
            if was_full and width < 34:  # 12 mm
                runts += 1
                pieces += broken and len(words) == 1
            was_full = abs(width - column) < 4
            broken = words[-1][2].endswith(("-", "\u2010", "\u00ad"))
            if not was_full:
                row = 0
                continue
            full += 1
            hyphens += broken
            row = row + 1 if broken else 0
            longest = max(longest, row)
            gaps += [b[0] - a[1] for a, b in zip(words, words[1:])]
    if not full:
        return None
    gaps.sort()
    return {"lines": full, "mean gap": f"{mean(gaps):.1f}", "95th": f"{gaps[int(len(gaps) * .95)]:.1f}", "widest": f"{gaps[-1]:.1f}",
            "hyphens": hyphens, "in a row": longest, "short": runts, "pieces": pieces}


def uneven(pdf):
    """How far the right edges of amounts in a column lie apart, in points."""
    edges = sorted(right for block in lines(pdf) for line in block for _, right, word in line if re.fullmatch(r"[−+-]?[\d,]+\.\d\d", word))
    far = start = 0
    for a, b in zip(edges, edges[1:]):
        start = start or a
        if b - a > 2:
            start = b
        far = max(far, b - start)
    return far


def pages(pdf):
    said = subprocess.run(["pdfinfo", pdf], cwd=WORK, capture_output=True, text=True).stdout
    return int(re.search(r"Pages:\s+(\d+)", said)[1])


def judged(files):
    """What veraPDF says of each as PDF/UA-1; nothing where scripts/setup.sh has not fetched it."""
    judge = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "quire/verapdf"
    if not (judge / "sum").exists():
        return {}
    said = subprocess.run(["java", "-cp", judge / "lib/*", ROOT / "scripts/verapdf/Validate.java", *(f"ua1={f}" for f in files)],
                          cwd=WORK, capture_output=True, text=True).stdout
    verdicts = map(json.loads, said.splitlines())
    return {v["file"]: f"{len(v['failed'])} fail" if v["failed"] else "passes" for v in verdicts}


def picture(name, dpi=60):
    """The pages that documents.SHOWN names, tools side by side."""
    shown = documents.SHOWN.get(name, [1])
    rows = []
    for page in shown:
        row = []
        for tool in TOOLS:
            pdf = WORK / f"{name}.{tool}.pdf"
            if not pdf.exists():
                continue
            at = str(page + (tool == "quire" and name in documents.COVERS))
            subprocess.run(["pdftoppm", "-r", str(dpi), "-f", at, "-l", at, "-singlefile", "-png", pdf, WORK / "page"])
            drawn = WORK / "page.png"
            row.append((TOOLS[tool], Image.open(drawn).convert("RGB").copy() if drawn.exists() else None))
            drawn.unlink(missing_ok=True)
        rows.append(row)
    width, height = rows[0][0][1].size
    sheet = Image.new("RGB", ((width + 8) * len(rows[0]), (height + 8) * len(rows) + 16), "#8a8f94")
    draw = ImageDraw.Draw(sheet)
    for y, row in enumerate(rows):
        for x, (tool, drawn) in enumerate(row):
            if y == 0:
                draw.text((x * (width + 8) + 6, 3), tool, fill="white")
            if drawn:
                sheet.paste(drawn, (x * (width + 8) + 4, y * (height + 8) + 18))
    sheet.quantize(32, dither=Image.Dither.NONE).save(WORK / f"{name}.png", optimize=True)


def table(rows):
    head = list(rows[0])
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in [head, ["---"] * len(head)] + [list(r.values()) for r in rows]) + "\n"


def main():
    names = sys.argv[1:] or documents.NAMES
    fonts()
    made, files, texts = [], [], []
    for name in names:
        for old in glob.glob(str(WORK / f"{name}.*.pdf")):
            os.remove(old)
        sources(name)
        took = set_one(name)
        for tool in took:
            pdf = f"{name}.{tool}.pdf"
            made.append(pdf)
            files.append({"document": name, "tool": TOOLS[tool], "pages": pages(pdf), "kB": os.path.getsize(WORK / pdf) // 1000, "seconds": f"{took[tool]:.1f}",
                          "amounts apart": f"{uneven(pdf):.1f}"})
            if (column := documents.COLUMNS.get(name)) and (measured := justified(pdf, column)):
                texts.append({"document": name, "tool": TOOLS[tool], **measured})
        picture(name)
        print(name, "done")
    for row, verdict in zip(files, map(judged(made).get, made)):
        row["PDF/UA-1"] = verdict or "not judged"
    (WORK / "figures.md").write_text(table(files) + ("\n" + table(texts) if texts else ""))


if __name__ == "__main__":
    main()
