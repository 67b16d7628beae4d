# shellcheck shell=bash
# Programs for the browser tests: Python packages in $checkout/.build, and a Chromium profile.
#
# The sourcing script sets checkout and sources messages.sh; the profile also needs tls, as layout.sh sets it.

# shellcheck source=/dev/null
source "$checkout/deploy/lib/python.sh"

prepare_browser_programs() {
    browser_programs=$(python_packages browser \
        "$checkout/Tests/Web/requirements.txt" "what drives Chromium") || exit
    [[ -f $browser_programs/commonmark/commonmark.txt ]] || specification_of_markdown "$browser_programs"
}

# Downloads CommonMark's examples, which only the source distribution contains.
specification_of_markdown() {
    local requirements=$checkout/Tests/Web/commonmark.txt draft=$1/commonmark.$BASHPID
    if ! { PYTHONPATH=$(unpacked_pip) "$1/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps \
        --no-binary :all: --require-hashes --dest "$draft" -r "$requirements" &&
        tar -xzf "$draft"/marko-*.tar.gz -C "$draft" --strip-components=3 --wildcards '*/commonmark.txt'; } \
        >"$1.log" 2>&1; then
        show_tail "$1.log"
        rm -rf -- "$draft" "$1.log"
        fail "CommonMark's examples could not be fetched: see $requirements"
    fi
    rm -rf -- "$1.log" "$1/commonmark"
    mv -- "$draft" "$1/commonmark"
}

# Makes Playwright encode videos with this host's ffmpeg, if videos are asked for.
prepare_videos() {
    local program place
    [[ -n ${ALMANAC_TEST_VIDEOS:-} ]] || return 0
    program=$(command -v ffmpeg) || fail "ALMANAC_TEST_VIDEOS needs Debian's package ffmpeg"
    export PLAYWRIGHT_BROWSERS_PATH=$browser_programs/playwright
    place=$("$browser_programs/bin/python" -m playwright install --dry-run ffmpeg | sed -n 's/^ *Install location: *//p')
    mkdir -p -- "$place"
    ln -sf -- "$program" "$place/ffmpeg-linux"
}

# Creates a profile in which Chromium trusts a certificate authority.
prepare_browser_profile() {
    local authority=$1
    export ALMANAC_BROWSER_HOME=$2
    mkdir -p -- "$ALMANAC_BROWSER_HOME/.pki/nssdb" "$ALMANAC_BROWSER_HOME/downloads"
    certutil -N -d "sql:$ALMANAC_BROWSER_HOME/.pki/nssdb" --empty-password
    certutil -A -d "sql:$ALMANAC_BROWSER_HOME/.pki/nssdb" -n almanac -t C,, -i "$authority"
    ((EUID != 0)) || chown -R nobody: "$ALMANAC_BROWSER_HOME"
}

# Runs a Python program of Tests/Web.
drive_browser() {
    PYTHONPATH=$checkout/Tests/Web "$browser_programs/bin/python" "$@"
}
