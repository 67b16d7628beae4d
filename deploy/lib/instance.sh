# shellcheck shell=bash
# An instance: PostgreSQL, the worker, the events process and nginx, started in this order and stopped in the opposite one.

services=(postgres worker events nginx)

service_pid() {
    "${1}_pid"
}

running_services() {
    local service
    for service in "${services[@]}"; do
        if [[ -n $(service_pid "$service") ]]; then
            printf '%s\n' "$service"
        fi
    done
}

is_running() {
    [[ $(running_services | wc -l) == "${#services[@]}" ]]
}

instance_url() {
    printf 'https://localhost:%s\n' "$port"
}

# The port of a running instance is the one it was started with, whatever ALMANAC_PORT says now.
remember_port() {
    port=${ALMANAC_PORT:-8443}
    if [[ -s $run/port && -n $(running_services) ]]; then
        port=$(<"$run/port")
    fi
}

# Of settings that only a start takes.
refuse_other_settings() {
    [[ ${ALMANAC_PORT:-$port} == "$port" ]] ||
        fail "it runs on port $port, and not on the $ALMANAC_PORT of ALMANAC_PORT: leave ALMANAC_PORT out, or stop it first ($program --stop)"
    [[ -z ${ALMANAC_ADDRESS+set} || ! -e $run/address || $ALMANAC_ADDRESS == "$(<"$run/address")" ]] ||
        fail "it does not run on the address of ALMANAC_ADDRESS, \"$ALMANAC_ADDRESS\", but on \"$(<"$run/address")\": leave ALMANAC_ADDRESS out, or stop it first ($program --stop)"
}

# Everything from an empty folder to an instance that answers. Nothing is changed before the checks have passed, and what
# is left of an instance goes on serving until then.
start_instance() {
    port=${ALMANAC_PORT:-8443}
    check_port_number ALMANAC_PORT "$port" 8443
    check_address
    is_our_port || check_port_is_free ALMANAC_PORT "$port" 8443
    check_server_settings
    check_log_settings
    check_backup_settings
    check_toolchain
    check_disk_space
    refuse_missing_cluster
    install_packages "${build_packages[@]}" "${service_packages[@]}"
    find_postgres_programs
    make_home
    take_lock
    hand_over_folders
    build_release
    lay_programs_ready
    check_operators_files
    stop_leftovers
    check_port_is_free ALMANAC_PORT "$port" 8443
    install_programs
    starting=yes
    start_from_installed_programs
    starting=
}

# What is there and belongs to the operator is refused, if need be, and never replaced.
check_operators_files() {
    local reason
    refuse_missing_cluster
    check_certificate
    # Lost, they are made anew, and the database is told.
    keep_secret "$secrets/owner.password" "$(id -un)"
    keep_secret "$secrets/worker.password" "$web_user"
    [[ -e $environments_file ]] || return 0
    reason=$("$bin/almanac.new" environment list --environments "$environments_file" 2>&1 >/dev/null) || fail "${reason#almanac: }"
    reason=$(as_user "$web_user" env "ALMANAC_ENVIRONMENTS=$environments_file" "$bin/almanac-worker.new" --check 2>&1 >/dev/null) ||
        fail "as the user $web_user, which it runs as: ${reason#almanac-worker: }"
    refuse_moved_databases
}

# A file of another folder, which this was copied or moved from, would lead to a server that isn't there.
refuse_moved_databases() {
    local name host rest
    while IFS=$'\x1f' read -r name host rest; do
        if [[ $host == /* && ! -S $host/.s.PGSQL.5432 ]] && ! is_local_host "$host"; then
            fail "environments file $environments_file: in '$name': no PostgreSQL is in $host, and this instance's is in $sockets/postgres; where the folder has moved, run sed -i 's#${host%/run/sockets/postgres}#$home#g' $(printf '%q' "$environments_file")"
        fi
    done < <(list_environments)
}

start_from_installed_programs() {
    printf '%s\n' "$port" >"$run/port"
    printf '%s\n' "$address_of_all" >"$run/address"
    rm -f -- "$run"/*.stopped
    make_cluster
    start_postgres
    make_environments_file
    name_own_logins
    mapfile -t environments < <(jq -r 'keys_unsorted[]' "$environments_file")
    make_certificate
    make_databases
    migrate_databases
    start_worker
    start_events
    render_nginx
    start_nginx
    start_rotation
    await_ready
    make_tokens
    check_tokens
    fill_development
    start_backups
}

# Whether nginx of this instance has the port, or what is left of it.
is_our_port() {
    [[ -s $run/port && $(<"$run/port") == "$port" && -n $(nginx_pid)$(processes_in "$home/nginx") ]]
}

is_local() {
    list_local_environments | grep "^$1"$'\x1f' >/dev/null
}

# What runs of an instance, whole or not, and whether or not the files that say so are there.
left_processes() {
    local service
    for service in "${services[@]}"; do
        supervisors_of "$service"
    done
    postmasters
    processes_running "$bin/almanac-worker"
    processes_running "$bin/almanac-events"
    processes_in "$home/nginx"
}

# Leftovers of an instance of which a part was killed, or which did not end with the machine.
stop_leftovers() {
    stop_services
}

stop_services() {
    stop_backups
    stop_rotation
    stop_nginx
    stop_events
    stop_worker
    stop_postgres
}

# Until all environments of this instance's PostgreSQL can be read and written; others may be away.
await_ready() {
    local deadline=$((SECONDS + 30)) awaited name
    mapfile -t awaited < <(list_local_environments | cut -d $'\x1f' -f1)
    until are_ready /-/ready "${awaited[@]}" && are_ready /-/events/ready "${awaited[@]}"; do
        if ((SECONDS >= deadline)) || ! is_running; then
            show_tail "$logs/worker.log"
            show_tail "$logs/events.log" 5
            show_tail "$logs/nginx-error.log" 5
            show_tail "$logs/postgres.log" 5
            fail "the instance does not become ready: $(instance_url)/-/ready"
        fi
        sleep 0.05
    done
    for name in "${environments[@]}"; do
        are_ready /-/ready "$name" ||
            warn "$name is not ready, whose database is on another server: see $logs/worker.log, or almanac environment check"
    done
}

are_ready() {
    local path=$1 answer
    shift
    answer=$(ask "$path")
    [[ -n $answer ]] || return 1
    jq -e '. as $answer | all($ARGS.positional[]; $answer.environments[.].ready == true)' --args "$@" \
        <<<"$answer" >/dev/null 2>&1
}

# A request to this instance; the path first, then further options of curl. A certificate that somebody else made is
# known by its key, for its names are others.
ask() {
    local path=$1 trust
    shift
    if is_made_here; then
        trust=(--cacert "$tls/ca.pem")
    else
        trust=(--insecure --pinnedpubkey "sha256//$(openssl x509 -in "$tls/server.pem" -noout -pubkey |
            openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)")
    fi
    curl -sS --noproxy '*' --max-time 20 "${trust[@]}" "$@" "$(instance_url)$path" 2>>"$logs/requests.log" || true
}

show_status() {
    local service pid
    for service in "${services[@]}"; do
        pid=$(service_pid "$service")
        if [[ -n $pid ]]; then
            printf '%-9s running, process %s\n' "$service" "$pid"
        else
            printf '%-9s stopped\n' "$service"
        fi
    done
}
