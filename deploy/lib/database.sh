# shellcheck shell=bash
# The private PostgreSQL cluster, reachable only through a Unix socket, with a password for every role.

# Additional lines for the cluster's configuration; deploy/test adds some.
cluster_settings=()

# Finds PostgreSQL's programs: of the version that created the cluster, or the newest for a new one. Only Debian's
# folder is searched, because PATH may contain another build.
find_postgres_programs() {
    local version
    if [[ -s $data/PG_VERSION ]]; then
        version=$(<"$data/PG_VERSION")
        postgres_bin=/usr/lib/postgresql/$version/bin
        [[ -x $postgres_bin/postgres ]] ||
            fail "the database in $named_home was made by PostgreSQL $version, which is not installed; run apt-get install postgresql-$version"
        return 0
    fi
    postgres_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
    [[ -x $postgres_bin/initdb ]] || fail "PostgreSQL's programs are missing from /usr/lib/postgresql; run apt-get install --reinstall postgresql"
}

postgres_pid() {
    local pid
    # PostgreSQL may remove the file at any moment.
    pid=$(head -n 1 -- "$data/postmaster.pid" 2>/dev/null) || return 0
    if is_alive "$pid" && [[ $(readlink -- "/proc/$pid/cwd" 2>/dev/null) == "$data" ]]; then
        printf '%s\n' "$pid"
    fi
}

# Fails if the cluster is missing but other state exists: its volume may not be mounted, and a new cluster would lack
# the data that the state belongs to.
refuse_missing_cluster() {
    local file others=()
    [[ ! -s $data/PG_VERSION ]] || return 0
    [[ -z $(ls -A -- "$data" 2>/dev/null) ]] ||
        fail "$data is not empty, but contains no PostgreSQL cluster (PG_VERSION is missing); put the cluster back, or move the folder away"
    for file in "$environments_file" "$tokens"/*.token; do
        [[ ! -e $file ]] || others+=("$(printf '%q' "$file")")
    done
    ((${#others[@]} == 0)) ||
        fail "the database is missing from $data, but other files of the instance exist; mount its volume if it is not mounted. To start with an empty database, move away: ${others[*]}"
}

make_cluster() {
    keep_secret "$secrets/postgres.password" "$database_user"
    if [[ ! -s $data/PG_VERSION ]]; then
        say "Making a PostgreSQL cluster."
        rm -rf -- "$data.new"
        if ! (cd "$home/postgres" || exit; as_user "$database_user" "$postgres_bin/initdb" -D "$data.new" -U postgres -E UTF8 \
            --locale=C.UTF-8 --data-checksums --auth=scram-sha-256 \
            --pwfile="$secrets/postgres.password") >"$logs/initdb.log" 2>&1; then
            show_tail "$logs/initdb.log"
            explain_log "$logs/initdb.log"
            fail "PostgreSQL could not create its cluster in $data"
        fi
        printf "include 'almanac.conf'\n" >>"$data.new/postgresql.conf"
        [[ ! -d $data ]] || rmdir -- "$data"
        mv -T -- "$data.new" "$data"
    fi
    write_cluster_settings
    (umask 077 && replace_file "$secrets/superuser.pgpass" <<<"*:*:*:postgres:$(<"$secrets/postgres.password")")
}

write_cluster_settings() {
    replace_file "$data/almanac.conf" < <(
        cat <<END
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
        ((${#cluster_settings[@]} == 0)) || printf '%s\n' "${cluster_settings[@]}"
    )
    if ((EUID == 0)); then
        chown "$database_user:" "$data/almanac.conf"
    fi
}

start_postgres() {
    local launch attempts=60
    find_postgres_programs
    # PostgreSQL may be running without answering: its supervisor restarts it after a kill.
    if [[ -z $(postgres_pid) && -z $(supervisors_of postgres) ]]; then
        recover_from_killed_postmaster
        # Each start takes at least a second, so that restarts are slow while the disk is full, for example.
        # shellcheck disable=SC2016
        launch='exec 9<"$0/PG_VERSION"; flock 9; (sleep 1 </dev/null &); exec "$1" -D "$0" 9<&-'
        touch "$logs/postgres.log"
        ((EUID != 0)) || chown "$database_user:" "$logs/postgres.log"
        # After the recovery nothing of a killed server is in the way, so few attempts are enough.
        attempts=3
        spawn_supervised postgres "$logs/postgres.log" "$database_user" /bin/bash -c "$launch" "$data" "$postgres_bin/postgres"
    fi
    await_postgres "$attempts"
}

await_postgres() {
    local attempts=$1 deadline=$((SECONDS + 60)) begin failures
    begin=$(stat -c %s -- "$logs/postgres.log" 2>/dev/null || printf 0)
    until [[ -n $(postgres_pid) ]] && "$postgres_bin/pg_isready" -q -h "$sockets/postgres" -p 5432; do
        failures=$(tail -c "+$((begin + 1))" -- "$logs/postgres.log" | grep -acF "$failed_start" || true)
        if ((failures >= attempts || SECONDS >= deadline)) || { [[ -z $(postgres_pid) ]] && ! is_supervised postgres; }; then
            show_tail "$logs/postgres.log"
            explain_log "$logs/postgres.log"
            stop_postgres
            fail "PostgreSQL did not start"
        fi
        sleep 0.1
    done
}

# Prints the ids of postmasters in our folder, even without postmaster.pid. Other processes begin with "postgres: ".
postmasters() {
    local pid
    for pid in $(processes_in "$data"); do
        if [[ $(readlink -- "/proc/$pid/exe" 2>/dev/null) == */postgres* && $(command_line "$pid") != "postgres: "* ]]; then
            printf '%s\n' "$pid"
        fi
    done
}

# Waits for the backends of a killed postmaster, which exit within moments, and removes postmaster.pid. After a reboot
# its process id may belong to another process of the same user, which PostgreSQL would take for its postmaster.
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

# Stops PostgreSQL. SIGINT is a fast shutdown, SIGQUIT an immediate one.
stop_postgres() {
    local pid
    end_supervision postgres
    for pid in $(postmasters); do
        kill -s INT "$pid" 2>/dev/null || true
    done
    for pid in $(postmasters); do
        await_end 30 "$pid" || end_process "$pid" QUIT 10 || warn "PostgreSQL does not stop; see $logs/postgres.log"
    done
    end_supervisors postgres
    for pid in $(postmasters); do
        end_process "$pid" INT 30
    done
    rm -f -- "$run/postgres.pid"
}

# Creates or updates roles and databases by sql/roles.sql at every start, including those of added environments.
# Passwords go through standard input, so that neither ps nor a log shows them.
make_databases() {
    local name host database worker_file owner_file
    while IFS=$'\x1f' read -r name host database worker_file owner_file; do
        {
            roles_settings "$database" "$worker_file" "$owner_file"
            # No running process uses the login that workers of all environments shared before.
            printf '\\set shared_login end\n'
            cat -- "$checkout/sql/roles.sql"
        } | as_superuser >"$logs/database.log" 2>&1 || database_failed "$name"
    done < <(list_local_environments)
}

database_failed() {
    show_tail "$logs/database.log" 5
    fail "the database of $1 could not be created"
}

as_superuser() {
    PGPASSFILE=$secrets/superuser.pgpass "$postgres_bin/psql" -X -q -w -v ON_ERROR_STOP=1 \
        -h "$sockets/postgres" -p 5432 -U postgres -d postgres
}

# Migrates all databases with the staged programs, and shows their warnings. Fails for a local database. For one on
# another server, fails only if the release changes, because its programs may not run on the older schema.
migrate_databases() {
    local name
    for name in "${environments[@]}"; do
        if migrate "$name"; then
            cat -- "$logs/migrate-errors.log" >&2
            continue
        fi
        show_tail "$logs/migrate-errors.log" 5
        if is_local "$name"; then
            fail "the database of $name could not be migrated; the installed programs and pages stay as they were"
        fi
        is_installed_release "$release" || [[ ! -e $bin/almanac-worker ]] ||
            fail "the database of $name, on another server, could not be migrated; the installed programs and pages stay as they were; try again when it answers, or remove $name from $environments_file"
        warn "the database of $name, on another server, could not be migrated; run almanac migrate $name later"
    done
}

migrate() {
    "$staged/bin/almanac" migrate "$1" --environments "$environments_file" --sql "$checkout/sql" \
        >"$logs/migrate.log" 2>"$logs/migrate-errors.log"
}

# Creates environments.json, which then belongs to the operator.
make_environments_file() {
    local environment separator='' host="host='$sockets/postgres' port=5432"
    [[ ! -e $environments_file ]] || return 0
    {
        printf '{'
        for environment in "${first_environments[@]}"; do
            printf '%s\n  "%s": {\n' "$separator" "$environment"
            printf '    "database": "%s dbname=almanac_%s user=almanac_%s_worker",\n' "$host" "$environment" "$environment"
            printf '    "password_file": "%s",\n' "$secrets/worker.password"
            printf '    "owner": {\n'
            printf '      "database": "%s dbname=almanac_%s user=almanac_owner",\n' "$host" "$environment"
            printf '      "password_file": "%s"\n    },\n' "$secrets/owner.password"
            printf '    "identity": {"development": true},\n'
            [[ -z $(console_url) ]] || printf '    "console": {"origin": "%s"},\n' "$(console_url)"
            printf '    "config_read": "public"\n  }'
            separator=,
        done
        printf '\n}\n'
    } >"$environments_file.new"
    chmod 644 "$environments_file.new"
    mv -- "$environments_file.new" "$environments_file"
}
