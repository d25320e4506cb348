#!/usr/bin/env bash
# Writes the list of parts (SBOM) of a container image that was built here, with its
# packages of Debian, into release/. Needs the container engine.
#
#   scripts/image-parts.sh [image]   default: quire
set -euo pipefail
cd "$(dirname "$0")/.."
image=${1:-quire}
work=$(mktemp -d)
container=$(docker create "$image")
trap 'docker rm -f "$container" >/dev/null; rm -rf "$work"' EXIT
mkdir -p "$work/root/etc" "$work/root/var/lib/dpkg" release
docker cp -L "$container:/etc/os-release" "$work/root/etc/os-release"
docker cp "$container:/var/lib/dpkg/status" "$work/root/var/lib/dpkg/status"
docker cp "$container:/usr/local/bin/quire" "$work/quire"
scripts/parts.sh "$work/quire" "release/quire_$(cat VERSION)_image.cdx.json" "$work/root"
