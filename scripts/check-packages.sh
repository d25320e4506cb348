#!/usr/bin/env bash
# The Debian package on a machine of its own: an empty Debian is installed, booted by
# systemd in a container, and quire installed there as the guide says. The hardened
# service prints with the browser in its sandbox, is upgraded, removed and installed again;
# data stay. The packages are built twice: the same sources give the same bytes.
# As root on Debian; takes some minutes and the network of Debian's packages.
#
#   PACKAGED=1   the packages in release/ are the ones to try
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/machine.sh
say() { printf '%s\n' "· $*"; }

[ "$(id -u)" = 0 ] || { echo "only root can boot a container" >&2; exit 1; }
base=$(scripts/debian.sh)

version=$(cat VERSION)
if [ -z "${PACKAGED:-}" ]; then
	scripts/package.sh amd64
	sums=$(cat release/SHA256SUMS)
	say "building them once more"
	scripts/package.sh amd64 >/dev/null
	[ "$sums" = "$(cat release/SHA256SUMS)" ] || { printf 'the same sources gave other bytes:\n%s\n' "$sums" | diff - release/SHA256SUMS >&2 || true; exit 1; }
fi
# The list of parts has what Go builds in, and what came from npm.
for part in golang/golang.org/x/net@ npm/preact@ npm/echarts@ npm/%40codemirror/view@; do
	grep -q "\"purl\": \"pkg:$part" "release/quire_$version.cdx.json" || { echo "the list of parts lacks $part" >&2; exit 1; }
done
root=$(mktemp -d /tmp/quire-machine.XXXXXX)
machine=
trap end_machine EXIT

unpack_machine "$root"
cp "release/quire_${version}_amd64.deb" "$root/root/"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

say "booting it"
boot_machine # it shares the network

say "installing the package"
began=$(date +%s)
inside sh -ec "mkdir -p /etc/systemd/system/quire.service.d; printf '[Service]\nEnvironment=Address=127.0.0.1:$port Browser__Sandbox=on\n' >/etc/systemd/system/quire.service.d/test.conf"
inside apt-get update -qq
inside apt-get install -qq -y --no-install-recommends "/root/quire_${version}_amd64.deb" >"$root.install.log" 2>&1 || { tail -n 20 "$root.install.log" >&2; exit 1; }
ready
# Settings of the machine that commands have to find, too.
inside sh -ec "printf '%s\\n' ConnectionStrings__Database=sqlite:/var/lib/quire/first.db Storage__Url=file:///var/lib/quire/first >>/etc/quire/quire.env; systemctl restart quire"
ready
inside journalctl -u quire --no-pager | grep -q "password:" || { echo "no password is shown" >&2; exit 1; }
print first
say "the first PDF is there $(($(date +%s) - began)) s after the installation began"
inside journalctl -u quire --no-pager | grep -q "the browser runs in its sandbox" || { echo "the browser has no sandbox" >&2; exit 1; }
inside systemd-analyze security --no-pager quire.service | tail -n 1
exposure=$(inside systemd-analyze security --no-pager quire.service | sed -n 's/.*: \([0-9.]*\) .*/\1/p' | tail -n 1)
awk -v e="$exposure" 'BEGIN { exit !(e < 2.5) }' || { echo "exposure is $exposure; want below 2.5" >&2; exit 1; }

say "upgrading it"
before=$(inside systemctl show -p MainPID --value quire)
inside dpkg --install "/root/quire_${version}_amd64.deb" >>"$root.install.log" 2>&1
ready
[ "$(inside systemctl show -p MainPID --value quire)" != "$before" ] || { echo "the former version still runs" >&2; exit 1; }
print upgraded

say "reading the settings again"
inside sh -ec "echo '{}' >/etc/quire/settings.json; echo QUIRE_SETTINGS=/etc/quire/settings.json >>/etc/quire/quire.env; systemctl restart quire"
ready
inside sh -ec "echo '{\"Log\": {\"Level\": \"debug\"}}' >/etc/quire/settings.json; systemctl reload quire"
for _ in $(seq 100); do
	if inside journalctl -u quire --no-pager | grep -q "taken=\[Log.Level\]"; then break; fi
	sleep 0.2
done
inside journalctl -u quire --no-pager | grep -q "taken=\[Log.Level\]" || { echo "the settings were not read again" >&2; exit 1; }

say "removing it, and installing it again"
inside apt-get remove -qq -y quire >>"$root.install.log" 2>&1
stands() { # nothing of it runs
	local processes
	processes=$(inside sh -c 'for p in /proc/[0-9]*; do [ "$(stat -c %U "$p" 2>/dev/null)" != quire ] || tr "\0" " " <"$p/cmdline"; done')
	[ -z "$processes" ] || { echo "it still runs: $processes" >&2; exit 1; }
}
stands
inside apt-get install -qq -y --no-install-recommends "/root/quire_${version}_amd64.deb" >>"$root.install.log" 2>&1
ready
print "installed again"

say "removing it"
inside apt-get purge -qq -y quire >>"$root.install.log" 2>&1
inside test -e /var/lib/quire/first.db || { inside ls /var/lib/quire; echo "the data are gone" >&2; exit 1; }
stands
say "installed, printed, upgraded, read its settings again, removed and installed again; the data are still there"
