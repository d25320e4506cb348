#!/usr/bin/env bash
# All Go tests with the race detector, then the journeys in a real browser.
set -euo pipefail
cd "$(dirname "$0")/.."

# tests runs the tests of packages: tests <packages> <flags of go test>. On a busy machine
# a test may miss a moment: one that fails runs once more, alone, and both are told; what
# fails twice is broken. A race of data, a panic or a package that does not build is at once.
tests() {
	local packages=$1 output=$told/go failed=0 package names
	shift
	# shellcheck disable=SC2086 # packages are several words
	local began=$SECONDS
	go test "$@" $packages 2>&1 | tee "$output" && echo "· tests of $packages took $((SECONDS - began)) s" && return
	awk '
		/^--- FAIL: / { names = names "|^" $3 "$" }
		/WARNING: DATA RACE|^panic: |^fatal error: / { broken = 1 }
		/^(ok|FAIL)[ \t]/ && $2 ~ "/" {
			if ($1 == "FAIL") print $2, broken || names == "" ? "-" : substr(names, 2)
			names = ""; broken = 0
		}' "$output" >"$output.failed"
	[ -s "$output.failed" ] || return 1
	while read -r package names; do
		if [ "$names" = - ]; then
			failed=1
			continue
		fi
		echo "· $names of $package failed; once more, alone"
		go test "$@" -count=1 -run "$names" "$package" || failed=1
	done <"$output.failed"
	return "$failed"
}
told=$(mktemp -d)
trap 'rm -rf "$told"' EXIT

# SQLite, which is C translated to Go, goja, ciphers and what compiles PDFium are for
# one thread at a time. Watching each of their steps takes as long as all the rest and tells
# nothing about this project. No package may be among them that uses sync.Map: its code
# is then compiled there, unwatched, and linked for all, which looks like races everywhere.
unwatched='-race=false -d=checkptr=0'
watch=(-race)
for module in modernc.org github.com/dop251/goja golang.org/x/crypto github.com/tetratelabs/wazero/internal/engine/wazevo/{backend,frontend,ssa}; do
	watch+=("-gcflags=$module/...=$unwatched")
done
# What judges documents, and time and memory, and who may do what, runs without the
# detector, and only so: every test that says so, and some of other packages. Where
# everything is judged, the judges look at more of the same. Both leave vetting to lint.
documents=$(awk '/^func Test/ { split($2, name, "("); test = name[1] } /ofDocuments\(t\)/ { print "^" test "$" }' cmd/quire/*_test.go | paste -sd '|')
documents+='|DamagedAttachments|TakeNoMemory|HaveABudget|BesideHostile|ContractOnPostgres|Guesses(From|At|Of)|EveryRoute|ImagePrints'
export QUIRE_TEXTS=warn # of texts that are not translated; lint tells them
CGO_ENABLED=1 tests ./... -vet=off "${watch[@]}" -timeout 30m -skip "$documents" "$@"
judged='^$'
[ "${QUIRE_ALL:-}" = 1 ] && judged+='|ReportsKeepTheInvariants|EveryCode|SamePixels|ReportsConformToWhatTheySay|FilesAreValid|WorkbooksSayWhat|SlidesSayWhat|ReadersFindWhat|OfficeExtremes'
tests './render/pdf ./cmd/quire ./api ./export' -vet=off -timeout 20m -run "$documents" -skip "$judged"

. scripts/node.sh
if ! have_node; then
	without_node "the Playwright journeys in e2e/ need"
	exit
fi
echo "· Playwright journeys"
make --no-print-directory build
cd e2e
[ -d node_modules/puppeteer-core ] || npm ci --no-audit --no-fund --silent
mkdir "$told/journeys"
journey() {
	node --test "$1" >"$2/$1" 2>&1 && echo "· $1" && rm "$2/$1" || echo "· $1 failed"
}
export -f journey
# A journey is a service and a browser: one for each processor, two at least and four at most.
beside=$(nproc)
beside=$((beside < 2 ? 2 : beside > 4 ? 4 : beside))
printf '%s\n' *.test.mjs | xargs -P "$beside" -I{} bash -c 'journey "$@"' journey {} "$told/journeys"
# A browser on a busy machine may miss a moment; what fails twice is broken.
for failed in "$told/journeys"/*; do
	[ -e "$failed" ] || continue
	cat "$failed"
	echo "· ${failed##*/} failed; once more, alone"
	node --test "${failed##*/}"
done
