#!/usr/bin/env bash
# Builds what is released into release/: for each architecture an archive, a package for
# Debian and one for Fedora, and the list of parts (SBOM), with their checksums.
#
#   scripts/package.sh [architecture …]   default: amd64 arm64
set -euo pipefail
cd "$(dirname "$0")/.."
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0
[ $# -gt 0 ] || set -- amd64 arm64
version=$(cat VERSION)
# The same sources give the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
QUIRE_VERSION=$version
export QUIRE_VERSION
rm -rf release
mkdir -p release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for QUIRE_ARCH in "$@"; do
	export QUIRE_ARCH
	echo "· $QUIRE_ARCH"
	folder=$work/quire_${version}_linux_$QUIRE_ARCH
	mkdir "$folder"
	CGO_ENABLED=0 GOOS=linux GOARCH=$QUIRE_ARCH go build -trimpath -ldflags="-s -w -X main.version=$version" -o "$folder/quire" ./cmd/quire
	export QUIRE_BINARY=$folder/quire
	for kind in deb rpm; do
		go run $nfpm package --config deploy/package/nfpm.yaml --packager $kind --target release/ >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
	done
	cp -r LICENSE CHANGELOG.md README.md docs deploy "$folder/"
	tar -C "$work" --sort=name --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$(basename "$folder")" | gzip -n9 >"release/$(basename "$folder").tar.gz"
done
# rpm itself, where there is one, installs each package for Fedora in an empty root, finds every file as
# the package says, and removes it. What the scripts of packages do, check-packages.sh and a test look at.
if command -v rpm >/dev/null; then
	for package in release/*.rpm; do
		rpm -K --nosignature "$package"
		root=$(mktemp -d "$work/root.XXXX")
		in_root() { rpm --root "$root" --nodeps "$@" 2>>"$work/said" || { cat "$work/said" >&2; exit 1; }; }
		in_root -i --noscripts --ignorearch "$package"
		in_root -V quire
		in_root -e --noscripts quire
		left=$(find "$root"/etc "$root"/usr ! -type d)
		[ -z "$left" ] || { echo "$package leaves $left" >&2; exit 1; }
	done
else
	echo "· rpm is not installed, so nothing has installed the packages for Fedora"
fi
echo "· list of parts"
scripts/parts.sh "$QUIRE_BINARY" "release/quire_$version.cdx.json"
(cd release && sha256sum -- * >SHA256SUMS)
ls -l release
