"""Reads Office files with python-docx, openpyxl and python-pptx.

Each argument is a file. For each it prints a line of JSON: what these libraries
find in it. Of charts it reads what they keep of their values as well as the
workbook behind them; where the two differ it says so under "wrong".
"""

import io
import json
import re
import sys

import docx
import openpyxl
import pptx
from docx.oxml.ns import qn
from openpyxl.utils import range_boundaries
from pptx.chart.chart import Chart
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml

DECORATIVE = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"


def core(properties):
    return {
        "title": properties.title or "",
        "author": getattr(properties, "author", None) or getattr(properties, "creator", None) or "",
        "language": properties.language or "",
        "created": properties.created.isoformat() if properties.created else "",
    }


def one_line(text):
    return " ".join(text.split())


def picture(about):
    """What docPr and cNvPr say of a picture or chart."""
    return {
        "alt": about.get("descr") or "",
        "decorative": any(e.get("val") == "1" for e in about.iter(DECORATIVE)),
    }


# Charts


def cells(book, formula):
    """The cells of a workbook that a reference of a chart names."""
    sheet, _, area = formula.rpartition("!")
    sheet = book[sheet.strip("'").replace("''", "'")]
    left, top, right, bottom = range_boundaries(area.replace("$", ""))
    return [cell.value for row in sheet.iter_rows(top, bottom, left, right) for cell in row]


def number(value):
    """A value of a chart or of a cell as one of a chart: dates are their serial numbers."""
    if value is None or value == "":
        return None
    if hasattr(value, "isoformat"):
        return openpyxl.utils.datetime.to_excel(value)
    return float(value)


def same(a, b):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def references(chart, book, wrong):
    """Compares what a chart keeps of its cells with the cells."""
    for kind in ("numRef", "strRef"):
        for ref in chart.iter("{*}" + kind):
            formula = ref.find("{*}f").text
            held = cells(book, formula)
            kept = [None] * int(ref.find(".//{*}ptCount").get("val"))
            for point in ref.iter("{*}pt"):
                kept[int(point.get("idx"))] = point.find("{*}v").text
            if len(kept) != len(held):
                wrong.append(f"{formula} has {len(kept)} points and {len(held)} cells")
                continue
            for a, b in zip(kept, held):
                equal = same(number(a), number(b)) if kind == "numRef" else (a or "") == str(b if b is not None else "")
                if not equal:
                    wrong.append(f"{formula} keeps {a!r}, its cell has {b!r}")


def series(chart):
    """The series of a chart as python-pptx finds them."""
    found = []
    for plot in chart.plots:
        kind = plot._element.tag.rpartition("}")[2]
        categories = [str(c) for c in plot.categories]
        for s in plot.series:
            element = s._element
            places = [number(p.find("{*}v").text) for p in element.findall("{*}xVal//{*}pt")]
            found.append({"kind": kind, "name": s.name, "values": list(s.values), "categories": categories, "places": places})
    return found


def chart_of(part, open_book, wrong):
    """A chart part, which python-pptx knows how to read in every kind of file."""
    element = parse_xml(part.blob)
    embedded = [r.target_part.blob for r in part.rels.values() if r.reltype.endswith("/package")]
    if len(embedded) != 1:
        wrong.append(f"{part.partname} has {len(embedded)} workbooks")
    else:
        references(element, open_book(embedded[0]), wrong)
    return series(Chart(element, part))


def open_book(blob):
    return openpyxl.load_workbook(io.BytesIO(blob), data_only=True)


# Documents of Word

OFFICE_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def fields(root):
    """The codes of fields, simple ones and those of several runs."""
    codes, code = [], None
    for e in root.iter(qn("w:fldSimple"), qn("w:fldChar"), qn("w:instrText")):
        if e.tag == qn("w:fldSimple"):
            codes.append(one_line(e.get(qn("w:instr"))))
        elif e.tag == qn("w:instrText"):
            code = (code or "") + e.text
        elif e.get(qn("w:fldCharType")) == "separate":
            codes.append(one_line(code or ""))
            code = None
    return codes


def word(name, wrong):
    d = docx.Document(name)
    body = d.element.body
    styles = {s.style_id: s.name for s in d.styles}
    paragraphs = []
    for p in body.iter(qn("w:p")):
        style = p.pPr.pStyle.val if p.pPr is not None and p.pPr.pStyle is not None else None
        pieces = [""]
        for e in p.iter(qn("w:t"), qn("w:tab")):
            if e.tag == qn("w:t"):
                pieces[-1] += e.text or ""
            elif e.getparent().tag == qn("w:r"):
                pieces.append("")
        text = "\t".join(one_line(piece) for piece in pieces)
        paragraphs.append({"style": styles.get(style, "?" + str(style)) if style else "Normal", "text": text})
    tables = []
    for t in body.iter(qn("w:tbl")):
        table = docx.table.Table(t, d)
        repeated = [r.trPr is not None and r.trPr.find(qn("w:tblHeader")) is not None for r in t.tr_lst]
        caption = t.tblPr.find(qn("w:tblCaption"))
        tables.append({
            "style": table.style.name,
            "columns": len(table.columns),
            "rows": len(table.rows),
            "head": repeated.index(False) if False in repeated else len(repeated),
            "caption": caption.get(qn("w:val")) if caption is not None else "",
            "rightToLeft": table.table_direction is not None and str(table.table_direction).startswith("RTL"),
        })
    sections = []
    for s in d.sections:
        sections.append({
            "width": s.page_width.mm,
            "height": s.page_height.mm,
            "margin": [m.mm for m in (s.top_margin, s.right_margin, s.bottom_margin, s.left_margin)],
            "landscape": str(s.orientation).startswith("LANDSCAPE"),
            "continuous": str(s.start_type).startswith("CONTINUOUS"),
            "firstHeader": one_line("".join(t.text or "" for t in s.first_page_header._element.iter(qn("w:t")))) if s.different_first_page_header_footer else None,
            "header": one_line("".join(t.text or "" for t in s.header._element.iter(qn("w:t")))),
            "footer": one_line("".join(t.text or "" for t in s.footer._element.iter(qn("w:t")))),
            "fields": sorted(set(fields(s.header._element) + fields(s.footer._element) + (fields(s.first_page_header._element) if s.different_first_page_header_footer else []))),
        })
    pictures, charts = [], []
    for e in body.iter(qn("wp:inline"), qn("wp:anchor")):
        about = picture(e.find(qn("wp:docPr")))
        chart = e.find(".//{http://schemas.openxmlformats.org/drawingml/2006/chart}chart")
        if chart is None:
            pictures.append(about)
        else:
            part = d.part.related_parts[chart.get(OFFICE_RELATION + "id")]
            charts.append(about | {"series": chart_of(part, open_book, wrong)})
    default = d.styles.element.find(".//" + qn("w:rPrDefault") + "//" + qn("w:lang"))
    return {
        "core": core(d.core_properties),
        "languages": sorted(set(default.attrib.values())) if default is not None else [],
        "paragraphs": paragraphs,
        "tables": tables,
        "sections": sections,
        "fields": fields(body),
        "pictures": pictures,
        "charts": charts,
    }


# Workbooks


def workbook(name, wrong):
    b = openpyxl.load_workbook(name)
    shown = openpyxl.load_workbook(name, data_only=True)
    sheets = []
    for s in b.worksheets:
        charts = []
        for c in s._charts:
            kept = []
            for plot in [c] + c._charts[1:]:
                for one in plot.series:
                    values = one.val or one.yVal
                    ref = values.numRef
                    title = one.tx.strRef.strCache.pt[0].v if one.tx.strRef.strCache.pt else ""
                    points = [None] * ref.numCache.ptCount
                    for p in ref.numCache.pt:
                        points[p.idx] = number(p.v)
                    held = [number(v) for v in cells(shown, ref.f)]
                    if len(held) != len(points) or not all(same(a, b) for a, b in zip(held, points)):
                        wrong.append(f"{ref.f} keeps {points}, its cells have {held}")
                    places = [number(v) for v in cells(shown, one.xVal.numRef.f)] if one.xVal and one.xVal.numRef else []
                    kept.append({"kind": plot.tagname, "name": title, "values": points, "categories": [], "places": places})
            charts.append({"series": kept})
        rows = [[one_line(str(c)) if c is not None else "" for c in row] for row in s.iter_rows(values_only=True)]
        sheets.append({
            "name": s.title,
            "rows": rows,
            "freeze": s.freeze_panes or "",
            "filter": s.auto_filter.ref or "",
            "tables": [t.ref for t in s.tables.values()],
            "printTitles": s.print_title_rows or "",
            "landscape": s.page_setup.orientation == "landscape",
            "paper": int(s.page_setup.paperSize or 0),
            "merged": len(s.merged_cells.ranges),
            "footer": "".join(part.text or "" for part in (s.oddFooter.left, s.oddFooter.center, s.oddFooter.right)),
            "numbers": sum(1 for row in s.iter_rows() for c in row if c.data_type == "n" and c.value is not None),
            "formulas": sum(1 for row in s.iter_rows() for c in row if c.data_type == "f"),
            "pictures": len(s._images),
            "charts": charts,
        })
    return {"core": core(b.properties), "sheets": sheets}


# Presentations


def everything(shapes):
    for s in shapes:
        yield s
        if s.shape_type == pptx.enum.shapes.MSO_SHAPE_TYPE.GROUP:
            yield from everything(s.shapes)


def presentation(name, wrong):
    p = pptx.Presentation(name)
    slides = []
    languages = set()
    for s in p.slides:
        tables, charts, pictures = [], [], []
        for shape in everything(s.shapes):
            about = picture(shape._element._nvXxPr.cNvPr)
            if shape.has_chart:
                charts.append(about | {"series": chart_of(shape.chart.part, open_book, wrong)})
            elif shape.has_table:
                t = shape.table
                tables.append({"columns": len(t.columns), "rows": len(t.rows), "head": t.first_row, "cells": [[one_line(c.text) for c in r.cells] for r in t.rows]})
            elif shape.shape_type == pptx.enum.shapes.MSO_SHAPE_TYPE.PICTURE:
                shape.image.blob  # there is one
                pictures.append(about)
        for e in s._element.iter("{*}rPr", "{*}endParaRPr"):
            languages.add(e.get("lang"))
        title = s.shapes.title
        slides.append({
            "title": one_line(title.text) if title is not None else "",
            "placeholders": [str(h.placeholder_format.type).split(" ")[0] for h in s.placeholders],
            "layout": s.slide_layout.name,
            "layoutTitle": any(h.placeholder_format.type == PP_PLACEHOLDER.TITLE for h in s.slide_layout.placeholders),
            "numbered": any(e.get("type") == "slidenum" for part in (s, s.slide_layout) for e in part._element.iter("{*}fld")),
            "notes": s.has_notes_slide,
            "tables": tables,
            "charts": charts,
            "pictures": pictures,
        })
    return {
        "core": core(p.core_properties),
        "languages": sorted(l for l in languages if l),
        "width": p.slide_width.mm,
        "height": p.slide_height.mm,
        "slides": slides,
    }


READERS = {"docx": word, "xlsx": workbook, "pptx": presentation}

for name in sys.argv[1:]:
    wrong = []
    try:
        found = READERS[name.rpartition(".")[2]](name, wrong)
    except Exception as e:  # what a library cannot read is what the test asks for
        found, wrong = {}, [f"{type(e).__name__}: {e}"]
    json.dump({"file": name, "wrong": wrong} | found, sys.stdout, ensure_ascii=False)
    print()
