# shellcheck shell=bash
# Containers that die or restart during writes, and upgrades that fail. Every acknowledged write must survive.

# Writes entries and notes until $results/enough exists, and records the acknowledged ones.
write_on() {
    local number=0 status
    until [[ -e $results/enough || ! -d $results ]]; do
        number=$((number + 1))
        status=$(request "/development/config/fault.$number" -X PUT -H "$(with_token admin)" \
            --json "{\"value\": $number}" --output /dev/null --write-out '%{http_code}') || true
        [[ $status != 2?? ]] || printf 'fault.%s\n' "$number" >>"$results/acknowledged"
        status=$(request /development/notes -H "$(with_token alice)" --output "$results/answer" \
            --write-out '%{http_code}' \
            --json "[[\"createNote\", {\"action_id\": \"a$number\", \"id\": \"fault-$number\", \"body\": \"$number\"}]]") || true
        [[ $status != 200 ]] || printf 'fault-%s\n' "$number" >>"$results/acknowledged"
    done
}

# Kills the process of a container. A docker kill would disable the restart policy.
kill_container() {
    kill -s KILL "$(docker inspect --format '{{.State.Pid}}' "$1")"
}

runs_anew() {
    local container=$1 former=$2 present
    present=$(docker inspect --format '{{.State.Running}} {{.State.Pid}}' "$container")
    [[ $present == "true "* && $present != "true $former" ]]
}

acknowledged_more_than() {
    (($(wc -l <"$results/acknowledged") > $1 + 4))
}

survives_kills() {
    local writer service container former
    rm -f -- "$results/enough"
    : >"$results/acknowledged"
    trap 'touch "$results/enough"' EXIT
    write_on &
    writer=$!
    for service in worker nginx postgres events postgres; do
        for container in $(containers_of "$service"); do
            await acknowledged_more_than "$(wc -l <"$results/acknowledged")"
            former=$(docker inspect --format '{{.State.Pid}}' "$container")
            kill_container "$container"
            await runs_anew "$container" "$former"
        done
    done
    await acknowledged_more_than "$(wc -l <"$results/acknowledged")"
    touch "$results/enough"
    wait "$writer"
    await answers
    nothing_acknowledged_is_missing
}

entries_are_as_new_as() {
    request /development/config.json --fail -H "Almanac-Min-Revision: $1" --output "$results/entries"
}

# Checks the acknowledged writes. Any worker may answer, so the requests require the revision of the newest write.
nothing_acknowledged_is_missing() {
    local revision
    request /development/config/fault.last --fail -X PUT -H "$(with_token admin)" --json "{\"value\": \"$RANDOM$RANDOM\"}" |
        tee "$results/last"
    revision=$(grep -oP '"revision":\K[0-9]+' "$results/last")
    await entries_are_as_new_as "$revision"
    request /development/account --fail -H "$(with_token alice)" >"$results/account"
    python3 - "$results" <<'END'
import json, sys
folder = sys.argv[1]
acknowledged = [line.strip() for line in open(f"{folder}/acknowledged")]
entries = json.load(open(f"{folder}/entries"))
notes = json.load(open(f"{folder}/account"))["notes"]
bodies = {note["id"]: note["body"] for note in notes}
assert len(acknowledged) > 20, f"only {len(acknowledged)} writes were acknowledged"
for name in acknowledged:
    if name.startswith("fault-"):
        assert bodies[name] == name[6:], f"note {name} is wrong"
    else:
        assert entries[name] == int(name[6:]), f"entry {name} is wrong"
assert len(bodies) == len(notes), "a note is doubled"
print(len(acknowledged), "acknowledged writes are all there")
END
}

# Restarts all services at once, as a reboot does.
restarts_at_once() {
    request /development/config.json --fail >"$results/before"
    compose restart --timeout 20
    await answers
    await all_are_healthy
    request /development/config.json --fail | cmp "$results/before" -
    request /development/notes --fail -H "$(with_token alice)" | grep '"body":"milk"'
}

restarts_services() {
    local service
    for service in postgres worker events nginx; do
        compose restart --timeout 20 "$service"
        await answers
        await all_are_healthy
    done
    nothing_acknowledged_is_missing
}

# Puts the data of PostgreSQL on a disk of 1500 MB, if the system allows loop devices.
make_data_disk() {
    truncate -s 1500M "$results/disk.image"
    mkfs.ext4 -q -m 0 "$results/disk.image"
    mkdir -- "$results/disk"
    mount -o loop -- "$results/disk.image" "$results/disk" 2>/dev/null || {
        warn "no disk of containers is filled, because this machine does not allow loop devices"
        return 0
    }
    # The user of PostgreSQL in its container.
    install -d -o 999 -g 999 -m 700 "$results/disk/data"
}

# Checks that the upgrade to the next release fails, and that the containers serve as before.
failed_upgrade_changes_nothing() {
    running_containers >"$results/before"
    ! change_release "$results/next" || return 1
    serves_as_before
}

serves_as_before() {
    running_containers | cmp "$results/before" -
    schema_is $((next_schema - 1))
    request /development/config/app.fault --fail -X PUT -H "$(with_token admin)" --json "{\"value\": $RANDOM}"
    request /development/notes --fail -H "$(with_token alice)" \
        --json '[["updateNote", {"id": "n1", "pinned": true}]]' | grep '"status":"applied"'
}

# Makes the migration of the next release fail or sleep, until the end of the check.
break_migration() {
    make_next_release
    trap 'query_development "alter database almanac_development reset made_up.fault"' EXIT
    query_development "alter database almanac_development set made_up.fault = '$1'"
}

keeps_containers_of_failed_upgrade() {
    break_migration error
    failed_upgrade_changes_nothing
}

migration_sleeps() {
    [[ $(query_development "select count(*) from pg_stat_activity where wait_event = 'PgSleep'") == 1 ]]
}

# Kills the container in the middle of the migration, while it holds the table of notes.
keeps_containers_of_killed_migration() {
    local upgrade
    break_migration sleep
    running_containers >"$results/before"
    change_release "$results/next" &
    upgrade=$!
    await migration_sleeps
    kill_container "$(containers_of migrate)"
    ! wait "$upgrade" || return 1
    serves_as_before
}

keeps_containers_of_full_disk() {
    local megabytes
    make_next_release
    trap 'rm -f -- "$results/disk/filler"' EXIT
    megabytes=$(df --output=avail -B1M -- "$results/disk" | tail -n 1)
    fallocate -l "$((megabytes - 50))M" "$results/disk/filler"
    failed_upgrade_changes_nothing 2>&1 | tee "$results/refused"
    grep 'could not extend file' "$results/refused"
}
