# shellcheck shell=bash
# The private PostgreSQL cluster: reached through a Unix socket only, with a password for every role.

# Further lines for the cluster's configuration; deploy/test adds some.
cluster_settings=()

# The programs of PostgreSQL from Debian's own folder, never from PATH, where another build may lie:
# those of the version that made the cluster, or the newest for a new one.
find_postgres_programs() {
    local version
    if [[ -s $data/PG_VERSION ]]; then
        version=$(<"$data/PG_VERSION")
        postgres_bin=/usr/lib/postgresql/$version/bin
        [[ -x $postgres_bin/postgres ]] ||
            fail "the database in $named_home was made by PostgreSQL $version, which is not installed: apt-get install postgresql-$version"
        return 0
    fi
    postgres_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
    [[ -x $postgres_bin/initdb ]] || fail "PostgreSQL's programs are not in /usr/lib/postgresql: apt-get install --reinstall postgresql"
}

postgres_pid() {
    local pid
    [[ -s $data/postmaster.pid ]] || return 0
    pid=$(head -n 1 -- "$data/postmaster.pid")
    if is_alive "$pid" && [[ $(readlink -- "/proc/$pid/cwd" 2>/dev/null) == "$data" ]]; then
        printf '%s\n' "$pid"
    fi
}

make_cluster() {
    keep_secret "$secrets/postgres.password" "$database_user"
    if [[ ! -s $data/PG_VERSION ]]; then
        say "Making a PostgreSQL cluster."
        rm -rf -- "$data" "$data.new" "$tokens"/*.token
        if ! (cd "$home/postgres" || exit; as_user "$database_user" "$postgres_bin/initdb" -D "$data.new" -U postgres -E UTF8 \
            --locale=C.UTF-8 --data-checksums --auth=scram-sha-256 \
            --pwfile="$secrets/postgres.password") >"$logs/initdb.log" 2>&1; then
            show_tail "$logs/initdb.log"
            explain_log "$logs/initdb.log"
            fail "PostgreSQL could not make its cluster in $data"
        fi
        printf "include 'almanac.conf'\n" >>"$data.new/postgresql.conf"
        mv -- "$data.new" "$data"
    fi
    write_cluster_settings
    (umask 077 && printf '*:*:*:postgres:%s\n' "$(<"$secrets/postgres.password")" >"$secrets/superuser.pgpass")
}

write_cluster_settings() {
    cat >"$data/almanac.conf" <<END
# Written by deploy/run at every start.
listen_addresses = ''
port = 5432
unix_socket_directories = '"$sockets/postgres"'
cluster_name = 'almanac'
max_connections = 200
shared_buffers = 96MB
max_wal_size = 512MB
password_encryption = scram-sha-256
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] %q%u@%d '
END
    ((${#cluster_settings[@]} == 0)) || printf '%s\n' "${cluster_settings[@]}" >>"$data/almanac.conf"
    if ((EUID == 0)); then
        chown "$database_user:" "$data/almanac.conf"
    fi
}

start_postgres() {
    [[ -z $(postgres_pid) ]] || return 0
    find_postgres_programs
    recover_from_killed_postmaster
    touch "$logs/postgres.log"
    if ((EUID == 0)); then
        chown "$database_user:" "$logs/postgres.log"
    fi
    if ! run_pg_ctl start -w -t 60 -l "$logs/postgres.log" >/dev/null; then
        show_tail "$logs/postgres.log"
        explain_log "$logs/postgres.log"
        fail "PostgreSQL did not start"
    fi
}

# pg_ctl leaves the terminal's session by itself.
run_pg_ctl() {
    (
        close_inherited_files
        cd "$home/postgres" || exit
        as_user "$database_user" "$postgres_bin/pg_ctl" -D "$data" "$@" </dev/null 2>&1
    )
}

# After a kill -9 the backends notice within moments that their parent is gone. After a reboot the old process id may
# belong to another process of the same user, which PostgreSQL would mistake for its former self.
recover_from_killed_postmaster() {
    local deadline=$((SECONDS + 20)) leftover
    while leftover=$(processes_in "$data") && [[ -n $leftover ]]; do
        if ((SECONDS >= deadline)); then
            fail "processes of a killed PostgreSQL still use $data: ${leftover//$'\n'/ }"
        fi
        sleep 0.1
    done
    rm -f -- "$data/postmaster.pid" "$sockets/postgres"/.s.PGSQL.5432{,.lock}
}

stop_postgres() {
    [[ -n $(postgres_pid) ]] || return 0
    find_postgres_programs
    run_pg_ctl stop -m fast -w -t 30 >/dev/null || run_pg_ctl stop -m immediate -w -t 10 >/dev/null ||
        warn "PostgreSQL does not stop: see $logs/postgres.log"
}

# Roles and databases are brought to what sql/roles.sql says at every start.
# The passwords travel through standard input, so that neither ps nor a log shows them.
make_databases() {
    local environment
    keep_secret "$secrets/owner.password" "$(id -un)"
    keep_secret "$secrets/worker.password" "$web_user"
    for environment in "${environments[@]}"; do
        roles_script "$environment" | as_superuser >"$logs/database.log" 2>&1 || database_failed "$environment"
    done
}

roles_script() {
    printf '\\set database almanac_%s\n' "$1"
    printf '\\set owner_password %s\n' "$(<"$secrets/owner.password")"
    printf '\\set worker_password %s\n' "$(<"$secrets/worker.password")"
    # The login that workers of all environments shared before; nothing runs now that has it.
    printf '\\set shared_login end\n'
    cat -- "$checkout/sql/roles.sql"
}

database_failed() {
    show_tail "$logs/database.log" 5
    fail "the database of $1 could not be made"
}

as_superuser() {
    PGPASSFILE=$secrets/superuser.pgpass "$postgres_bin/psql" -X -q -w -v ON_ERROR_STOP=1 \
        -h "$sockets/postgres" -p 5432 -U postgres -d postgres
}

migrate_databases() {
    if ! "$bin/almanac" migrate --environments "$environments_file" --sql "$checkout/sql" >"$logs/migrate.log" 2>&1; then
        show_tail "$logs/migrate.log" 5
        fail "the databases could not be migrated"
    fi
}

write_environments_file() {
    local environment separator='' host="host='$sockets/postgres' port=5432"
    {
        printf '{'
        for environment in "${environments[@]}"; do
            printf '%s\n  "%s": {\n' "$separator" "$environment"
            printf '    "database": "%s dbname=almanac_%s user=almanac_%s_worker",\n' "$host" "$environment" "$environment"
            printf '    "password_file": "%s",\n' "$secrets/worker.password"
            printf '    "owner": {\n'
            printf '      "database": "%s dbname=almanac_%s user=almanac_owner",\n' "$host" "$environment"
            printf '      "password_file": "%s"\n    },\n' "$secrets/owner.password"
            printf '    "identity": {"development": true},\n'
            printf '    "config_read": "public"\n  }'
            separator=,
        done
        printf '\n}\n'
    } >"$environments_file.new"
    chmod 644 "$environments_file.new"
    mv -- "$environments_file.new" "$environments_file"
}
