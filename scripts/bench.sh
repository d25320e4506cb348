#!/usr/bin/env bash
# The speed and memory that are promised, each beside its baseline from the same
# run. Numbers mean something only on a machine that does nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."

bench() { # package, pattern, benchtime
	go test "$1" -run '^$' -bench "$2" -benchtime "$3" -benchmem -timeout 30m |
		grep -E '^(Benchmark|FAIL|panic|---)' || true
}

echo "== invoice through POST …/pdf, beside bare warm tabs printing the same HTML (rate/floor >= 0.75, median/floor <= 1.35)"
bench ./cmd/quire 'BenchmarkInvoice$|BenchmarkInvoiceHTML' 8x
echo "== start to first PDF, beside a cold browser (times-cold-browser <= 4); idle memory (< 100 MB)"
bench ./cmd/quire 'BenchmarkStart|BenchmarkIdleMemory' 4x
echo "== 10,000 and 30,000 rows, beside the browser's own print of one table (<= 0.65; 30,000 <= 3.3 times; < 1500 MB)"
bench ./render 'BenchmarkLargeTable' 1x
echo "== HTML of 100,000 table cells, beside html/template (>= 4 times as fast); HTML of the invoice"
bench ./htmlgen . 2s
echo "== paginator by rows; text templates"
bench ./assets Paginate 1x
bench ./report/text . 200ms
