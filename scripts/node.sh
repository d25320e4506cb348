# Sourced by scripts that run JavaScript. Puts the Node.js that setup.sh fetched
# on PATH where the system has none that is new enough. Defines have_node, and
# without_node, which tells what is left out, and fails where QUIRE_ALL says that
# everything is to be judged.
quire_node="${XDG_CACHE_HOME:-$HOME/.cache}/quire/node/node_modules/node/bin"

have_node() {
	local major
	major=$({ node --version 2>/dev/null || true; } | sed 's/^v\([0-9]*\).*/\1/')
	[ "${major:-0}" -ge 20 ]
}

without_node() {
	echo "· skipped: $1 Node.js 20 or newer; scripts/setup.sh test fetches it" >&2
	[ "${QUIRE_ALL:-}" != 1 ]
}

have_node || PATH="$quire_node:$PATH"
