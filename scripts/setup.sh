#!/usr/bin/env bash
# Installs what Quire needs on a Debian or Ubuntu machine, and nothing that is
# there already.
#
#   scripts/setup.sh run    what running needs: a Chromium, for pages, and the Noto fonts, for the
#                           scripts that the fonts of the program lack
#   scripts/setup.sh test   what the tests need besides: PostgreSQL, PgBouncer, MariaDB, Redis, OpenSSH's
#                           server, nginx, Caddy, Apache with WebDAV, an SMTP server, servers of S3 and of MongoDB's
#                           protocol, Firefox, Node.js, poppler, qpdf, mupdf, zbar, a C compiler, veraPDF,
#                           the validators of electronic invoices and Office files, readers of these, LibreOffice, OpenLDAP's server, Prometheus, Keycloak, the
#                           generator of API clients
#   scripts/setup.sh traefik   Traefik, for one test of proxies, built from its module
#
# Fonts for Latin, Greek, Cyrillic, Arabic and Hebrew come inside the binary. On
# other systems install the same programs by hand; Quire finds them on PATH.
set -euo pipefail

say() { printf '%s\n' "· $*"; }

have_browser() {
	command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null ||
		command -v google-chrome >/dev/null || command -v chrome-headless-shell >/dev/null
}

have_firefox() { command -v firefox-esr >/dev/null || command -v firefox >/dev/null; }

postgres_bin() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }

# have_go ends where Go is missing or older than go.mod wants, before anything is
# installed: Debian's own is. A Go that fetches newer ones tells the fetched one's version.
have_go() {
	local wanted have
	wanted=$(sed -n 's/^go //p' go.mod)
	have=$(go env GOVERSION 2>/dev/null || GOTOOLCHAIN=local go env GOVERSION 2>/dev/null) || true
	have=${have#devel }
	[ -n "$have" ] && printf '%s\n' "go$wanted" "$have" | sort -V -C && return
	have=${have#go}
	echo "Go ${have:-is missing}${have:+ is too old}: install Go $wanted or newer, see https://go.dev/doc/install" >&2
	exit 1
}

# fonts are the packages with a font for every script in use.
fonts() {
	local noto=/usr/share/fonts/truetype/noto
	[ -e $noto/NotoSansDevanagari-Bold.ttf ] && [ -e $noto/NotoSerifTibetan-Bold.ttf ] || echo fonts-noto-core
	[ -e /usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc ] || echo fonts-noto-cjk
	[ -e $noto/NotoColorEmoji.ttf ] || echo fonts-noto-color-emoji
	command -v fc-cache >/dev/null || echo fontconfig # without its cache every browser reads all fonts first
}

# as_root runs a command as root, through sudo when needed.
as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing=()
need() { missing+=("$@"); }

collect() {
	have_browser || need chromium-headless-shell
	! command -v apt-get >/dev/null || need $(fonts)
	command -v curl >/dev/null || need curl ca-certificates
	if [ "$1" = test ]; then
		[ -n "$(postgres_bin)" ] || command -v initdb >/dev/null || need postgresql
		[ -x /usr/sbin/mariadbd ] || command -v mariadbd >/dev/null || need mariadb-server
		[ -x /usr/sbin/pgbouncer ] || command -v pgbouncer >/dev/null || need pgbouncer
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
		python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv # the generator of API clients
		have_node || command -v npm >/dev/null || need nodejs npm # fetches the Node.js of the journeys
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
	local policy=/usr/sbin/policy-rc.d failed=
	if [ -e $policy ]; then policy=; else printf '#!/bin/sh\nexit 101\n' | as_root tee $policy >/dev/null && as_root chmod 755 $policy; fi
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends "${missing[@]}" >/tmp/quire-setup.log 2>&1 || failed=yes
	[ -z "$policy" ] || as_root rm -f $policy
	[ -z "$failed" ] || { tail -n 20 /tmp/quire-setup.log >&2; exit 1; }
}

# build_server builds a server or a judge for the tests, once for each version of its
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
	build_server chart . chart "the judge of the Helm chart"
	build_server compose . compose "the reader of files for Docker Compose"
}

# fetch_java fetches a judge that is written in Java, with what it needs, in the
# versions and with the checksums of its folder below scripts.
fetch_java() { # folder, name
	local folder="${XDG_CACHE_HOME:-$HOME/.cache}/quire/$1" here=$PWD sum
	sum=$(cat "scripts/$1/pom.xml" "scripts/$1/checksums" | cksum | cut -d ' ' -f 1)
	[ "$(cat "$folder/sum" 2>/dev/null)" != "$sum" ] || return 0
	say "fetching $2 (a minute)"
	rm -rf "$folder"
	mkdir -p "$folder/lib"
	if mvn -q -B -f "scripts/$1/pom.xml" -Dmaven.repo.local="$folder/repository" \
		dependency:copy-dependencies -DoutputDirectory="$folder/lib" >/tmp/quire-setup.log 2>&1 &&
		(cd "$folder/lib" && sha256sum --quiet --strict -c "$here/scripts/$1/checksums") >>/tmp/quire-setup.log 2>&1; then
		rm -rf "$folder/repository"
		echo "$sum" >"$folder/sum"
	else
		say "$2 is not there, its tests are skipped: $(tail -n 1 /tmp/quire-setup.log)"
	fi
}

# fetch_judges fetches veraPDF, the judge of accessible and archival PDF, the
# Mustang project's validator, the judge of electronic invoices, Apache POI, which reads workbooks and computes their formulas, and Keycloak, a provider
# at which people sign in.
fetch_judges() {
	fetch_java verapdf veraPDF
	fetch_java mustang "the validator of electronic invoices"
	fetch_java poi "Apache POI"
	fetch_java keycloak Keycloak
	unpack_keycloak
}

# unpack_keycloak unpacks it where it was fetched, once.
unpack_keycloak() {
	local folder="${XDG_CACHE_HOME:-$HOME/.cache}/quire/keycloak"
	[ -f "$folder/sum" ] && [ ! -d "$folder/keycloak" ] || return 0
	rm -rf "$folder/unpacked"
	mkdir "$folder/unpacked"
	(cd "$folder/unpacked" && jar xf "$folder"/lib/*.zip) && rm -r "$folder/lib" && mv "$folder"/unpacked/keycloak-* "$folder/keycloak" && rmdir "$folder/unpacked" ||
		say "Keycloak cannot be unpacked, its tests are skipped"
}

# fetch_node fetches Node.js 20 where the system's is older, as Debian 12's is,
# for the tests alone: nothing of the system changes.
fetch_node() {
	have_node && return
	say "fetching Node.js 20 (some seconds)"
	npm install --prefix "${XDG_CACHE_HOME:-$HOME/.cache}/quire/node" --no-audit --no-fund --no-save --silent node@20.20.2 >/tmp/quire-setup.log 2>&1 && have_node ||
		say "Node.js 20 is not there, the journeys are skipped: $(tail -n 1 /tmp/quire-setup.log)"
}

# fetch_ooxml fetches the Open XML SDK's validator, the judge of Office files, in
# the version and with the checksums of scripts/ooxml.
fetch_ooxml() {
	local folder="${XDG_CACHE_HOME:-$HOME/.cache}/quire/ooxml" sum
	sum=$(cksum <scripts/ooxml/package-lock.json | cut -d ' ' -f 1)
	[ "$(cat "$folder/sum" 2>/dev/null)" != "$sum" ] || return 0
	say "fetching the Open XML validator (some seconds)"
	rm -rf "$folder"
	mkdir -p "$folder"
	cp scripts/ooxml/package.json scripts/ooxml/package-lock.json "$folder"
	if npm ci --prefix "$folder" --no-audit --no-fund --silent >/tmp/quire-setup.log 2>&1; then
		echo "$sum" >"$folder/sum"
	else
		say "it is not there, its tests are skipped: $(tail -n 1 /tmp/quire-setup.log)"
	fi
}

# unpack fetches packages of Debian into a folder of their own, by a script.
unpack() { # name of the script and the folder, what it is
	local folder="${XDG_CACHE_HOME:-$HOME/.cache}/quire/$1" sum
	command -v apt-get >/dev/null || return 0
	sum=$(cksum <"scripts/$1.sh" | cut -d ' ' -f 1)
	[ "$(cat "$folder/sum" 2>/dev/null)" != "$sum" ] || return 0
	say "fetching $2 (half a minute)"
	if as_root apt-get update -qq >/tmp/quire-setup.log 2>&1 && "scripts/$1.sh" "$folder" >>/tmp/quire-setup.log 2>&1; then
		echo "$sum" >"$folder/sum"
	else
		say "it is not there, its tests are skipped: $(tail -n 1 /tmp/quire-setup.log)"
	fi
}

# unpack_all unpacks what must not be installed: LibreOffice, a reader of Office
# files, would bring fonts that change what pages look like; OpenLDAP's server,
# Prometheus and the proxies would keep running, those at port 80.
unpack_all() {
	unpack libreoffice LibreOffice
	unpack slapd "OpenLDAP's server"
	unpack prometheus "Prometheus and promtool"
	unpack proxies "nginx and Caddy"
}

# install_python installs what scripts/$1/requirements.txt lists into a folder of
# its own; $2 says what it is.
install_python() {
	local folder="${XDG_CACHE_HOME:-$HOME/.cache}/quire/$1" sum
	sum=$(cksum <"scripts/$1/requirements.txt" | cut -d ' ' -f 1)
	[ "$(cat "$folder/sum" 2>/dev/null)" != "$sum" ] || return 0
	say "installing $2 (a minute)"
	rm -rf "$folder"
	if python3 -m venv "$folder" >/tmp/quire-setup.log 2>&1 &&
		"$folder/bin/pip" install -q --no-deps -r "scripts/$1/requirements.txt" >>/tmp/quire-setup.log 2>&1; then
		echo "$sum" >"$folder/sum"
	else
		say "it is not there: $(tail -n 1 /tmp/quire-setup.log)"
	fi
}

case "${1:-run}" in
run | test)
	cd "$(dirname "$0")/.."
	. scripts/node.sh
	have_go
	collect "${1:-run}"
	install_missing
	[ "${1:-run}" = run ] || { build_servers; fetch_judges; install_python openapi "the generator of API clients"; install_python scim "the checker of SCIM servers"; install_python officereaders "readers of Office files"; install_python site "the builder of the documentation's site"; fetch_node; fetch_ooxml; unpack_all; }
	;;
traefik)
	cd "$(dirname "$0")/.."
	have_go
	build_server traefik github.com/traefik/traefik/v3/cmd/traefik traefik "Traefik: it has some thousand packages"
	;;
*)
	echo "usage: scripts/setup.sh run|test|traefik" >&2
	exit 2
	;;
esac
