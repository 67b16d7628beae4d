# shellcheck shell=bash
# The workers: spawn-fcgi opens the socket, multiwatch keeps one almanac-worker with many threads alive on it.

worker_threads=${ALMANAC_THREADS:-32}

check_threads() {
    [[ $worker_threads =~ ^[1-9][0-9]{0,3}$ && $worker_threads -ge 4 && $worker_threads -le 1024 ]] ||
        fail "ALMANAC_THREADS must be a number from 4 to 1024, not \"$worker_threads\""
}

# The supervisor's process id.
worker_pid() {
    local pid
    [[ -s $run/multiwatch.pid ]] || return 0
    pid=$(<"$run/multiwatch.pid")
    if is_alive "$pid" && [[ $(command_line "$pid") == *multiwatch*" $bin/almanac-worker"* ]]; then
        printf '%s\n' "$pid"
    fi
}

start_worker() {
    local pid user_options=()
    [[ -z $(worker_pid) ]] || return 0
    for pid in $(processes_running "$bin/almanac-worker"); do
        # Its supervisor was killed; it would answer on a socket that nobody watches.
        end_process "$pid" TERM 10
    done
    if ((EUID == 0)); then
        user_options=(-u "$web_user" -g "$(id -gn -- "$web_user")" -U "$web_user" -G "$(id -gn -- "$web_user")")
    fi
    # CHARSET lets multiwatch take a path that isn't ASCII.
    #
    # multiwatch 1.0.0 counts wrongly in its table of -s: HUP sends nothing and goes over to shutting down, any other
    # name sends a wrong signal. The next signal it forwards as it is. Hence two SIGTERM in stop_worker. (Where the
    # count is right, the worker re-reads its environments first, which does no harm.)
    spawn_detached "$logs/worker.log" env -i "PATH=$PATH" CHARSET=UTF-8 "ALMANAC_ENVIRONMENTS=$environments_file" \
        "ALMANAC_THREADS=$worker_threads" \
        spawn-fcgi -n -s "$worker_socket" -M 0600 -b 1024 "${user_options[@]}" -- \
        /usr/bin/multiwatch -f 1 -r 2147483647 -s HUP -- "$bin/almanac-worker"
    printf '%s\n' "$spawned" >"$run/multiwatch.pid"
    await_worker_socket "$spawned"
}

await_worker_socket() {
    local pid=$1 deadline=$((SECONDS + 10))
    until [[ -S $worker_socket && -n $(worker_pid) ]]; do
        if ! is_alive "$pid" || ((SECONDS >= deadline)); then
            show_tail "$logs/worker.log"
            explain_log "$logs/worker.log"
            fail "the worker did not start"
        fi
        sleep 0.05
    done
}

stop_worker() {
    local pid child
    pid=$(worker_pid)
    if [[ -n $pid ]]; then
        kill -s TERM "$pid" 2>/dev/null || true
        await_end 0 "$pid" || sleep 0.1
        end_process "$pid" TERM 12
    fi
    for child in $(processes_running "$bin/almanac-worker"); do
        end_process "$child" TERM 10
    done
    rm -f -- "$run/multiwatch.pid" "$worker_socket"
}

# multiwatch takes SIGHUP for an end, so it goes to the workers themselves.
reload_worker() {
    local child
    for child in $(children_of "$(worker_pid)"); do
        kill -s HUP "$child"
    done
}
