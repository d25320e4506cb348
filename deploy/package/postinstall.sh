#!/bin/sh
# Starts the service at the first installation, and the new version at an upgrade; after a
# removal, what ran before it. $1 is "configure" on Debian, and how many versions there are
# with rpm; $2 is the version before on Debian, also of a package that was removed.
set -e
before=/etc/quire/.before-removal
booted=
[ ! -d /run/systemd/system ] || booted=yes
[ -z "$booted" ] || systemctl daemon-reload
if [ -e "$before" ]; then
	while read -r verb unit; do
		[ "$verb" = start ] && [ -z "$booted" ] || systemctl "$verb" "$unit" || true
	done <"$before"
	rm -f "$before"
elif { [ "$1" = configure ] && [ -z "$2" ]; } || [ "$1" = 1 ]; then
	systemctl enable ${booted:+--now} quire.service || true
	echo "Quire starts on port 8080. The password of root@localhost, shown only once: journalctl -u quire | grep password"
elif [ -n "$booted" ]; then
	systemctl try-restart quire.service quire-worker.service || true
fi
