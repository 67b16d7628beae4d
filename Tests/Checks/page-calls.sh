# shellcheck shell=bash
# Calls on the hosts of pages: the requests that nginx forwards from there, and the cookies that count.

api_beside_pages() {
    fetch /development/config
    cp -- "$results/body" "$results/at-api"
    lacks_header cross-origin-opener-policy
    on_console /development/config
    status_is 200
    cmp -- "$results/body" "$results/at-api"
    has_header content-security-policy "default-src 'none'; frame-ancestors 'none'"
    [[ $(grep -ci '^cache-control:' "$results/headers.unix") == 1 ]]
    has_header cross-origin-resource-policy same-origin
    # Pages and environments never share a path.
    on_console /nowhere/config
    is_problem 404 environment-not-found
    on_console /no.such.thing
    status_is 404
    fetch /assets/0123456789ab/console/main.js
    is_problem 404 environment-not-found
}

stream_beside_pages() {
    read_first_event "https://console.localhost:$port/development/events"
}

# Replaces a program for two requests, and stores the FastCGI parameters of each.
record_parameters() {
    python3 - "$1" "$results/parameters" <<'PROGRAM'
import os, socket, sys
path, kept = sys.argv[1:]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
os.chmod(path, 0o666)
listener.listen()
open(kept + ".ready", "w").close()
for number in range(2):
    connection, _ = listener.accept()
    received = b""
    # An empty record ends the parameters.
    while b"\1\4\0\1\0\0\0\0" not in received:
        received += connection.recv(65536)
    open(f"{kept}.{number}", "wb").write(received)
    body = b"Status: 204 No Content\r\n\r\n"
    body += bytes(-len(body) % 8)
    connection.sendall(b"\1\6\0\1" + len(body).to_bytes(2, "big") + b"\0\0" + body
        + b"\1\6\0\1\0\0\0\0" + b"\1\3\0\1\0\10\0\0" + bytes(8))
    connection.close()
PROGRAM
}

application_is_named() {
    local path
    # Clean up even if the check fails.
    trap 'end_parameters' EXIT
    for service in worker events; do
        path=/development/config
        [[ $service == worker ]] || path=/development/events
        "$checkout/deploy/run" --stop-service "$service"
        rm -f -- "$results"/parameters*
        record_parameters "$sockets/$service.sock" &
        reader=$!
        until [[ -e $results/parameters.ready ]]; do
            is_alive "$reader"
            sleep 0.05
        done
        on_console "$path" -H 'Almanac-Application: notes' -b 'ALMANAC_APPLICATION=notes'
        fetch "$path" -H 'Almanac-Application: console' -b 'ALMANAC_APPLICATION=console'
        wait "$reader"
        grep -aF $'\x13\x07ALMANAC_APPLICATIONconsole' "$results/parameters.0"
        # The parameter must occur only as a header and a cookie.
        ! grep -aP '(?<!HTTP_)ALMANAC_APPLICATION(?!=)' "$results/parameters.1" || return 1
        end_parameters
    done
    trap - EXIT
    await_ready
}

end_parameters() {
    kill "$reader" 2>/dev/null || true
    rm -f -- "$sockets/$service.sock"
    "$checkout/deploy/run" --start-service "$service"
}

# Records the expected cache status of the last request, for check_cache.
expect_cache() {
    printf '%s %s\n' "$(request_id)" "$1" >>"$results/expected-cache"
}

# Compares the expected statuses with nginx's log, once for all requests, because log lines appear late.
check_cache() {
    local id expected found
    while read -r id expected; do
        find_in_log "$id"
        found=$(grep -oP '"cache":"\K[A-Z]*' "$results/line" || true)
        printf '%s %s\n' "$id" "$found"
        [[ $found == "$expected" ]]
    done <"$results/expected-cache"
}

cookie_is_not_cached() {
    local delta origin
    delta="/development/config?since=0&revision=$(current_cursor)"
    # A random origin makes a cache key that no earlier test has used.
    origin="Origin: https://$RANDOM$RANDOM.example.com"
    on_console "$delta" -H "$origin" -H 'Sec-Fetch-Site: same-origin' -b '__Host-almanac-development=somebody'
    expect_cache ''
    fetch "$delta" -H "$origin" -b 'other=1'
    expect_cache ''
    on_console "$delta" -H "$origin"
    status_is 200
    expect_cache MISS
    on_console "$delta" -H "$origin"
    expect_cache HIT
    on_console "$delta" -H "$origin" -b '__Host-almanac-development=somebody'
    expect_cache ''
    fetch "$delta" -H "$origin"
    expect_cache MISS
    check_cache
}

# Signs in to the console: the environment, the cookie file, the request body.
sign_in() {
    local environment=$1 jar=$2 body=$3
    on_console "/$environment/session" -H 'Sec-Fetch-Site: same-origin' -H 'Almanac-Session: 1' --json "$body" -c "$jar"
}

# Checks signed-in responses in an environment whose config needs a token.
signed_in_answers_stay_theirs() {
    local delta cookies
    trap '"$bin/almanac" environment remove guarded --drop-database --yes' EXIT
    export ALMANAC_ENVIRONMENTS=$environments_file ALMANAC_SQL=$checkout/sql
    "$bin/almanac" environment add guarded --config-read token
    "$bin/almanac" token create guarded --scope admin --label trial --no-expiry --owner ada --owner-name Ada \
        --output "$results/guarded.token"
    fetch /guarded/config/app.secret -X PUT -H @<(bearer "$results/guarded.token") --json '{"value": "guarded"}'
    sign_in guarded "$results/cookies" "{\"token\": \"$(<"$results/guarded.token")\"}"
    status_is 201
    on_console /guarded/config -H 'Sec-Fetch-Site: same-origin' -b "$results/cookies"
    status_is 200
    delta="/guarded/config?since=0&revision=$(grep -ioE '^almanac-cursor: [0-9a-z.]+' "$results/headers.unix" | cut -d' ' -f2)"
    on_console "$delta" -H 'Sec-Fetch-Site: same-origin' -b "$results/cookies"
    status_is 200
    grep -F '"guarded"' "$results/body"
    on_console "$delta"
    is_problem 401 token-needed
    # The cookie must not count for another site's page, on the API's host, or in the other application.
    on_console "$delta" -H 'Sec-Fetch-Site: cross-site' -b "$results/cookies"
    is_problem 401 token-needed
    cookies=$(grep -oP '__Host-almanac-guarded\t.*' "$results/cookies" | tr '\t' =)
    fetch "$delta" -H 'Sec-Fetch-Site: same-origin' -b "$cookies"
    is_problem 401 token-needed
    url_of=https://notes.localhost:$port fetch "$delta" -H 'Sec-Fetch-Site: same-origin' -b "$cookies"
    status_is 401
}

# A token of an earlier release has no owner, and gets one before the link is made.
link_signs_in() {
    local link codes code id
    fetch /development/session -H @<(bearer "$tokens/development.token")
    id=$(jq -r .token_id "$results/body")
    ALMANAC_ENVIRONMENTS=$environments_file "$bin/almanac" token set development "$id" --no-owner
    "$checkout/deploy/run" --detach | tee "$results/said"
    link=$(tail -n 1 "$results/said")
    grep -E "^Console https://console[.]localhost:$port/#/open/development=[A-Za-z0-9_-]+,staging=[A-Za-z0-9_-]+$" <<<"$link"
    grep -E '^Trust .*certutil' "$results/said"
    grep -E '^ +macOS .*Firefox' "$results/said"
    codes=${link##*/open/}
    code=${codes%%,*}
    sign_in development "$results/cookies" "{\"code\": \"${code#*=}\"}"
    status_is 201
    on_console /development/session -H 'Sec-Fetch-Site: same-origin' -b "$results/cookies"
    grep -F '"admin"' "$results/body"
    sign_in development "$results/cookies" "{\"code\": \"${code#*=}\"}"
    is_problem 403 sign-in-expired
    ! grep -rF "${code#*=}" "$logs" || return 1
}
