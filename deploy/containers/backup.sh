#!/bin/bash
# Makes a backup of each environment every night, and one at once where the newest is older than a day.
#
#   ALMANAC_BACKUP_TIME    when, in UTC: 02:15
#   ALMANAC_BACKUPS_KEPT   how many of each environment are kept
set -euo pipefail

folder=/var/backups/almanac
time=${ALMANAC_BACKUP_TIME:-02:15}

say() {
    printf 'backup: %s\n' "$*"
}

# A shell waits for what it has started before it looks at a signal, unless that runs beside it.
pause() {
    sleep "$1" &
    wait "$!"
}

seconds_until() {
    local now next
    now=$(date -u +%s)
    next=$(date -u -d "$1" +%s)
    ((next > now)) || next=$(date -u -d "tomorrow $1" +%s)
    printf '%s\n' "$((next - now))"
}

is_due() {
    [[ -z $(find "$folder" -name '*.dump' -mmin -1440 -print -quit) ]]
}

trap 'exit 0' TERM INT
[[ $time =~ ^([01][0-9]|2[0-3]):[0-5][0-9]$ ]] || {
    say "ALMANAC_BACKUP_TIME must be a time such as 02:15, not \"$time\"" >&2
    exit 1
}
is_due || pause "$(seconds_until "$time")"
while true; do
    almanac backup rotate "$folder" --keep "${ALMANAC_BACKUPS_KEPT:-14}" ||
        say "not all environments have a backup: see above; the next attempt is at $time" >&2
    pause "$(seconds_until "$time")"
done
