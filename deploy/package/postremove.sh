#!/bin/sh
# Data and keys stay, also when the package is purged: nothing else could read them.
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload
if [ "$1" = purge ]; then
	rm -f /etc/quire/.before-removal
	rmdir /etc/quire 2>/dev/null || true
	echo "The data of Quire are still in /var/lib/quire, and their keys."
fi
