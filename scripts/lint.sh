#!/usr/bin/env bash
# Formatting, vet, staticcheck, types and unit tests of the TypeScript, translations,
# links of the documentation and known vulnerabilities. The versions of Go's tools are
# pinned here; they are run from the module cache and not installed.
set -euo pipefail
cd "$(dirname "$0")/.."

gofumpt=mvdan.cc/gofumpt@v0.12.0
staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.8.0

echo "· gofumpt"
unformatted=$(go run $gofumpt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
	echo "not formatted; run gofumpt -w on:" >&2
	echo "$unformatted" >&2
	exit 1
fi
echo "· go vet"
go vet ./...
echo "· staticcheck"
go run $staticcheck ./...
scripts/webcheck.sh
echo "· translations"
# What lacks is shown in English: a warning here, a fault where everything is judged.
texts=$(QUIRE_TEXTS=warn go test ./api -run '^(TestTexts|TestFaultsAreTranslated)$' -v) || { echo "$texts" >&2; exit 1; }
sed -n 's/^ *[a-z_]*\.go:[0-9]*: \(.* is not translated\)$/  warning: \1/p' <<<"$texts"
echo "· links of the documentation"
scripts/site.sh --check
echo "· images that others are built from"
# A digest can only be had from a registry, so one that is missing warns.
unpinned=$(scripts/pin-images.sh --check 2>&1) || echo "  warning: $unpinned"
echo "· govulncheck"
# Its database may be out of reach (air-gapped builds): that warns, a finding fails.
if ! out=$(go run $govulncheck ./... 2>&1); then
	if grep -q 'Vulnerability #' <<<"$out"; then
		echo "$out" >&2
		exit 1
	fi
	echo "  skipped: $(grep -v '^exit status' <<<"$out" | tail -n 1)"
fi
