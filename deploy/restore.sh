#!/bin/sh
# Restores a backup into the empty stores of docker compose:  deploy/restore.sh DIRECTORY
#
# Database and files are filled before any service starts. Work that ran while the backup was made
# ends as interrupted: nothing is executed a second time.
set -eu
[ $# = 1 ] && [ -f "$1/fengyu.dump" ] && [ -f "$1/files.tar" ] \
  || { echo "Usage: deploy/restore.sh DIRECTORY, as deploy/backup.sh wrote it" >&2; exit 2; }
from=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
compose=${COMPOSE:-docker compose}

COMPOSE_PROFILES=restore $compose up --no-start
$compose start database
until $compose exec -T database pg_isready -q -h 127.0.0.1; do sleep 1; done
tables=$($compose exec -T database psql -U postgres -d fengyu -Atc \
  "SELECT count(*) FROM pg_tables WHERE schemaname IN
     ('platform', 'chat', 'agent', 'workflow', 'scheduler', 'webhook')")
[ "$tables" = 0 ] || { echo "The database is not empty; docker compose down -v empties it" >&2; exit 1; }
$compose stop edge chat-service agent-runtime workflow-service task-scheduler webhook-gateway

$compose exec -T database pg_restore -U postgres -d fengyu --clean --if-exists --exit-on-error \
  <"$from/fengyu.dump"
COMPOSE_PROFILES=restore $compose start file-store
COMPOSE_PROFILES=restore $compose exec -T file-store tar -C /data -x <"$from/files.tar"
COMPOSE_PROFILES=restore $compose rm -s -f file-store
$compose start
