# shellcheck shell=bash
# The hosts of pages: what nginx says of pages and their files, and what it passes on from there.

check_pages() {
    say "The hosts of pages"
    check "the same pages are laid out as the same files, and changed ones at another address" lays_out_pages
    check "open pages find the files of two versions before, and no older ones stay" keeps_three_versions
    check "a page has its policy, and is asked for anew each time" page_headers
    check "what a page is made of is kept by browsers, typed and compressed" asset_headers
    check "a file of a version that has gone is a problem that says so, and is not kept" vanished_asset
    check "the API answers on the hosts of pages as on its own, with the headers of programs" api_beside_pages
    check "a stream begins on the hosts of pages" stream_beside_pages
    check "only the hosts of pages say which application asks" application_is_named
    check "an answer to somebody with a cookie is nobody else's" cookie_is_not_cached
    check "what somebody signed in may read is nobody else's, immutable or not" signed_in_answers_stay_theirs
    check "the link of deploy/run signs in, once" link_signs_in
    check "health is for the host itself only, on the hosts of pages too" page_host_hides_health
    check "a certificate without the hosts' names is made anew by the same authority" certificate_gets_names
    check "the authority vouches for localhost and names below it, and for nothing else" authority_is_constrained
    check "a host that is switched off serves no page" host_is_switched_off
    check "a name that no page can have is refused" wrong_hosts_are_refused
}

on_console() {
    url_of=https://console.localhost:$port fetch "$@"
}

lay_out_trial() {
    lay_out_pages "$results/pages" "$results/laid-out"
    sed -nE 's#.*"(/assets/[0-9a-f]{12})/console/main.js".*#\1#p' "$results/laid-out/console/index.html"
}

lays_out_pages() {
    local first second
    cp -r -- "$checkout/deploy/www" "$results/pages"
    rm -rf -- "$results"/pages/{console,shared}/*
    printf '%s\n' '<script type="module" src="@assets@/console/main.js"></script>' >"$results/pages/console/index.html"
    printf '%s\n' '// Says it.' 'import { answer } from "../shared/answer.js";' 'document.title = answer;' \
        >"$results/pages/console/main.js"
    printf '%s\n' 'export const answer = 42;' >"$results/pages/shared/answer.js"
    printf '%s\n' '<svg xmlns="http://www.w3.org/2000/svg"/>' >"$results/pages/console/icon.svg"
    first=$(lay_out_trial)
    [[ -n $first ]]
    cmp "$results/laid-out/console$first/console/icon.svg" "$results/pages/console/icon.svg"
    grep 42 "$results/laid-out/console$first/console/main.js"
    ! grep 'Says it' "$results/laid-out/console$first/console/main.js" || return 1
    (cd -- "$results/laid-out" && find . -type f -exec sha256sum {} + | sort) >"$results/sums"
    grep -F "console$first/console/main.js.gz" "$results/sums"
    mv -- "$results/laid-out" "$results/laid-out-before"
    touch -d yesterday "$results/pages/shared/answer.js"
    [[ $(lay_out_trial) == "$first" ]]
    (cd -- "$results/laid-out" && find . -type f -exec sha256sum {} + | sort) | diff "$results/sums" -
    printf '%s\n' 'export const answer = 43;' >"$results/pages/shared/answer.js"
    second=$(lay_out_trial)
    [[ $second != "$first" ]]
    gunzip -c "$results/laid-out/console$second/console/main.js.gz" | cmp - "$results/laid-out/console$second/console/main.js"
    gunzip -c "$results/laid-out/console/index.html.gz" | cmp - "$results/laid-out/console/index.html"
    grep 42 "$results/laid-out/console$first/console/main.js"
    # In a shell of its own, which ends where a command fails.
    printf '%s\n' 'import "./missing.js";' >>"$results/pages/shared/answer.js"
    ! bash -euo pipefail -c 'source "$1" && lay_out_pages "$2" "$3"' - "$checkout/deploy/lib/pages.sh" "$results/pages" \
        "$results/laid-out" 2>/dev/null
}

keeps_three_versions() {
    local number versions=()
    rm -rf -- "$results/laid-out"
    for number in 1 2 3 4; do
        printf 'export const answer = %s;\n' "$number" >"$results/pages/shared/answer.js"
        versions+=("$(lay_out_trial)")
        # A version a day.
        touch -d "$((10 - number)) days ago" "$results/laid-out/console${versions[-1]}"
    done
    [[ ! -e $results/laid-out/console${versions[0]} ]]
    for number in 1 2 3; do [[ -e $results/laid-out/console${versions[number]} ]]; done
    # An older version that comes back is the newest again.
    printf 'export const answer = 2;\n' >"$results/pages/shared/answer.js"
    [[ $(lay_out_trial) == "${versions[1]}" ]]
    printf 'export const answer = 5;\n' >"$results/pages/shared/answer.js"
    lay_out_trial
    [[ -e $results/laid-out/console${versions[1]} && ! -e $results/laid-out/console${versions[2]} ]]
    [[ $(find "$results/laid-out/console/assets" -mindepth 1 -maxdepth 1 | wc -l) == 3 ]]
}

page_headers() {
    local name policy
    for name in console notes; do
        url_of=https://$name.localhost:$port fetch / -H 'Accept-Encoding: gzip'
        status_is 200
        has_header content-type 'text/html; charset=utf-8'
        has_header content-encoding gzip
        has_header vary Accept-Encoding
        has_header cache-control no-cache
        # A time and a size, which another version may have too.
        lacks_header etag
        has_header cross-origin-opener-policy same-origin
        has_header cross-origin-resource-policy same-origin
        has_header permissions-policy '.*camera=\(\).*'
        policy=$(grep -i '^content-security-policy: ' "$results/headers.unix")
        [[ $(grep -c . <<<"$policy") == 1 ]]
        for word in "default-src 'none'" "script-src 'self' 'wasm-unsafe-eval'" "style-src 'self'" "img-src 'self'" \
            "connect-src 'self'" "base-uri 'none'" "form-action 'none'" "frame-ancestors 'none'" \
            "require-trusted-types-for 'script'"; do
            grep -F " $word" <<<"$policy;"
        done
        ! grep -E "unsafe-inline|'unsafe-eval'|https?:|data:|\*" <<<"$policy" || return 1
        fetch_again_unchanged
    done
    grep -F 'trusted-types almanac;' <<<"$policy"
    on_console /
    has_header content-security-policy ".*trusted-types 'none'.*"
}

fetch_again_unchanged() {
    local time
    time=$(grep -i '^last-modified: ' "$results/headers.unix" | cut -d' ' -f2-)
    url_of=https://$name.localhost:$port fetch / -H "If-Modified-Since: $time"
    status_is 200
    url_of=https://$name.localhost:$port fetch / -X POST
    is_problem 405 method-not-allowed
    has_header allow 'GET, HEAD'
}

asset_headers() {
    local folder=$home/www/console/assets/trial kind
    # However the check ends.
    # shellcheck disable=SC2064
    trap "rm -rf -- '$folder'" EXIT
    mkdir -- "$folder"
    for kind in js mjs css json webmanifest wasm svg png woff2; do
        printf 'some text, some text, some text' >"$folder/file.$kind"
    done
    finish_files "$folder"
    while read -r kind type; do
        on_console "/assets/trial/file.$kind" -H 'Accept-Encoding: gzip'
        status_is 200
        has_header content-type "$type(; charset=utf-8)?"
        has_header content-encoding gzip
        has_header vary Accept-Encoding
        has_header cache-control 'public, max-age=31536000, immutable'
        has_header cross-origin-resource-policy same-origin
        has_header x-content-type-options nosniff
        on_console "/assets/trial/file.$kind"
        lacks_header content-encoding
    done <<'KINDS'
js text/javascript
mjs text/javascript
css text/css
json application/json
webmanifest application/manifest\+json
wasm application/wasm
svg image/svg\+xml
png image/png
woff2 font/woff2
KINDS
    # A service worker has the policy of its own script.
    on_console /assets/trial/file.js
    has_header content-security-policy ".*connect-src 'self'.*"
    on_console /assets/trial/file.svg
    has_header content-security-policy "default-src 'none'; frame-ancestors 'none'"
}

vanished_asset() {
    on_console /assets/0123456789ab/console/main.js
    is_problem 404 not-found
    grep -F 'another version of the page' "$results/body"
    lacks_header cache-control
    has_header content-security-policy "default-src 'none'; frame-ancestors 'none'"
    on_console /assets/
    is_problem 404 not-found
}

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
    curl -sSN --noproxy '*' --cacert "$tls/ca.pem" --max-time 2 "https://console.localhost:$port/development/events" \
        >"$results/body" || [[ $? == 28 ]]
    grep '"type":"hello"' "$results/body"
}

# What takes the place of a program for one request, and keeps the parameters that it was sent.
keep_parameters() {
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
    # The end of the parameters is an empty record of their kind.
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
    # However the check ends.
    trap 'end_parameters' EXIT
    for service in worker events; do
        path=/development/config
        [[ $service == worker ]] || path=/development/events
        "$checkout/deploy/run" --stop-service "$service"
        rm -f -- "$results"/parameters*
        keep_parameters "$sockets/$service.sock" &
        reader=$!
        until [[ -e $results/parameters.ready ]]; do
            is_alive "$reader"
            sleep 0.05
        done
        on_console "$path" -H 'Almanac-Application: notes' -b 'ALMANAC_APPLICATION=notes'
        fetch "$path" -H 'Almanac-Application: console' -b 'ALMANAC_APPLICATION=console'
        wait "$reader"
        grep -aF $'\x13\x07ALMANAC_APPLICATIONconsole' "$results/parameters.0"
        # As a header and a cookie only.
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

# What the cache of immutable answers had to do with the request that was made last.
cache_status() {
    local id deadline=$((SECONDS + 5))
    id=$(grep -ioE '^almanac-request-id: .*' "$results/headers.unix" | cut -d' ' -f2)
    until grep -F "\"request_id\":\"$id\"" "$logs/nginx-access.log" >"$results/line"; do
        ((SECONDS < deadline))
        sleep 0.1
    done
    grep -oP '"cache":"\K[A-Z]*' "$results/line" || true
}

cookie_is_not_cached() {
    local delta origin
    delta="/development/config?since=0&revision=$(current_cursor)"
    # Makes a key of its own, which no test before has used.
    origin="Origin: https://$RANDOM$RANDOM.example.com"
    on_console "$delta" -H "$origin" -H 'Sec-Fetch-Site: same-origin' -b '__Host-almanac-development=somebody'
    [[ $(cache_status) == '' ]]
    fetch "$delta" -H "$origin" -b 'other=1'
    [[ $(cache_status) == '' ]]
    on_console "$delta" -H "$origin"
    status_is 200
    [[ $(cache_status) == MISS ]]
    on_console "$delta" -H "$origin"
    [[ $(cache_status) == HIT ]]
    on_console "$delta" -H "$origin" -b '__Host-almanac-development=somebody'
    [[ $(cache_status) == '' ]]
    fetch "$delta" -H "$origin"
    [[ $(cache_status) == MISS ]]
}

# A session of the console, in the file of cookies that is named; then what is sent to begin it.
sign_in() {
    local environment=$1 jar=$2 body=$3
    on_console "/$environment/session" -H 'Sec-Fetch-Site: same-origin' -H 'Almanac-Session: 1' --json "$body" -c "$jar"
}

# An environment whose config needs a token.
signed_in_answers_stay_theirs() {
    local delta cookies
    trap '"$bin/almanac" environment remove guarded --drop-database --yes' EXIT
    export ALMANAC_ENVIRONMENTS=$environments_file ALMANAC_SQL=$checkout/sql
    "$bin/almanac" environment add guarded --config-read token
    "$bin/almanac" token create guarded --scope admin --label trial --no-expiry --output "$results/guarded.token"
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
    # By another site's page; beside the API, where no cookie counts; at the other application.
    on_console "$delta" -H 'Sec-Fetch-Site: cross-site' -b "$results/cookies"
    is_problem 401 token-needed
    cookies=$(grep -oP '__Host-almanac-guarded\t.*' "$results/cookies" | tr '\t' =)
    fetch "$delta" -H 'Sec-Fetch-Site: same-origin' -b "$cookies"
    is_problem 401 token-needed
    url_of=https://notes.localhost:$port fetch "$delta" -H 'Sec-Fetch-Site: same-origin' -b "$cookies"
    status_is 401
}

link_signs_in() {
    local link codes code
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

page_host_hides_health() {
    local name
    for name in console notes; do
        url_of=https://$name.localhost:$port fetch /-/ready
        status_is 200
        for path in /-/ready /-/metrics /-/events/ready /x/../-/ready /%2d/ready; do
            url_of=https://$name.localhost:$port fetch "$path" --path-as-is \
                --resolve "$name.localhost:$port:127.0.0.1" --interface 127.0.0.2
            is_problem 403 local-only
        done
    done
}

certificate_gets_names() {
    local authority tls=$results/tls environments
    mkdir -- "$tls"
    environments=(development)
    take_page_hosts off off
    make_certificate
    authority=$(sha256sum "$tls/ca.pem")
    [[ $(present_names) == $'localhost\ndevelopment.localhost' ]]
    environments=(staging)
    take_page_hosts console.localhost notes.example.com
    make_certificate | tee "$results/said"
    grep -F 'lacks console.localhost staging.localhost' "$results/said"
    [[ $(present_names | sort | paste -sd' ') == 'console.localhost development.localhost localhost staging.localhost' ]]
    [[ $(sha256sum "$tls/ca.pem") == "$authority" && -s $tls/server.pem~ && -s $tls/server.key~ ]]
    openssl verify -CAfile "$tls/ca.pem" -verify_hostname console.localhost "$tls/server.pem"
    cp -- "$tls/server.pem" "$results/server.pem"
    make_certificate
    cmp -- "$tls/server.pem" "$results/server.pem"
    # Somebody's own is left alone.
    rm -f -- "$tls/ca.key"
    take_page_hosts other.localhost off
    make_certificate
    cmp -- "$tls/server.pem" "$results/server.pem"
}

# Whoever trusts it trusts nobody else with it, even where its key is stolen.
authority_is_constrained() {
    local name
    for name in console.localhost localhost; do
        issued_is_trusted "DNS:$name"
    done
    for name in DNS:example.com DNS:localhost.example.com DNS:notlocalhost IP:192.0.2.1; do
        ! issued_is_trusted "$name" || return 1
    done
    grep 'permitted subtree violation' "$results/verified"
}

issued_is_trusted() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$results/issued.key" -subj /CN=trial 2>/dev/null |
        openssl x509 -req -CA "$tls/ca.pem" -CAkey "$tls/ca.key" -days 1 -set_serial 1 -out "$results/issued.pem" \
            -extfile <(printf 'subjectAltName = %s\n' "$1") 2>/dev/null
    openssl verify -CAfile "$tls/ca.pem" "$results/issued.pem" 2>&1 | tee "$results/verified"
}

console_page_has() {
    curl -sS --noproxy '*' --cacert "$tls/ca.pem" "https://console.localhost:$port/" | grep -F "$1"
}

host_is_switched_off() {
    console_page_has /console/main.js
    (
        trap 'take_page_hosts console.localhost notes.localhost; render_nginx; reload_nginx' EXIT
        take_page_hosts off notes.localhost
        render_nginx
        reload_nginx
        await_console_page 'href="/openapi.yaml"'
        on_console /development/config
        status_is 200
        lacks_header cross-origin-opener-policy
        url_of=https://notes.localhost:$port fetch /
        has_header cross-origin-opener-policy same-origin
    )
    await_console_page /console/main.js
}

await_console_page() {
    local deadline=$((SECONDS + 20))
    until console_page_has "$1"; do
        ((SECONDS < deadline))
        sleep 0.1
    done
}

# Refused before anything is made or stopped.
wrong_hosts_are_refused() {
    local folder=$results/nowhere
    while IFS='|' read -r console notes reason; do
        ! ALMANAC_HOME=$folder ALMANAC_PORT=$(free_port 18900) ALMANAC_CONSOLE=$console ALMANAC_NOTES=$notes \
            "$checkout/deploy/run" --detach >"$results/refused" 2>&1 || return 1
        grep -F "$reason" "$results/refused"
        [[ ! -e $folder ]]
    done <<'HOSTS'
a_b.localhost|notes.localhost|ALMANAC_CONSOLE must be the name of a host
console.localhost|x; root /|ALMANAC_NOTES must be the name of a host
same.localhost|same.localhost|must be different hosts
console.example.com|off|only a certificate of your own can vouch
localhost|off|must be another host than that of the API
HOSTS
    ! ALMANAC_CONSOLE=off "$checkout/deploy/run" --detach >"$results/refused" 2>&1 || return 1
    grep -F 'leave ALMANAC_CONSOLE out, or stop it first' "$results/refused"
}
