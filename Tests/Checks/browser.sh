# shellcheck shell=bash
# The pages: their modules alone, then everything in Chromium with its own instances.

# Checks the modules, for a minute on one processor, without an instance.
check_page_modules() {
    begin_part "Pages"
    prepare_page_programs
    check "the modules of the pages have the types that they say" modules_have_their_types
    check "biome finds nothing in the pages" biome_finds_nothing
    run_swift_test "State of the pages" test_modules
}

# Runs the pages in three processes, each with its own instance, network and browser.
check_browser() {
    local options=()
    prepare_page_programs
    [[ ${ALMANAC_TEST_DEPTH:-} != quick ]] || options=(--quick)
    run_swift_test "Pages in Chromium" "$checkout/Tests/Web/run" --evidence "$logs/browser" "${options[@]}"
}

# Runs journeys through the pages in other engines than Chromium's.
check_engines() {
    run_swift_test "Pages in Firefox and WebKitGTK" "$checkout/Tests/Web/engines/run" --evidence "$logs/engines"
}

prepare_page_programs() {
    # shellcheck source=/dev/null
    source "$checkout/Tests/Web/prepare.sh"
    prepare_browser_programs
    # The module that the pages contain.
    export ALMANAC_TEXTMERGE=$ALMANAC_PROGRAMS/textmerge.wasm
}

modules_have_their_types() {
    find "$checkout"/Sources/Web/{client,console,notes,shared} "$checkout/Tests/Web" -name '*.js' -print0 |
        xargs -0 "$browser_programs/bin/deno" check --no-remote --config "$checkout/deno.json"
}

biome_finds_nothing() {
    "$browser_programs/bin/biome" check --config-path="$checkout" \
        "$checkout"/Sources/Web "$checkout/Tests/Web"
}

# Runs the tests of the modules. The last argument is the file for the results.
test_modules() {
    # shellcheck source=/dev/null
    source "$checkout/deploy/lib/codemirror.sh"
    local codemirror
    codemirror=$(codemirror_module)
    NO_COLOR=1 ALMANAC_COMMONMARK=$browser_programs/commonmark \
        "$browser_programs/bin/deno" test --no-check --no-remote \
        --import-map "data:application/json,{\"imports\":{\"codemirror\":\"file://$codemirror\"}}" \
        --allow-env=ALMANAC_COMMONMARK,ALMANAC_TEXTMERGE \
        --allow-read="$browser_programs/commonmark,$ALMANAC_TEXTMERGE,$checkout" --junit-path "${*: -1}" \
        "$checkout/Tests/Web/state"
}
