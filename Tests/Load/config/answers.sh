# shellcheck shell=bash
# The config that the measurement requests.

environment=staging
cases=(config delta unchanged tls)

# Prints the members of a JSON object: the first setting, their number, and a word in each value.
settings() {
    local first=$1 count=$2 word=$3 index separator=
    printf '{'
    for ((index = first; index < first + count; index++)); do
        printf '%s"app.settings.number_%02d":"%s value %d, as long as texts of apps are"' "$separator" "$index" "$word" "$index"
        separator=,
    done
    printf '}'
}

# Stores 50 keys, of which 10 have changed since $timestamp.
fill_config() {
    patch_config "$(settings 0 50 first)"
    timestamp=$(ask_instance "/$environment/config" | newest_time)
    patch_config "$(settings 20 10 second)"
    paths+=([config]=/$environment/config [delta]=/$environment/config/$timestamp)
    paths+=([unchanged]=${paths[config]} [tls]=${paths[config]})
    [[ $(ask_instance "${paths[config]}" | count_entries) == 50 ]] || fail "the config does not have 50 keys"
    [[ $(ask_instance "${paths[delta]}" | count_entries) == 10 ]] || fail "the delta does not have 10 changes"
}

patch_config() {
    ask_instance "/$environment/config" -X PATCH -o "$folder/patched.json" -H 'Content-Type: application/merge-patch+json' \
        -H "Authorization: Bearer $(<"$instance/tokens/$environment.token")" --data "$1" ||
        fail "the config was refused: $(<"$folder/patched.json")"
}

newest_time() {
    grep -o '"updated_at":"[^"]*"' | cut -d'"' -f4 | sort | tail -n 1
}

count_entries() {
    grep -o '"key":' | wc -l
}

# Fills the config of one of two commits, which has its own timestamps and ETags.
fill_config_of() {
    fill_config
    paths["$1 delta"]=${paths[delta]}
    await_answer "$1"
    request_headers["$1 unchanged"]="If-None-Match: $(etag_of "$1" config)"
}

capture_answers() {
    capture config
    request_headers=([unchanged]="If-None-Match: $(etag_of worker config)")
    capture delta
    capture unchanged
    answers=("$folder/answers/unchanged" "$folder/answers/config" "$folder/answers/delta")
}

# Makes responses of the same shape, to compare the C program with itself.
invent_answers() {
    local etag='"50.abcd.1"'
    timestamp=2026-01-01T00:00:00.000Z
    paths=([config]=/$environment/config [delta]=/$environment/config/$timestamp)
    paths[unchanged]=${paths[config]}
    paths[tls]=${paths[config]}
    request_headers=([unchanged]="If-None-Match: $etag")
    invent config '200 OK' '' 50
    invent delta '200 OK' '' 10
    invent unchanged '304 Not Modified' "$etag" 0
    answers=("$folder/answers/unchanged" "$folder/answers/config" "$folder/answers/delta")
}

invent() {
    local made=$folder/answers/$1 status=$2 etag=$3 count=$4
    mkdir -p -- "$made"
    printf '%s' "${paths[$1]}" >"$made/uri"
    printf '%s' "$etag" >"$made/etag"
    : >"$made/body"
    if ((count > 0)); then
        settings 0 "$count" invented |
            sed "s/\"\([^\"]*\)\":\(\"[^\"]*\"\)/{\"key\":\"\1\",\"value\":\2,\"updated_at\":\"$timestamp\"}/g; s/^{/[/; s/}\$/]/" >"$made/body"
    fi
    {
        printf 'Status: %s\r\nETag: "50.abcd.1"\r\nAlmanac-Revision: 50\r\n' "$status"
        printf 'Almanac-Cursor: 50.abcd\r\nAlmanac-Version: 1.2.3\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n'
        if ((count > 0)); then
            printf 'Content-Type: application/json\r\nContent-Length: %d\r\n' "$(wc -c <"$made/body")"
        fi
        printf '\r\n'
    } >"$made/head"
}

