# shellcheck shell=bash
# The flags of the measurement, and the requests that evaluate them.

# Prints public flags in equal thirds: without a rule, with a version and a split, and with lists and comparisons.
# Each kind of condition has some ten variants, which several flags share.
flag_definitions() {
    local count=$1
    jq -nc --argjson count "$count" '
        def switch: {state: "ENABLED", variants: {on: true, off: false}, defaultVariant: "off",
                     metadata: {"almanac.public": true}};
        def countries: ["NO", "SE", "DK", "FI", "IS", "DE", "NL", "BE", "AT", "CH", "FR", "IT"];
        def rule($number): [{},
            {targeting: {if: [{sem_ver: [{var: "version"}, ">=", "2.\($number % 11).0"]},
                              {fractional: [["on", $number % 100], ["off", 100 - $number % 100]]}, "off"]}},
            {targeting: {if: [{and: [{in: [{var: "country"}, countries[($number % 10):($number % 10 + 3)]]},
                                     {"==": [{var: "plan"}, "enterprise"]}]}, "on", "off"]}}][$number % 3];
        {flags: ([range($count) | {key: "feature.number-\(.)", value: (switch + rule(.))}] | from_entries)}'
}

# Stores settings as in Tests/Load/config, and flags. Anonymous cases have their own paths, because the C program
# distinguishes cases only by path and ETag.
fill_flags() {
    local context='"targetingKey":"5f0c2c9e-7d0a-4f6e-8b6f-1c2d3e4f5a6b","plan":"enterprise","country":"NO"'
    local bulk=/$environment/ofrep/v1/evaluate/flags name token
    patch_config "$(settings 0 50 first)"
    flag_definitions 350 >"$folder/flags.json"
    put_flags "$environment"
    printf '{"context":{%s,"email":"peter.pan@example.com","version":"2.11.3-beta.1"}}' "$context" >"$folder/context.json"
    chmod 644 "$folder/context.json"
    ALMANAC_ENVIRONMENTS=$instance/environments.json "$instance/bin/almanac" token create "$environment" \
        --scope flags:evaluate --label load --output "$instance/evaluate.token" >/dev/null
    token=$(<"$instance/evaluate.token")
    paths+=(
        [config]=/$environment/config [config_unchanged]=/$environment/config
        [single]=$bulk/feature.number-1 [public]=$bulk/feature.number-4
        [bulk]=$bulk [bulk_public]=$bulk/ [unchanged]=$bulk
    )
    for name in single public bulk bulk_public unchanged; do
        bodies["$name"]=$folder/context.json
        request_headers["$name"]='Content-Type: application/json; charset=utf-8'
    done
    for name in single bulk unchanged; do
        request_headers["$name"]+=$'\n'"Authorization: Bearer $token"
    done
}

# Stores the flags of one of two commits, which has its own token and ETags.
fill_flags_of() {
    local name
    fill_flags
    for name in single bulk unchanged; do
        request_headers["$1 $name"]=${request_headers[$name]}
    done
    await_answer "$1"
    request_headers["$1 config_unchanged"]="If-None-Match: $(etag_of "$1" config)"
    request_headers["$1 unchanged"]+=$'\n'"If-None-Match: $(etag_of "$1" bulk)"
}

put_flags() {
    ask_instance "/$1/flags.json?fractional=3" -X PUT -o "$folder/put.json" -H 'Content-Type: application/json' \
        -H "Authorization: Bearer $(<"$instance/tokens/$1.token")" --data-binary "@$folder/flags.json" ||
        fail "the flags were refused: $(head -c 1000 "$folder/put.json")"
}

capture_flags() {
    local name
    for name in config single public bulk bulk_public; do
        capture "$name"
    done
    request_headers[config_unchanged]="If-None-Match: $(etag_of worker config)"
    request_headers[unchanged]+=$'\n'"If-None-Match: $(etag_of worker bulk)"
    capture config_unchanged
    capture unchanged
    [[ $(grep -o '"key":' "$folder/answers/bulk/body" | wc -l) == 350 ]] || fail "expected 350 flags in a bulk evaluation"
    [[ $(head -n 1 "$folder/answers/unchanged/head") == 'Status: 304 '* ]] ||
        fail "expected the status 304 for a bulk evaluation with the newest ETag"
    answers=()
    for name in config_unchanged unchanged config single public bulk bulk_public; do
        answers+=("$folder/answers/$name")
    done
}
