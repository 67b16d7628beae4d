# shellcheck shell=bash
# Shared steps of the failover tests: an environment "failover" with workers, events processes and nginx on their own
# addresses, and clients. The database is on the server that currently accepts writes.

postgres_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
addresses=(127.0.0.1 127.0.0.2 127.0.0.3)
service_addresses=(127.0.0.4 127.0.0.5)
started=()

fail() { printf '%s: %s\n' "$program" "$*" >&2 && exit 1; }
say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*"; }

# Makes a folder for all files, which PostgreSQL's user may enter. It is removed at the end unless a step failed.
make_folder() {
    ((EUID == 0)) || fail "must run as root, to start PostgreSQL as its user"
    [[ -x $postgres_bin/initdb ]] || fail "initdb is missing: apt-get install postgresql"
    bin=${ALMANAC_DRILL_BIN:-$checkout/.build/release}
    local name
    for name in almanac-worker almanac-events almanac almanac-failover-clients; do
        [[ -x $bin/$name ]] || fail "$bin/$name is missing: swift build -c release, or name the folder of the programs in ALMANAC_DRILL_BIN"
    done
    folder=$(mktemp -d /tmp/almanac-fault-XXXXXX)
    chmod 755 "$folder"
    mkdir "$folder/log" "$folder/clients" "$folder/nginx"
    install -d -o postgres "$folder/postgres"
    port=$((21000 + RANDOM % 4000))
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

clean_up() {
    local status=$? pid
    trap - EXIT
    # nginx ends its workers when it is terminated, but leaves them behind when it is killed.
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${started[@]}"; do
        timeout 5 tail --pid="$pid" -f /dev/null || true
        kill -9 "$pid" 2>/dev/null || true
    done
    stop_servers
    if ((status == 0)); then rm -rf -- "$folder"; else printf 'see %s\n' "$folder" >&2; fi
    exit "$status"
}

as_postgres() { (cd / && runuser -u postgres -- "$@"); }

# Runs a command in the background until it ends: start LOG COMMAND….
start() {
    local log=$folder/log/$1
    shift
    "$@" >>"$log" 2>&1 </dev/null &
    last_started=$!
    started+=("$last_started")
}

# Waits until a command succeeds: until_true SECONDS WHAT COMMAND….
until_true() {
    local deadline=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline)) || fail "timed out waiting until $what"
        sleep 0.05
    done
}

hosts() { local IFS=, && printf '%s' "${addresses[*]}"; }

# Prints the connection string of a role on the server that currently accepts writes.
login() {
    printf 'host=%s port=%s dbname=%s user=%s target_session_attrs=read-write connect_timeout=2 tcp_user_timeout=5000' \
        "${database_hosts:-$(hosts)}" "${database_port:-$port}" "$1" "$2"
}

writer() { psql -Xqtw -v ON_ERROR_STOP=1 "$(login postgres postgres)"; }

make_environment() {
    # psql would choose any of the servers when the script connects to the new database, so name the primary.
    printf '\\set database almanac_failover\n' | cat - "$checkout/sql/roles.sql" |
        psql -Xqtw -v ON_ERROR_STOP=1 "host=$primary port=$port dbname=postgres user=postgres" >"$folder/log/roles.log" 2>&1 ||
        fail "the database could not be created: $(tail -n 1 "$folder/log/roles.log")"
    # A standby without the database would refuse a client that searches for the primary.
    until_true 30 "the standbys have the database" has_followers_at_end
    cat >"$folder/environments.json" <<END
{"failover": {"database": "$(worker_login)", "owner": {"database": "$(login almanac_failover almanac_owner)"},
           "identity": {"development": true}, "config_read": "public", "limits": {"streams": 1000}}}
END
    export ALMANAC_ENVIRONMENTS=$folder/environments.json ALMANAC_SQL=$checkout/sql
    "$bin/almanac" migrate failover >"$folder/log/migrate.log" 2>&1 || fail "$(tail -n 1 "$folder/log/migrate.log")"
    "$bin/almanac" token create failover --scope admin --label failover --output "$folder/api.token" >/dev/null
}

has_followers_at_end() {
    [[ $(sql "$primary" 'select count(*) from pg_stat_replication where replay_lsn is distinct from pg_current_wal_lsn()') == 0 ]]
}

worker_login() { login almanac_failover almanac_failover_worker; }

# Starts two workers and two events processes on two addresses, and an nginx in front of them.
start_service() {
    local address
    for address in "${service_addresses[@]}"; do start_service_processes "$address"; done
    nginx_port=$((port + 2))
    write_nginx
    start nginx.log nginx -e stderr -p "$folder/nginx" -c "$folder/nginx.conf"
    until_true 30 "the service answers" ready
}

# Starts a worker and an events process on an address, and stores their process ids in worker_… and events_….
start_service_processes() {
    local address=$1
    ALMANAC_LISTEN=$address:$((port + 1)) start "worker-$address.log" "$bin/almanac-worker"
    printf -v "worker_${address//./_}" %s "$last_started"
    ALMANAC_LISTEN=$address:$((port + 3)) start "events-$address.log" "$bin/almanac-events"
    printf -v "events_${address//./_}" %s "$last_started"
}

pid_of() { local name=$1_${2//./_} && printf '%s' "${!name}"; }

ask() { curl -sS --noproxy '*' --max-time 10 "http://127.0.0.1:$nginx_port$1" "${@:2}"; }
ready() { [[ $(ask /-/ready -o /dev/null -w '%{http_code}') == 200 && $(ask /-/events/ready -o /dev/null -w '%{http_code}') == 200 ]]; }

# Writes the files of deploy/nginx, changed to plain HTTP.
write_nginx() {
    local address workers='' events=''
    for address in "${service_addresses[@]}"; do
        workers+="server $address:$((port + 1)) max_fails=1 fail_timeout=1s; "
        events+="server $address:$((port + 3)) max_fails=1 fail_timeout=1s; "
    done
    cp -- "$checkout"/deploy/nginx/*.conf "$folder"
    cat >"$folder/nginx.conf" <<END
load_module /usr/lib/nginx/modules/ngx_http_brotli_static_module.so;
user root;
daemon off;
worker_processes 2;
worker_rlimit_nofile 65536;
pid $folder/nginx/nginx.pid;
events { worker_connections 16384; }
http {
    include almanac-http.conf;
    include almanac-hosts.conf;
    include almanac-problems.conf;
    access_log $folder/log/access.log almanac buffer=64k flush=1s;
    client_body_temp_path $folder/nginx/body;
    fastcgi_temp_path $folder/nginx/fastcgi;
    proxy_temp_path $folder/nginx/proxy;
    uwsgi_temp_path $folder/nginx/unused;
    scgi_temp_path $folder/nginx/unused;
    fastcgi_cache_path $folder/nginx/cache levels=1 keys_zone=almanac_immutable:2m max_size=64m inactive=2m use_temp_path=off;
    upstream almanac_worker { ${workers}keepalive 64; }
    upstream almanac_worker_once { $workers}
    upstream almanac_events { $events}
    map \$request_method \$almanac_worker {
        default almanac_worker;
        "~^(POST|PATCH)$" almanac_worker_once;
    }
    server {
        listen 127.0.0.1:$nginx_port;
        server_name localhost;
        root $checkout/Sources/Web/api;
        include almanac-server.conf;
    }
}
END
}

# Starts the clients of one round. send_step STEP then sends them a step, and sets answer to their response.
start_clients() {
    "$bin/almanac" token user failover --sub "round-$RANDOM$RANDOM" --expires-in-minutes 60 >"$folder/user.token"
    coproc clients {
        "$bin/almanac-failover-clients" "http://127.0.0.1:$nginx_port/failover" "$folder/api.token" "$folder/user.token" \
            "$folder/clients" 2>>"$folder/log/clients.log"
    }
    clients_pid=$clients_PID
    started+=("$clients_pid")
}

send_step() {
    printf '%s\n' "$1" >&"${clients[1]}"
    IFS= read -r answer <&"${clients[0]}" || fail "the clients ended at the step \"$1\": $(tail -n 3 "$folder/log/clients.log")"
    [[ $answer != failed:* ]] || fail "the step \"$1\" of the clients failed: $answer"
}

end_clients() {
    local end=${clients[1]}
    send_step end
    exec {end}>&-
    wait "$clients_pid" 2>/dev/null || true
}

count_round() {
    [[ $answer =~ acknowledged\ ([0-9]+)\ config\ ([0-9]+)\ notes,\ lost\ ([0-9]+)\ config\ ([0-9]+)\ notes,\ lineage\ ([a-z]+),\ wrong\ ([0-9]+)\ of\ ([0-9]+) ]] ||
        fail "expected the counts of the round, got: $answer"
    acknowledged=$((acknowledged + BASH_REMATCH[1] + BASH_REMATCH[2]))
    lost=$((lost + BASH_REMATCH[3] + BASH_REMATCH[4]))
    [[ ${BASH_REMATCH[5]} == kept ]] || renewed=$((renewed + 1))
    wrong=$((wrong + BASH_REMATCH[6]))
    checked=$((checked + BASH_REMATCH[7]))
}
