# shellcheck shell=bash
# deploy/run changes an instance over to a newer release and back. A failed or killed change-over leaves the programs,
# pages and nginx files of the release before in use.
#
# The older release is this checkout. The newer release is a copy with other programs, another page and a made-up
# migration. The instance is on a small file system of its own, if the system allows mounts.

check_upgrades() {
    local trial_folder trial_home trial_port trial_trust='' newer older_schema
    begin_part "deploy/run: upgrades, and the way back"
    make_trial
    make_small_disk
    make_newer_release
    check "an instance to upgrade starts" run_trial --detach
    check "--upgrade to the release that runs changes nothing" has_nothing_to_upgrade
    check "a start beside an instance of another release names both" names_other_release
    check "an upgrade whose migration fails changes nothing" failed_migration_changes_nothing
    check "an upgrade that finds no space for its files changes nothing" full_disk_changes_nothing
    check "an upgrade and the way back under load refuse no request" goes_forward_and_back
    check "a start of another release changes nothing if its migration fails" failed_start_changes_nothing
    [[ $ALMANAC_TEST_DEPTH != long ]] || check_upgrades_at_length
    remove_small_disk
    remove_trial
}

# Runs the checks of a stopped instance first.
check_upgrades_at_length() {
    local step
    check "a start of another release changes nothing if nginx refuses it" refused_start_changes_nothing
    check "a start of another release changes nothing if its programs do not become ready" unready_start_changes_nothing
    check "a start of a newer release, and one of the older, keep what was written" starts_forward_and_back
    check "an upgrade that nginx refuses changes nothing" refusing_nginx_changes_nothing
    check "an upgrade while a database on another server is away changes nothing" absent_database_changes_nothing
    check "an upgrade that finds no space for its migration changes nothing" full_database_changes_nothing
    check "an upgrade whose programs do not start changes nothing" unfit_programs_change_nothing
    check "an upgrade whose programs do not become ready puts the programs before back" unready_programs_are_put_back
    check "an upgrade gives up after a minute if a dump holds a table, and changes nothing" held_table_changes_nothing
    check "two upgrades at once come after each other" upgrades_twice_at_once
    # shellcheck disable=SC2016 # the text of commands in deploy/lib
    for step in stage_release prepare_release stage_nginx make_databases migrate_databases install_programs \
        'mv -- "$staged/bin/$program"' 'restart_server worker' install_nginx reload_nginx 'restart_server events' \
        finish_release 'mv -T -- "$staged/api" "$target/api"' 'mv -- "$staged/release"'; do
        check "an upgrade that is killed before \"$step\" leaves a serving instance, and the next one works" \
            survives_kill upgrade "$step"
    done
    # shellcheck disable=SC2016 # the text of commands in deploy/lib
    for step in make_cluster prepare_release migrate_databases install_programs 'mv -- "$staged/bin/$program"' \
        install_nginx start_worker start_nginx finish_release; do
        check "a start that is killed before \"$step\" can be repeated with either release" survives_kill start "$step"
    done
    check "the way back over two releases is refused with the reason, and changes nothing" goes_back_one_release_only
}

# Puts the home folder on a file system of 1500 MB that all users can enter.
make_small_disk() {
    ((EUID == 0)) || return 0
    rmdir -- "$trial_folder"
    trial_folder=$(mktemp -d /tmp/almanac-upgrades-XXXXXX)
    chmod 755 "$trial_folder"
    trial_home=$trial_folder/home
    mkdir -- "$trial_home"
    mount -t tmpfs -o size=1500m,mode=755 almanac-upgrades "$trial_home" 2>/dev/null || true
}

remove_small_disk() {
    run_trial --stop >/dev/null 2>&1 || true
    ! mountpoint -q -- "$trial_home" || umount --lazy -- "$trial_home"
}

# Makes the newer release. Its pages are compressed quickly, and its programs have another byte at the end.
make_newer_release() {
    local program
    newer=$trial_folder/newer
    mkdir -p -- "$newer/Sources/Core" "$newer/programs"
    cp -r -- "$checkout/deploy" "$checkout/sql" "$newer/"
    cp -r -- "$checkout/Sources/Web" "$newer/Sources/"
    cp -r -- "$checkout/Sources/Core/Revisions" "$newer/Sources/Core/"
    ln -s -- "$checkout/.build" "$newer/.build"
    sed -i 's/brotli --best/brotli -q 1/; s/gzip -9nk/gzip -1nk/' "$newer/deploy/lib/pages.sh"
    printf 'the newer release\n' >"$newer/Sources/Web/api/made-up.txt"
    older_schema=$(find "$checkout/sql/migrations" -name '*.sql' -printf '%f\n' | sort | tail -n 1)
    older_schema=$((10#${older_schema%%_*}))
    printf 'create table made_up (id integer);\n' >"$newer/sql/migrations/$(migration_name 1 made_up)"
    for program in almanac{,-worker,-events}; do
        { cat -- "$ALMANAC_PROGRAMS/$program" && printf '\n'; } >"$newer/programs/$program"
        chmod 755 "$newer/programs/$program"
    done
    cp -- "$ALMANAC_PROGRAMS/textmerge.wasm" "$newer/programs/"
}

# Prints the name of the file of a migration after the older release's.
migration_name() {
    printf '%06d_%s.sql\n' "$((older_schema + $1))" "$2"
}

run_newer() {
    local checkout=$newer
    ALMANAC_PROGRAMS=$newer/programs run_trial "$@"
}

# Adds a migration with SQL from standard input to the newer release, until the end of the test.
with_migration() {
    trap undo_faults EXIT
    cat >"$newer/sql/migrations/$(migration_name 2 "$1")"
}

undo_faults() {
    find "$newer/sql/migrations" -name "$(migration_name 2 '*')" -delete
    rm -f -- "$trial_home/filler"
}

# Prints a line for each file of a release in use.
files_in_use() {
    (
        cd -- "$(real_home)" || exit
        find . \( -path './bin/*' -o -path './www/*' -o -path './nginx/*.conf' -o -path ./release \) -type f \
            -exec sha256sum {} + | sort -k 2
    )
}

writes() {
    local key=$1
    [[ $(trial_status "/development/config/$key" -X PUT --json '{"value": 1}' \
        -H "Authorization: Bearer $(<"$trial_home/tokens/development.token")") == 20[01] ]]
}

runs_release() {
    local programs=$ALMANAC_PROGRAMS page=404 program pid
    if [[ $1 == newer ]]; then
        programs=$newer/programs
        page=200
    fi
    for program in worker events; do
        for pid in $(run_trial --pid "$program"); do
            # A process is a shell until a second has passed since the start of the other one (start_server).
            await cmp "/proc/$pid/exe" "$programs/almanac-$program"
        done
    done
    cmp "$trial_home/bin/almanac" "$programs/almanac"
    [[ $(trial_status /made-up.txt) == "$page" ]]
    writes "app.$1"
}

# Runs a command that must fail with a message that matches a pattern, and leave the instance as it was.
changes_nothing() {
    local pattern=$1 services status=0
    shift
    services=$(run_trial --status || true)
    files_in_use >"$results/files-before"
    "$@" >"$results/output" 2>&1 || status=$?
    cat -- "$results/output"
    [[ $status == 1 ]]
    grep -qE "$pattern" "$results/output"
    files_in_use | diff "$results/files-before" -
    [[ ! -e $trial_home/staged ]]
    [[ $(run_trial --status || true) == "$services" ]]
}

changes_nothing_while_it_serves() {
    changes_nothing "$@"
    runs_release older
}

has_nothing_to_upgrade() {
    local worker
    worker=$(run_trial --pid worker)
    run_trial --upgrade | grep 'runs already'
    [[ $(run_trial --pid worker) == "$worker" ]]
}

names_other_release() {
    run_newer --detach >"$results/output"
    cat "$results/output"
    grep "^The instance runs 1\\..* (programs in $ALMANAC_PROGRAMS), digest " "$results/output"
    grep "^This checkout has 1\\..* (programs in $newer/programs), digest " "$results/output"
    grep 'deploy/run --upgrade$' "$results/output"
    run_trial --detach >"$results/output"
    ! grep 'This checkout has' "$results/output" || return 1
    runs_release older
}

failed_migration_changes_nothing() {
    with_migration broken <<<'select 1 / 0;'
    changes_nothing_while_it_serves 'division by zero' run_newer --upgrade
}

refusing_nginx_changes_nothing() {
    change_file "$trial_home/nginx/almanac-hosts.conf" sed "\$a nonsense;"
    changes_nothing_while_it_serves 'unknown directive "nonsense" in .*/home.*/nginx/almanac-hosts.conf' run_newer --upgrade
}

absent_database_changes_nothing() {
    change_file "$trial_home/environments.json" jq '.production = .development
        | .production.owner.database = "host=127.0.0.1 port=1 dbname=production user=almanac_owner"
        | .production.database = "host=127.0.0.1 port=1 dbname=production user=production_worker"'
    changes_nothing_while_it_serves 'the database of production, on another server, could not be migrated; the installed' \
        run_newer --upgrade
}

# Fills the disk except for some megabytes, until the end of the test. The check of the disk's size passes.
fill_disk() {
    local megabytes
    megabytes=$(df --output=avail -B1M -- "$trial_home" | tail -n 1)
    trap undo_faults EXIT
    fallocate -l "$((megabytes - $1))M" "$trial_home/filler"
    stand_in df 'echo Avail; echo 1000'
}

full_disk_changes_nothing() {
    mountpoint -q -- "$trial_home" || return 0
    fill_disk 40
    PATH=$results/stand-in:$PATH changes_nothing 'No space left on device' run_newer --upgrade
    rm -- "$trial_home/filler"
    runs_release older
}

full_database_changes_nothing() {
    mountpoint -q -- "$trial_home" || return 0
    with_migration large \
        <<<"create unlogged table large as select repeat('x', 1000) from generate_series(1, 200000);"
    fill_disk 150
    PATH=$results/stand-in:$PATH changes_nothing 'could not extend file' run_newer --upgrade
    rm -- "$trial_home/filler"
    runs_release older
}

# Replaces the newer release's worker by a script that passes the check of the environments file, until the end of the
# test. Arguments: further lines of the script.
with_worker() {
    trap 'mv -- "$newer/programs/kept" "$newer/programs/almanac-worker"' EXIT
    mv -- "$newer/programs/almanac-worker" "$newer/programs/kept"
    # shellcheck disable=SC2016 # for the script to expand
    printf '%s\n' '#!/bin/sh' '[ "$1" != --check ] || exit 0' "$@" >"$newer/programs/almanac-worker"
    chmod 755 "$newer/programs/almanac-worker"
}

unfit_programs_change_nothing() {
    with_worker 'echo "made to fail" && exit 1'
    changes_nothing_while_it_serves 'made to fail' run_newer --upgrade
}

# Tries a worker that only becomes ready before the change-over.
unready_programs_are_put_back() {
    # shellcheck disable=SC2016 # for the script to expand
    with_worker 'case $0 in */staged/*) echo "\"message\":\"ready\""; exec sleep 20 ;; esac' 'exit 1'
    ! run_newer --upgrade >"$results/output" 2>&1 || return 1
    cat "$results/output"
    grep 'the instance did not become ready' "$results/output"
    [[ ! -e $trial_home/staged ]]
    runs_release older
}

start_trial_load() {
    local folder=$results/load-clients
    rm -rf -- "$folder"
    mkdir -- "$folder"
    cp -- "$trial_home/tokens/development.token" "$folder/host.token"
    "$trial_home/bin/almanac" token user development --sub alice --scope config:read \
        --environments "$trial_home/environments.json" >"$folder/user.token"
    start_load "https://localhost:$trial_port/development" "$trial_home/tls/ca.pem"
}

# Expects the clients of load.py to have waited at most this many seconds.
no_silence_longer_than() {
    grep '^figures ' "$results/load" | grep -oE '[0-9]+\.[0-9]+' | awk -v most="$1" '$1 > most { exit 1 }'
}

newest_migration() {
    local server
    server=$(grep -om1 "host='[^']*' port=[0-9]*" "$trial_home/environments.json")
    PGPASSFILE=$(real_home)/secrets/superuser.pgpass psql -XqAt -d "$server user=postgres dbname=almanac_development" "$@" \
        -c 'select max(number) from almanac_migrations'
}

goes_forward_and_back() {
    start_trial_load
    run_newer --upgrade
    runs_release newer
    [[ $(newest_migration) == $((older_schema + 1)) ]]
    await_more_load
    run_trial --upgrade >"$results/output" 2>&1
    cat "$results/output"
    grep "the schema is at migration $((older_schema + 1)), newer" "$results/output"
    runs_release older
    [[ $(newest_migration) == $((older_schema + 1)) ]]
    await_more_load
    end_load
    no_request_failed 2
    (($(count_of '^stream ended with bye$') >= 8))
    ! grep -E '^stream (was cut|ended without bye)' "$results/load" || return 1
    no_silence_longer_than 15
}

failed_start_changes_nothing() {
    run_trial --stop
    with_migration broken <<<'select 1 / 0;'
    changes_nothing 'division by zero' run_newer --detach
}

refused_start_changes_nothing() {
    run_trial --stop
    change_file "$trial_home/nginx/almanac-hosts.conf" sed "\$a nonsense;"
    changes_nothing 'unknown directive "nonsense"' run_newer --detach
}

unready_start_changes_nothing() {
    run_trial --stop
    with_worker 'exit 1'
    changes_nothing 'the instance did not become ready' run_newer --detach
}

starts_forward_and_back() {
    run_newer --detach
    runs_release newer
    trial_request /development/config/app.older | grep 1
    run_trial --stop
    run_trial --detach
    runs_release older
    trial_request /development/config/app.newer | grep 1
}

# Holds a lock as pg_dump does, until the end of the test.
held_table_changes_nothing() {
    with_migration held <<<'alter table config_entries add column made_up integer;'
    newest_migration -c 'begin; lock table config_entries in access share mode; select pg_sleep(90)' &
    holder=$!
    trap 'kill "$holder"; undo_faults' EXIT
    changes_nothing_while_it_serves 'its tables stay in use by other programs.*nothing was changed' run_newer --upgrade
}

upgrades_twice_at_once() {
    local first second
    run_newer --upgrade >"$results/first" 2>&1 &
    first=$!
    run_newer --upgrade >"$results/second" 2>&1 &
    second=$!
    wait "$first"
    wait "$second"
    cat "$results/first" "$results/second"
    cat "$results/first" "$results/second" | grep 'Changed over from'
    cat "$results/first" "$results/second" | grep 'runs already'
    runs_release newer
    run_trial --upgrade
    runs_release older
}

# Runs deploy/run of the newer release, which is killed just before it runs a command of this text.
run_newer_until() {
    local step=$1 status=0
    shift
    # shellcheck disable=SC2016 # for the script that sources the file
    printf '%s\n' 'set -T' \
        'trap '\''[[ $BASH_COMMAND != "$ALMANAC_TEST_STEP"* ]] || kill -KILL "$BASHPID" "$$"'\'' DEBUG' \
        >"$results/kill-at-step"
    BASH_ENV=$results/kill-at-step ALMANAC_TEST_STEP=$step run_newer "$@" || status=$?
    [[ $status == 137 ]]
}

survives_kill() {
    local action=$1 step=$2
    if [[ $action == upgrade ]]; then
        run_newer_until "$step" --upgrade
        trial_serves /development/config
        writes app.killed
        run_newer --upgrade
        runs_release newer
        run_trial --upgrade
    else
        run_trial --stop
        run_newer_until "$step" --detach
        run_trial --detach
        # The instance runs already if the start was killed late.
        run_trial --upgrade
        runs_release older
        run_trial --stop
        run_newer_until "$step" --detach
        run_newer --detach
        run_newer --upgrade
        [[ -n $(processes_in "$(real_home)/backups") ]]
        runs_release newer
        run_trial --stop
        run_trial --detach
    fi
    runs_release older
}

# Makes the schema too new by two migrations. No check can follow.
goes_back_one_release_only() {
    local later=$((older_schema + 3))
    newest_migration -c "insert into almanac_migrations (number, name, digest) values ($later, '$(migration_name 3 later)', '')"
    changes_nothing "the schema is at migration $later and works with programs from migration $((later - 1)) on" \
        run_newer --upgrade
    trial_serves /development/config
}
