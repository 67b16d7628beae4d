# shellcheck shell=bash
# The setup of nginx and almanac-events for the measurements, and their memory.

# The number of files that a process needs besides those of its streams.
spare_files=256

# Adds a plain HTTP port on loopback, and allows one nginx worker enough connections for all streams.
make_room_in_nginx() {
    local file=$home/nginx/nginx.conf max_streams needed
    max_streams=$(printf '%s\n' "${stream_counts[@]}" | sort -n | tail -n 1)
    needed=$((2 * max_streams + spare_files))
    listen_without_tls "$file" "$instance_port" "$plain_port"
    sed -i -E "s/^( *worker_(connections|rlimit_nofile)) .*/\1 $needed;/" "$file"
    [[ $(grep -cE "^ *worker_(connections|rlimit_nofile) $needed;" "$file") == 2 ]] ||
        fail "$file has changed: worker_connections and worker_rlimit_nofile could not be set there"
    say "nginx: worker_connections and worker_rlimit_nofile $needed."
    restart_services
}

# Restarts nginx and the events processes, because memory from earlier streams would hide the need of the next ones.
restart_services() {
    local service
    for service in nginx events; do
        ALMANAC_HOME=$instance "$checkout/deploy/run" --stop-service "$service" >/dev/null
        ALMANAC_HOME=$instance "$checkout/deploy/run" --start-service "$service" >/dev/null
    done
    mapfile -t nginx_pids < <(workers_of_nginx)
    mapfile -t events_pids < <(ALMANAC_HOME=$instance "$checkout/deploy/run" --pid events)
    ((${#nginx_pids[@]} > 0 && ${#events_pids[@]} > 0)) || fail "nginx or almanac-events does not run"
    # Memory that is allocated at the first use does not count as a stream's cost.
    run_client "warm-up" tls 50 --rounds 3
    await_end_of_streams
}

# Prints the worker processes of nginx. Its other children manage the cache, and one of them ends after a minute.
workers_of_nginx() {
    local pid
    for pid in $(children_of "$(nginx_pid)"); do
        [[ $(command_line "$pid") != "nginx: worker process"* ]] || printf '%s\n' "$pid"
    done
}

# Prints the memory of processes in KiB. Memory that several of them share counts once.
memory_of() {
    local pid
    for pid in "$@"; do
        awk '/^Pss:/ { print $2 }' "/proc/$pid/smaps_rollup"
    done | awk '{ sum += $1 } END { print sum }'
}

open_files_of() {
    local pid
    for pid in "$@"; do
        ls "/proc/$pid/fd"
    done | wc -l
}

# Waits until the processes have closed the client's streams.
await_end_of_streams() {
    local deadline=$((SECONDS + 60)) allowed=$((spare_files * (${#nginx_pids[@]} + ${#events_pids[@]})))
    until (($(open_files_of "${nginx_pids[@]}" "${events_pids[@]}") < allowed)); do
        ((SECONDS < deadline)) || fail "nginx or almanac-events keeps streams whose clients have gone"
        sleep 0.1
    done
}
