#!/usr/bin/env bash
# Types and unit tests of assets/web, and whether scripts, icons and fonts in the repository
# are those of the packages in its lock file. All need Node.js 20.
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/node.sh
if ! have_node; then
	without_node "types and unit tests of the TypeScript need"
	exit
fi
echo "· tsc"
[ assets/web/node_modules/.package-lock.json -nt assets/web/package-lock.json ] || npm --prefix assets/web ci --no-audit --no-fund --silent
npm --prefix assets/web run --silent check
echo "· scripts, icons and fonts of npm"
assets/third_party/renew.sh --check
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
go run ./assets/build/fonts assets/web/node_modules "$built/fonts"
diff -rq --exclude=README.md assets/fonts "$built/fonts" || { echo "assets/fonts is not what the lock file says: run assets/build/fonts" >&2; exit 1; }
rm -r "$built/fonts"
echo "· node --test"
go run ./assets/build -tests "$built" assets
timeout 120 node --enable-source-maps --test --test-reporter=dot ${1:+--test-name-pattern="$1"} "$built"
