# shellcheck shell=bash
# The requests of each case, and the worker's responses for the C program to repeat.
#
# The sourcing script sets cases, their names.

# The path of each case, its request headers (one per line), and the file with its request body, if any.
declare -A paths=() request_headers=() bodies=()
# The folders for the C program. A narrower match comes before a wider one.
answers=()

# Stores the worker's response, without the headers that nginx adds or replaces (deploy/nginx).
capture() {
    local name=$1 kept=$folder/answers/$1 etag
    local added='^(HTTP/.*|(server|date|connection|transfer-encoding|almanac-request-id|strict-transport-security'
    added+='|x-content-type-options|referrer-policy|content-security-policy):.*'
    mkdir -p -- "$kept"
    : >"$kept/body"
    ask worker "$name" -D "$kept/received" -o "$kept/body"
    printf '%s' "${paths[$name]}" >"$kept/uri"
    etag=$(sed -n 's/^If-None-Match: //p' <<<"${request_headers[$name]:-}")
    printf '%s' "$etag" >"$kept/etag"
    # nginx adds Vary to compressible responses, but the worker adds it to a 304.
    grep -q '^HTTP/[0-9.]* 304 ' "$kept/received" || added+='|vary: accept-encoding.?'
    added+=')$'
    {
        printf 'Status: %s\r\n' "$(head -n 1 -- "$kept/received" | cut -d' ' -f2- | tr -d '\r')"
        grep -viE "$added" "$kept/received"
    } >"$kept/head"
}

# Sends the request of a case to one side, over plain HTTP.
ask() {
    local side=$1 name=$2 header options=()
    shift 2
    while read -r header; do
        [[ -z $header ]] || options+=(-H "$header")
    done <<<"$(header_of "$side" "$name")"
    [[ -z ${bodies[$name]:-} ]] || options+=(--data-binary "@${bodies[$name]}")
    curl -sS --http1.1 --max-time 10 "${options[@]}" "$@" "http://127.0.0.1:${plain_ports[$side]}$(path_of "$side" "$name")"
}

# Prints the ETag of one side's response to a case.
etag_of() {
    ask "$1" "$2" -o /dev/null -D - | sed -n 's/^etag: \(.*\)\r$/\1/Ip'
}

# Checks that both responses are the same bytes, except for the date and the request id.
check_that_answers_are_equal() {
    local name side
    for name in "${cases[@]}"; do
        for side in "${sides[@]}"; do
            ask "$side" "$name" -i | sed -E '/^(Date|Almanac-Request-Id): /Id' >"$folder/answer-of-$side"
        done
        cmp -s -- "$folder/answer-of-worker" "$folder/answer-of-baseline" || {
            diff -a -- "$folder/answer-of-worker" "$folder/answer-of-baseline" | head -n 20 >&2 || true
            fail "the answers to \"$name\" differ"
        }
    done
}

# Prints the path of a case. The key "side case" holds a side's own path, if the sides are separate instances.
path_of() {
    printf '%s' "${paths["$1 $2"]:-${paths[$2]}}"
}

header_of() {
    printf '%s' "${request_headers["$1 $2"]:-${request_headers[$2]:-}}"
}
