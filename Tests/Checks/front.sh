# shellcheck shell=bash
# Streams over a reload of nginx, on the instance under test.

# Opens streams that the other checks leave open, then reloads nginx.
reloads_beside_streams() {
    local number options
    for number in 1 2 3 4; do
        options=--http1.1
        ((number % 2 == 1)) || options=--http2
        curl -sSN --noproxy '*' --cacert "$tls/ca.pem" --max-time 300 "$options" \
            "$(instance_url)/development/events" >"$results/stream-$number" 2>&1 &
        printf '%s\n' "$!" >>"$results/streams"
    done
    streams_have '"type":"hello"'
    reload_nginx
    date +%s >"$results/reloaded"
}

# Waits until each of the streams has got a text.
streams_have() {
    local number deadline=$((SECONDS + 30))
    for number in 1 2 3 4; do
        until grep -F "$1" "$results/stream-$number"; do
            ((SECONDS < deadline))
            sleep 0.05
        done
    done
}

# Earlier releases cut the streams ten seconds after a reload. By now, most of this time has passed.
streams_outlive_reload() {
    local stream revision
    trap 'xargs kill <"$results/streams"' EXIT
    until (($(date +%s) > $(<"$results/reloaded") + 10)); do
        sleep 0.1
    done
    fetch /development/config/app.stream -X PUT -H "Authorization: Bearer $(<"$tokens/development.token")" \
        --json "{\"value\": $RANDOM}"
    status_is 201
    revision=$(jq .revision "$results/body")
    streams_have "\"revision\":$revision,"
    while read -r stream; do
        is_alive "$stream"
    done <"$results/streams"
}
