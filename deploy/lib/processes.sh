# shellcheck shell=bash
# Finding and ending the processes of this instance: by process id, and only after proof that the process is ours.

# The command line of a process, with spaces between its words.
command_line() {
    tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline" || true
}

is_alive() {
    [[ -n ${1:-} && -d /proc/$1 ]] && ! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"
}

parent_of() {
    sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null || true
}

children_of() {
    grep -lsE "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | cut -d/ -f3 || true
}

# Processes whose working folder is the one given, also when it has been removed since.
processes_in() {
    processes_with cwd "$1"
}

# Processes that run a program of this instance, also when its file has been replaced since.
processes_running() {
    processes_with exe "$1"
}

processes_with() {
    local pid path
    while IFS=$'\t' read -r pid path; do
        case $path in
            "$2" | "$2 (deleted)") printf '%s\n' "${pid%/*}" ;;
        esac
    done < <(find /proc -maxdepth 2 -path "/proc/[0-9]*/$1" -printf '%P\t%l\n' 2>/dev/null || true)
}

await_end() {
    local seconds=$1 pid=$2 deadline=$((SECONDS + $1))
    while is_alive "$pid"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

# Asks a process to end with one signal, and after that many seconds makes it.
end_process() {
    local pid=$1 signal=$2 seconds=$3
    kill -s "$signal" "$pid" 2>/dev/null || true
    await_end "$seconds" "$pid" && return 0
    kill -s KILL "$pid" 2>/dev/null || true
    await_end 5 "$pid"
}

# Runs a command in its own session, away from the caller's terminal, with nothing of the caller's left open.
spawn_detached() {
    local log=$1
    shift
    (
        close_inherited_files
        exec setsid "$@" </dev/null >>"$log" 2>&1
    ) &
    spawned=$!
    disown "$spawned"
}

# The same, as another user.
spawn_detached_as() {
    local user=$1 log=$2 change=()
    shift 2
    if ((EUID == 0)) && [[ $user != root ]]; then
        change=(setpriv "--reuid=$user" "--regid=$(id -g -- "$user")" --init-groups --)
    fi
    spawn_detached "$log" "${change[@]}" "$@"
}

# To be called in a subshell that is about to execute something.
close_inherited_files() {
    local entry descriptor
    for entry in "/proc/$BASHPID/fd"/*; do
        descriptor=${entry##*/}
        if ((descriptor > 2 && descriptor != 255)); then
            exec {descriptor}>&-
        fi
    done
}

# One start or stop at a time per home folder.
take_lock() {
    [[ -z ${lock:-} ]] || return 0
    exec {lock}>"$run/lock"
    flock -n "$lock" && return 0
    say "Waiting for another $program of $named_home."
    flock -w 900 "$lock" || fail "another $program of $named_home does not end: see --status"
}

release_lock() {
    if [[ -n ${lock:-} ]]; then
        exec {lock}>&-
        lock=
    fi
}

# Runs a long command so that a signal to this script is heard at once, not when the command is done.
interruptible() {
    local status=0
    "$@" </dev/null &
    interruptible_pid=$!
    wait "$interruptible_pid" || status=$?
    interruptible_pid=
    return "$status"
}

end_interruptible() {
    if [[ -n ${interruptible_pid:-} ]]; then
        end_tree "$interruptible_pid"
        interruptible_pid=
    fi
}

# Ends a process that this script started, and all that it started in turn. One of these scripts has an instance to stop.
end_tree() {
    local pid=$1 child
    local -a children
    mapfile -t children < <(children_of "$pid")
    end_process "$pid" TERM 30 || true
    for child in "${children[@]}"; do
        end_tree "$child"
    done
}
