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

# Everything from an empty folder to an instance that answers. Nothing is changed before the checks have passed.
start_instance() {
    stop_leftovers
    port=${ALMANAC_PORT:-8443}
    check_ports
    check_server_settings
    check_toolchain
    check_disk_space
    install_packages "${build_packages[@]}" "${service_packages[@]}"
    find_postgres_programs
    make_home
    take_lock
    keep_logs_small
    hand_over_folders
    build_release
    install_programs
    starting=yes
    start_from_installed_programs
    starting=
}

start_from_installed_programs() {
    printf '%s\n' "$port" >"$run/port"
    make_certificate
    make_cluster
    start_postgres
    make_databases
    write_environments_file
    migrate_databases
    start_worker
    start_events
    render_nginx
    start_nginx
    await_ready
    make_tokens
    fill_development
}

# Leftovers of an instance of which a part was killed, or which did not end with the machine.
stop_leftovers() {
    [[ -d $run ]] || return 0
    find_postgres_programs_if_any
    stop_services
}

find_postgres_programs_if_any() {
    if [[ -s $data/PG_VERSION ]]; then
        find_postgres_programs
    fi
}

stop_services() {
    stop_nginx
    stop_events
    stop_worker
    stop_postgres
}

await_ready() {
    local deadline=$((SECONDS + 30))
    until [[ $(ask /-/ready -o /dev/null -w '%{http_code}') == 200 &&
        $(ask /-/events/ready -o /dev/null -w '%{http_code}') == 200 ]]; do
        if ((SECONDS >= deadline)) || ! is_running; then
            show_tail "$logs/worker.log"
            show_tail "$logs/events.log" 5
            show_tail "$logs/nginx-error.log" 5
            show_tail "$logs/postgres.log" 5
            fail "the instance does not become ready: $(instance_url)/-/ready"
        fi
        sleep 0.05
    done
}

# A request to this instance; the path first, then further options of curl.
ask() {
    local path=$1
    shift
    curl -sS --noproxy '*' --max-time 20 --cacert "$tls/ca.pem" "$@" "$(instance_url)$path" 2>>"$logs/requests.log" || true
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
