# shellcheck shell=bash
# docker-compose.yml as an operator uses it: build, start, requests, restart and removal. A long run also builds from
# source, scales, kills containers, and tries rare operations.

check_compose() {
    begin_part "docker-compose.yml"
    trial_etc=$results/etc
    trial_port=$(free_port 19443)
    ca=$results/ca.pem
    export COMPOSE_PROJECT_NAME=almanac-test ALMANAC_PORT=$trial_port ALMANAC_ETC=$trial_etc
    export ALMANAC_TEST_DISK=$results/disk/data
    cp -r -- "$checkout/deploy/containers/etc" "$trial_etc"
    # An empty file replaces a .env in the checkout.
    : >"$results/settings"

    ! is_long || make_data_disk
    check "images are pinned to a version" images_are_pinned
    check "the example of settings names every setting with its default" example_has_defaults
    check "images build" builds
    check "programs are stripped and bring Swift's library with them" programs_are_small
    check "one command starts everything from nothing" starts_from_nothing
    ((failed == 0)) || return 0
    check "every container is confined and limited" containers_are_confined
    check "no password is in an environment variable, a command line or a log" secrets_stay_in_files
    check "each container sees its own secrets only" secrets_are_separate
    check "config is written and read through nginx over TLS" serves_config
    check "notes are written and read through nginx over TLS" serves_notes
    check "static files are served" serves_static_files
    check "the pages of the console and the notes are served, on hosts of their own" serves_pages
    check "a stream tells of a change" serves_stream
    check "health is not for the network" health_is_hidden
    if is_long; then
        check_compose_at_length
    else
        check "the service comes back from a restart with its data" restarts_at_once
    fi
    check "down --volumes leaves nothing behind" leaves_nothing
}

check_compose_at_length() {
    check "the console can be switched off" switches_console_off
    check "a backup is made without being asked, and can be restored" makes_backups
    check "a worker that hangs is seen by its health check" sees_hanging_worker
    check "--scale worker=3 refuses no read, and nginx finds all three" finds_scaled_workers
    check "workers restarted one after another refuse no read" restarts_workers_unnoticed
    check "nothing acknowledged is lost while every process is killed" survives_kills
    check "every service comes back from a restart" restarts_services
    check "an upgrade whose migration fails leaves the running containers as they were" keeps_containers_of_failed_upgrade
    check "an upgrade whose migration is killed leaves the running containers as they were" keeps_containers_of_killed_migration
    [[ ! -d $results/disk/data ]] ||
        check "an upgrade that finds a full disk leaves the running containers as they were" keeps_containers_of_full_disk
    check "an upgrade, and the way back to the release before, lose no acknowledged write" upgrades_and_goes_back
    check "an environment that is added to environments.json is served" adds_environment
    check "after down and up the data, the passwords and the certificate are the same" keeps_everything
    check "a certificate of one's own is used and left alone" uses_own_certificate
    check "nothing is made in an empty folder of one's own" fills_no_own_folder
    check "a user of the provider to try logins with writes a note" signs_in_at_provider
}

compose() {
    local changes=()
    is_long || changes+=(--file "$checkout/Tests/Checks/containers/built.yml")
    [[ ! -d $results/disk/data ]] || changes+=(--file "$checkout/Tests/Checks/containers/disk.yml")
    docker-compose --project-directory "$checkout" --env-file "$results/settings" --file "$checkout/docker-compose.yml" \
        --file "$checkout/Tests/Checks/containers/compose.yml" "${changes[@]}" "$@"
}

start_all() {
    compose up --detach --no-build "$@"
}

containers_of() {
    docker ps --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" \
        --filter "label=com.docker.compose.service=$1"
}

# Sends a request through nginx: the path, then further options of curl.
request() {
    local path=$1
    shift
    in_engine_network curl -sS --noproxy '*' --max-time 60 --cacert "$ca" "$@" "https://localhost:$trial_port$path"
}

answers() {
    request /development/config --fail --max-time 5 --output /dev/null
}

# Waits until a command succeeds, with a deadline for a busy machine.
await() {
    local deadline=$((SECONDS + 180))
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline))
        sleep 0.1
    done
}

command_line_tool() {
    compose run --rm -T almanac "$@" 2>>"$results/tool.log"
}

with_token() {
    printf 'Authorization: Bearer %s' "$(<"$results/$1.token")"
}

all_are_healthy() {
    local container health
    for container in $(containers_of postgres) $(containers_of worker) $(containers_of events) $(containers_of nginx); do
        health=$(docker inspect --format '{{.State.Health.Status}}' "$container")
        [[ $health == healthy ]] || return 1
    done
}

all_containers() {
    docker ps --all --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME"
}

password_of() {
    docker run --rm --volume "${COMPOSE_PROJECT_NAME}_$1_secret:/secret:ro" "$(image_named debian)" cat /secret/password
}
