#!/usr/bin/env bash
# Every fuzz target of the repository, one after another, FUZZTIME each.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${FUZZTIME:-10m}
git ls-files '*_test.go' | xargs grep -HoE '^func Fuzz[A-Za-z0-9]+' | sed 's/:func / /' |
	while read -r file target; do
		echo "· $target in $(dirname "$file") for $time"
		go test "./$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 20x
	done
