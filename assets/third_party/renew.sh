#!/bin/sh
# Copies the modules that are built into the designer and its editors, ECharts, HarfBuzz, Temml
# and the icons of Lucide from assets/web/node_modules (npm ci there first, which holds them
# against the checksums of the lock file) to here.
# The versions are those of assets/web/package.json.
#
#   renew.sh --check   changes nothing, and ends with 1 when a file here is another
set -eu
cd "$(dirname "$0")"
from=$PWD/../web/node_modules
if [ "${1:-}" = --check ]; then
	copy=$(mktemp -d)
	trap 'rm -rf "$copy"' EXIT
	cp -R . "$copy/third_party"
	cd "$copy/third_party"
fi

# The module that a package exports to import statements.
entry() {
	for file in dist/index.js src/style-mod.js src/index.js index.js; do
		if [ -f "$from/$1/$file" ]; then
			echo "$from/$1/$file"
			return
		fi
	done
	echo "no module in $1" >&2
	exit 1
}

# vendor FOLDER PACKAGE...: @codemirror/lang-sql becomes codemirror-lang-sql.mjs.
vendor() {
	folder=$1
	shift
	rm -f "$folder"/*.mjs "$folder"/LICENSE-*
	for package in "$@"; do
		name=$(echo "$package" | tr -d @ | tr / -)
		grep -v '^//# sourceMappingURL=' "$(entry "$package")" >"$folder/$name.mjs"
		cp "$from/$package/LICENSE" "$folder/LICENSE-$name"
	done
}

vendor codemirror @codemirror/autocomplete @codemirror/commands @codemirror/lang-css @codemirror/lang-html @codemirror/lang-javascript \
	@codemirror/lang-json @codemirror/lang-sql @codemirror/language @codemirror/lint @codemirror/state @codemirror/streamparser @codemirror/view \
	@lezer/common @lezer/css @lezer/highlight @lezer/html @lezer/javascript @lezer/json @lezer/lr \
	@marijn/find-cluster-break crelt style-mod w3c-keyname
vendor prosemirror orderedmap prosemirror-commands prosemirror-history prosemirror-inputrules prosemirror-keymap prosemirror-model \
	prosemirror-schema-list prosemirror-state prosemirror-transform prosemirror-view rope-sequence

for module in preact:dist/preact.mjs preact:hooks/dist/hooks.mjs preact:jsx-runtime/dist/jsxRuntime.mjs \
	@preact/signals:dist/signals.mjs @preact/signals-core:dist/signals-core.mjs; do
	name=$(basename "$module" | sed s/jsxRuntime/jsx-runtime/)
	sed 's|//# sourceMappingURL=.*||' "$from/${module%%:*}/${module#*:}" >"preact/$name"
done
cp "$from/preact/LICENSE" preact/LICENSE
cp "$from/@preact/signals/LICENSE" preact/LICENSE-signals

if ! gzip -dc echarts/echarts.min.js.gz | cmp -s - "$from/echarts/dist/echarts.min.js"; then
	gzip -n9 <"$from/echarts/dist/echarts.min.js" >echarts/echarts.min.js.gz
fi
cp "$from/echarts/LICENSE" "$from/echarts/NOTICE" echarts/

if ! gzip -dc harfbuzz/harfbuzz-subset.wasm.gz | cmp -s - "$from/harfbuzzjs/dist/harfbuzz-subset.wasm"; then
	gzip -n9 <"$from/harfbuzzjs/dist/harfbuzz-subset.wasm" >harfbuzz/harfbuzz-subset.wasm.gz
fi
cp "$from/harfbuzzjs/LICENSE" harfbuzz/

if ! gzip -dc temml/temml.min.js.gz | cmp -s - "$from/temml/dist/temml.min.js"; then
	gzip -n9 <"$from/temml/dist/temml.min.js" >temml/temml.min.js.gz
fi
cp "$from/temml/LICENSE" temml/

# The drawings of the interface, by name: those that are here already.
for icon in lucide/*.svg; do cp "$from/lucide-static/icons/${icon#lucide/}" lucide/; done
cp "$from/lucide-static/LICENSE" lucide/LICENSE

if [ "${1:-}" = --check ]; then
	cd - >/dev/null
	diff -rq . "$copy/third_party" || { echo "what lies in assets/third_party is not what the lock file says: run renew.sh" >&2; exit 1; }
fi
