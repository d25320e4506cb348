#!/usr/bin/env bash
# Builds the site of the documentation into the folder site/: the pages of docs/,
# with architecture, contributing and changelog beside them. A link or an anchor that
# leads nowhere fails.
#
#   --check  only looks whether it builds, where there is what builds it
set -euo pipefail
cd "$(dirname "$0")/.."
python=${XDG_CACHE_HOME:-$HOME/.cache}/quire/site/bin
if [ ! -x "$python/mkdocs" ]; then
	if [ "${1:-}" = --check ] && [ "${QUIRE_ALL:-}" != 1 ]; then
		echo "  skipped: needs mkdocs; scripts/setup.sh test fetches it" >&2
		exit
	fi
	echo "mkdocs is missing: run scripts/setup.sh test" >&2
	exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r docs "$work/docs"
cp scripts/site/mkdocs.yml "$work/"
cp api/ui/static/icon.svg "$work/docs/pictures/logo.svg"
for page in ARCHITECTURE CONTRIBUTING CHANGELOG; do
	# Links between these pages and to those of docs/ are other ones there.
	sed -E 's#\]\(docs/#](#g; s#\]\((ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md#](\L\1\E.md#g' $page.md >"$work/docs/${page,,}.md"
done
sed -i -E 's#\]\(\.\./(ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md#](\L\1\E.md#g' "$work"/docs/*.md
# With --quiet, warnings would not be counted, and --strict let all pass.
if ! NO_MKDOCS_2_WARNING=1 "$python/mkdocs" build --strict --config-file "$work/mkdocs.yml" >"$work/said" 2>&1; then
	grep -vE '^INFO' "$work/said" >&2 || cat "$work/said" >&2
	exit 1
fi
[ "${1:-}" != --check ] || exit 0
rm -rf site
mv "$work/site" site
echo "· the documentation is in site/; read it with: python3 -m http.server --directory site"
