#!/bin/sh
# Makes the secrets of cluster.yaml beside it, in secrets/: once, as what is sealed by one
# key can be opened by no other.
set -eu
cd "$(dirname "$0")"
[ ! -e secrets ] || { echo "secrets/ is there already" >&2; exit 1; }
random() { od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
mkdir -m 0700 secrets # its files are mounted one by one, for users of containers
umask 022
cd secrets
postgres=$(random 24) redis=$(random 24) id=$(random 10) secret=$(random 24)
printf %s "$postgres" >postgres
printf %s "postgres://quire:$postgres@postgres/quire?sslmode=disable" >database
printf %s "$redis" >redis-password
printf %s "redis://:$redis@redis:6379/0" >redis
printf '[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n' "$id" "$secret" >s3
cat >s3-server <<END
{"identities": [{"name": "quire", "credentials": [{"accessKey": "$id", "secretKey": "$secret"}], "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
END
printf %s "$(random 16)" >key
printf %s "$(random 8)" >vector
printf %s "$(random 12)" >root
echo "The password of root@localhost is in $PWD/root. Keep key and vector with your backups."
