#!/usr/bin/env bash
# Builds and starts the service again whenever a source file has changed. What does
# not build is told, and the former service stays. Ctrl+C ends it.
#
#   QUIRE_ADDR   address to listen on (default 127.0.0.1:8080)
#   QUIRE_DATA   folder of the data (default quire-data)
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
addr=${QUIRE_ADDR:-127.0.0.1:8080}
sources=(api assets cmd data examples export htmlgen internal jobs render report scripting sso store go.mod go.sum)
built=$(mktemp -d)
server=

stop() {
	[ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; }
	server=
}
trap 'stop; rm -rf "$built"' EXIT
trap 'exit 0' INT TERM

# changed says whether a source is newer than the last time that was looked; folders
# tell of files that are gone.
changed() { [ -n "$(find "${sources[@]}" -newer "$built/looked" -not -path '*/node_modules/*' -not -path 'assets/dist*' -not -name '.*' -print -quit)" ]; }

scripts_changed() { [ ! -e "$built/quire" ] || [ -n "$(find assets/web assets/build -newer "$built/quire" -not -path '*/node_modules/*' -print -quit)" ]; }

build() {
	local began=${EPOCHREALTIME/./}
	if scripts_changed; then go generate ./assets || return; fi
	# without the tables of debuggers: linking is most of the time
	go build -trimpath -ldflags='-s -w' -o "$built/new" ./cmd/quire || return
	mv "$built/new" "$built/quire"
	printf '· built in %d ms\n' $(((${EPOCHREALTIME/./} - began) / 1000))
}

while :; do
	touch "$built/looked"
	if build; then
		stop
		"$built/quire" serve --addr "$addr" --data "${QUIRE_DATA:-quire-data}" &
		server=$!
	else
		echo "· not built; the service is as before"
	fi
	until changed; do sleep 0.3; done
done
