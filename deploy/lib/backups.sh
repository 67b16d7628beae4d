# shellcheck shell=bash
# Backs up each environment every night while the instance runs.

start_backups() {
    (umask 077 && mkdir -p -- "$backups")
    spawn_detached "$logs/backups.log" env -C "$backups" "PATH=$bin:$PATH" "ALMANAC_ENVIRONMENTS=$environments_file" \
        "$bin/nightly-backups" "$backups"
}

# Stops the backups. A running backup may finish first.
stop_backups() {
    local pid
    for pid in $(processes_in "$backups"); do
        if [[ $(command_line "$pid") == *"/bin/nightly-backups "* ]]; then
            end_process "$pid" TERM 10
        fi
    done
    for pid in $(processes_in "$backups"); do
        end_process "$pid" TERM 5
    done
}

check_backup_settings() {
    [[ ${ALMANAC_BACKUP_TIME:-02:15} =~ ^([01][0-9]|2[0-3]):[0-5][0-9]$ ]] ||
        fail "ALMANAC_BACKUP_TIME must be a time such as 02:15, not \"$ALMANAC_BACKUP_TIME\""
    [[ ${ALMANAC_BACKUPS_KEPT:-14} =~ ^[1-9][0-9]{0,3}$ ]] ||
        fail "ALMANAC_BACKUPS_KEPT must be a number from 1 to 9999, not \"$ALMANAC_BACKUPS_KEPT\""
}
