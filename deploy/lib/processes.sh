# shellcheck shell=bash
# Finding and ending the processes of this instance: by process id, and only after proof that the process is ours.

# The command line of a process, with spaces between its words.
command_line() {
    tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline" || true
}

is_alive() {
    [[ -n ${1:-} && -d /proc/$1 ]] && ! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"
}

children_of() {
    grep -lsE "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | cut -d/ -f3 || true
}

# Processes whose working folder is the one given.
processes_in() {
    local folder=$1 link
    for link in /proc/[0-9]*/cwd; do
        if [[ $(readlink -- "$link" 2>/dev/null) == "$folder" ]]; then
            printf '%s\n' "$link" | cut -d/ -f3
        fi
    done
}

# Processes that run a program of this instance, also when its file has been replaced since.
processes_running() {
    local program_file=$1 link
    for link in /proc/[0-9]*/exe; do
        case $(readlink -- "$link" 2>/dev/null) in
            "$program_file" | "$program_file (deleted)") printf '%s\n' "$link" | cut -d/ -f3 ;;
        esac
    done
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
        end_process "$interruptible_pid" TERM 10 || true
    fi
}
