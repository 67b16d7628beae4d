# shellcheck shell=bash
# The worker's memory: its limit, its use in each second, and kills by the limit.

memory_group=

# Puts the worker and its supervisor under the memory limit of docker-compose.yml, if the system permits it.
confine_worker() {
    local group pid limit
    limit=$(sed -n 's/^#ALMANAC_WORKER_MEMORY=//p' "$checkout/deploy/containers/env.example")
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

# Sets the limit in version 1 or 2 of control groups.
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

# Removes the control group, which must be empty.
release_worker() {
    [[ -z $memory_group ]] || rmdir -- "$memory_group" 2>/dev/null || true
    memory_group=
}

# Prints the number of processes that the limit has killed.
kills_by_limit() {
    local file
    [[ -n $memory_group ]] || return 0
    for file in memory.oom_control memory.events; do
        [[ ! -r $memory_group/$file ]] || awk '$1 == "oom_kill" { print $2 }' "$memory_group/$file"
    done
}

# Finds the worker's process id, which changes when the supervisor restarts the worker.
find_worker() {
    worker=
    read -r worker _ <"/proc/$worker_supervisor/task/$worker_supervisor/children" || true
}

# Prints a line per second without starting a process: seconds, process id, VmRSS and VmHWM in KiB.
watch_memory() {
    local worker worker_supervisor pause name value rest resident peak began=$SECONDS
    worker_supervisor=$(worker_pid)
    # A read with a timeout from this empty pipe is a pause.
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
