#!/usr/bin/env bash
# Fetches Typst, WeasyPrint and Paged.js in the versions that were compared, sets the documents by
# them and by bin/quire, and writes files, pictures and figures into bin/compare.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/node.sh
mkdir -p bin/compare
[ -x bin/compare/python/bin/python ] || python3 -m venv bin/compare/python
bin/compare/python/bin/pip install --quiet --disable-pip-version-check -r scripts/compare/requirements.txt
[ -d bin/compare/node_modules/pagedjs ] || npm install --prefix bin/compare --no-audit --no-fund --no-save --silent pagedjs@0.4.3
cp bin/compare/node_modules/pagedjs/dist/paged.polyfill.min.js bin/compare/paged.js
[ -d e2e/node_modules/puppeteer-core ] || (cd e2e && npm ci --no-audit --no-fund --silent)
exec bin/compare/python/bin/python scripts/compare/compare.py "$@"
