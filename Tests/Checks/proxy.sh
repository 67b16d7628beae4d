# shellcheck shell=bash
# The guarantees of nginx, checked over TLS on the instance under test.

check_proxy() {
    begin_part "nginx"
    check "nginx reloads its configuration beside open streams" reloads_beside_streams
    check_front
    check "TLS 1.2 and 1.3 are spoken" speaks_modern_tls
    check "older TLS is refused" refuses_old_tls
    check "the certificate holds for names and addresses of this host" certificate_covers_names
    check "HTTP/2 is spoken" speaks_http2
    check "every kind of answer has the security headers" security_headers_everywhere
    check "the answer's request id is the one in the log" request_id_is_logged
    check "the static page links to the description of the calls" static_page
    check "a part of a static file is not given, but all of it" ignores_ranges
    check "a body that is too large is refused with a problem document" refuses_large_body
    check "headers that are too large are refused with a problem document" refuses_large_headers
    check "a wrong method on a static file names those allowed" refuses_wrong_method
    check "what is not HTTP gets a problem document" refuses_garbage
    check "plain HTTP on the port is told to use HTTPS" refuses_plain_http
    check "health is for the host itself only" health_is_local
    check "an unknown path gets the worker's problem document" unknown_path
    check "the environment may stand in the host's name" environment_in_host_name
    check "flags are evaluated below an environment, and at the root of a host that names one" evaluates_flags
    check "errors are told to clients of OFREP as they read them" tells_ofrep_clients
    check "an entity tag reaches the worker, and 304 comes back" entity_tag_reaches_worker
    check "long answers are compressed" long_answers_are_compressed
    check "a stream's first event comes at once, by HTTP/1.1 and HTTP/2" stream_is_not_gathered
    check "a stream's first event comes at once through an nginx in front that knows nothing of streams" \
        stream_passes_another_nginx
    check "health of the events processes is for the host itself only" events_health_is_local
    check "streams outlive a reload by more than ten seconds, and get the next change" streams_outlive_reload
    check "without a worker: 502 with Retry-After, while immutable answers are still served" without_worker
}

# Fetches a path from the instance or from url_of, and stores status, headers and body in the results folder.
fetch() {
    local path=$1
    shift
    : >"$results/body"
    curl -sS --noproxy '*' --max-time 60 --cacert "$tls/ca.pem" -D "$results/headers" -o "$results/body" \
        -w '%{http_code}' "$@" "${url_of:-$(instance_url)}$path" >"$results/status"
    tr -d '\r' <"$results/headers" >"$results/headers.unix"
    cat -- "$results/status" "$results/headers.unix"
}

status_is() {
    [[ $(<"$results/status") == "$1" ]]
}

has_header() {
    grep -qiE "^$1: $2\$" "$results/headers.unix"
}

lacks_header() {
    ! grep -qiE "^$1:" "$results/headers.unix" || return 1
}

is_problem() {
    local status=$1 type=$2 id
    status_is "$status"
    has_header content-type application/problem.json
    has_header almanac-request-id '[0-9a-f]{32}'
    id=$(grep -ioE '^almanac-request-id: .*' "$results/headers.unix" | cut -d' ' -f2)
    grep -qF "\"type\":\"urn:almanac:problem:$type\"" "$results/body"
    grep -qF "\"status\":$status" "$results/body"
    grep -qF "\"instance\":\"urn:almanac:request:$id\"" "$results/body"
    grep -qE '"detail":"[^"]{10,}"' "$results/body"
}

handshake() {
    openssl s_client -connect "127.0.0.1:$port" -CAfile "$tls/ca.pem" -verify_return_error "$@" </dev/null 2>&1
}

speaks_modern_tls() {
    handshake -tls1_2 | grep 'Cipher is ECDHE-ECDSA-'
    handshake -tls1_3 | grep 'Cipher is TLS_'
}

refuses_old_tls() {
    ! handshake -tls1_1 -cipher 'ALL:@SECLEVEL=0' || return 1
    ! handshake -tls1 -cipher 'ALL:@SECLEVEL=0' || return 1
    ! handshake -tls1_2 -cipher 'ECDHE-ECDSA-AES128-SHA' || return 1
}

certificate_covers_names() {
    local name
    for name in localhost 127.0.0.1 development.localhost staging.localhost; do
        curl -sS --noproxy '*' --cacert "$tls/ca.pem" -o /dev/null "https://$name:$port/"
    done
    openssl verify -CAfile "$tls/ca.pem" "$tls/server.pem"
}

speaks_http2() {
    [[ $(request / -o /dev/null -w '%{http_version}') == 2 ]]
    [[ $(request / --http1.1 -o /dev/null -w '%{http_version}') == 1.1 ]]
}

security_headers_everywhere() {
    local name
    head -c 5000000 /dev/zero >"$results/large"
    for request in / /style.css /development/config /nowhere/config "/development/config --data-binary @$results/large"; do
        # shellcheck disable=SC2086 # words of one request
        fetch $request
        for name in strict-transport-security x-content-type-options referrer-policy content-security-policy almanac-request-id; do
            [[ $(grep -ci "^$name:" "$results/headers.unix") == 1 ]]
        done
        has_header server nginx
    done
    fetch /
    has_header content-security-policy "default-src 'none'; style-src 'self'.*frame-ancestors 'none'"
}

request_id_is_logged() {
    fetch '/development/config?since=0'
    find_in_log "$(request_id)"
    grep -F '"path":"/development/config"' "$results/line"
}

request_id() {
    grep -ioE '^almanac-request-id: .*' "$results/headers.unix" | cut -d' ' -f2
}

# Waits for the log line of a request, which nginx writes with a delay, and stores it in the results folder.
find_in_log() {
    local deadline=$((SECONDS + 60))
    until grep -F "\"request_id\":\"$1\"" "$logs/nginx-access.log" >"$results/line"; do
        ((SECONDS < deadline))
        sleep 0.05
    done
}

static_page() {
    fetch /
    status_is 200
    has_header content-type 'text/html; charset=utf-8'
    grep -q 'href="/openapi.yaml"' "$results/body"
    ! grep -qE '(src|href)="(https?:)?//' "$results/body" || return 1
    fetch /openapi.yaml
    status_is 200
    has_header content-type 'application/yaml.*'
    "$checkout/deploy/lib/yaml-to-json" <"$results/body" >"$results/description"
    fetch /openapi.json
    status_is 200
    has_header content-type 'application/json.*'
    cmp "$results/body" "$results/description"
}

refuses_large_body() {
    head -c 5000000 /dev/zero >"$results/large"
    fetch /development/config -X PATCH --data-binary "@$results/large"
    is_problem 413 body-too-large
    fetch /development/config --http1.1 -X PATCH -H 'Transfer-Encoding: chunked' --data-binary "@$results/large"
    is_problem 413 body-too-large
}

refuses_large_headers() {
    local value
    value=$(printf 'x%.0s' {1..12000})
    fetch /development/config --http1.1 -H "A: $value" -H "B: $value" -H "C: $value" -H "D: $value" -H "E: $value" -H "F: $value"
    is_problem 431 headers-too-large
    fetch "/development/config?$value$value" --http1.1
    is_problem 414 uri-too-long
}

refuses_wrong_method() {
    fetch / -X DELETE
    is_problem 405 method-not-allowed
    has_header allow 'GET, HEAD'
    fetch /development/config -X TRACE
    is_problem 501 not-implemented
    lacks_header allow
}

# Sends raw bytes over TLS, and stores the response.
send_raw() {
    printf '%b' "$1" | openssl s_client -quiet -connect "127.0.0.1:$port" -servername localhost >"$results/raw" 2>/dev/null || true
    cat -- "$results/raw"
}

refuses_garbage() {
    send_raw 'nonsense\r\n\r\n'
    grep -q '^HTTP/1.1 400' "$results/raw"
    grep -q 'urn:almanac:problem:invalid-request' "$results/raw"
    send_raw 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'
    grep -q 'urn:almanac:problem:invalid-request' "$results/raw"
}

refuses_plain_http() {
    [[ $(curl -sS --noproxy '*' -o "$results/body" -w '%{http_code}' "http://localhost:$port/development/config") == 400 ]]
    grep -q 'urn:almanac:problem:https-needed' "$results/body"
}

health_is_local() {
    fetch /-/live
    status_is 200
    fetch /-/ready
    status_is 200
    fetch /-/ready --resolve "localhost:$port:127.0.0.1" --interface 127.0.0.2
    is_problem 403 local-only
    fetch /development/../-/ready --path-as-is --resolve "localhost:$port:127.0.0.1" --interface 127.0.0.2
    is_problem 403 local-only
    fetch /%2d/ready --resolve "localhost:$port:127.0.0.1" --interface 127.0.0.2
    is_problem 403 local-only
}

unknown_path() {
    fetch /no.such.thing
    is_problem 404 environment-not-found
    fetch /Development/config
    status_is 404
    has_header content-type application/problem.json
}

environment_in_host_name() {
    fetch /development/config
    cp -- "$results/body" "$results/in-path"
    [[ $(curl -sS --noproxy '*' --cacert "$tls/ca.pem" -o "$results/body" -w '%{http_code}' "https://development.localhost:$port/config") == 200 ]]
    cmp -- "$results/body" "$results/in-path"
}

evaluates_flags() {
    fetch /development/ofrep/v1/evaluate/flags --json '{"context":{"targetingKey":"u1"}}'
    status_is 200
    has_header content-type application/json
    grep -qF '"requestUri":"/development/events?' "$results/body"
    url_of=https://development.localhost:$port fetch /ofrep/v1/evaluate/flags --json '{"context":{"targetingKey":"u1"}}'
    status_is 200
    grep -qF '"flags":[' "$results/body"
    grep -qF '"requestUri":"/events?' "$results/body"
}

tells_ofrep_clients() {
    head -c 5000000 /dev/zero >"$results/large"
    for request in '404 /development/ofrep/v1/evaluate/flags/none -X POST' '404 /nowhere/ofrep/v1/evaluate/flags -X POST' \
        '405 /development/ofrep/v1/evaluate/flags' '415 /development/ofrep/v1/evaluate/flags -d x' \
        "413 /development/ofrep/v1/evaluate/flags --json @$results/large" '404 /ofrep/v1/evaluate/flags -X POST' \
        '401 /development/ofrep/v1/evaluate/flags -X POST -H X-API-Key:almanac_development_none'; do
        # shellcheck disable=SC2086 # words of one request
        fetch ${request#* }
        status_is "${request%% *}"
        grep -qE '"errorCode":"[A-Z_]+"' "$results/body"
        grep -qE '"errorDetails":"[^"]{10,}"' "$results/body"
    done
}

entity_tag_reaches_worker() {
    local tag
    fetch /development/config
    tag=$(grep -ioE '^etag: .*' "$results/headers.unix" | cut -d' ' -f2)
    [[ -n $tag ]]
    fetch /development/config -H "If-None-Match: $tag"
    status_is 304
    [[ ! -s $results/body ]]
}

long_answers_are_compressed() {
    fetch / -H 'Accept-Encoding: gzip'
    has_header content-encoding gzip
    has_header vary '.*Accept-Encoding.*'
}

ignores_ranges() {
    local range
    for range in bytes=0-9 bytes=9999999-; do
        fetch / -H "Range: $range"
        status_is 200
        lacks_header content-range
        (($(grep -ic '^strict-transport-security:' "$results/headers.unix") == 1))
    done
}

# Reads a stream until its first event, which nginx must not delay: the address, further options of curl.
read_first_event() {
    local address=$1 reader deadline=$((SECONDS + 20))
    shift
    : >"$results/body"
    curl -sSN --noproxy '*' --cacert "$tls/ca.pem" --max-time 30 -D "$results/headers" "$@" "$address" >"$results/body" &
    reader=$!
    until grep '"type":"hello"' "$results/body"; do
        ((SECONDS < deadline))
        is_alive "$reader"
        sleep 0.05
    done
    kill "$reader"
    wait "$reader" || true
}

stream_is_not_gathered() {
    local version
    for version in --http1.1 --http2; do
        read_first_event "$(instance_url)/development/events" "$version" -H 'Accept-Encoding: gzip'
        tr -d '\r' <"$results/headers" >"$results/headers.unix"
        has_header content-type 'text/event-stream'
        lacks_header content-encoding
    done
}

# Checks a stream behind another nginx with default settings, which buffers 4 or 8 KiB, or the whole response.
stream_passes_another_nginx() {
    start_front "$(instance_url)"
    read_first_event "http://localhost:$front_port/development/events"
}

events_health_is_local() {
    fetch /-/events/live
    status_is 200
    fetch /-/events/ready
    status_is 200
    fetch /-/events/ready --resolve "localhost:$port:127.0.0.1" --interface 127.0.0.2
    is_problem 403 local-only
}

current_cursor() {
    fetch /development/config >/dev/null
    grep -ioE '^almanac-cursor: [0-9a-z.]+' "$results/headers.unix" | cut -d' ' -f2
}

without_worker() {
    local delta
    delta="/development/config?since=0&revision=$(current_cursor)"
    fetch "${delta%.*}"
    has_header cache-control '.*immutable.*'
    fetch "$delta"
    has_header cache-control '.*immutable.*'
    "$checkout/deploy/run" --stop-service worker
    fetch "$delta"
    status_is 200
    # Without a lineage, the revision may belong to another history.
    fetch "${delta%.*}"
    is_problem 502 unavailable
    fetch "$delta" -H 'Authorization: Bearer nobody'
    is_problem 502 unavailable
    has_header retry-after '[0-9]+'
    fetch /development/config
    is_problem 502 unavailable
    fetch /development/ofrep/v1/evaluate/flags -X POST
    is_problem 502 unavailable
    grep -qF '"errorCode":"GENERAL"' "$results/body"
    "$checkout/deploy/run" --start-service worker
    await_ready
    fetch /development/config
    status_is 200
    lacks_header retry-after
}
