# shellcheck shell=bash
# What tests in a browser need: programs from Python's packages in $checkout/.build, and a profile of Chromium.
#
# Who sources this sets checkout, and has messages.sh; for a profile, tls as layout.sh does.

# shellcheck source=/dev/null
source "$checkout/deploy/lib/python.sh"

prepare_browser_programs() {
    browser_programs=$(python_packages browser \
        "$checkout/Tests/Browser/requirements.txt" "what drives Chromium") || exit
}

# CommonMark's examples are in a source distribution alone. Made once for each version.
prepare_specification_of_markdown() {
    local requirements=$checkout/Tests/Browser/commonmark.txt draft
    markdown_specification=$checkout/.build/commonmark-$(sha256sum <"$requirements" | cut -c1-12)
    [[ ! -e $markdown_specification ]] || return 0
    draft=$markdown_specification.$BASHPID
    "$browser_programs/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
        --require-hashes --dest "$draft" -r "$requirements" >"$draft.log" 2>&1 || {
        show_tail "$draft.log"
        fail "CommonMark's specification could not be fetched: see $requirements"
    }
    tar -xzf "$draft"/commonmark-*.tar.gz -C "$draft" --strip-components=1 --wildcards '*/spec.txt'
    rm -f -- "$draft.log"
    mv -- "$draft" "$markdown_specification"
}

# Where Chromium looks for authorities that its user trusts.
prepare_browser_profile() {
    local authority=$1
    export ALMANAC_BROWSER_HOME=$2
    mkdir -p -- "$ALMANAC_BROWSER_HOME/.pki/nssdb" "$ALMANAC_BROWSER_HOME/downloads"
    certutil -N -d "sql:$ALMANAC_BROWSER_HOME/.pki/nssdb" --empty-password
    certutil -A -d "sql:$ALMANAC_BROWSER_HOME/.pki/nssdb" -n almanac -t C,, -i "$authority"
    ((EUID != 0)) || chown -R nobody: "$ALMANAC_BROWSER_HOME"
}

# Runs a Python program of Tests/Browser.
drive_browser() {
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$checkout/Tests/Browser "$browser_programs/bin/python" "$@"
}
