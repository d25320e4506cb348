#!/usr/bin/env bash
# Pins the images that the Dockerfile is built from: writes the digest that a registry
# has for each tag behind it, so that the same Dockerfile is built from the same bytes.
# Nothing is written unless all are known. Run it where the registry is reachable, and
# again to take over what is new of the tags.
#
#   scripts/pin-images.sh           writes them into the Dockerfile
#   scripts/pin-images.sh --check   fails when one is not pinned; asks nobody
#
#   REGISTRY  the address that is asked (default https://registry-1.docker.io)
#   AUTH      where it gives anonymous callers leave to read (default https://auth.docker.io)
#   FILE      the Dockerfile
set -euo pipefail
cd "$(dirname "$0")/.."
registry=${REGISTRY:-https://registry-1.docker.io} auth=${AUTH:-https://auth.docker.io} file=${FILE:-Dockerfile}

images() { sed -n 's/^FROM \(--[^ ]* \)*\([^ ]*\).*/\2/p' "$file"; }

if [ "${1:-}" = --check ]; then
	missing=$(images | grep -v '@sha256:[0-9a-f]\{64\}$' || true)
	[ -n "$missing" ] || exit 0
	echo "not pinned by digest; run scripts/pin-images.sh where a registry is reachable:" $missing >&2
	exit 1
fi

digest() { # of image:tag, as the registry names the list for all processors
	local name=${1%%:*} tag=${1#*:} token
	case $name in */*) ;; *) name=library/$name ;; esac
	token=$(curl -fsS --max-time 20 "$auth/token?service=registry.docker.io&scope=repository:$name:pull" | python3 -c 'import json, sys; print(json.load(sys.stdin)["token"])' 2>/dev/null) || return
	curl -fsS --max-time 20 -I -H "Authorization: Bearer $token" -H 'Accept: application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json' \
		"$registry/v2/$name/manifests/$tag" | tr -d '\r' | sed -n 's/^[Dd]ocker-[Cc]ontent-[Dd]igest: \(sha256:[0-9a-f]\{64\}\)$/\1/p'
}

script=
for image in $(images); do
	tagged=${image%@*}
	found=$(digest "$tagged") || found=
	[ -n "$found" ] || { echo "$registry does not say what $tagged is; nothing is changed" >&2; exit 1; }
	echo "· $tagged is $found"
	script+="s|^\(FROM .*\)$image|\1$tagged@$found|;"
done
sed -i "$script" "$file"
