#!/usr/bin/env bash
# Prints where an archive with an empty Debian of this machine's release is, and makes
# it once. As root on Debian, with the network of Debian's packages.
set -euo pipefail
say() { printf '%s\n' "· $*" >&2; }

command -v mmdebstrap >/dev/null && command -v systemd-nspawn >/dev/null ||
	apt-get install -y -q --no-install-recommends mmdebstrap systemd-container >/tmp/quire-setup.log 2>&1 || { tail -n 3 /tmp/quire-setup.log >&2; exit 1; }
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
base=${XDG_CACHE_HOME:-$HOME/.cache}/quire/$codename.tar
if [ ! -e "$base" ]; then
	say "installing an empty Debian"
	mkdir -p "$(dirname "$base")"
	mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } | sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' | head -n 1)
	mmdebstrap --quiet --format=tar --variant=minbase --include=systemd,systemd-sysv,dbus,curl,ca-certificates "$codename" "$base.new" "${mirror:-http://deb.debian.org/debian}" >&2
	mv "$base.new" "$base"
fi
echo "$base"
