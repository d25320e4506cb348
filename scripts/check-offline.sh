#!/usr/bin/env bash
# The guide's way onto a machine without a network, word for word: the packages are
# gathered in an empty Debian, and installed in another one that systemd boots and that
# reaches nobody; there the service prints, with every script of the world.
# As root on Debian; takes some minutes and the network of Debian's packages.
#
#   PACKAGED=1   the packages in release/ are the ones to try
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/machine.sh
say() { printf '%s\n' "· $*"; }

[ "$(id -u)" = 0 ] || { echo "only root can boot a container" >&2; exit 1; }
base=$(scripts/debian.sh)
[ -n "${PACKAGED:-}" ] || scripts/package.sh amd64
version=$(cat VERSION)
root=$(mktemp -d /tmp/quire-offline.XXXXXX)
machine=
trap 'end_machine; rm -rf "$root.net"' EXIT

[ -n "$(shown "Without a network" 1)" ] && [ -n "$(shown "Without a network" 2)" ] || { echo "the guide does not say how" >&2; exit 1; }

say "gathering the packages"
mkdir "$root.net"
unpack_machine "$root.net"
cp -L /etc/resolv.conf "$root.net/etc/resolv.conf"
cp "release/quire_${version}_amd64.deb" "$root.net/root/"
chroot "$root.net" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive sh -ec "cd /root; $(shown "Without a network" 1)" >"$root.gather.log" 2>&1 || { tail -n 20 "$root.gather.log" >&2; exit 1; }

say "booting a machine without a network"
unpack_machine "$root"
rm -rf "$root"/var/lib/apt/lists/*
cp -r "$root.net/root/quire-offline" "$root/root/"
boot_machine --private-network
[ -z "$(inside tail -n +2 /proc/net/route)" ] || { echo "it reaches others" >&2; exit 1; }

say "installing there: $(ls "$root/root/quire-offline" | wc -l) packages"
began=$(date +%s)
inside sh -ec "cd /root; $(shown "Without a network" 2 | sed -n 's/^apt install /apt-get install -y -qq /p')" >"$root.install.log" 2>&1 || { tail -n 20 "$root.install.log" >&2; exit 1; }
ready
inside sh -c "$(shown "Without a network" 2 | tail -n 1)" >/dev/null || { inside journalctl -u quire --no-pager | tail -n 30 >&2; exit 1; }
print offline
say "the first PDF is there $(($(date +%s) - began)) s after the installation began"
inside sh -ec 'mkdir -p /tmp/p; cat >/tmp/p/c.json' <<'END'
{"version": 1, "name": "c", "pages": [{"id": 1, "name": "p", "elements": [{"type": "text", "props": {"text": "漢字かな 한국어 ไทย हिन्दी 🚀"}}]}]}
END
said=$(inside quire render /tmp/p/c.json -o /tmp/p/c.pdf 2>&1) || { echo "$said" >&2; exit 1; }
case $said in *boxes*) echo "letters are missing: $said" >&2; exit 1 ;; esac
say "gathered, installed and printed on a machine that reaches nobody"
