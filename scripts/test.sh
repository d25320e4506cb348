#!/usr/bin/env bash
# All tests with the race detector; one line a package, failures in full.
set -euo pipefail
cd "$(dirname "$0")/.."
go test -race -timeout 20m ./... "$@"
