#!/bin/bash
# Makes the cluster at the first start, like the official image, and then runs PostgreSQL.
set -euo pipefail

if [[ ! -s $PGDATA/PG_VERSION ]]; then
    chmod 700 "$PGDATA"
    # shellcheck disable=SC2086 # several options in one variable, as with the official image
    initdb -U postgres --pwfile="$POSTGRES_PASSWORD_FILE" ${POSTGRES_INITDB_ARGS:-}
    {
        printf "\nhost all all all scram-sha-256\n"
    } >>"$PGDATA/pg_hba.conf"
    printf "listen_addresses = '*'\n" >>"$PGDATA/postgresql.conf"
fi
exec "$@"
