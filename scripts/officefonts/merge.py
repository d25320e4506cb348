"""Makes of the WOFF2 files of assets/fonts, of which each has a part of a font's
letters, whole fonts as programs of offices read them. merge.py FOLDER"""

import json
import pathlib
import sys
import tempfile

from fontTools import merge, ttLib

fonts = pathlib.Path(__file__).parents[2] / "assets" / "fonts"
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
parts = {}
for face in json.loads((fonts / "fonts.json").read_text()):
    if face["weight"] in ("400", "700"):  # what bold and regular are in an office
        parts.setdefault((face["family"], face["weight"], face["style"]), []).append(fonts / face["file"])

for (family, weight, style), files in parts.items():
    with tempfile.TemporaryDirectory() as work:
        plain = []
        for i, file in enumerate(files):
            font = ttLib.TTFont(file)
            font.flavor = None
            for table in ("GSUB", "GPOS", "GDEF"):  # parts that say the same of letters of their own do not merge
                if table in font and family != "Noto Sans Arabic" and i > 0:
                    del font[table]
            plain.append(f"{work}/{i}.ttf")
            font.save(plain[-1])
        whole = merge.Merger(merge.Options(drop_tables=["vmtx", "vhea", "MATH"])).merge(plain)
    bold, italic = weight == "700", style == "italic"
    name = " ".join((["Bold"] if bold else []) + (["Italic"] if italic else [])) or "Regular"
    for record in list(whole["name"].names):
        if record.nameID in (16, 17, 21, 22, 25):
            whole["name"].removeNames(nameID=record.nameID)
    for number, text in ((1, family), (2, name), (4, f"{family} {name}"), (6, f"{family}-{name}".replace(" ", ""))):
        whole["name"].removeNames(nameID=number)
        whole["name"].setName(text, number, 3, 1, 0x409)
    whole["OS/2"].usWeightClass = int(weight)
    whole["OS/2"].fsSelection = (0x20 if bold else 0) | (0x01 if italic else 0) or 0x40
    whole["head"].macStyle = (1 if bold else 0) | (2 if italic else 0)
    whole.save(folder / f"{family}-{name}.ttf".replace(" ", ""))
