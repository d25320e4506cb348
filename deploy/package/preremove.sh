#!/bin/sh
# Stops the services, but not at an upgrade: "upgrade" on Debian, 1 with rpm.
set -e
case "$1" in upgrade | 1) exit 0 ;; esac
[ ! -d /run/systemd/system ] || systemctl disable --now quire.service quire-worker.service || true
