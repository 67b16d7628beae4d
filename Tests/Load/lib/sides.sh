# shellcheck shell=bash
# almanac-worker and the C program for comparison, each behind its own nginx, for the time of a measurement.
#
# The sourcing script sets mode: worker, noise for the C program on both sides, or against (see against.sh).

# The two sides, each behind its own nginx with deploy/run's configuration. Only one is under load at a time.
sides=(worker baseline)
declare -A pids=() plain_ports=() tls_ports=()

# Points the paths of deploy/lib to a side.
select_side() {
    side=$1
    set_paths "$folder/$side"
    port=${tls_ports[$side]}
}

prepare_side() {
    select_side "$1"
    mkdir -p -- "$logs" "$home/nginx" "$home/www" "$sockets" "$tls"
    make_certificate
    render_nginx
    listen_without_tls "$home/nginx/nginx.conf" "$port" "${plain_ports[$side]}"
    start_nginx
}

choose_ports() {
    local side next=19100
    for side in "${sides[@]}"; do
        plain_ports[$side]=$(free_port "$next")
        tls_ports[$side]=$(free_port $((plain_ports[$side] + 1)))
        next=$((tls_ports[$side] + 1))
    done
    instance_port=$(free_port "$next")
}

start_program() {
    select_side "$1"
    local command=("$folder/programs/baseline" "$worker_threads" "${answers[@]}")
    if [[ $side == worker && $mode == worker ]]; then
        command=("$instance/bin/almanac-worker")
    fi
    local user_options=()
    if ((EUID == 0)); then
        user_options=(-u "$web_user" -g "$(id -gn -- "$web_user")" -U "$web_user" -G "$(id -gn -- "$web_user")")
    fi
    spawn_detached "$logs/program.log" env -i "PATH=$PATH" "ALMANAC_ENVIRONMENTS=$instance/environments.json" \
        "ALMANAC_THREADS=$worker_threads" \
        spawn-fcgi -n -s "$worker_socket" -M 0600 -b 1024 "${user_options[@]}" -- "${command[@]}"
    pids[$side]=$spawned
}

end_program() {
    local pid=${pids[$1]:-}
    select_side "$1"
    if [[ -n $pid ]]; then
        end_process "$pid" TERM 12
        unset "pids[$side]"
    fi
    rm -f -- "$worker_socket"
}

clean_up() {
    local status=$? side
    trap - EXIT ERR
    trap '' INT TERM HUP
    [[ $mode != against ]] || stop_commits
    for side in "${sides[@]}"; do
        [[ -d $folder/$side && $mode != against ]] || continue
        end_program "$side"
        stop_nginx
    done
    stop_instance
    rm -rf -- "$folder"
    exit "$status"
}

check_settings() {
    local name
    check_load_settings
    check_server_settings
    for name in wrk cc curl spawn-fcgi openssl; do
        command -v "$name" >/dev/null || fail "$name is missing: apt-get install wrk gcc libfcgi-dev curl spawn-fcgi openssl"
    done
}

# Reads the settings of a measurement, and creates its folder and both sides' servers.
prepare_measurement() {
    local side
    seconds=${ALMANAC_LOAD_SECONDS:-2}
    rounds=${ALMANAC_LOAD_ROUNDS:-9}
    connections=${ALMANAC_LOAD_CONNECTIONS:-16}
    check_settings
    make_folder
    ALMANAC_HOME=$instance lay_out
    choose_ports
    [[ $mode != against ]] || return 0
    mkdir -- "$folder/programs"
    build_c_program baseline "$folder/programs"
    for side in "${sides[@]}"; do
        prepare_side "$side"
    done
}
