#!/usr/bin/env bash
# Puts the fonts that Office files of Quire name into a folder: those of the program,
# which it has in parts, as whole ones, and such as are as wide as Arial, Times New Roman,
# Courier New and Calibri. For LibreOffice's pictures of Office files (make office-pictures).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1

rm -rf "$folder"
mkdir -p "$folder/work"
cd "$folder/work"
python3 -m venv python
python/bin/pip install -q --no-deps -r "$here/officefonts/requirements.txt"
python/bin/python "$here/officefonts/merge.py" "$folder" 2>merge.log || { cat merge.log >&2; exit 1; }
apt-get download fonts-liberation fonts-crosextra-carlito >download.log 2>&1 || { cat download.log >&2; exit 1; }
for package in fonts-*.deb; do dpkg-deb -x "$package" unpacked; done
find unpacked -name '*.ttf' ! -name '*Narrow*' -exec mv {} "$folder" \;
cd "$folder" && rm -rf work
