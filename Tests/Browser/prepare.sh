# shellcheck shell=bash
# What tests in a browser need: programs from Python's packages in $checkout/.build, and a profile of Chromium.
#
# Who sources this sets checkout, and has messages.sh; for a profile, tls as layout.sh does.

# Made once for each list of requirements: a folder that is there is complete.
prepare_browser_programs() {
    local requirements=$checkout/Tests/Browser/requirements.txt draft
    browser_programs=$checkout/.build/browser-$(cat -- "${requirements%/*}"/{requirements,commonmark}.txt | sha256sum | cut -c1-12)
    [[ ! -x $browser_programs/bin/playwright ]] || return 0
    draft=$browser_programs.$BASHPID
    say "Installing what drives Chromium."
    mkdir -p -- "$checkout/.build"
    if ! { python3 -m venv "$draft" &&
        "$draft/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
            -r "$requirements" && specification_of_markdown "$draft"; } >"$draft.log" 2>&1; then
        show_tail "$draft.log"
        rm -rf -- "$draft" "$draft.log"
        fail "the programs that drive Chromium could not be installed: see $requirements"
    fi
    rm -rf -- "$draft.log" "$browser_programs"
    # Its scripts name the folder that they were installed in, so they are run as modules, or are programs.
    mv -- "$draft" "$browser_programs"
}

# CommonMark's examples are in a source distribution alone.
specification_of_markdown() {
    local requirements=$checkout/Tests/Browser/commonmark.txt
    "$1/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --require-hashes \
        --dest "$1/commonmark" -r "$requirements"
    tar -xzf "$1"/commonmark/commonmark-*.tar.gz -C "$1/commonmark" --strip-components=1 --wildcards '*/spec.txt'
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
