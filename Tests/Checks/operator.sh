# shellcheck shell=bash
# deploy/run as an operator uses it: their files stay unchanged, faults are reported, dead services restart.
#
# The checks share one instance, because each start takes seconds. It starts four times: first from nothing, then with
# every change that an operator may make, then after a kill, and at last in the foreground.

check_operator() {
    local trial_folder trial_home trial_port trial_trust=
    begin_part "deploy/run: what an operator has, and what goes wrong"
    make_trial
    make_foreign_certificate "$results/foreign"
    check "--detach returns with an instance that answers" detaches
    check "the lines of --env, which a start shows, make almanac ask the instance" has_variables
    check "a second start finds the first" finds_itself_running
    check_running_instance
    check "what an operator changes beside a running instance leaves it as it was" changes_what_is_theirs
    check "--stop sends bye to streams, and ends every process, whatever files were lost" stops_everything
    check "--stop with nothing to stop is no error" stops_nothing
    check_refused_starts
    check "another start keeps the data, and every byte of the operator's files" keeps_every_byte
    trial_trust=$results/foreign.pem
    check_kept_changes
    check "a start after every process was killed heals what is left" heals_after_kill
    check "a backup is made once a day" waits_for_night
    check "a certificate made here takes the place of one's own on --reload" returns_to_own_authority
    trial_trust=
    check "in the foreground deaths are reported, and SIGTERM stops all of it" runs_in_foreground
    [[ $ALMANAC_TEST_DEPTH != long ]] || check_operator_at_length
    remove_trial
}

# Runs the checks of the first start.
check_running_instance() {
    check "a file of other entries is read on --reload" reloads
    check "--reload says what is wrong with environments.json, and fails" reload_refuses_broken_file
    check "--reload says which password file the workers cannot read, and fails" reload_refuses_unreadable_secret
    check "--reload says that a certificate does not fit its key, and fails" reload_refuses_unfit_certificate
    check "--reload names the service that does not run" reload_names_stopped_service
    check "somebody else's instance is left to them" refuses_instance_of_another
    check "a start on another port than the running one is refused" refuses_another_port
    check "a full disk is said before anything that still serves is stopped" keeps_serving_while_disk_is_full
    check "a broken environments.json is said before anything that still serves is stopped" keeps_serving_beside_broken_file
    check "workers, nginx and PostgreSQL come back after they were killed" revives_services
    check "search words and headers are in no log, and the environment is in each line" logs_hold_no_searches
    check "a site of an earlier release writes no search words either" older_site_logs_no_searches
    check "load balancers elsewhere are told whether to send requests here" tells_load_balancers
    check "the doctor sees what the programs' user cannot read" doctor_sees_unreadable_secret
    check "the doctor looks at this instance's nginx, sockets, address and disks" doctor_looks_at_instance
    check "the doctor names what it did not look at" doctor_names_what_it_skips
}

# Runs the checks of a stopped instance, which stays stopped.
check_refused_starts() {
    check "a start refuses a certificate that does not fit its key" start_refuses_unfit_certificate
    check "a start refuses a missing database, and replaces nothing" start_refuses_missing_database
    check "an environments.json of a folder that has moved is refused, with the cure" start_refuses_moved_folder
    check "a start refuses what is no address" start_refuses_wrong_address
}

# Runs the checks of the second start.
check_kept_changes() {
    check "a certificate of one's own is kept, and served" keeps_own_certificate
    check "an environment that was added is there after a restart" keeps_added_environment
    check "it can be reached at another address" listens_on_another_address
    check "a token that its database does not know is said to be so, with the cure" says_unfit_token
    check "a log that grows is put aside while all writes go on" rotates_logs
    check "each environment has a backup of the last day" makes_daily_backups
}

# Runs the checks that need further starts.
check_operator_at_length() {
    check "an instance to work on starts" run_trial --detach
    check "an upgrade keeps every byte of the operator's files" upgrade_keeps_every_byte
    check "PostgreSQL comes back by itself once a full disk has room" revives_postgres_after_full_disk
    check "in the foreground a death of PostgreSQL is reported, and a stop from elsewhere" foreground_reports_stop
    check "--stop ends every process of a folder that was moved meanwhile" stops_moved_folder
}

real_home() {
    readlink -f -- "$trial_home"
}

# Sends a request over HTTP/1.1. Over HTTP/2, a worker of nginx that ends for a reload closes accepted connections
# without a response, and curl does not retry.
trial_request() {
    local path=$1
    shift
    curl -sS --http1.1 --noproxy '*' --max-time 60 --cacert "${trial_trust:-$trial_home/tls/ca.pem}" "$@" \
        "https://localhost:$trial_port$path"
}

trial_status() {
    trial_request "$1" -o /dev/null -w '%{http_code}' "${@:2}"
}

trial_serves() {
    [[ $(trial_status "$1" "${@:2}") == 200 ]]
}

# Changes an operator's file with a program, until put_back or the end of the test.
change_file() {
    changed_file=$1
    shift
    cp -p -- "$changed_file" "$results/former"
    trap put_back EXIT
    "$@" <"$results/former" >"$results/changed"
    cat -- "$results/changed" >"$changed_file"
}

put_back() {
    cat -- "$results/former" >"$changed_file"
}

# Makes a certificate as from another authority, valid for ten days.
make_foreign_certificate() {
    local names=DNS:api.example.com,DNS:localhost,DNS:console.localhost,DNS:notes.localhost
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 10 -subj /CN=foreign \
        -addext "subjectAltName=$names" -keyout "$1.key" -out "$1.pem" 2>/dev/null
}

# Prints the checksums of the files that an operator may have changed or given to others.
operators_files() {
    find "$(real_home)" \( -name postgres -o -name log -o -name run -o -name bin -o -name www -o -name backups -o -name site \) -prune -o \
        \( -name environments.json -o -path '*/secrets/*' -o -path '*/tls/*' -o -path '*/tokens/*' -o -name '*.key' \
        -o -name '*.pub' -o -name almanac-hosts.conf \) -type f -exec sha256sum {} + | sort -k 2
}

# Makes all changes with which the next start is tested.
changes_what_is_theirs() {
    local file=$trial_home/environments.json tls=$trial_home/tls id
    export ALMANAC_ENVIRONMENTS=$file
    "$trial_home/bin/almanac" token user development --sub alice >/dev/null
    id=$("$trial_home/bin/almanac" token list development --json | jq -r '.[] | select(.label == "deploy/run").id')
    "$trial_home/bin/almanac" token revoke development "$id"
    sed -i 's/^    default "";/    default "";\n    config.example.com development;/' "$trial_home/nginx/almanac-hosts.conf"
    mkdir "$results/made-here"
    cp -p "$tls"/* "$results/made-here/"
    cat "$results/foreign.pem" >"$tls/server.pem"
    cat "$results/foreign.key" >"$tls/server.key"
    jq '.production = (.development | tojson | gsub("almanac_development"; "almanac_production") | fromjson)
        | .production.config_read = "token" | del(.production.identity)' "$file" >"$results/with-production"
    cat "$results/with-production" >"$file"
    await has_backup_of_today development
    await has_backup_of_today staging
    trial_serves /development/config
    [[ $(trial_status /production/config) == 404 ]]
}

stops_everything() {
    local home stream
    home=$(real_home)
    trial_request /development/events --no-buffer >"$results/stream" &
    stream=$!
    await grep '"type":"hello"' "$results/stream"
    rm -f -- "$home"/run/*.pid "$home/postgres/data/postmaster.pid"
    run_trial --stop
    wait "$stream"
    cat -- "$results/stream"
    grep '"type":"bye"' "$results/stream"
    await no_process_left
    [[ -z $(processes_in "$home/backups") ]]
    [[ $(run_trial --status || true) == *stopped*stopped*stopped* ]]
}

stops_nothing() {
    run_trial --stop
}

start_refuses_unfit_certificate() {
    change_file "$trial_home/tls/server.key" cat "$results/made-here/server.key"
    fails_with 'the certificate .*server.pem does not match the key .*server.key' run_trial --detach
    put_back
    mv "$trial_home/tls/server.key" "$results/server.key"
    fails_with 'the certificate .*server.pem has no key; put its key into .*server.key' run_trial --detach
    mv "$results/server.key" "$trial_home/tls/server.key"
}

start_refuses_missing_database() {
    local home
    home=$(real_home)
    operators_files >"$results/files-before"
    mv "$home/postgres/data" "$home/postgres/elsewhere"
    fails_with 'the database is missing from .*postgres/data, .* move away: .*environments.json .*development.token' run_trial --detach
    # An unmounted volume leaves an empty folder like this.
    mkdir "$home/postgres/data"
    fails_with 'the database is missing' run_trial --detach
    echo lost >"$home/postgres/data/lost+found"
    fails_with 'is not empty, but contains no PostgreSQL cluster' run_trial --detach
    rm -r "$home/postgres/data"
    operators_files | diff "$results/files-before" -
    mv "$home/postgres/elsewhere" "$home/postgres/data"
}

start_refuses_moved_folder() {
    local file=$trial_home/environments.json
    change_file "$file" sed "s#$(real_home)#/srv/former#g"
    fails_with "(sed -i|cannot read the password file /srv/former)" run_trial --detach
    change_back_passwords "$file"
    fails_with "in 'development': there is no PostgreSQL in /srv/former/run/sockets/postgres.* run sed -i" run_trial --detach
}

change_back_passwords() {
    sed -i "s#/srv/former/secrets#$(real_home)/secrets#" "$1"
}

start_refuses_wrong_address() {
    ALMANAC_ADDRESS=everywhere fails_with 'ALMANAC_ADDRESS must be an address' run_trial --detach
}

keeps_every_byte() {
    # The newest backup becomes a day old, as if the machine had been off at night.
    find "$(real_home)/backups" -name '*.dump' -exec touch -d '25 hours ago' {} +
    operators_files >"$results/files-before"
    cat "$results/files-before"
    ALMANAC_LOG_MEGABYTES=1 ALMANAC_ADDRESS=127.0.0.7 run_trial --detach 2>"$results/said-at-start"
    operators_files | diff "$results/files-before" -
    run_trial --reload
    operators_files | diff "$results/files-before" -
    trial_trust=$results/foreign.pem
    trial_request /development/config | grep 'Purrrr'
    [[ $(trial_request /staging/config) == '[]' ]]
}

served_certificate() {
    openssl s_client -connect "127.0.0.1:$trial_port" -servername localhost </dev/null 2>/dev/null | openssl x509 -noout -fingerprint
}

serves_certificate() {
    [[ $(served_certificate) == "$(openssl x509 -in "$1" -noout -fingerprint)" ]]
}

keeps_own_certificate() {
    cmp "$results/foreign.pem" "$trial_home/tls/server.pem"
    cmp "$results/foreign.key" "$trial_home/tls/server.key"
    serves_certificate "$results/foreign.pem"
}

# Checks an added environment: it has a database, and its config needs a token.
keeps_added_environment() {
    cmp "$results/with-production" "$trial_home/environments.json"
    [[ $(trial_status /production/config) == 401 ]]
    ALMANAC_ENVIRONMENTS=$trial_home/environments.json "$trial_home/bin/almanac" token create production \
        --scope config:read --label test >"$results/production.token"
    trial_serves /production/config -H "Authorization: Bearer $(<"$results/production.token")"
}

# Pastes the printed cure. The next start, in heals_after_kill, must then print nothing.
says_unfit_token() {
    cat "$results/said-at-start"
    grep 'the token in .*development.token is not valid in the database of development' "$results/said-at-start"
    sed -n 's/.*For a new token, run //p' "$results/said-at-start" | bash -e
    trial_serves /development/releases -H "Authorization: Bearer $(<"$trial_home/tokens/development.token")"
}

# Restarts after a kill. An operator's own certificate stays, even if the local authority's key is missing.
heals_after_kill() {
    local pid
    rm "$trial_home/tls/ca.key"
    for pid in $(run_trial --pid nginx) $(<"$trial_home/run/worker.pid") $(run_trial --pid postgres); do
        kill -9 "$pid"
    done
    run_trial --detach 2>"$results/said-at-start" || { cat "$results/said-at-start" && return 1; }
    cat "$results/said-at-start"
    [[ ! -s $results/said-at-start ]]
    trial_request /development/config | grep 'Purrrr'
    run_trial --status
    cmp "$results/foreign.pem" "$trial_home/tls/server.pem"
    cmp "$results/made-here/ca.pem" "$trial_home/tls/ca.pem"
    [[ ! -e $trial_home/tls/ca.key ]]
    serves_certificate "$results/foreign.pem"
}

returns_to_own_authority() {
    cp -p "$results/made-here"/* "$trial_home/tls/"
    run_trial --reload
    serves_certificate "$results/made-here/server.pem"
    trial_trust=
    trial_serves /development/config
}

# Upgrades the running instance from another checkout with its own programs.
upgrade_keeps_every_byte() {
    operators_files >"$results/files-before"
    newer_checkout
    run_trial --stop
    PATH=$results/stand-in:$PATH env -u ALMANAC_PROGRAMS ALMANAC_HOME="$trial_home" ALMANAC_PORT="$trial_port" \
        "$results/newer/deploy/run" --detach
    operators_files | diff "$results/files-before" -
    trial_serves /development/config
    [[ $(trial_status /production/config) == 401 ]]
}

is_all_ready() {
    trial_serves /-/ready && trial_serves /-/events/ready
}
