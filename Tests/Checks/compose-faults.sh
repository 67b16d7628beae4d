# shellcheck shell=bash
# Containers that die or restart during writes, and upgrades that fail. Every acknowledged write must survive.

start_compose_load() {
    local folder=$results/load-clients
    rm -rf -- "$folder"
    mkdir -- "$folder"
    cp -- "$results/admin.token" "$folder/host.token"
    cp -- "$results/alice.token" "$folder/user.token"
    start_load "https://localhost:$trial_port/development" "$ca" in_engine_network
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

survives_kills() {
    local service container former
    start_compose_load
    for service in worker nginx postgres events postgres; do
        for container in $(containers_of "$service"); do
            former=$(docker inspect --format '{{.State.Pid}}' "$container")
            kill_container "$container"
            await runs_anew "$container" "$former"
            await_more_load
        done
    done
    end_load
    nothing_is_lost_or_doubled
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
    start_compose_load
    for service in postgres worker events nginx; do
        compose restart --timeout 20 "$service"
        await answers
        await all_are_healthy
        await_more_load
    done
    end_load
    nothing_is_lost_or_doubled
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
