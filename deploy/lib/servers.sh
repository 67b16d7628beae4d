# shellcheck shell=bash
# The server programs: for each, spawn-fcgi opens the socket, and multiwatch keeps its processes alive on it.

server_pid() {
    local name=$1 pid
    [[ -s $run/$name.pid ]] || return 0
    pid=$(<"$run/$name.pid")
    if is_alive "$pid" && [[ $(command_line "$pid") == *multiwatch*" $bin/almanac-$name"* ]]; then
        printf '%s\n' "$pid"
    fi
}

# Starts a program's supervisor; what follows the number of processes are settings, as NAME=value.
start_server() {
    local name=$1 socket=$2 processes=$3 pid user_options=()
    shift 3
    [[ -z $(server_pid "$name") ]] || return 0
    for pid in $(processes_running "$bin/almanac-$name"); do
        # Its supervisor was killed; it would answer on a socket that nobody watches.
        end_process "$pid" TERM 10
    done
    if ((EUID == 0)); then
        user_options=(-u "$web_user" -g "$(id -gn -- "$web_user")" -U "$web_user" -G "$(id -gn -- "$web_user")")
    fi
    # CHARSET lets multiwatch take a path that isn't ASCII.
    #
    # multiwatch 1.0.0 counts wrongly in its table of -s: HUP sends nothing and goes over to shutting down, any other
    # name sends a wrong signal. The next signal it forwards as it is. Hence two SIGTERM in stop_server. (Where the
    # count is right, the program re-reads its environments first, which does no harm.)
    #
    # multiwatch starts a program that has ended at once, and one that ends at once is started without a pause. So each
    # start holds a lock for a second, and waits for that of the start before.
    # shellcheck disable=SC2016
    spawn_detached "$logs/$name.log" env -i "PATH=$PATH" CHARSET=UTF-8 "ALMANAC_ENVIRONMENTS=$environments_file" "$@" \
        spawn-fcgi -n -s "$socket" -M 0600 -b 4096 "${user_options[@]}" -- \
        /usr/bin/multiwatch -f "$processes" -r 2147483647 -s HUP -- \
        /bin/bash -c 'exec 9<"$0"; flock 9; (sleep 1 </dev/null &); exec "$0" 9<&-' "$bin/almanac-$name"
    printf '%s\n' "$spawned" >"$run/$name.pid"
    await_server_socket "$name" "$socket" "$spawned"
}

await_server_socket() {
    local name=$1 socket=$2 pid=$3 deadline=$((SECONDS + 10))
    until [[ -S $socket && -n $(server_pid "$name") ]]; do
        if ! is_alive "$pid" || ((SECONDS >= deadline)); then
            show_tail "$logs/$name.log"
            explain_log "$logs/$name.log"
            fail "almanac-$name did not start"
        fi
        sleep 0.05
    done
}

stop_server() {
    local name=$1 socket=$2 pid child
    pid=$(server_pid "$name")
    if [[ -n $pid ]]; then
        kill -s TERM "$pid" 2>/dev/null || true
        await_end 0 "$pid" || sleep 0.1
        end_process "$pid" TERM 12
    fi
    for child in $(processes_running "$bin/almanac-$name"); do
        end_process "$child" TERM 10
    done
    rm -f -- "$run/$name.pid" "$socket"
}

# multiwatch takes SIGHUP for an end, so it goes to the processes themselves.
reload_server() {
    local child
    for child in $(children_of "$(server_pid "$1")"); do
        kill -s HUP "$child"
    done
}

worker_threads=${ALMANAC_THREADS:-32}
events_processes=${ALMANAC_EVENTS_PROCESSES:-1}

check_server_settings() {
    [[ $worker_threads =~ ^[1-9][0-9]{0,3}$ && $worker_threads -ge 4 && $worker_threads -le 1024 ]] ||
        fail "ALMANAC_THREADS must be a number from 4 to 1024, not \"$worker_threads\""
    [[ $events_processes =~ ^[1-9][0-9]?$ ]] ||
        fail "ALMANAC_EVENTS_PROCESSES must be a number from 1 to 99, not \"$events_processes\""
}

worker_pid() {
    server_pid worker
}

start_worker() {
    start_server worker "$worker_socket" 1 "ALMANAC_THREADS=$worker_threads"
}

stop_worker() {
    stop_server worker "$worker_socket"
}

events_pid() {
    server_pid events
}

start_events() {
    start_server events "$events_socket" "$events_processes"
}

stop_events() {
    stop_server events "$events_socket"
}
