# shellcheck shell=bash
# multiwatch keeps the processes of each service alive. spawn-fcgi first opens the socket of a server program.
#
# multiwatch 1.0.0 miscounts in its table for -s: HUP sends nothing and starts the shutdown, and any other
# name sends a wrong signal. The next signal is forwarded correctly. Therefore end_supervision and end_supervisors send
# two SIGTERM. (A corrected multiwatch makes a program re-read its environments first, which is harmless.)

# The log message of multiwatch after a child has exited.
failed_start="Spawning child[0] failed"

# Prints the word by which the command line of a service's supervisor differs from that of other instances.
supervisor_marker() {
    case $1 in
        postgres) printf '%s\n' "$data" ;;
        nginx) printf '%s\n' "$home/nginx/nginx.conf" ;;
        *) printf '%s\n' "$bin/almanac-$1" ;;
    esac
}

# Prints the supervisors of a service. They are found by what they run, so that none is missed if its pid file was lost
# or the folder has moved since.
supervisors_of() {
    local name=$1 child
    {
        grep -lszxF -e "$(supervisor_marker "$name")" /proc/[0-9]*/cmdline | cut -d/ -f3 || true
        for child in $(first_processes "$name"); do
            parent_of "$child"
        done
    } | sort -un | while read -r child; do
        if is_alive "$child" && grep -qszxF /usr/bin/multiwatch "/proc/$child/cmdline"; then
            printf '%s\n' "$child"
        fi
    done
}

# Prints the processes that a service's supervisor has started.
first_processes() {
    case $1 in
        postgres) postmasters ;;
        nginx) nginx_masters ;;
        *) processes_running "$bin/almanac-$1" ;;
    esac
}

# Prints a supervisor's process id: the one in the pid file, or else the first in /proc.
server_pid() {
    local name=$1 pid=
    [[ ! -s $run/$name.pid ]] || pid=$(<"$run/$name.pid")
    if is_alive "$pid" && [[ $(command_line "$pid") == *multiwatch*" $(supervisor_marker "$name") "* ]]; then
        printf '%s\n' "$pid"
    else
        supervisors_of "$name" | sed -n 1p
    fi
}

# Starts a supervisor as a user. Arguments: the service, the log, the user, the command to supervise.
spawn_supervised() {
    local name=$1 log=$2 user=$3
    shift 3
    # CHARSET lets multiwatch accept paths with non-ASCII characters.
    spawn_detached_as "$user" "$log" env -i -C / "PATH=$PATH" CHARSET=UTF-8 \
        /usr/bin/multiwatch -f 1 -r 2147483647 -s HUP -- "$@"
    printf '%s\n' "$spawned" >"$run/$name.pid"
}

# Returns true if a service has a supervisor, even if the spawned process has not become multiwatch yet.
is_supervised() {
    is_alive "$(cat -- "$run/$1.pid" 2>/dev/null)" || [[ -n $(supervisors_of "$1") ]]
}

# Stops the supervisors from restarting processes; running processes continue.
end_supervision() {
    local pid
    for pid in $(supervisors_of "$1"); do
        kill -s TERM "$pid" 2>/dev/null || true
        await_end 0 "$pid" || sleep 0.1
    done
}

# Ends supervisors and their remaining processes.
end_supervisors() {
    local pid
    for pid in $(supervisors_of "$1"); do
        end_process "$pid" TERM 12
    done
}

# Starts a command with an open socket, as the user of the server programs. Arguments: the log, the socket, the command.
spawn_server() {
    local log=$1 socket=$2 user_options=()
    shift 2
    if ((EUID == 0)); then
        user_options=(-u "$web_user" -g "$(id -gn -- "$web_user")" -U "$web_user" -G "$(id -gn -- "$web_user")")
    fi
    spawn_detached "$log" env -i "PATH=$PATH" CHARSET=UTF-8 "ALMANAC_ENVIRONMENTS=$environments_file" \
        spawn-fcgi -n -s "$socket" -M 0600 -b 4096 "${user_options[@]}" -- "$@"
}

# Starts a server program's supervisor. Arguments: name, socket, number of processes, settings as NAME=value.
start_server() {
    local name=$1 socket=$2 processes=$3 pid
    shift 3
    [[ -z $(server_pid "$name") ]] || return 0
    for pid in $(processes_running "$bin/almanac-$name"); do
        # The supervisor of this process was killed, so nothing would restart it.
        end_process "$pid" TERM 10
    done
    # multiwatch restarts an ended program without a pause. Therefore each start holds a lock for a second, and waits
    # for the lock of the start before.
    # shellcheck disable=SC2016
    spawn_server "$logs/$name.log" "$socket" /usr/bin/env "$@" /usr/bin/multiwatch -f "$processes" -r 2147483647 -s HUP -- \
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

# Restarts the processes of a server program that run a replaced file, one after the other. Their supervisor holds the
# open socket meanwhile, so that connections wait.
restart_server() {
    local name=$1 child
    for child in $(processes_running "$bin/almanac-$name"); do
        [[ $(readlink -- "/proc/$child/exe" 2>/dev/null) != *' (deleted)' ]] || end_process "$child" TERM 12
    done
}

# Makes a server's processes re-read the environments, and reports the results from their log. SIGHUP would end
# multiwatch, so the processes get it directly.
reload_server() {
    local name=$1 log=$logs/$1.log begin child children alive deadline answers refusals
    # A process that is still starting reads the file anyway, and so does the successor of one that ends meanwhile.
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
            warn "almanac-$name did not report within 30 s whether it loaded $environments_file; see $log"
            return 1
        fi
        sleep 0.05
    done
    refusals=$(grep -F '"message":"environments file refused' <<<"$answers" | jq -r .reason | sort -u)
    [[ -z $refusals ]] || warn "almanac-$name keeps the old environments: $refusals"
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
