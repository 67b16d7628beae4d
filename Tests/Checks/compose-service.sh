# shellcheck shell=bash
# The service through the nginx of docker-compose.yml, and the health of its containers.

serves_config() {
    command_line_tool token create development --scope admin --label test >"$results/admin.token"
    request /development/config.json --fail | tee "$results/entries"
    [[ $(<"$results/entries") == '{}' ]]
    request /development/config/app.theme --fail -X PUT -H "$(with_token admin)" --json '{"value": "dark"}'
    request /development/config.json --fail | tee "$results/entries"
    [[ $(<"$results/entries") == '{"app.theme":"dark"}' ]]
    # Another environment has its own database.
    request /staging/config.json --fail | tee "$results/entries"
    [[ $(<"$results/entries") == '{}' ]]
}

serves_notes() {
    command_line_tool token user development --sub alice >"$results/alice.token"
    request /development/notes --fail -H "$(with_token alice)" \
        --json '[["createNote", {"action_id": "first", "id": "n1", "title": "Groceries", "body": "milk"}]]' |
        grep '"status":"applied"'
    request /development/notes --fail -H "$(with_token alice)" | grep '"body":"milk"'
    request /development/notes --output /dev/null --write-out '%{http_code}' | grep 401
}

serves_static_files() {
    request / --fail | grep '<title>'
    request /openapi.yaml --fail | grep '^openapi:'
}

# Sends a request to the host of an application's pages: the application, the path, then further options of curl.
request_page() {
    local application=$1 path=$2
    shift 2
    in_engine_network curl -sS --noproxy '*' --max-time 60 --cacert "$ca" "$@" "https://$application.localhost:$trial_port$path"
}

serves_pages() {
    local application file
    for application in console notes; do
        request_page "$application" / --fail >"$results/page"
        file=$(grep -oE "/assets/[0-9a-f]{12}/$application/[a-z]+[.]css" "$results/page" | sed -n 1p)
        request_page "$application" "$file" --fail -H 'Accept-Encoding: gzip' --dump-header "$results/headers" --output /dev/null
        grep -i '^cache-control: .*immutable' "$results/headers"
        grep -i '^content-encoding: gzip' "$results/headers"
        request_page "$application" /development/config.json --fail | grep '"app.theme":"dark"'
        [[ $(request_page "$application" /-/ready --output /dev/null --write-out '%{http_code}') == 403 ]]
    done
}

console_is_off() {
    request_page console / --fail >"$results/page"
    # The API's page, which every other host name shows.
    grep 'href="/openapi.yaml"' "$results/page"
}

switches_console_off() {
    ALMANAC_CONSOLE=off start_all
    await console_is_off
    request_page notes / --fail | grep /notes/style.css
    start_all
    await serves_pages
}

serves_stream() {
    local reader
    request /development/events --no-buffer --max-time 300 >"$results/stream" &
    reader=$!
    await grep '"hello"' "$results/stream"
    request /development/config/app.streamed --fail -X PUT -H "$(with_token admin)" --json '{"value": true}'
    await grep 'app.streamed' "$results/stream"
    end_tree "$reader"
    cat -- "$results/stream"
}

# Prints the newest backup of the development environment, as seen in the command line's container.
newest_backup() {
    compose run --rm -T --entrypoint /bin/ls almanac -1 /var/backups/almanac/development 2>>"$results/tool.log" |
        grep '[.]dump' | tail -n 1
}

has_backup() {
    [[ -n $(newest_backup) ]]
}

makes_backups() {
    local file
    await has_backup
    file=/var/backups/almanac/development/$(newest_backup)
    command_line_tool backup inspect "$file" | grep -E '^environment +development'
    command_line_tool backup rotate /var/backups/almanac --only development --keep 1 | grep removed
    file=/var/backups/almanac/development/$(newest_backup)
    request /development/config/app.theme --fail -X PUT -H "$(with_token admin)" --json '{"value": "a mistake"}'
    command_line_tool restore development "$file" --yes
    await restored_theme
}

restored_theme() {
    request /development/config/app.theme --fail | grep '"dark"'
}

health_is_hidden() {
    [[ $(request /-/ready --output /dev/null --write-out '%{http_code}') == 403 ]]
}

# Runs the container's own health check.
health_check() {
    local -a test
    mapfile -t test < <(docker inspect --format '{{range .Config.Healthcheck.Test}}{{println .}}{{end}}' "$1" | sed '/^$/d')
    timeout 5 docker exec "$1" "${test[@]:1}"
}

sees_hanging_worker() {
    local worker
    worker=$(containers_of worker)
    await health_check "$worker"
    docker kill --signal STOP "$worker"
    ! health_check "$worker" || return 1
    docker kill --signal CONT "$worker"
    await health_check "$worker"
}
