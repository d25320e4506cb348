#!/usr/bin/env bash
# Unpacks Debian's slapd with its libraries into a folder: installed, it would ask
# for a domain and keep a service running.
set -euo pipefail

folder=$1 root=$1/root

rm -rf "$folder"
mkdir -p "$folder/packages" "$root"
cd "$folder/packages"
# Its own library is fetched where the machine has it, too: both must be of one version.
own=(slapd $(apt-cache depends slapd | awk '/ Depends: libldap/ {print $2}'))
others=$(apt-get install -s --no-install-recommends slapd | awk '/^Inst/ {print $2}')
apt-get download $(printf '%s\n' "${own[@]}" $others | sort -u)
for package in *.deb; do dpkg-deb -x "$package" "$root"; done
LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-gnu) "$root/usr/sbin/slapd" -VV 2>&1 | grep OpenLDAP
rm -rf "$folder/packages"
