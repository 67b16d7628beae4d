# shellcheck shell=bash
# The format of the sources: .swift-format for Swift, .editorconfig for all files.

check_formatting() {
    begin_part "The form of the sources"
    check "swift format finds nothing" swift_format_finds_nothing
    check "no line ends in space" no_line_ends_in_space
    check "every file ends with the end of its last line" every_file_ends_with_its_last_line
}

swift_format_finds_nothing() {
    swift format lint --strict --parallel --recursive --configuration "$checkout/.swift-format" \
        "$checkout"/{Package.swift,Sources,Tests}
}

# Checks for trailing blanks. In Markdown, two trailing spaces are a line break.
no_line_ends_in_space() {
    local found=0
    grep -rInE '[[:blank:]]$' --exclude='*.md' --exclude-dir={.git,.build,.almanac,.almanac-test} -- "$checkout" || found=$?
    ((found == 1))
}

# Checks for the line break at the end of every file, except for exports of other programs.
every_file_ends_with_its_last_line() {
    local found
    # With -z, grep reads a file as one line. -L lists the files that do not match.
    found=$(find "$checkout" \( -name .git -o -name .build -o -name '.almanac*' \) -prune -o \
        -path '*/Web/moving' -prune -o -type f -size +0 ! -name '*.png' -print0 |
        LC_ALL=C xargs -0 grep -LPz '\n\z' || true)
    printf '%s\n' "$found"
    [[ -z $found ]]
}
