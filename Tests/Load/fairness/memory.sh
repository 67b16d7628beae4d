# shellcheck shell=bash
# The worker's memory: its limit, what it has in each second, and whether the limit has killed it.

memory_group=

# A group of its own for the worker and its supervisor, with the limit of docker-compose.yml, where the system lets one.
confine_worker() {
    local group pid limit
    limit=$(awk '/^  [a-z]/ { service = $1 } service == "worker:" && $1 == "mem_limit:" { print $2 }' "$checkout/docker-compose.yml")
    confinement="the worker was not confined to the $limit of docker-compose.yml: this machine lets nobody set that"
    for group in /sys/fs/cgroup/memory /sys/fs/cgroup; do
        memory_group=$group/almanac-load-$$
        if [[ ! -w $group/cgroup.procs ]] || ! mkdir -- "$memory_group" 2>/dev/null; then
            memory_group=
            continue
        fi
        if set_memory_limit "$limit"; then
            for pid in "$(worker_pid)" $(children_of "$(worker_pid)"); do
                printf '%s\n' "$pid" >"$memory_group/cgroup.procs"
            done
            confinement="the worker was confined to the $limit of docker-compose.yml"
            return 0
        fi
        release_worker
    done
}

# By version 1 or 2 of control groups.
set_memory_limit() {
    local file
    for file in memory.limit_in_bytes memory.max; do
        if [[ -w $memory_group/$file ]]; then
            printf '%s\n' "$1" >"$memory_group/$file"
            return
        fi
    done
    return 1
}

# Only an empty group can be removed.
release_worker() {
    [[ -z $memory_group ]] || rmdir -- "$memory_group" 2>/dev/null || true
    memory_group=
}

# How often the limit has killed one.
kills_by_limit() {
    local file
    [[ -n $memory_group ]] || return 0
    for file in memory.oom_control memory.events; do
        [[ ! -r $memory_group/$file ]] || awk '$1 == "oom_kill" { print $2 }' "$memory_group/$file"
    done
}

# The worker's process id, which changes when its supervisor has started another one.
find_worker() {
    worker=
    read -r worker _ <"/proc/$worker_supervisor/task/$worker_supervisor/children" || true
}

# Writes a line each second, without starting a process for it: seconds, process id, VmRSS and VmHWM in KiB.
watch_memory() {
    local worker worker_supervisor pause name value rest resident peak began=$SECONDS
    worker_supervisor=$(worker_pid)
    # Nothing is ever written to it, so that a read with a time-out is a pause.
    exec {pause}<> <(:)
    while true; do
        find_worker
        resident=0 peak=0
        if [[ -n $worker && -r /proc/$worker/status ]]; then
            while read -r name value rest; do
                case $name in
                    VmRSS:) resident=$value ;;
                    VmHWM:) peak=$value ;;
                esac
            done <"/proc/$worker/status" || true
        fi 2>/dev/null
        printf '%s %s %s %s\n' "$((SECONDS - began))" "${worker:--}" "$resident" "$peak"
        read -r -t 1 -u "$pause" || true
    done
}

start_watch() {
    watch_memory >"$folder/memory" 2>/dev/null &
    watch_process=$!
}

end_watch() {
    [[ -z ${watch_process:-} ]] || end_process "$watch_process" TERM 2 || true
    watch_process=
}
