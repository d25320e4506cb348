#!/usr/bin/env bash
# Installs what Quire needs on a Debian or Ubuntu machine, and nothing that is
# there already.
#
#   scripts/setup.sh run    what running needs: a Chromium, for pages
#   scripts/setup.sh test   what the tests need besides: PostgreSQL, MariaDB, Redis, OpenSSH's
#                           server, Apache with WebDAV, an SMTP server, servers of S3 and of MongoDB's
#                           protocol, Firefox, poppler, qpdf, mupdf, zbar, a C compiler, veraPDF
#
# Fonts come inside the binary. On other systems install the same programs by
# hand; Quire finds them on PATH.
set -euo pipefail

say() { printf '%s\n' "· $*"; }

have_browser() {
	command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null ||
		command -v google-chrome >/dev/null || command -v chrome-headless-shell >/dev/null
}

have_firefox() { command -v firefox-esr >/dev/null || command -v firefox >/dev/null; }

postgres_bin() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }

have_go() {
	command -v go >/dev/null && return
	echo "Go is missing: install Go $(sed -n 's/^go //p' go.mod) or newer, see https://go.dev/doc/install" >&2
	exit 1
}

# as_root runs a command as root, through sudo when needed.
as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing=()
need() { missing+=("$@"); }

collect() {
	have_browser || need chromium-headless-shell
	command -v curl >/dev/null || need curl ca-certificates
	if [ "$1" = test ]; then
		[ -n "$(postgres_bin)" ] || command -v initdb >/dev/null || need postgresql
		[ -x /usr/sbin/mariadbd ] || command -v mariadbd >/dev/null || need mariadb-server
		command -v redis-server >/dev/null || need redis-server
		[ -x /usr/sbin/sshd ] || need openssh-server # deliveries by SFTP
		[ -x /usr/sbin/apache2 ] || need apache2-bin # deliveries by WebDAV
		command -v aiosmtpd >/dev/null || need python3-aiosmtpd # deliveries by email; takes no other mail server's place
		command -v pdftotext >/dev/null || need poppler-utils
		command -v qpdf >/dev/null || need qpdf
		command -v mutool >/dev/null || need mupdf-tools # another reader of protected PDF
		command -v zbarimg >/dev/null || need zbar-tools # reads back bar codes
		command -v javac >/dev/null || need default-jdk-headless # runs veraPDF
		command -v mvn >/dev/null || need maven
		have_firefox || ! grep -qs '^ID=debian' /etc/os-release || need firefox-esr # one journey
		command -v "${CC:-gcc}" >/dev/null || need gcc libc6-dev # for the race detector
	fi
}

install_missing() {
	[ ${#missing[@]} -gt 0 ] || return 0
	if ! command -v apt-get >/dev/null; then
		echo "missing: ${missing[*]}; install them with this system's package manager" >&2
		exit 1
	fi
	say "installing ${missing[*]} (a minute or two)"
	as_root apt-get update -qq
	# Packages that start servers by themselves are told not to: the tests start their own.
	as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
		apt-get install -y -qq --no-install-recommends "${missing[@]}" >/tmp/quire-setup.log 2>&1 ||
		{ tail -n 20 /tmp/quire-setup.log >&2; exit 1; }
}

# build_server builds a server for the tests, once for each version of its
# module in scripts/.
build_server() { # module, package, name of the program, what it is
	local folder="${XDG_CACHE_HOME:-$HOME/.cache}/quire" sum
	sum=$(cat scripts/"$1"/go.mod $(ls scripts/"$1"/*.go 2>/dev/null) | cksum | cut -d ' ' -f 1)
	[ "$(cat "$folder/$3.sum" 2>/dev/null)" != "$sum" ] || [ ! -x "$folder/$3" ] || return 0
	say "building $4 (a minute)"
	mkdir -p "$folder"
	if go build -C "scripts/$1" -o "$folder/$3" "$2" 2>/tmp/quire-setup.log; then
		echo "$sum" >"$folder/$3.sum"
	else
		say "it does not build, its tests are skipped: $(tail -n 1 /tmp/quire-setup.log)"
	fi
}

build_servers() {
	build_server testmongo . testmongo "the test server of MongoDB's protocol"
	build_server tests3 github.com/versity/versitygw/cmd/versitygw versitygw "the S3 server of the tests"
}

# fetch_verapdf fetches veraPDF, the judge of accessible and archival PDF, with
# what it needs, in the versions and with the checksums of scripts/verapdf.
fetch_verapdf() {
	local folder="${XDG_CACHE_HOME:-$HOME/.cache}/quire/verapdf" here=$PWD sum
	sum=$(cat scripts/verapdf/pom.xml scripts/verapdf/checksums | cksum | cut -d ' ' -f 1)
	[ "$(cat "$folder/sum" 2>/dev/null)" != "$sum" ] || return 0
	say "fetching veraPDF (a minute)"
	rm -rf "$folder"
	mkdir -p "$folder/lib"
	if mvn -q -B -f scripts/verapdf/pom.xml -Dmaven.repo.local="$folder/repository" \
		dependency:copy-dependencies -DoutputDirectory="$folder/lib" >/tmp/quire-setup.log 2>&1 &&
		(cd "$folder/lib" && sha256sum --quiet --strict -c "$here/scripts/verapdf/checksums") >>/tmp/quire-setup.log 2>&1; then
		rm -rf "$folder/repository"
		echo "$sum" >"$folder/sum"
	else
		say "veraPDF is not there, its tests are skipped: $(tail -n 1 /tmp/quire-setup.log)"
	fi
}

case "${1:-run}" in
run | test)
	cd "$(dirname "$0")/.."
	have_go
	collect "${1:-run}"
	install_missing
	[ "${1:-run}" = run ] || { build_servers; fetch_verapdf; }
	;;
*)
	echo "usage: scripts/setup.sh run|test" >&2
	exit 2
	;;
esac
