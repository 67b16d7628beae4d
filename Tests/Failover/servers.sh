# shellcheck shell=bash
# The PostgreSQL servers of the failover tests, each on its own address.

server_folder() { printf '%s/postgres/%s' "$folder" "$1"; }

make_primary() {
    local data
    data=$(server_folder "$1")
    as_postgres "$postgres_bin/initdb" -D "$data" -U postgres -E UTF8 --locale=C.UTF-8 --auth=trust >"$folder/log/initdb.log"
    as_postgres tee "$data/almanac-test.conf" >/dev/null <<END
port = $port
unix_socket_directories = ''
max_connections = 150
shared_buffers = 32MB
wal_level = replica
max_wal_senders = 10
wal_keep_size = 256MB
hot_standby = on
timezone = 'UTC'
END
    as_postgres tee -a "$data/postgresql.conf" >/dev/null <<<"include 'almanac-test.conf'"
    printf 'host replication all 127.0.0.0/8 trust\n' | as_postgres tee -a "$data/pg_hba.conf" >/dev/null
    start_server "$1"
}

start_server() {
    as_postgres "$postgres_bin/pg_ctl" -D "$(server_folder "$1")" -w -t 60 -l "$(server_folder "$1").log" \
        -o "-c listen_addresses=$1" start >/dev/null || fail "$(tail -n 3 "$(server_folder "$1").log")"
}

# Makes a standby from a copy of a server, which it then follows: its address, the server's address.
make_standby() {
    local address=$1 of=$2 data
    data=$(server_folder "$address")
    rm -rf -- "$data"
    as_postgres "$postgres_bin/pg_basebackup" -D "$data" -R -c fast -X stream \
        -d "host=$of port=$port user=postgres application_name=s${address##*.}" 2>>"$folder/log/basebackup.log" ||
        fail "$(tail -n 2 "$folder/log/basebackup.log")"
    start_server "$address"
}

stop_servers() {
    local address
    for address in "${addresses[@]}"; do
        [[ ! -s $(server_folder "$address")/postmaster.pid ]] ||
            as_postgres "$postgres_bin/pg_ctl" -D "$(server_folder "$address")" -m immediate -w -t 20 stop >/dev/null 2>&1 || true
    done
}

sql() { psql -Xqtw -v ON_ERROR_STOP=1 "host=$1 port=$port user=postgres dbname=postgres" -Ac "$2"; }

is_following() { [[ $(sql "$1" "select count(*) from pg_stat_replication where state = 'streaming'") == "$2" ]]; }

set_names() {
    name_standbys "$1" "$2"
    [[ -z $2 ]] || until_true 20 "replication is synchronous" is_synchronous "$1"
}
is_synchronous() { [[ $(sql "$1" "select count(*) from pg_stat_replication where sync_state = 'quorum'") == 2 ]]; }

# Sets the synchronous standbys, without waiting for them.
name_standbys() {
    sql "$1" "alter system set synchronous_standby_names = '$2'" && sql "$1" 'select pg_reload_conf()' >/dev/null
}

# Returns true if almanac doctor reports this about the replication: ok, WARN or FAIL, and a pattern.
doctor_says() {
    "$bin/almanac" doctor --environments "$folder/environments.json" >"$folder/log/doctor.log" 2>&1 || true
    grep -qE "^$1 +replication +failover +.*$2" "$folder/log/doctor.log"
}

cut_stream() {
    sql "$1" "alter system set primary_conninfo = ''" && sql "$1" 'select pg_reload_conf()' >/dev/null
    until_true 20 "the stream is cut" has_no_stream "$1"
}
has_no_stream() { [[ $(sql "$1" 'select count(*) from pg_stat_wal_receiver') == 0 ]]; }

kill_server() {
    local pid
    pid=$(head -n 1 "$(server_folder "$1")/postmaster.pid")
    kill -9 "$pid"
    # The server's sessions notice its death within moments.
    until_true 30 "the killed server is gone" no_process "$(server_folder "$1")"
    rm -f -- "$(server_folder "$1")/postmaster.pid"
}
no_process() {
    local cwd
    for cwd in /proc/[0-9]*/cwd; do
        [[ $(readlink -- "$cwd" 2>/dev/null) != "$1" ]] || return 1
    done
}

promote() { as_postgres "$postgres_bin/pg_ctl" -D "$(server_folder "$1")" -w -t 60 promote >/dev/null; }

# Prints the standby of two that has received more.
most_advanced() {
    local first second
    first=$(sql "$1" "select pg_last_wal_receive_lsn() - '0/0'")
    second=$(sql "$2" "select pg_last_wal_receive_lsn() - '0/0'")
    if ((first >= second)); then printf '%s' "$1"; else printf '%s' "$2"; fi
}

stop_server() {
    [[ ! -s $(server_folder "$1")/postmaster.pid ]] ||
        as_postgres "$postgres_bin/pg_ctl" -D "$(server_folder "$1")" -m immediate -w -t 20 stop >/dev/null
}
