"""The data of each document, from the reports of the gallery, formatted as both kinds of templates need it."""
import csv, datetime, html, io, json, re
from itertools import groupby
from pathlib import Path

from . import chapters

GALLERY = Path(__file__).parent.parent.parent.parent / "examples/gallery"
NAMES = ["contract", "newsletter", "loan-schedule", "bank-statement", "school-report-ar", "menu", "invoice", "price-list", "energy-report", "statistics-bulletin"]
COLUMNS = {"contract": 222.1, "newsletter": 157.8}  # widths of justified columns, in points
SHOWN = {"loan-schedule": [2], "bank-statement": [2], "newsletter": [1], "energy-report": [2], "statistics-bulletin": [2]}  # pages of the pictures, the first one where nothing is said


COVERS = {"statistics-bulletin"}  # whose first page only Quire has


def data(name):
    return globals()[name.replace("-", "_")](json.loads((GALLERY / f"reports/{name}.json").read_text()))


def every(o, kind):
    """The settings of all elements of a kind."""
    if isinstance(o, dict):
        if o.get("type") == kind:
            yield o["props"]
        o = list(o.values())
    if isinstance(o, list):
        for each in o:
            yield from every(each, kind)


def content(report, source):
    return next(s for s in report["dataSources"] if s["name"] == source)["settings"]["content"]


def markup(rich):
    """Rich text as Typst's markup."""
    marks = {"p": "\n\n", "/p": "\n", "h3": "\n\n== ", "/h3": "\n", "b": "#strong[", "/b": "]", "i": "#emph[", "/i": "]"}
    parts = []
    for part in re.split(r"(<[^>]+>)", html.unescape(rich)):
        if part.startswith("<"):
            parts.append(marks[part.strip("<>")])
        else:
            parts.append(re.sub(r"^(\d+)\.(?=\s)", r"\1\\.", re.sub(r"([\\#$*_@<>~`\[\]])", r"\\\1", part)))
    return "".join(parts)


def day(iso, form="%-d %B %Y"):
    return datetime.date.fromisoformat(iso).strftime(form)


def amount(number):
    return f"{float(number):,.2f}".replace("-", "−")


def energy_report(_):
    return chapters.data("energy-report")


def statistics_bulletin(_):
    return chapters.data("statistics-bulletin")


def contract(report):
    values = content(report, "c")
    def value(found):
        v = values[found[1]]
        return day(v) if found[2].startswith("d") else "£" + amount(v)
    text = re.sub(r"\{\$data\.c\.(\w+):([^}]*)\}", value, next(every(report, "rich-text-editor"))["content"])
    intro = next(p["text"] for p in every(report, "paragraph") if p["text"].startswith("(A)"))
    return {"html": text.replace("h3>", "h2>"), "markup": markup(text), "intro": intro}


def newsletter(report):
    texts = [p["content"] for p in every(report, "rich-text-editor")]
    diary = [{"date": day(d["date"], "%a %-d %b"), "what": d["what"]} for d in content(report, "diary")]
    return {"html": [t.replace("h3>", "h2>") for t in texts], "markup": [markup(t) for t in texts], "diary": diary}


def loan_schedule(report):
    paid, years = 0, []
    for year, rows in groupby(csv.DictReader(io.StringIO(content(report, "plan"))), lambda r: r["due"][:4]):
        rows = list(rows)
        sums = [amount(sum(float(r[k]) for r in rows)) for k in ("payment", "interest", "principal")] + [amount(rows[-1]["balance"])]
        out = []
        for r in rows:
            paid += float(r["payment"])
            out.append({"cells": [r["no"], day(r["due"], "%d %b %Y")] + [amount(r[k]) for k in ("payment", "interest", "principal", "balance")],
                        "payment": float(r["payment"]), "paid": amount(paid)})
        years.append({"year": year, "rows": out, "sums": sums})
    return {"years": years}


def bank_statement(report):
    rows = sorted((r for s in report["dataSources"] if re.fullmatch(r"tx\d", s["name"]) for r in s["settings"]["content"]), key=lambda r: r["booked"])
    months = []
    for month, entries in groupby(rows, lambda r: r["booked"][:7]):
        entries = list(entries)
        months.append({"month": day(month + "-01", "%B %Y"), "sum": signed(sum(r["amount"] for r in entries)), "last": amount(entries[-1]["balance"]),
                       "rows": [{"cells": [day(r["booked"], "%d %b"), r["text"], r["kind"], signed(r["amount"]), amount(r["balance"])], "out": r["amount"] < 0} for r in entries]})
    opening = rows[0]["balance"] - rows[0]["amount"]
    came, went = (sum(r["amount"] for r in rows if (r["amount"] > 0) == up) for up in (True, False))
    return {"months": months, "sum": signed(came + went), "last": amount(rows[-1]["balance"]),
            "tiles": [[k, "€" + amount(v) if v >= 0 else "−€" + amount(-v)] for k, v in
                      (("Opening balance", opening), ("Came in", came), ("Went out", went), ("Closing balance", rows[-1]["balance"]))],
            "note": next(every(report, "paragraph"))["text"]}


def signed(number):
    return ("+" if number > 0 else "") + amount(number)


def school_report_ar(_):
    entries = json.loads((GALLERY / "dictionaries/school.json").read_text())["entries"]
    subjects = ["serbian", "math", "english", "history", "biology", "physics", "art", "sport"]
    marks, absent = [5, 4, 5, 3, 4, 2, 5, 5], [0, 3, 6, 2, 5, 1, 4, 0]
    texts = {k: v["ar"] for k, v in entries.items() if "ar" in v}
    return {"t": texts, "rows": [{"subject": texts[s], "mark": m, "teacher": texts[f"teacher{i + 1}"], "absences": a}
                                 for i, (s, m, a) in enumerate(zip(subjects, marks, absent))], "average": "4.13", "absences": sum(absent)}


def menu(report):
    texts = [p["text"] for p in every(report, "text")]
    return {"sections": content(report, "sections"), "date": texts[0], "courses": texts[-2], "small": texts[-1], "fish": next(every(report, "html"))["html"].replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)}


def invoice(report):
    texts = {k: v["en"] for k, v in json.loads((GALLERY / "dictionaries/invoice.json").read_text())["entries"].items() if "en" in v}
    about = content(report, "invoice")
    lines = [[texts[f"invL{r['line']}"], f"{r['qty']:,}", texts["invU" + r["unit"]], amount(r["price"]), amount(r["net"])] for r in content(report, "lines")]
    return {"t": texts, "number": about["number"], "date": day(about["date"], "%d %B %Y"), "due": day(about["due"], "%d %B %Y"), "lines": lines,
            "net": "€" + amount(about["net"]), "vat": "€" + amount(about["vat"]), "total": "€" + amount(about["total"])}


def price_list(report):
    groups = []
    for group, rows in groupby(content(report, "prices"), lambda r: r["group"]):
        rows = list(rows)
        pictures = [next((GALLERY / "files").rglob(r["image"])).read_text() for r in rows]
        groups.append({"name": group, "rows": [{"svg": svg, "cells": [r["no"], r["name"], str(r["pack"])] + [amount(r[k]) for k in ("p1", "p10", "p50", "retail")]}
                                               for r, svg in zip(rows, pictures)]})
    boxes = [p["text"] for p in every(report, "text")]
    return {"intro": next(every(report, "paragraph"))["text"].replace("{$params.year}", "2027"), "groups": groups, "boxes": list(zip(boxes[::2], boxes[1::2]))}
