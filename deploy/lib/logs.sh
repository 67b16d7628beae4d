# shellcheck shell=bash
# The logs are kept from filling the disk.

log_megabytes=${ALMANAC_LOG_MEGABYTES:-32}

start_rotation() {
    spawn_detached "$logs/rotation.log" "$bin/rotate-logs" "$logs" "$run/nginx.pid" "$log_megabytes"
}

stop_rotation() {
    local pid
    for pid in $(grep -lszxF -e "$bin/rotate-logs" /proc/[0-9]*/cmdline | cut -d/ -f3 || true); do
        end_process "$pid" TERM 5
    done
}
