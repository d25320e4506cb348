#!/usr/bin/env bash
# The guide's way of installing from an archive, word for word, on a machine of its own: an
# empty Debian with a browser, which systemd boots in a container. The service prints, is
# upgraded as the guide says, and prints again.
# As root on Debian; takes some minutes and the network of Debian's packages.
#
#   PACKAGED=1   the archive in release/ is the one to try
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/machine.sh
say() { printf '%s\n' "· $*"; }

[ "$(id -u)" = 0 ] || { echo "only root can boot a container" >&2; exit 1; }
base=$(scripts/debian.sh)
[ -n "${PACKAGED:-}" ] || scripts/package.sh amd64
archive=quire_$(cat VERSION)_linux_amd64.tar.gz
root=$(mktemp -d /tmp/quire-archive.XXXXXX)
machine=
trap end_machine EXIT

installing=$(shown "From an archive" 1)
upgrading=$(shown "From an archive" 2)
[ -n "$installing" ] && [ -n "$upgrading" ] || { echo "the guide does not say how" >&2; exit 1; }

say "installing a browser"
unpack_machine "$root"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -ec 'apt-get update -qq; apt-get install -y -qq --no-install-recommends chromium-headless-shell' >"$root.install.log" 2>&1 || { tail -n 20 "$root.install.log" >&2; exit 1; }
cp "release/$archive" "$root/root/"

say "booting the machine"
boot_machine --private-network

say "installing: $(grep -c . <<<"$installing") commands"
began=$(date +%s)
inside sh -ec "cd /root; $(sed '$d' <<<"$installing")" >>"$root.install.log" 2>&1 || { tail -n 20 "$root.install.log" >&2; exit 1; }
ready
inside sh -c "$(tail -n 1 <<<"$installing")" >/dev/null || { echo "no password is shown" >&2; exit 1; }
print first
say "the first PDF is there $(($(date +%s) - began)) s after the installation began"
inside journalctl -u quire --no-pager | grep -q "the browser runs in its sandbox" || { echo "the browser has no sandbox" >&2; exit 1; }

say "upgrading"
before=$(inside systemctl show -p MainPID --value quire)
inside sh -ec "cd /root; $upgrading" >>"$root.install.log" 2>&1 || { tail -n 20 "$root.install.log" >&2; exit 1; }
ready
[ "$(inside systemctl show -p MainPID --value quire)" != "$before" ] || { echo "the former version still runs" >&2; exit 1; }
print upgraded
say "installed from the archive, printed, upgraded and printed again"
