#!/bin/sh
# Copies the modules of CodeMirror and ProseMirror that are built into the
# designer's editors, and the icons of Lucide, from assets/web/node_modules (npm
# ci there first) to here.
# The versions are those of assets/web/package.json.
set -eu
cd "$(dirname "$0")"
from=../web/node_modules

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

# The drawings of the interface, by name: those that are here already.
for icon in lucide/*.svg; do cp "$from/lucide-static/icons/${icon#lucide/}" lucide/; done
cp "$from/lucide-static/LICENSE" lucide/LICENSE
