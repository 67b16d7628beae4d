# shellcheck shell=bash
# An operator's changes to a running service, and the environments, certificates and data that must survive them.
# Nothing may remain after the removal.

serves_preview() {
    request /preview/config --fail --output /dev/null
}

adds_environment() {
    ! serves_preview || return 1
    sed -E 's/"staging": \{/"preview": {/; s/almanac_staging/almanac_preview/g' "$trial_etc/environments.json" |
        python3 -c '
import json, sys
path = sys.argv[1]
former = json.load(open(path))
former["preview"] = json.load(sys.stdin)["preview"]
json.dump(former, open(path, "w"), indent=2)' "$trial_etc/environments.json"
    # Use the commands of deploy/operating/installing.md.
    start_all --scale worker=3
    compose kill -s HUP worker events
    await serves_preview
}

fingerprint() {
    printf '%s\n' "$(password_of superuser)" "$(password_of worker)"
    compose exec -T nginx cat /tls/server.pem
    request /development/config.json --fail
    request '/development/notes?limit=1000' --fail -H "$(with_token alice)"
}

keeps_everything() {
    fingerprint >"$results/before"
    compose down
    [[ -z $(all_containers) ]]
    start_all
    await answers
    fingerprint >"$results/after"
    cmp "$results/before" "$results/after"
}

uses_own_certificate() {
    local folder=$results/own
    mkdir -- "$folder"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$folder/server.key" \
        -out "$folder/server.pem" -days 2 -subj /CN=own -addext subjectAltName=DNS:localhost 2>/dev/null
    chown 33 "$folder/server.key"
    cp -- "$folder/server.pem" "$results/own.pem"
    ALMANAC_TLS=$folder start_all
    ca=$folder/server.pem
    await answers
    cmp "$results/own.pem" "$folder/server.pem"
    [[ $(cd -- "$folder" && echo *) == "server.key server.pem" ]]
}

# Copies what images are built from into $results/next, a release with one more migration. The migration adds a column
# and a table of 100 MB. A setting of the database makes it fail, or sleep while it holds the table of notes.
make_next_release() {
    local newest next=$results/next
    rm -rf --one-file-system -- "$next"
    mkdir -- "$next"
    tar -c -C "$checkout" docker-compose.yml .dockerignore Package.swift README.md Sources Tests deploy sql |
        tar -x -C "$next"
    newest=$(find "$next/sql/migrations" -name '*.sql' -printf '%f\n' | sort | tail -n 1)
    next_schema=$((10#${newest%%_*} + 1))
    cat >"$next/sql/migrations/$(printf %06d "$next_schema")_made_up.sql" <<'END'
alter table notes add column made_up integer;
select pg_sleep(600) where current_setting('made_up.fault', true) = 'sleep';
select 1 / (current_setting('made_up.fault', true) is distinct from 'error')::integer;
create unlogged table made_up as select repeat('x', 1000) from generate_series(1, 100000);
END
}

# Runs SQL as PostgreSQL's superuser in the database of the environment development.
query_development() {
    # shellcheck disable=SC2016 # The container's shell reads the password.
    compose exec -T postgres sh -c \
        'PGPASSWORD=$(cat /secrets/superuser/password) exec psql -XqAt -U postgres -d almanac_development -c "$1"' - "$1"
}

# Changes to the release in a folder, with the commands of deploy/operating/installing.md.
change_release() {
    local checkout=$1
    compose build &&
        compose run --rm --no-deps -T databases &&
        compose run --rm --no-deps -T migrate &&
        start_all
}

schema_is() {
    request /development/status --fail -H "$(with_token admin)" | grep "\"schema\":$1,"
}

running_containers() {
    docker ps --quiet --no-trunc --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" | sort
}

upgrades_and_goes_back() {
    make_next_release
    start_compose_load
    change_release "$results/next"
    await schema_is "$next_schema"
    await_more_load
    change_release "$checkout"
    await all_are_healthy
    await_more_load
    end_load
    schema_is "$next_schema"
    [[ $(docker exec "$(containers_of worker)" ls /usr/share/almanac/sql/migrations | wc -l) == $((next_schema - 1)) ]]
    nothing_is_lost_or_doubled
}

fills_no_own_folder() {
    local folder=$results/empty
    mkdir -- "$folder"
    ! ALMANAC_TLS=$folder start_all || return 1
    compose logs prepare | tee "$results/said"
    grep "there is no certificate in the folder $folder (ALMANAC_TLS)" "$results/said"
    [[ -z $(ls -A -- "$folder") ]]
    ca=$results/own.pem
    ALMANAC_TLS=$results/own start_all
    await answers
}

leaves_nothing() {
    compose --profile tools --profile provider down --volumes --rmi local
    [[ -z $(all_containers) ]]
    [[ -z $(docker volume ls --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME") ]]
    [[ -z $(docker network ls --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME") ]]
    ! docker images --format '{{.Repository}}' | grep "^$COMPOSE_PROJECT_NAME" || return 1
}
