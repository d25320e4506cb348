#!/usr/bin/env bash
# From nothing to a running service with the demo workspace: installs what is
# missing, builds, starts, makes one PDF, and says where to look. Ctrl+C stops it.
#
#   QUIRE_ADDR   address to listen on (default 127.0.0.1:8080, or a free port when that is taken)
#   DEMO_ONCE=1  stop again after the PDF is written, for tests
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "· $*"; }

scripts/setup.sh run
say "building (the first time takes a few minutes)"
make --no-print-directory build

dir=demo-out
mkdir -p "$dir/deliveries"

port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
addr=${QUIRE_ADDR:-}
if [ -z "$addr" ]; then
	port=8080
	while port_taken "$port"; do port=$((port + 1)); done
	addr=127.0.0.1:$port
fi
url=http://localhost:${addr##*:}

# The password is printed by the service only once; the demo keeps it beside its data.
say "starting the service on $url"
Deliveries__Folders="$PWD/$dir/deliveries" bin/quire serve --addr "$addr" --data "$dir/data" >"$dir/serve.log" 2>&1 &
server=$!
stop() {
	kill "$server" 2>/dev/null || true
	wait "$server" 2>/dev/null || true
}
trap stop EXIT
trap 'exit 0' INT TERM

for _ in $(seq 300); do
	if ! kill -0 "$server" 2>/dev/null; then
		echo "the service ended:" >&2
		cat "$dir/serve.log" >&2
		exit 1
	fi
	if [ "$(curl -s -o /dev/null -w '%{http_code}' "$url/readyz" || true)" = 200 ]; then break; fi
	sleep 0.1
done
grep '^password:' "$dir/serve.log" | awk '{print $2}' >"$dir/password.new" || true
if [ -s "$dir/password.new" ]; then
	(umask 077 && mv "$dir/password.new" "$dir/password")
else
	rm -f "$dir/password.new"
fi

token=$(bin/quire token create --data "$dir/data" --user root@localhost --name "make demo")
pdf=$dir/invoice.pdf
curl -sf -H "Authorization: Bearer $token" -o "$pdf" "$url/api/v1/ws/demo/reports/invoice/pdf"

cat <<TXT

  Quire is running.

  Reports      $url
               user root@localhost, password $(cat "$dir/password" 2>/dev/null || echo "(as set before)")
  API          $url/api/explorer
               token $token
  First PDF    $PWD/$pdf
  Deliveries   jobs may write below $PWD/$dir/deliveries

  Ctrl+C stops it.

TXT
[ "${DEMO_ONCE:-}" = 1 ] || wait "$server"
