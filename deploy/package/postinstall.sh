#!/bin/sh
# Starts the service at the first installation, and the new version at an upgrade.
# $1 is "configure" on Debian, and how many versions there are with rpm; $2 is the
# version before on Debian.
set -e
[ -d /run/systemd/system ] || booted=no
if [ "$booted" = no ]; then
	systemctl enable quire.service >/dev/null 2>&1 || true
	exit 0
fi
systemctl daemon-reload
if { [ "$1" = configure ] && [ -z "$2" ]; } || [ "$1" = 1 ]; then
	systemctl enable --now quire.service || true
	echo "Quire is starting on port 8080. The password of root@localhost, shown only once: journalctl -u quire | grep password"
else
	systemctl try-restart quire.service quire-worker.service || true
fi
