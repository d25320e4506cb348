#!/usr/bin/env bash
# Unpacks Debian's nginx and Caddy into a folder: installed, they would take port 80.
set -euo pipefail

folder=$1 root=$1/root

rm -rf "$folder"
mkdir -p "$folder/packages" "$root"
cd "$folder/packages"
others=$(apt-get install -s --no-install-recommends nginx-light caddy | awk '/^Inst/ {print $2}')
apt-get download $(printf '%s\n' nginx nginx-light caddy $others | sort -u)
for package in *.deb; do dpkg-deb -x "$package" "$root"; done
LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-gnu) "$root/usr/sbin/nginx" -v
"$root/usr/bin/caddy" version
rm -rf "$folder/packages"
