# shellcheck shell=bash
# The Swift toolchain, which is never downloaded here, and the release build.

oldest_swift=6.2

check_toolchain() {
    local output version hint=
    if [[ -n ${SUDO_USER:-} ]]; then
        hint=" (under sudo: sudo env \"PATH=\$PATH\" $program)"
    fi
    command -v swift >/dev/null ||
        fail "there is no swift in PATH; install Swift $oldest_swift or later for Debian 12 from https://www.swift.org/install/linux/ and put its usr/bin into PATH$hint"
    output=$(swift --version 2>&1 || true)
    version=$(grep -oE 'Swift version [0-9.]+' <<<"$output" | sed -n 1p | cut -d' ' -f3 || true)
    [[ -n $version ]] ||
        fail "the Swift toolchain in $(command -v swift) does not work: ${output%%$'\n'*}"
    [[ $(printf '%s\n' "$oldest_swift" "$version" | sort -V | sed -n 1p) == "$oldest_swift" ]] ||
        fail "Swift $version is too old; install Swift $oldest_swift or later from https://www.swift.org/install/linux/ and put its usr/bin first into PATH"
}

# Builds the programs, unless ALMANAC_PROGRAMS names a folder with them. SwiftPM takes seconds per program, so it is
# skipped if nothing has changed since the last build.
build_release() {
    if [[ -n ${ALMANAC_PROGRAMS:-} ]]; then
        check_programs
        return
    fi
    : >"$logs/build.log"
    build_pages "$checkout/.build/wasm" &
    background_pid=$!
    build_changed_programs
    wait "$background_pid" || fail "the build of the pages failed; see the lines above"
    background_pid=
    # SwiftPM makes .build/release.
    cp -- "$checkout"/.build/wasm/textmerge.wasm{,.version} "$checkout/.build/release/"
}

# Builds TextMerge as WebAssembly in a folder, and lays out the pages, at low priority beside the build of the programs.
build_pages() {
    renice -n 5 -p "$BASHPID" >/dev/null
    mkdir -p -- "$1"
    build_textmerge "$1"
    make_layout "$checkout/Sources/Web" "$1/textmerge.wasm"
}

build_changed_programs() {
    local stamp=$checkout/.build/release/programs.version origin
    origin=$(input_hash)
    [[ ! -f $stamp || $(<"$stamp") != "$origin $(output_hash)" ]] || return 0
    build_programs
    printf '%s\n' "$origin $(output_hash)" >"$stamp"
}

# Fails if the folder lacks one of the programs.
check_programs() {
    local file
    for file in almanac-worker almanac-events almanac textmerge.wasm; do
        [[ -e $ALMANAC_PROGRAMS/$file ]] ||
            fail "ALMANAC_PROGRAMS must be a folder with the programs and textmerge.wasm, but $ALMANAC_PROGRAMS has no $file"
    done
}

# Prints a hash over the inputs of a build: the sources, the command, the compiler, the environment variables that
# compilers and SwiftPM read, and the packages with C libraries.
input_hash() {
    local layer
    {
        for layer in "$checkout"/Sources/*/; do
            [[ $layer == */Web/ ]] || hash_of "$layer"
        done
        cat -- "$checkout/Package.swift" "${BASH_SOURCE[0]}"
        readlink -f -- "$(command -v swift)"
        swift --version 2>&1
        env | LC_ALL=C sort | sed -nE '/^(ALMANAC_WARNINGS|CC|CPATH|C_INCLUDE_PATH|LIBRARY_PATH|SDKROOT|SWIFT[A-Z_]*)=/p'
        stat -c %z /var/lib/dpkg/status
    } | sha256sum | cut -c 1-64
}

# Prints a hash that changes when the programs' files are rewritten.
output_hash() {
    { stat -c '%i %s %y %z' "$checkout"/.build/release/almanac{,-worker,-events} 2>/dev/null || true; } | sha256sum | cut -c 1-64
}

build_programs() {
    if [[ -x $checkout/.build/release/almanac && -x $checkout/.build/release/almanac-worker &&
        -x $checkout/.build/release/almanac-events ]]; then
        say "Building the changed programs."
    else
        say "Building for release, which takes some minutes the first time (output: $logs/build.log)."
    fi
    if ! ALMANAC_PROGRAMS_ONLY=yes interruptible swift build --package-path "$checkout" -c release \
        --static-swift-stdlib >>"$logs/build.log" 2>&1; then
        grep -a -m 10 'error:' "$logs/build.log" >&2 || show_tail "$logs/build.log"
        explain_log "$logs/build.log"
        if grep -qaF 'was compiled with module cache path' "$logs/build.log"; then
            warn "the reason: the checkout has moved since it was built; remove $checkout/.build"
        fi
        fail "the build of the programs failed; all of its output is in $logs/build.log"
    fi
}

# Builds TextMerge as WebAssembly in an existing folder. A module of the same sources and toolchain stays.
build_textmerge() {
    local module=$1/textmerge.wasm draft=$checkout/.build/textmerge.new version
    version=$({ hash_of "$checkout/Sources/Core/TextMerge" && hash_of "$checkout/Sources/Web/wasm" &&
        swiftc --version 2>&1 && wasm-opt --version; } | sha256sum)
    [[ ! -f $module || ! -f $module.version || $(<"$module.version") != "$version" ]] || return 0
    rm -rf -- "$draft"
    if ! interruptible "$checkout/Sources/Web/wasm/build" "$draft" >>"$logs/build.log" 2>&1; then
        show_tail "$logs/build.log"
        fail "the build of TextMerge as WebAssembly failed; all of its output is in $logs/build.log"
    fi
    mv -- "$draft"/textmerge-????????????????.wasm "$module"
    printf '%s\n' "$version" >"$module.version"
    rm -rf -- "$draft"
}
