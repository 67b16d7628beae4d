# shellcheck shell=bash
# multiwatch keeps the processes of each service alive. For the server programs spawn-fcgi opens the socket before.
#
# multiwatch 1.0.0 counts wrongly in its table of -s: HUP sends nothing and goes over to shutting down, any other name
# sends a wrong signal. The next signal it forwards as it is. Hence two SIGTERM, in end_supervision and
# end_supervisors. (Where the count is right, a program re-reads its environments first, which does no harm.)

# What multiwatch writes into a log when what it started has ended.
failed_start="Spawning child[0] failed"

# What the command line of a service's supervisor names, and that of no other instance.
mark_of() {
    case $1 in
        postgres) printf '%s\n' "$data" ;;
        nginx) printf '%s\n' "$home/nginx/nginx.conf" ;;
        *) printf '%s\n' "$bin/almanac-$1" ;;
    esac
}

# All that a service has: found by what they run, so that none is forgotten whose file of process ids was lost, or which
# was started before the folder moved.
supervisors_of() {
    local name=$1 child
    {
        grep -lszxF -e "$(mark_of "$name")" /proc/[0-9]*/cmdline | cut -d/ -f3 || true
        for child in $(first_processes "$name"); do
            parent_of "$child"
        done
    } | sort -un | while read -r child; do
        if is_alive "$child" && grep -qszxF /usr/bin/multiwatch "/proc/$child/cmdline"; then
            printf '%s\n' "$child"
        fi
    done
}

# Of a service, those that its supervisor starts.
first_processes() {
    case $1 in
        postgres) postmasters ;;
        nginx) nginx_masters ;;
        *) processes_running "$bin/almanac-$1" ;;
    esac
}

# The one in the file of process ids, which is found at once, or any.
server_pid() {
    local name=$1 pid=
    [[ ! -s $run/$name.pid ]] || pid=$(<"$run/$name.pid")
    if is_alive "$pid" && [[ $(command_line "$pid") == *multiwatch*" $(mark_of "$name") "* ]]; then
        printf '%s\n' "$pid"
    else
        supervisors_of "$name" | sed -n 1p
    fi
}

# Starts a program's supervisor with what follows the user, as that user.
spawn_supervised() {
    local name=$1 log=$2 user=$3
    shift 3
    # CHARSET lets multiwatch take a path that isn't ASCII.
    spawn_detached_as "$user" "$log" env -i -C / "PATH=$PATH" CHARSET=UTF-8 \
        /usr/bin/multiwatch -f 1 -r 2147483647 -s HUP -- "$@"
    printf '%s\n' "$spawned" >"$run/$name.pid"
}

# Also when what was spawned a moment ago has not become multiwatch yet.
is_supervised() {
    is_alive "$(cat -- "$run/$1.pid" 2>/dev/null)" || [[ -n $(supervisors_of "$1") ]]
}

# From here on nothing is started again; what runs goes on.
end_supervision() {
    local pid
    for pid in $(supervisors_of "$1"); do
        kill -s TERM "$pid" 2>/dev/null || true
        await_end 0 "$pid" || sleep 0.1
    done
}

# Ends what is left under supervisors, and them.
end_supervisors() {
    local pid
    for pid in $(supervisors_of "$1"); do
        end_process "$pid" TERM 12
    done
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
    local name=$1 socket=$2 child
    end_supervision "$name"
    end_supervisors "$name"
    for child in $(processes_running "$bin/almanac-$name"); do
        end_process "$child" TERM 10
    done
    rm -f -- "$run/$name.pid" "$socket"
}

# multiwatch takes SIGHUP for an end, so it goes to the processes themselves. What each makes of it is in their log.
reload_server() {
    local name=$1 log=$logs/$1.log begin child children alive deadline answers refusals
    # One that is only being started reads the file when it is; so does the successor of one that ends meanwhile.
    mapfile -t children < <(processes_running "$bin/almanac-$name")
    begin=$(stat -c %s -- "$log")
    for child in "${children[@]}"; do
        kill -s HUP "$child" 2>/dev/null || true
    done
    deadline=$((SECONDS + 30))
    while true; do
        alive=0
        for child in "${children[@]}"; do
            if is_alive "$child"; then alive=$((alive + 1)); fi
        done
        answers=$(tail -c "+$((begin + 1))" -- "$log" | grep -aE '"message":"environments file (read again|refused)' || true)
        (($(grep -c . <<<"$answers") < alive)) || break
        if ((SECONDS >= deadline)); then
            warn "almanac-$name has not said within 30 s whether it took $environments_file: see $log"
            return 1
        fi
        sleep 0.05
    done
    refusals=$(grep -F '"message":"environments file refused' <<<"$answers" | jq -r .reason | sort -u)
    [[ -z $refusals ]] || warn "almanac-$name goes on with the former environments: $refusals"
    [[ -z $refusals ]]
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
