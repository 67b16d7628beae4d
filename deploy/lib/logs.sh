# shellcheck shell=bash
# Limits the size of the logs.

log_megabytes=${ALMANAC_LOG_MEGABYTES:-32}

check_log_settings() {
    [[ $log_megabytes =~ ^[1-9][0-9]{0,4}$ ]] ||
        fail "ALMANAC_LOG_MEGABYTES must be a number from 1 to 99999, not \"$log_megabytes\""
}

start_rotation() {
    spawn_detached "$logs/rotation.log" env -C "$logs" "$bin/rotate-logs" "$logs" "$run/nginx.pid" "$log_megabytes"
}

stop_rotation() {
    local pid
    for pid in $(processes_in "$logs"); do
        if [[ $(command_line "$pid") == *"/bin/rotate-logs "* ]]; then
            end_process "$pid" TERM 5
        fi
    done
}
