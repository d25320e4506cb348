#!/usr/bin/env bash
# The steps of the Dockerfile where no container engine is: those of its first stage on
# this machine, those of its last one in an empty Debian. What came of it runs as the
# image says, as its user, with a root that is read-only but for its volumes, and prints.
# As root on Debian; takes some minutes and the network of Debian's packages.
set -euo pipefail
cd "$(dirname "$0")/.."
say() { printf '%s\n' "· $*"; }

[ "$(id -u)" = 0 ] || { echo "only root can change the root" >&2; exit 1; }
base=$(scripts/debian.sh)
work=$(mktemp -d /tmp/quire-image.XXXXXX)
root=$work/root
server=
cleanup() {
	[ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; } || true
	mountpoint -q "$root/proc" && umount "$root/proc"
	rm -rf --one-file-system "$work"
}
trap cleanup EXIT

# steps prints the instructions of the last stage, one a line; build prints the command
# of the first one.
steps() { sed -e '/^ *#/d' Dockerfile | sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' | awk '/^FROM/ {text = ""} {text = text $0 "\n"} END {printf "%s", text}'; }
of() { steps | sed -n "s/^$1 //p"; }
words() { python3 -c 'import json, sys; print("\n".join(json.loads(sys.stdin.read())))'; }

say "building the program"
command=$(sed -n 's/^RUN \(CGO_ENABLED.*\) -o \/quire \(.*\)/\1 -o "$work\/quire" \2/p' Dockerfile)
[ -n "$command" ] || { echo "the Dockerfile builds no program" >&2; exit 1; }
TARGETARCH= # that of this machine
eval "$command"

say "running its steps"
mkdir "$root"
tar -C "$root" -xf "$base"
rm -rf "$root"/etc/apt/sources.list*
cp -r /etc/apt/sources.list* "$root/etc/apt/"
[ ! -d /etc/apt/apt.conf.d ] || cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
install=$(of RUN)
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -ec "$install" >"$work/install.log" 2>&1 || { tail -n 20 "$work/install.log" >&2; exit 1; }
umount "$root/proc"
to=$(of COPY | sed -n 's/^--from=build \/quire //p')
install -m 0755 "$work/quire" "$root$to"

say "listing its parts"
mkdir -p release
list=release/quire_$(cat VERSION)_image.cdx.json
scripts/parts.sh "$work/quire" "$list" "$root"
installed=$(chroot "$root" dpkg-query -W -f '${db:Status-Abbrev} ${Package}@${Version}\n' | sed -n 's/^ii *//p' | sort)
listed=$(python3 -c 'import json, sys; print("\n".join(sorted(c["name"] + "@" + c["version"] for c in json.load(open(sys.argv[1]))["components"] if c["purl"].startswith("pkg:deb/"))))' "$list")
diff <(LC_ALL=C sort <<<"$installed") <(LC_ALL=C sort <<<"$listed") >&2 || { echo "the list of parts has other packages than the image" >&2; exit 1; }
say "$(wc -l <<<"$listed") packages of Debian are in it"

# What the image says of itself. A number as the user, so that Kubernetes sees who it is.
user=$(of USER)
[[ $user =~ ^[1-9][0-9]*:[1-9][0-9]*$ ]] || { echo "the user $user is no number" >&2; exit 1; }
mapfile -t start < <(of ENTRYPOINT | words; of CMD | words)
mapfile -t volumes < <(of VOLUME | words)
mapfile -t health < <(of HEALTHCHECK | sed 's/.* CMD //' | words)
mapfile -t environment < <(of ENV | tr ' ' '\n')
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
environment+=("PATH=/usr/local/bin:/usr/bin:/bin" "Address=127.0.0.1:$port" "LANG=C.UTF-8")

for volume in "${volumes[@]}"; do
	mkdir -p "$work/volumes$volume"
	chown "$user" "$work/volumes$volume"
done
cat >"$work/container.sh" <<'END'
set -eu
root=$1 work=$2; shift 2
mount --bind "$root" "$root"
for folder in "$work"/volumes/tmp "$work"/volumes/var/lib/*; do mount --bind "$folder" "$root${folder#"$work"/volumes}"; done
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -o remount,ro,bind "$root"
exec "$@"
END
inside=(setpriv --no-new-privs chroot "--userspec=$user" "$root" env -i "${environment[@]}")

say "starting it as $user: ${start[*]}"
unshare --mount --propagation private sh "$work/container.sh" "$root" "$work" "${inside[@]}" "${start[@]}" >"$work/serve.log" 2>&1 </dev/null &
server=$!
began() { # what docker exec runs is beside it, with the same environment
	nsenter --target "$server" --mount "${inside[@]}" "$@"
}
for _ in $(seq 300); do
	if curl -sf "http://127.0.0.1:$port/readyz" -o /dev/null; then break; fi
	kill -0 "$server" || { cat "$work/serve.log" >&2; exit 1; }
	sleep 0.2
done
grep -q "password:" "$work/serve.log" || { cat "$work/serve.log" >&2; exit 1; }
began "${health[@]}" || { echo "the health check fails" >&2; exit 1; }
if began sh -c 'echo x >/usr/local/x' 2>/dev/null; then echo "the root is not read-only" >&2; exit 1; fi
token=$(began quire token create --user root@localhost --name image)
curl -sf -H "Authorization: Bearer $token" -o "$work/invoice.pdf" "http://127.0.0.1:$port/api/v1/ws/demo/reports/invoice/pdf"
[ "$(head -c 4 "$work/invoice.pdf")" = %PDF ] || { echo "it does not print" >&2; exit 1; }

say "printing scripts of the world with its fonts"
cat >"$work/volumes/tmp/c.json" <<'END'
{"version": 1, "name": "c", "pages": [{"id": 1, "name": "p", "elements": [{"type": "text", "props": {"text": "漢字かな 한국어 ไทย हिन्दी 🚀"}}]}]}
END
said=$(began quire render /tmp/c.json -o /tmp/c.pdf 2>&1) || { echo "$said" >&2; exit 1; }
case $said in *boxes*) echo "letters are missing: $said" >&2; exit 1 ;; esac
say "built, started as the image says, healthy, printed; what it writes is in its volumes: ${volumes[*]}"
