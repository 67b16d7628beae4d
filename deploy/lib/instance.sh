# shellcheck shell=bash
# An instance: PostgreSQL, the worker, the events process and nginx, started in this order.

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

# Prints the URL of the console; nothing if the console is off.
console_url() {
    [[ ${page_hosts[console]} == off ]] || printf 'https://%s:%s\n' "${page_hosts[console]}" "$port"
}

# Reads the port and the hosts that a running instance was started with, which may differ from the settings.
load_addresses() {
    local application
    port=${ALMANAC_PORT:-8443}
    set_page_hosts "${ALMANAC_CONSOLE:-console.localhost}" "${ALMANAC_NOTES:-notes.localhost}"
    [[ -s $run/port && -n $(running_services) ]] || return 0
    port=$(<"$run/port")
    for application in "${applications[@]}"; do
        [[ ! -e $run/$application.host ]] || page_hosts["$application"]=$(<"$run/$application.host")
    done
}

# Fails if the hosts of the pages are invalid, or if the certificate can't cover them. Runs before anything is created.
check_page_hosts() {
    local application host setting
    set_page_hosts "${ALMANAC_CONSOLE:-console.localhost}" "${ALMANAC_NOTES:-notes.localhost}"
    for application in "${applications[@]}"; do
        host=${page_hosts[$application]}
        setting=ALMANAC_${application^^}
        page_host_is_valid "$host" || fail "$setting must be the name of a host, such as $application.localhost, or off, not \"$host\""
        [[ $host != localhost ]] || fail "$setting must be another host than that of the API, localhost, so that a page does not receive other programs' cookies"
        [[ $host == off || $host == *.localhost ]] || has_own_certificate ||
            fail "$setting is $host, which needs a certificate of your own; put it into $tls/server.pem and its key into $tls/server.key, or choose a name that ends in .localhost"
    done
    [[ $(served_applications | wc -l) != 2 || ${page_hosts[console]} != "${page_hosts[notes]}" ]] ||
        fail "ALMANAC_CONSOLE and ALMANAC_NOTES must be different hosts, not both ${page_hosts[console]}, so that their sessions stay separate"
}

has_own_certificate() {
    is_present "$tls/server.pem" && ! is_made_here
}

# Fails if the settings differ from those of the running instance, because only a start applies them.
refuse_other_settings() {
    [[ ${ALMANAC_PORT:-$port} == "$port" ]] ||
        fail "the instance runs on port $port, not on ALMANAC_PORT $ALMANAC_PORT; unset ALMANAC_PORT, or stop the instance first ($program --stop)"
    [[ -z ${ALMANAC_ADDRESS+set} || ! -e $run/address || $ALMANAC_ADDRESS == "$(<"$run/address")" ]] ||
        fail "the instance runs on address \"$(<"$run/address")\", not on ALMANAC_ADDRESS \"$ALMANAC_ADDRESS\"; unset ALMANAC_ADDRESS, or stop the instance first ($program --stop)"
    local application setting
    for application in "${applications[@]}"; do
        setting=ALMANAC_${application^^}
        [[ -z ${!setting+set} || ! -e $run/$application.host || ${!setting} == "${page_hosts[$application]}" ]] ||
            fail "the instance runs with $setting \"${page_hosts[$application]}\", not \"${!setting}\"; unset $setting, or stop the instance first ($program --stop)"
    done
}

# Starts an instance from any state, until it answers. Nothing changes before the checks have passed, and running parts
# of an old instance continue to serve until then.
start_instance() {
    port=${ALMANAC_PORT:-8443}
    check_port_number ALMANAC_PORT "$port" 8443
    check_address
    check_port_is_free ALMANAC_PORT "$port" 8443
    check_page_hosts
    # The first start installs openssl, and repeats this check before it stops anything.
    if command -v openssl >/dev/null; then
        check_certificate
        check_page_names
    fi
    check_front_settings
    check_server_settings
    check_log_settings
    check_backup_settings
    [[ -n ${ALMANAC_PROGRAMS:-} ]] || check_toolchain
    check_disk_space
    refuse_missing_cluster
    install_packages "${build_packages[@]}" "${service_packages[@]}"
    find_postgres_programs
    make_home
    take_lock
    chown_folders
    release=$(describe_release)
    build_release
    stage_release
    check_operators_files
    # Stops what is left of an instance that was killed in part, or that crashed with the machine.
    stop_services
    check_port_is_free ALMANAC_PORT "$port" 8443
    starting=yes
    start_staged_release
    starting=
    rm -rf -- "$staged"
}

# Fails if a file of the operator is invalid. Such files are never replaced.
check_operators_files() {
    local reason
    refuse_missing_cluster
    check_certificate
    # Missing passwords are created again and set in the database.
    keep_secret "$secrets/owner.password" "$(id -un)"
    keep_secret "$secrets/worker.password" "$web_user"
    [[ -e $environments_file ]] || return 0
    reason=$("$staged/bin/almanac" environment list --environments "$environments_file" 2>&1 >/dev/null) || fail "${reason#almanac: }"
    reason=$(as_user "$web_user" env "ALMANAC_ENVIRONMENTS=$environments_file" "$staged/bin/almanac-worker" --check 2>&1 >/dev/null) ||
        fail "the check as the user $web_user failed: ${reason#almanac-worker: }"
    refuse_moved_databases
}

# Fails if environments.json was copied from another instance's folder, whose server it still names.
refuse_moved_databases() {
    local name host rest
    while IFS=$'\x1f' read -r name host rest; do
        if [[ $host == /* && ! -S $host/.s.PGSQL.5432 ]] && ! is_local_host "$host"; then
            fail "environments file $environments_file: in '$name': there is no PostgreSQL in $host, and this instance's is in $sockets/postgres; if the folder was moved, run sed -i 's#${host%/run/sockets/postgres}#$home#g' $(printf '%q' "$environments_file")"
        fi
    done < <(list_environments)
}

start_staged_release() {
    make_cluster
    rm -f -- "$run"/*.stopped
    start_postgres
    prepare_release
    replace_file "$run/port" <<<"$port"
    replace_file "$run/address" <<<"$address_of_all"
    replace_file "$run/console.host" <<<"${page_hosts[console]}"
    replace_file "$run/notes.host" <<<"${page_hosts[notes]}"
    install_programs
    install_nginx
    start_worker
    start_events
    start_nginx
    start_rotation
    await_ready
    finish_release
    make_tokens
    check_tokens
    fill_development
    start_backups
}

# Returns true if nginx of this instance, or a leftover of it, has the port.
is_our_port() {
    [[ -s $run/port && $(<"$run/port") == "$port" && -n $(nginx_pid)$(processes_in "$home/nginx") ]]
}

is_local() {
    list_local_environments | grep "^$1"$'\x1f' >/dev/null
}

# Prints all processes of an instance, even if it is incomplete or its pid files are missing.
instance_processes() {
    local service
    for service in "${services[@]}"; do
        supervisors_of "$service"
    done
    postmasters
    processes_running "$bin/almanac-worker"
    processes_running "$bin/almanac-events"
    processes_in "$home/nginx"
}

# Stops the services in reverse, except for nginx, which passes the last message of the events process to the streams.
stop_services() {
    stop_backups
    stop_rotation
    stop_events
    stop_nginx
    stop_worker
    stop_postgres
}

# Waits until all environments of this instance's PostgreSQL are ready; those on other servers may be unreachable.
await_ready() {
    local deadline=$((SECONDS + 30)) awaited name
    set_curl_trust
    mapfile -t awaited < <(list_local_environments | cut -d $'\x1f' -f1)
    until are_ready /-/ready "${awaited[@]}" && are_ready /-/events/ready "${awaited[@]}"; do
        if ((SECONDS >= deadline)) || ! is_running; then
            show_tail "$logs/worker.log"
            show_tail "$logs/events.log" 5
            show_tail "$logs/nginx-error.log" 5
            show_tail "$logs/postgres.log" 5
            fail "the instance did not become ready; see $(instance_url)/-/ready"
        fi
        sleep 0.05
    done
    for name in "${environments[@]}"; do
        [[ " ${awaited[*]} " == *" $name "* ]] || are_ready /-/ready "$name" ||
            warn "environment $name, whose database is on another server, is not ready; see $logs/worker.log, or run almanac environment check"
    done
}

are_ready() {
    local path=$1 answer
    shift
    answer=$(request "$path")
    [[ -n $answer ]] || return 1
    jq -e '. as $answer | all($ARGS.positional[]; $answer.environments[.].ready == true)' --args "$@" \
        <<<"$answer" >/dev/null 2>&1
}

# The curl options that make curl trust the instance's certificate.
curl_trust=()

# Sets curl_trust. The operator's own certificate is pinned by its key, because it has other names.
set_curl_trust() {
    if is_made_here; then
        curl_trust=(--cacert "$tls/ca.pem")
    else
        curl_trust=(--insecure --pinnedpubkey "sha256//$(openssl x509 -in "$tls/server.pem" -noout -pubkey |
            openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)")
    fi
}

# Sends a request to this instance. Arguments: the path, then further options of curl.
request() {
    local path=$1
    shift
    ((${#curl_trust[@]} > 0)) || set_curl_trust
    curl -sS --noproxy '*' --max-time 20 "${curl_trust[@]}" "$@" "$(instance_url)$path" 2>>"$logs/requests.log" || true
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
