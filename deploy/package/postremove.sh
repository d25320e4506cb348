#!/bin/sh
# Data and keys stay, also when the package is purged: nothing else could read them.
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload
[ "$1" != purge ] || echo "The data of Quire are still in /var/lib/quire, and their keys."
