# shellcheck shell=bash
# Reloads and starts that must fail, and services that die, on the instance of operator.sh.

reload_refuses_broken_file() {
    local file=$trial_home/environments.json
    change_file "$file" sed '2s/{/{{/'
    fails_with 'keeps the old environments: environments file .*environments.json: line 2, column' reload_once
    put_back
    run_trial --reload
    trial_serves /development/config
}

# Reloads, and prints the worker's error. Both programs read the file and print an error each.
reload_once() {
    local status=0
    run_trial --reload 2>"$results/all-errors" || status=$?
    grep almanac-worker "$results/all-errors" >&2
    grep -q almanac-events "$results/all-errors"
    return "$status"
}

reload_refuses_unreadable_secret() {
    local secret
    secret=$(real_home)/secrets/worker.password
    chmod 000 "$secret"
    fails_with "in 'development': cannot read the password file .*worker.password: Permission denied" reload_once
    chmod 600 "$secret"
    run_trial --reload
}

reload_refuses_unfit_certificate() {
    local file=$trial_home/tls/server.key
    change_file "$file" cat "$results/foreign.key"
    fails_with 'nginx keeps its old configuration: .*tls/server.key.*key values mismatch' run_trial --reload
    trial_serves /development/config
    put_back
    run_trial --reload
}

reload_names_stopped_service() {
    run_trial --stop-service events
    fails_with 'not running: events' run_trial --reload
    run_trial --start-service events
    run_trial --reload
}

refuses_instance_of_another() {
    local action
    ((EUID == 0)) || return 0
    chown nobody "$(real_home)/run"
    for action in --stop --reload --status --detach; do
        fails_with 'belongs to nobody; run deploy/run as that user' run_trial "$action"
    done
    chown root "$(real_home)/run"
    run_trial --status
}

refuses_another_port() {
    local action
    for action in --detach --reload; do
        fails_with "runs on port $trial_port, not on ALMANAC_PORT 1234" \
            env ALMANAC_HOME="$trial_home" ALMANAC_PORT=1234 "$checkout/deploy/run" "$action"
    done
}

# Checks that a failed start leaves running processes alone, which still serve the config from memory.
keeps_serving_while_disk_is_full() {
    local worker
    worker=$(run_trial --pid worker)
    run_trial --stop-service postgres
    stand_in df 'echo Avail; echo 17'
    fails_with 'disk is nearly full.* 17 MB' with_stand_in --detach
    [[ $(run_trial --pid worker) == "$worker" ]]
    trial_serves /development/config
    run_trial --start-service postgres
    run_trial --status
}

keeps_serving_beside_broken_file() {
    local file=$trial_home/environments.json worker
    worker=$(run_trial --pid worker)
    change_file "$file" head -c 40
    cp "$file" "$results/broken"
    run_trial --stop-service postgres
    fails_with 'environments file .*environments.json: line [0-9]+, column' run_trial --detach
    cmp "$results/broken" "$file"
    [[ $(run_trial --pid worker) == "$worker" ]]
    trial_serves /development/config
    put_back
    run_trial --start-service postgres
    await is_all_ready
}

runs_anew() {
    local pid
    pid=$(run_trial --pid "$1")
    [[ -n $pid && $pid != "$2" ]]
}

revives_services() {
    local service pid
    for service in worker nginx postgres; do
        pid=$(run_trial --pid "$service")
        kill -9 "$pid"
        await runs_anew "$service" "$pid"
        await is_all_ready
    done
}

# Moves the cluster to its own file system, and fills that until PostgreSQL stops.
revives_postgres_after_full_disk() {
    local token log
    ((EUID == 0)) || return 0
    full_home=$(real_home)
    run_trial --stop
    mkdir -p "$results/full"
    mount -t tmpfs -o size=400m,mode=755 almanac-full-disk "$results/full" || return 0
    trap end_full_disk EXIT
    cp -a "$full_home/postgres/data" "$results/full/"
    mv "$full_home/postgres/data" "$full_home/postgres/kept"
    mkdir -m 700 "$full_home/postgres/data"
    mount --bind "$results/full/data" "$full_home/postgres/data"
    run_trial --detach
    log=$full_home/log/postgres.log
    : >"$log"
    token="Authorization: Bearer $(<"$trial_home/tokens/development.token")"
    dd if=/dev/zero of="$results/full/filler" bs=1M status=none 2>/dev/null || true
    # PostgreSQL needs more space for its write-ahead log than there is, and stops.
    fill_log_of_postgres
    await grep -a 'database system is shut down' "$log"
    # multiwatch has restarted PostgreSQL without success.
    await grep -aF 'failed, next try' "$log"
    trial_serves /development/config
    rm "$results/full/filler"
    await is_all_ready
    [[ $(trial_status /development/config/after -X PUT -H "$token" --json '{"value": 1}') == 20[01] ]]
}

end_full_disk() {
    run_trial --stop || true
    umount "$full_home/postgres/data" || umount -l "$full_home/postgres/data" || true
    umount "$results/full" || umount -l "$results/full" || true
    rmdir "$full_home/postgres/data"
    mv "$full_home/postgres/kept" "$full_home/postgres/data"
    run_trial --detach
}

# Fills PostgreSQL's write-ahead log only. PostgreSQL stops when the log finds no space.
fill_log_of_postgres() {
    local server
    server=$(grep -om1 "host='[^']*' port=[0-9]*" "$trial_home/environments.json")
    ! PGPASSFILE=$full_home/secrets/superuser.pgpass psql -Xq -d "$server user=postgres dbname=postgres" \
        -c "select pg_logical_emit_message(false, 'filler', repeat('x', 4000000)) from generate_series(1, 200)" || return 1
}

# Starts deploy/run in the foreground, sets foreground to its process, and writes its output to the results folder.
start_in_foreground() {
    # The output of an earlier start contains the same line.
    : >"$results/output"
    run_trial >"$results/output" 2>&1 &
    foreground=$!
    await grep -q 'Ctrl-C stops it' "$results/output"
}

# Kills a service, and waits until the foreground reports its restart.
dies_in_foreground() {
    local service=$1 pid
    pid=$(run_trial --pid "$service")
    kill -9 "$pid"
    await runs_anew "$service" "$pid"
    await grep -E "$service (ended, and )?runs again,? as process" "$results/output"
}

runs_in_foreground() {
    local pid supervisor
    run_trial --stop
    start_in_foreground
    dies_in_foreground nginx
    # If nginx is killed together with its supervisor, the foreground restarts it.
    pid=$(run_trial --pid nginx)
    supervisor=$(parent_of "$pid")
    kill -9 "$supervisor" "$pid"
    await runs_anew nginx "$pid"
    await is_all_ready
    trial_request /development/config | grep 'Purrrr'
    pid=$(children_of "$foreground" | sed -n 1p)
    kill -TERM "${pid:-$foreground}"
    wait "$foreground" || true
    await no_process_left
    cat "$results/output"
    grep -q '^Stopping' "$results/output"
}

foreground_reports_stop() {
    run_trial --stop
    start_in_foreground
    dies_in_foreground postgres
    await is_all_ready
    run_trial --stop
    wait "$foreground" || true
    cat "$results/output"
    grep 'Stopped by another command' "$results/output"
    run_trial --detach
}

stops_moved_folder() {
    local home
    home=$(real_home)
    mv -- "$home" "$home-moved"
    ALMANAC_HOME=$home-moved "$checkout/deploy/run" --stop
    await no_process_left
    mv -- "$home-moved" "$home"
    run_trial --detach
    trial_serves /development/config
}
