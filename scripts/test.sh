#!/usr/bin/env bash
# All Go tests with the race detector, then the journeys in a real browser.
set -euo pipefail
cd "$(dirname "$0")/.."

CGO_ENABLED=1 go test -race -timeout 20m ./... "$@"
# What judges documents, and time and memory, runs without the detector. Where
# everything is judged, check-pages and check-pdfua look at more of the same.
documents='DamagedAttachments|EveryReader|SameBytes|ManyPages|RightToLeft|LongAccessible'
[ "${QUIRE_ALL:-}" = 1 ] || documents+='|EveryCode|Invariants|SamePixels|Conform'
go test -timeout 20m -run "$documents" ./render/pdf ./cmd/quire

. scripts/node.sh
if ! have_node; then
	without_node "the Playwright journeys in e2e/ need"
	exit
fi
echo "· Playwright journeys"
make --no-print-directory build
cd e2e
[ -d node_modules/puppeteer-core ] || npm ci --no-audit --no-fund --silent
unsteady=()
for journeys in *.test.mjs; do
	node --test "$journeys" && continue
	# A browser on a busy machine may miss a moment; what fails twice is broken.
	unsteady+=("$journeys")
	echo "· $journeys failed; once more"
	node --test "$journeys"
done
[ ${#unsteady[@]} -eq 0 ] || echo "· unsteady, passed at the second attempt: ${unsteady[*]}"
