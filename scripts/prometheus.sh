#!/usr/bin/env bash
# Unpacks Debian's Prometheus with promtool into a folder: installed, it would keep
# a service running.
set -euo pipefail

folder=$1

rm -rf "$folder"
mkdir -p "$folder/packages" "$folder/root"
cd "$folder/packages"
apt-get download prometheus
dpkg-deb -x prometheus_*.deb "$folder/root"
"$folder/root/usr/bin/promtool" --version
rm -rf "$folder/packages"
