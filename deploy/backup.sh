#!/bin/sh
# Backs up what docker compose runs:  deploy/backup.sh DIRECTORY
#
# The database first, the file store second: files are never changed in place, so every row of the
# dump finds its file. Services may go on running. The keys in .env are not part of it.
set -eu
[ $# = 1 ] || { echo "Usage: deploy/backup.sh DIRECTORY" >&2; exit 2; }
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
compose=${COMPOSE:-docker compose}
[ ! -e "$to/fengyu.dump" ] || { echo "$to holds a backup already" >&2; exit 1; }
umask 077

$compose exec -T database pg_dump -U postgres -Fc fengyu >"$to/fengyu.dump.part"
# 1 only says that a run was writing: what it writes is in no row of the dump yet.
$compose exec -T agent-runtime sh -c 'tar -C /data --exclude=./tmp -c . || [ $? = 1 ]' \
  >"$to/files.tar.part"
mv "$to/fengyu.dump.part" "$to/fengyu.dump"
mv "$to/files.tar.part" "$to/files.tar"
echo "Backed up to $to. Keep FENGYU_MACHINE_KEY of .env somewhere else: it is not in there."
