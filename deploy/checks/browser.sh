# shellcheck shell=bash
# The pages: their modules by themselves, then all of it in Chromium, with an instance of its own.

check_browser() {
    begin_part "Pages"
    # shellcheck source=/dev/null
    source "$checkout/Tests/Browser/prepare.sh"
    prepare_browser_programs
    check "the modules of the pages have the types that they say" modules_have_their_types
    check "biome finds nothing in the pages" biome_finds_nothing
    # The one that the pages have.
    export ALMANAC_TEXTMERGE=$checkout/.build/release/textmerge.wasm
    run_swift_test "State of the pages" test_modules
    run_swift_test "Pages in Chromium" "$checkout/Tests/Browser/run" --evidence "$logs/browser"
}

modules_have_their_types() {
    find "$checkout"/deploy/www/{console,notes,shared} "$checkout/Tests/Browser" -name '*.js' -print0 |
        xargs -0 "$browser_programs/bin/deno" check --no-remote --config "$checkout/deno.json"
}

biome_finds_nothing() {
    "$browser_programs/bin/biome" check --config-path="$checkout" \
        "$checkout"/deploy/www "$checkout/Tests/Browser"
}

# The results go to the file that comes last.
test_modules() {
    # shellcheck source=/dev/null
    source "$checkout/deploy/lib/codemirror.sh"
    local codemirror
    codemirror=$(codemirror_module)
    NO_COLOR=1 ALMANAC_CODEMIRROR=$codemirror ALMANAC_COMMONMARK=$browser_programs/commonmark \
        "$browser_programs/bin/deno" test --no-check --no-remote \
        --allow-env=ALMANAC_CODEMIRROR,ALMANAC_COMMONMARK,ALMANAC_TEXTMERGE \
        --allow-read="$browser_programs/commonmark,$ALMANAC_TEXTMERGE,$checkout" --junit-path "${*: -1}" \
        "$checkout/Tests/Browser/state"
}
