#!/bin/bash
# Creates the roles, and a database for each environment; existing ones stay unchanged.
#
# Runs in the image of PostgreSQL, which also parses environments.json.
set -euo pipefail

environments_file=/etc/almanac/environments.json
secrets=/secrets

fail() {
    printf 'databases: %s\n' "$*" >&2
    exit 1
}

as_superuser() {
    PGPASSFILE=$passwords psql -X -q -w -v ON_ERROR_STOP=1 -h postgres -U postgres -d postgres "$@"
}

# Prints a line per environment: its name, its database and the login of its workers, separated by tabs.
list_databases() {
    as_superuser -At -F $'\t' <<END
\set file \`cat $environments_file\`
select name, substring(coalesce(settings->'owner'->>'database', settings->>'database')
    from '(?:^|\s)dbname\s*=\s*''?([A-Za-z0-9_-]+)'),
    substring(settings->>'database' from '(?:^|\s)user\s*=\s*''?([A-Za-z0-9_-]+)')
from json_each(:'file') as environment (name, settings);
END
}

make_database() {
    {
        printf '\\set database %s\n' "$1"
        printf '\\set owner_password %s\n' "$(<"$secrets/owner/password")"
        printf '\\set worker_password %s\n' "$(<"$secrets/worker/password")"
        if [[ $2 == almanac_worker ]]; then
            printf '\\set shared_login keep\n'
        else
            printf '\\set shared_login end\n'
        fi
        cat /usr/share/almanac/sql/roles.sql
    } | as_superuser >/dev/null
}

umask 077
passwords=/tmp/passwords
printf '*:*:*:postgres:%s\n' "$(<"$secrets/superuser/password")" >"$passwords"
list=$(list_databases) || fail "the list of environments could not be read from environments.json"
[[ -n $list ]] || fail "environments.json names no environment"
while IFS=$'\t' read -r environment database login; do
    [[ -n $database ]] || fail "environment '$environment' has no dbname in its connection string"
    make_database "$database" "$login" || fail "the database of '$environment' could not be created"
    printf '%s: database %s\n' "$environment" "$database"
    [[ $login != almanac_worker ]] ||
        printf '%s: workers log in as almanac_worker, which can open several databases; use %s instead in environments.json\n' \
            "$environment" "${database}_worker"
done <<<"$list"
