# shellcheck shell=bash
# The pages: their modules by themselves, then all of it in Chromium, with an instance of its own.

check_browser() {
    say "Pages"
    # shellcheck source=/dev/null
    source "$checkout/Tests/Browser/prepare.sh"
    prepare_browser_programs
    check "the modules of the pages have the types that they say" modules_have_their_types
    check "biome finds nothing in the pages" biome_finds_nothing
    check "no text in a module goes on over several lines" texts_are_lines
    run_swift_test "State of the pages" test_modules
    run_swift_test "Pages in Chromium" "$checkout/Tests/Browser/run" --evidence "$logs/browser"
}

modules_have_their_types() {
    find "$checkout"/deploy/www/{console,shared} "$checkout/Tests/Browser" -name '*.js' -print0 |
        xargs -0 "$browser_programs/bin/deno" check --no-remote --config "$checkout/deno.json"
}

biome_finds_nothing() {
    "$browser_programs/bin/biome" check --config-path="$checkout" \
        "$checkout"/deploy/www "$checkout/Tests/Browser"
}

# What is served has no indentation (see lay_out_pages).
texts_are_lines() {
    find "$checkout"/deploy/www/{console,shared} -name '*.js' -exec \
        awk '{ if (gsub(/`/, "") % 2) { print FILENAME ":" FNR ": " $0; found = 1 } } END { exit found }' {} +
}

# The results go to the file that comes last.
test_modules() {
    NO_COLOR=1 "$browser_programs/bin/deno" test --no-check --no-remote --junit-path "${*: -1}" \
        "$checkout/Tests/Browser/state"
}
