# Sourced by scripts that boot an empty Debian by systemd in a container, as root.

# unpack_machine unpacks an empty Debian, which finds the same packages as this machine.
unpack_machine() { # folder
	tar -C "$1" -xf "$base"
	rm -rf "$1"/etc/apt/sources.list*
	cp -r /etc/apt/sources.list* "$1/etc/apt/"
	[ ! -d /etc/apt/apt.conf.d ] || cp -r /etc/apt/apt.conf.d/. "$1/etc/apt/apt.conf.d/"
	rm -f "$1/etc/apt/apt.conf.d/"*docker*
}

# boot_machine boots $root, with further options of systemd-nspawn, and waits until it is up.
boot_machine() {
	systemd-nspawn --boot --quiet --register=no --keep-unit --resolv-conf=copy-host "$@" -D "$root" >"$root.log" 2>&1 </dev/null &
	machine=$!
	first=
	for _ in $(seq 300); do
		first=$(pgrep -P "$machine" | head -n 1) || true
		if [ -n "$first" ] && inside systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded'; then break; fi
		sleep 0.2
	done
	inside systemctl is-system-running | grep -E 'running|degraded' >/dev/null || { echo "it did not boot:" >&2; tail -n 20 "$root.log" >&2; exit 1; }
}

# inside runs a command beside the first process of the container.
inside() {
	nsenter --target "$first" --mount --uts --ipc --pid --net --root --wd env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}

# end_machine ends it, and removes what it was.
end_machine() {
	[ -z "$machine" ] || { kill "$machine" 2>/dev/null; wait "$machine" 2>/dev/null; } || true
	rm -rf "$root" "$root".*log
}

# shown prints a block of commands that the guide has below a heading.
shown() { # heading, which
	awk -v heading="### $1" -v wanted="$2" '/^#/ && !block {here = $0 == heading} !here {next} /^```/ {block = !block; if (block) n++; next} block && n == wanted' docs/deployment.md
}

# ready waits until the service answers, at the port that it has by itself or $port.
ready() {
	for _ in $(seq 600); do
		if inside curl -sf "http://127.0.0.1:${port:-8080}/readyz" -o /dev/null; then return; fi
		sleep 0.2
	done
	inside journalctl -u quire --no-pager | tail -n 30 >&2
	exit 1
}

# print lets the service print an invoice, by a token of that name.
print() {
	inside sh -ec "token=\$(quirectl token create --user root@localhost --name '$1')
		curl -sf -H \"Authorization: Bearer \$token\" -o /root/invoice.pdf http://127.0.0.1:${port:-8080}/api/v1/ws/demo/reports/invoice/pdf"
	[ "$(inside head -c 4 /root/invoice.pdf)" = %PDF ] || { echo "it does not print" >&2; exit 1; }
}
