# shellcheck shell=bash
# What is asked for, and what the worker answers, kept for the C program to repeat.
#
# Who sources this sets cases, their names.

# Each case's path, the headers sent along (one a line), and the file of what is posted, if anything is.
declare -A paths=() request_headers=() bodies=()
# The folders that the C program reads; the narrower before the wider.
answers=()

# Keeps what the worker sends: all but what nginx adds or replaces by itself (deploy/nginx).
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
    # nginx says it of what it may compress; of a 304 the worker does.
    grep -q '^HTTP/[0-9.]* 304 ' "$kept/received" || added+='|vary: accept-encoding.?'
    added+=')$'
    {
        printf 'Status: %s\r\n' "$(head -n 1 -- "$kept/received" | cut -d' ' -f2- | tr -d '\r')"
        grep -viE "$added" "$kept/received"
    } >"$kept/head"
}

# Asks one side, over plain HTTP, for what a case asks for.
ask() {
    local side=$1 name=$2 header options=()
    shift 2
    while read -r header; do
        [[ -z $header ]] || options+=(-H "$header")
    done <<<"$(header_of "$side" "$name")"
    [[ -z ${bodies[$name]:-} ]] || options+=(--data-binary "@${bodies[$name]}")
    curl -sS --http1.1 --max-time 10 "${options[@]}" "$@" "http://127.0.0.1:${plain_ports[$side]}$(path_of "$side" "$name")"
}

# Prints the ETag of what one side answers to a case.
etag_of() {
    ask "$1" "$2" -o /dev/null -D - | sed -n 's/^etag: \(.*\)\r$/\1/Ip'
}

# Both answers have to be the same down to the byte, but for the time and the request's id.
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

# Sides that are instances of their own have times and tags of their own, under "side case".
path_of() {
    printf '%s' "${paths["$1 $2"]:-${paths[$2]}}"
}

header_of() {
    printf '%s' "${request_headers["$1 $2"]:-${request_headers[$2]:-}}"
}
