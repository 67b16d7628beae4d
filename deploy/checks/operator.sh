# shellcheck shell=bash
# deploy/run in the hands of an operator: what is theirs stays as it is, what is wrong is said, what dies comes back.

check_operator() {
    local trial_folder trial_home trial_port
    begin_part "deploy/run: what an operator has, and what goes wrong"
    trial_folder=$(mktemp -d "$results/trial-XXXXXX")
    trial_home="$trial_folder/a home"
    take_free_port trial_port $((port + 1))
    check "what has not changed is not built again, and what has is" builds_what_changed
    check "an instance to work on starts" trial --detach
    check "an environment that was added is there after a restart" keeps_added_environment
    check "a certificate of one's own is kept, and served" keeps_own_certificate
    check "restart, reload and upgrade keep every byte of the operator's files" keeps_every_byte
    check "--reload says what is wrong with environments.json, and fails" reload_refuses_broken_file
    check "--reload says which password file the workers cannot read, and fails" reload_refuses_unreadable_secret
    check "--reload says that a certificate does not fit its key, and fails" reload_refuses_unfit_certificate
    check "--reload names the service that does not run" reload_names_stopped_service
    check "somebody else's instance is left to them" refuses_instance_of_another
    check "a start on another port than the running one is refused" refuses_another_port
    check "a full disk is said before anything that still serves is stopped" keeps_serving_while_disk_is_full
    check "a broken environments.json is said before anything that still serves is stopped" keeps_serving_beside_broken_file
    check "nginx and PostgreSQL come back after they were killed" revives_nginx_and_postgres
    check "PostgreSQL comes back by itself once a full disk has room" revives_postgres_after_full_disk
    check "in the foreground a death of nginx or PostgreSQL is reported" foreground_reports_deaths
    check "--stop leaves no supervisor and no postmaster, whatever files were lost" stops_without_pid_files
    check "a start refuses a certificate that does not fit its key" start_refuses_unfit_certificate
    check "a start refuses a missing database, and replaces nothing" start_refuses_missing_database
    check "an environments.json of a folder that has moved is refused, with the cure" start_refuses_moved_folder
    check "a token that its database does not know is said to be so, with the cure" says_unfit_token
    check "a log that grows is put aside while all writes go on" rotates_logs
    check "each environment has a backup of the last day, and no copy of the one that makes them outlives --stop" makes_daily_backups
    check "search words and headers are in no log, and the environment is in each line" logs_hold_no_searches
    check "a site of an earlier release writes no search words either" older_site_logs_no_searches
    check "load balancers elsewhere are told whether to send requests here" tells_load_balancers
    check "the doctor sees what the programs' user cannot read" doctor_sees_unreadable_secret
    check "the doctor looks at this instance's nginx, sockets, address and disks" doctor_looks_at_instance
    check "the doctor names what it did not look at" doctor_names_what_it_skips
    check "it can be reached at another address" listens_on_another_address
    trial --stop >/dev/null 2>&1 || true
    remove_trial
}

real_home() {
    readlink -f -- "$trial_home"
}

trial_request() {
    local path=$1
    shift
    curl -sS --noproxy '*' --max-time 20 --cacert "$trial_home/tls/ca.pem" "$@" "https://localhost:$trial_port$path"
}

trial_status() {
    trial_request "$1" -o /dev/null -w '%{http_code}' "${@:2}"
}

trial_serves() {
    [[ $(trial_status "$1" "${@:2}") == 200 ]]
}

# A file of the operator's is changed by a program, until put_back, or the end of the test.
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

keeps_added_environment() {
    local file=$trial_home/environments.json
    jq '.production = (.development | tojson | gsub("almanac_development"; "almanac_production") | fromjson)
        | .production.config_read = "token" | del(.production.identity)' "$file" >"$results/with-production"
    cat "$results/with-production" >"$file"
    trial --stop
    trial --detach
    cmp "$results/with-production" "$file"
    # Its database was made, and its config is for nobody without a token.
    [[ $(trial_status /production/config) == 401 ]]
    ALMANAC_ENVIRONMENTS=$file "$trial_home/bin/almanac" token create production --scope config:read --label test >"$results/production.token"
    trial_serves /production/config -H "Authorization: Bearer $(<"$results/production.token")"
}

# One that the operator has from elsewhere, for ten days only.
make_foreign_certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 10 -subj /CN=foreign \
        -addext subjectAltName=DNS:api.example.com,DNS:localhost -keyout "$1.key" -out "$1.pem" 2>/dev/null
}

served_certificate() {
    openssl s_client -connect "127.0.0.1:$trial_port" -servername localhost </dev/null 2>/dev/null | openssl x509 -noout -fingerprint
}

keeps_own_certificate() {
    local tls=$trial_home/tls
    mkdir "$results/made-here"
    cp -p "$tls"/* "$results/made-here/"
    make_foreign_certificate "$results/foreign"
    cat "$results/foreign.pem" >"$tls/server.pem"
    cat "$results/foreign.key" >"$tls/server.key"
    trial --stop
    trial --detach
    cmp "$results/foreign.pem" "$tls/server.pem"
    cmp "$results/foreign.key" "$tls/server.key"
    [[ $(served_certificate) == "$(openssl x509 -in "$results/foreign.pem" -noout -fingerprint)" ]]
    # Nor is it replaced where the authority that was made here has gone.
    rm "$tls/ca.key"
    trial --stop
    trial --detach
    cmp "$results/foreign.pem" "$tls/server.pem"
    cmp "$results/made-here/ca.pem" "$tls/ca.pem"
    cp -p "$results/made-here"/* "$tls/"
    trial --reload
}

builds_what_changed() {
    newer_checkout
    local checkout=$results/newer logs=$results PATH=$results/stand-in:$PATH
    builds almanac-worker almanac-events almanac
    builds
    printf '// New.\n' >"$checkout/Sources/New.swift"
    builds almanac-worker almanac-events almanac
    printf '// Newer.\n' >>"$checkout/Package.swift"
    builds almanac-worker almanac-events almanac
    ALMANAC_WARNINGS=others builds almanac-worker almanac-events almanac
    builds almanac-worker almanac-events almanac
    # By hand, in another way.
    touch -- "$checkout/.build/release/almanac"
    builds almanac-worker almanac-events almanac
    builds
}

builds() {
    : >"$results/builds"
    build_release
    diff <(printf '%s\n' "$@" | sed '/^$/d') "$results/builds"
}

# What an operator may have changed, or has given to others.
operators_files() {
    find "$(real_home)" \( -name postgres -o -name log -o -name run -o -name bin -o -name www \) -prune -o \
        \( -name environments.json -o -path '*/secrets/*' -o -path '*/tls/*' -o -path '*/tokens/*' -o -name '*.key' \
        -o -name '*.pub' -o -name almanac-hosts.conf \) -type f -exec sha256sum {} + | sort -k 2
}

keeps_every_byte() {
    "$trial_home/bin/almanac" token user development --sub alice --environments "$trial_home/environments.json" >/dev/null
    sed -i 's/^    default "";/    default "";\n    config.example.com development;/' "$trial_home/nginx/almanac-hosts.conf"
    operators_files >"$results/files-before"
    cat "$results/files-before"
    trial --stop
    trial --detach
    operators_files | diff "$results/files-before" -
    trial --reload
    operators_files | diff "$results/files-before" -
    # An upgrade: another checkout, with programs of its own, over what runs.
    newer_checkout
    with_stand_in --stop
    PATH=$results/stand-in:$PATH ALMANAC_HOME="$trial_home" ALMANAC_PORT=$trial_port "$results/newer/deploy/run" --detach
    operators_files | diff "$results/files-before" -
    trial_serves /development/config
    [[ $(trial_status /production/config) == 401 ]]
}

newer_checkout() {
    rm -rf -- "$results/newer"
    mkdir -p "$results/newer/Sources/Core" "$results/newer/.build/release"
    cp -r "$checkout/deploy" "$checkout/sql" "$checkout/Package.swift" "$results/newer/"
    cp -r "$checkout/Sources/Core/TextMerge" "$results/newer/Sources/Core/"
    cp -r "$checkout"/.build/codemirror-* "$results/newer/.build/"
    cp "$checkout"/.build/release/textmerge.wasm* "$results/newer/.build/release/"
    # shellcheck disable=SC2016 # for the stand-in to expand
    stand_in swift '[[ $1 == build ]] || exec '"$(command -v swift)"' "$@"
        printf "%s\n" "${*: -1}" >>'"$(printf '%q' "$results")"'/builds
        install -D -- '"$(printf '%q' "$checkout")"'/.build/release/"${*: -1}" "$3/.build/release/${*: -1}"'
}

is_all_ready() {
    trial_serves /-/ready && trial_serves /-/events/ready
}

await_long() {
    local deadline=$((SECONDS + 90))
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline))
        sleep 0.1
    done
}

start_refuses_unfit_certificate() {
    trial --stop
    change_file "$trial_home/tls/server.key" cat "$results/foreign.key"
    fails_with 'the certificate .*server.pem and the key .*server.key do not belong together' trial --detach
    put_back
    mv "$trial_home/tls/server.key" "$results/server.key"
    fails_with 'there is a certificate, .*server.pem, but no .*server.key' trial --detach
    mv "$results/server.key" "$trial_home/tls/server.key"
}

start_refuses_missing_database() {
    local home
    home=$(real_home)
    operators_files >"$results/files-before"
    mv "$home/postgres/data" "$home/postgres/elsewhere"
    fails_with 'the database is missing: .*postgres/data holds none.* move away: .*environments.json .*development.token' trial --detach
    # As an unmounted volume leaves it.
    mkdir "$home/postgres/data"
    fails_with 'the database is missing' trial --detach
    echo lost >"$home/postgres/data/lost+found"
    fails_with 'is not empty, but holds no PostgreSQL cluster' trial --detach
    rm -r "$home/postgres/data"
    operators_files | diff "$results/files-before" -
    mv "$home/postgres/elsewhere" "$home/postgres/data"
}

start_refuses_moved_folder() {
    local file=$trial_home/environments.json
    change_file "$file" sed "s#$(real_home)#/srv/former#g"
    fails_with "(sed -i|cannot read the password file /srv/former)" trial --detach
    change_back_passwords "$file"
    fails_with "in 'development': no PostgreSQL is in /srv/former/run/sockets/postgres.* run sed -i" trial --detach
    put_back
    trial --detach
}

change_back_passwords() {
    sed -i "s#/srv/former/secrets#$(real_home)/secrets#" "$1"
}

says_unfit_token() {
    local file id
    file=$(real_home)/tokens/development.token
    export ALMANAC_ENVIRONMENTS=$trial_home/environments.json
    id=$("$trial_home/bin/almanac" token list development --json | jq -r '.[] | select(.label == "deploy/run").id')
    "$trial_home/bin/almanac" token revoke development "$id"
    unset ALMANAC_ENVIRONMENTS
    trial --stop
    trial --detach 2>"$results/errors"
    cat "$results/errors"
    grep 'development.token is no token of the database of development' "$results/errors"
    # The cure can be pasted.
    sed -n 's/.*For a new one: //p' "$results/errors" | bash -e
    trial --stop
    trial --detach 2>"$results/errors"
    [[ ! -s $results/errors ]]
    trial_serves /development/releases -H "Authorization: Bearer $(<"$file")"
}
