#!/usr/bin/env bash
# The speed and memory that are promised, each beside its baseline from the same
# run. Numbers mean something only on a machine that does nothing else.
#
#   --beside <commit>  instead: what documents cost in processor time, beside an earlier state
#   --sizing           instead: what documents cost in processor time and memory
set -euo pipefail
cd "$(dirname "$0")/.."

bench() { # package, pattern, benchtime
	go test "$1" -run '^$' -bench "$2" -benchtime "$3" -benchmem -timeout 30m |
		grep -E '^(Benchmark|FAIL|panic|---)' || true
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "${1:-}" = --beside ]; then
	git worktree add --quiet --detach "$work/then" "$2"
	trap 'git worktree remove --force "$work/then"; rm -rf "$work"' EXIT
	(cd "$work/then" && go build -trimpath -o "$work/quire-then" ./cmd/quire)
	go build -trimpath -o "$work/quire-now" ./cmd/quire
	(cd scripts/beside && go build -o "$work/beside" .)
	"$work/beside" "${@:3}" then="$work/quire-then" now="$work/quire-now" "no sandbox=$work/quire-now,Browser__Sandbox=off"
	exit
fi

if [ "${1:-}" = --sizing ]; then
	go build -trimpath -ldflags="-s -w" -o "$work/quire" ./cmd/quire
	(cd scripts/beside && go build -o "$work/beside" .)
	"$work/beside" -rounds 3 "${@:2}" this="$work/quire"
	exit
fi

echo "== invoice through POST …/pdf, beside bare warm tabs printing the same HTML (rate/floor >= 0.75, median/floor <= 1.35)"
bench ./cmd/quire 'BenchmarkInvoice$|BenchmarkInvoiceHTML' 8x
echo "== a run of 1,000 one-page entries, beside bare warm tabs printing the same HTML (rate/floor >= 0.7)"
bench ./cmd/quire 'BenchmarkJob' 1x
echo "== the ledger of runs with a printer and a destination that sleep 1 ms, 4, 16 and 64 workers, beside single rows committed (PostgreSQL: entries/s >= 2000, deliveries/s >= 1000)"
bench ./jobs 'BenchmarkLedger' 1x
echo "== the status of an export while 10,000 wait, beside an idle service (95th percentile <= 5 times)"
bench ./cmd/quire 'BenchmarkStatusOfManyExports' 1x
echo "== every report of the gallery, beside bare warm tabs printing the same finished HTML (rate/floor >= 0.6)"
bench ./cmd/quire 'BenchmarkGallery' 3x
echo "== start to first PDF, beside a cold browser (times-cold-browser <= 4); idle memory (< 100 MB)"
bench ./cmd/quire 'BenchmarkStart|BenchmarkIdleMemory' 4x
echo "== 10,000 and 30,000 rows (a thousand pages), beside the browser's own print of one table (<= 0.65; 30,000 <= 3.3 times; < 1500 MB);"
echo "   accessible ones of 316 and a thousand pages: size/raw <= 0.25, finish/print <= 0.33, service-peak-MB < 400"
bench ./render 'BenchmarkLargeTable' 1x
echo "== HTML of 100,000 table cells, beside html/template (>= 4 times as fast, <= 3 allocations a cell); HTML of the invoice"
bench ./htmlgen . 2s
echo "== native charts, beside ECharts on the same data (times-echarts <= 0.05)"
bench ./export Charts 5x
bench ./htmlgen/chart . 1s
echo "== workbooks of ten columns, beside a bare stream of excelize of the same cells (<= 1.5 times at 100,000; linear)"
(cd scripts/excelize && go build -o "$work/excelize" . && "$work/excelize" 10000 && "$work/excelize" 100000)
bench ./export Workbook 3x
echo "== documents of Word and presentations, beside the same reports as PDF, of processors (docx <= 1.2 times, pptx <= 1.5)"
bench ./cmd/quire 'BenchmarkOffice' 5x
echo "== the same document asked of a browser by the project's own connection and by chromedp's (chromedp/own > 1.03, or chromedp takes its place)"
bench ./render 'BenchmarkDriver' 200x
echo "== barcodes and QR codes"
bench ./htmlgen/symbol . 500ms
echo "== paginator by rows (a row costs the same at 3,000 and 30,000); 1,000 rows beside Paged.js (times-pagedjs <= 0.25)"
bench ./assets Paginate 1x
echo "== paginator, cost of a part when there are four times as many, beside its cost (times-each about 1, 4 is the square)"
bench ./assets CostOfAPart 3x
if (cd "$work" && npm pack --silent pagedjs@0.4.3 >pack.log 2>&1 && tar xzf pagedjs-0.4.3.tgz package/dist/paged.js); then
	QUIRE_PAGEDJS="$work/package/dist/paged.js" bench ./assets PagedJS 3x
else
	echo "   skipped: npm could not fetch pagedjs: $(tail -n 1 "$work/pack.log")"
fi
echo "== transformation steps on 100,000 rows, beside SQLite (times-sqlite >= 1)"
bench ./data Steps 3x
echo "== an edit until the canvas shows it, 300 elements, beside what the browser alone needs for the page (<= 3)"
make --no-print-directory build
(cd e2e && { [ -d node_modules/puppeteer-core ] || npm ci --no-audit --no-fund --silent; } && node speed.mjs | grep 'edit to canvas')
echo "== a key in a field of the designer, main thread of the browser (<= 25 ms at 400 elements on a page, <= 40 ms at 50 pages)"
(cd e2e && node keystroke.mjs)
echo "== the first pages of a preview of 300, main thread of the browser from the address until they are painted (<= 300 ms)"
(cd e2e && node firstpages.mjs)
echo "== the cost of durability: acknowledged exports and uploads a second, on disk and with Storage.Sync=false"
bench ./store Acknowledged 5x
echo "== text templates"
bench ./report/text . 200ms
