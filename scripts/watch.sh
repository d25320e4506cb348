#!/usr/bin/env bash
# Starts the service again whenever a source file has changed, and builds what that
# asks for: scripts of browsers, style sheets, pages and their texts, and the reports that
# come with the program are read from their folders, so only Go asks for the program. What does not build is told, and the former service
# stays. Ctrl+C ends it.
#
#   QUIRE_ADDR   address to listen on (default 127.0.0.1:8080)
#   QUIRE_DATA   folder of the data (default quire-data)
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
addr=${QUIRE_ADDR:-127.0.0.1:8080}
sources=(api assets cmd data examples export htmlgen internal jobs render report scripting sso store go.mod go.sum)
read_live=(assets/web assets/demo assets/starts assets/fonts api/ui/pages api/ui/static api/ui/texts htmlgen/*.css
	examples/gallery/{workspace.json,reports,templates,themes,dictionaries,files})
built=$(mktemp -d)
server=

stop() {
	[ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; }
	server=
}
trap 'stop; rm -rf "$built"' EXIT
trap 'exit 0' INT TERM

# newer prints a file below folders that is newer than a stamp; folders tell of files
# that are gone.
newer() { find "${@:2}" -newer "$built/$1" -not -name '.*' -print -quit; }

# code_newer is the same of everything that the program is built from.
code_newer() {
	local apart=()
	for folder in "${read_live[@]}" assets/dist; do apart+=(-path "$folder" -prune -o); done
	find "${sources[@]}" "${apart[@]}" -newer "$built/$1" -not -name '.*' -print -quit
}

changed() { [ -n "$(newer looked "${read_live[@]}")$(code_newer looked)" ]; }

# bundle builds the scripts of browsers when one has changed, or has failed to build.
bundle() {
	[ ! -e "$built/bundled" ] || [ -n "$(newer bundled assets/web assets/build)" ] || return 0
	touch "$built/began"
	if [ ! -e "$built/bundler" ] || [ -n "$(newer bundled assets/build)" ]; then
		go build -o "$built/bundler" ./assets/build || return
	fi
	"$built/bundler" assets && mv "$built/began" "$built/bundled"
}

# Without the tables of debuggers and without optimizing our own packages: that halves
# the time of the compiler, and so does letting it take memory instead of collecting it.
compile() {
	[ ! -e "$built/compiled" ] || [ -n "$(code_newer compiled)" ] || return 0
	touch "$built/began"
	GOGC=400 go build -tags=live -ldflags='-s -w' -gcflags='github.com/quire-reports/quire/...=-N -l' -o "$built/new" ./cmd/quire &&
		mv "$built/new" "$built/quire" && mv "$built/began" "$built/compiled"
}

since() { echo $(((${EPOCHREALTIME/[.,]/} - $1) / 1000)); }

while :; do
	touch "$built/looked"
	began=${EPOCHREALTIME/[.,]/}
	if bundle && compile; then
		build_ms=$(since "$began")
		stop
		"$built/quire" serve --addr "$addr" --data "${QUIRE_DATA:-quire-data}" &
		server=$!
		until curl -fsS -o /dev/null "http://${addr/#:/127.0.0.1:}/healthz" 2>/dev/null; do kill -0 "$server" 2>/dev/null || break; sleep 0.02; done
		kill -0 "$server" 2>/dev/null && echo "· built in $build_ms ms, answers after $(since "$began") ms"
	else
		echo "· not built; the service is as before"
	fi
	until changed; do sleep 0.1; done
done
