# shellcheck shell=bash
# Finds and ends the processes of this instance: by process id, and only after proof that the process is ours.

# A stop runs these functions on a hundred processes, so they start no program per process.

# Prints the command line of a process, with a space after each word.
command_line() {
    local words=()
    { mapfile -d '' -t words <"/proc/$1/cmdline"; } 2>/dev/null || true
    ((${#words[@]} == 0)) || printf '%s ' "${words[@]}"
}

# Sets process_state to the state of a process and the id of its parent, such as "S 1". Fails if the process has ended.
read_process_state() {
    local text=
    { IFS= read -r -d '' text <"/proc/$1/stat"; } 2>/dev/null || [[ -n $text ]] || return 1
    # The name before it may contain anything, even parentheses.
    text=${text##*) }
    process_state=${text%"${text#* * }"}
    process_state=${process_state% }
}

is_alive() {
    local process_state=
    [[ -n ${1:-} ]] && read_process_state "$1" && [[ $process_state != Z* ]]
}

parent_of() {
    local process_state=
    read_process_state "$1" || return 0
    printf '%s\n' "${process_state#* }"
}

children_of() {
    grep -lsE "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | cut -d/ -f3 || true
}

# Prints the processes whose working folder is the given one, even if it has been removed since.
processes_in() {
    processes_with cwd "$1"
}

# Prints the processes that run a program of this instance, even if its file has been replaced since.
processes_running() {
    processes_with exe "$1"
}

processes_with() {
    local pattern links
    pattern=$(as_pattern "$2")
    links=$(find /proc/[0-9]*/"$1" -maxdepth 0 \( -lname "$pattern" -o -lname "$pattern (deleted)" \) \
        -printf '%h\n' 2>/dev/null || true)
    [[ -z $links ]] || printf '%s\n' "${links//\/proc\//}"
}

# Prints a path as a pattern that matches only that path.
as_pattern() {
    local path=$1 character
    for character in "\\" '[' ']' '*' '?'; do
        path=${path//"$character"/"\\$character"}
    done
    printf '%s\n' "$path"
}

await_end() {
    local seconds=$1 pid=$2 deadline=$((SECONDS + $1))
    while is_alive "$pid"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

# Sends a signal to a process, and kills it if it hasn't ended after some seconds.
end_process() {
    local pid=$1 signal=$2 seconds=$3
    kill -s "$signal" "$pid" 2>/dev/null || true
    await_end "$seconds" "$pid" && return 0
    kill -s KILL "$pid" 2>/dev/null || true
    await_end 5 "$pid"
}

# Runs a command in its own session, detached from the caller's terminal and open files.
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

# Runs a detached command as another user.
spawn_detached_as() {
    local user=$1 log=$2 change=()
    shift 2
    if ((EUID == 0)) && [[ $user != root ]]; then
        change=(setpriv "--reuid=$user" "--regid=$(id -g -- "$user")" --init-groups --)
    fi
    spawn_detached "$log" "${change[@]}" "$@"
}

# Closes the caller's files. Call it in a subshell before exec.
close_inherited_files() {
    local entry descriptor
    for entry in "/proc/$BASHPID/fd"/*; do
        descriptor=${entry##*/}
        if ((descriptor > 2 && descriptor != 255)); then
            exec {descriptor}>&-
        fi
    done
}

# Takes the lock of the home folder, which allows one start or stop at a time.
take_lock() {
    [[ -z ${lock:-} ]] || return 0
    exec {lock}>"$run/lock"
    flock -n "$lock" && return 0
    say "Waiting for another $program in $named_home to finish."
    flock -w 900 "$lock" || fail "another $program still runs for $named_home; see $program --status"
}

release_lock() {
    if [[ -n ${lock:-} ]]; then
        exec {lock}>&-
        lock=
    fi
}

# Runs a long command so that a signal to this script takes effect at once, not after the command.
interruptible() {
    local status=0
    "$@" </dev/null &
    interruptible_pid=$!
    wait "$interruptible_pid" || status=$?
    interruptible_pid=
    return "$status"
}

# Ends the command of `interruptible`, and the command with the id background_pid, if there are any.
end_interruptible() {
    local pid
    for pid in ${interruptible_pid:-} ${background_pid:-}; do
        end_tree "$pid"
    done
    interruptible_pid=
    background_pid=
}

# Ends a process that this script started, and its descendants. A script among them may have to stop an instance.
end_tree() {
    local pid=$1 child
    local -a children
    mapfile -t children < <(children_of "$pid")
    end_process "$pid" TERM 30 || true
    for child in "${children[@]}"; do
        end_tree "$child"
    done
}
