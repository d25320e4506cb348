#!/bin/sh
# The user that the service runs as.
set -e
getent group quire >/dev/null || groupadd --system quire
getent passwd quire >/dev/null || useradd --system --gid quire --home-dir /var/lib/quire --no-create-home --shell /usr/sbin/nologin quire
