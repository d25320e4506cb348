#!/bin/sh
# Stops the services and notes how they were, for postinstall.sh, but not at an upgrade:
# "upgrade" on Debian, 1 with rpm.
set -e
case "$1" in upgrade | failed-upgrade | 1) exit 0 ;; esac
before=/etc/quire/.before-removal
mkdir -p /etc/quire
: >"$before"
for unit in quire.service quire-worker.service; do
	! systemctl is-enabled --quiet "$unit" || echo "enable $unit" >>"$before"
	! systemctl is-active --quiet "$unit" || echo "start $unit" >>"$before"
	systemctl disable "$unit" || true
	# It returns when nothing runs any more: systemd ends by force what does not end in time.
	[ ! -d /run/systemd/system ] || systemctl stop "$unit" || true
done
