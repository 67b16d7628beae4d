# shellcheck shell=bash
# deploy/run in a folder that only its owner may enter, with its own home folder and port, as a new user runs it.

check_commands() {
    local trial_folder trial_home trial_port
    begin_part "deploy/run: what keeps it from starting"
    make_trial
    check "a port that is taken is named in one line, before anything is made" says_port_is_taken
    check "a port is one script's from when it is picked" keeps_ports_apart
    check "a missing toolchain is explained in one line" says_toolchain_is_missing
    check "an old toolchain is explained in one line" says_toolchain_is_old
    check "a full disk is explained in one line" says_disk_is_full
    check "a package that cannot be had is named in one line" says_package_is_unavailable
    check "an unknown option shows the known ones" says_what_options_there_are
    check "what has not changed is not built again, and what has is" builds_what_changed
    remove_trial
}

# Sets the folder, the home folder and the port of an instance that is not started yet.
make_trial() {
    trial_folder=$(mktemp -d "$results/trial-XXXXXX")
    trial_home="$trial_folder/a home"
    take_free_port trial_port $((port + 1))
}

# Runs deploy/run with the trial's home folder and port. The nightly backup is 12 hours away.
run_trial() {
    ALMANAC_BACKUP_TIME=$(date -u -d '12 hours' +%H:%M) ALMANAC_HOME="$trial_home" ALMANAC_PORT=$trial_port "$checkout/deploy/run" "$@"
}

remove_trial() {
    local real
    run_trial --stop >/dev/null 2>&1 || true
    real=$(readlink -m -- "$trial_home")
    case $real in
        /var/lib/almanac/?* | "$trial_folder"/?*) rm -rf -- "$real" ;;
    esac
    rm -rf -- "$trial_folder"
}

# Runs a command that must fail with a single line that matches a pattern.
fails_with() {
    local pattern=$1 status=0
    shift
    "$@" >"$results/output" 2>"$results/errors" || status=$?
    cat -- "$results/output" "$results/errors"
    [[ $status == 1 ]]
    [[ $(wc -l <"$results/errors") == 1 ]]
    grep -qE "$pattern" "$results/errors"
}

# Makes a folder with one program, which comes first in PATH or is the whole PATH.
stand_in() {
    local name=$1 script=$2
    rm -rf -- "$results/stand-in"
    mkdir -- "$results/stand-in"
    printf '#!/bin/bash\n%s\n' "$script" >"$results/stand-in/$name"
    chmod 755 "$results/stand-in/$name"
}

with_stand_in() {
    PATH=$results/stand-in:$PATH run_trial "$@"
}

says_port_is_taken() {
    trial_port=$port
    fails_with "port $port is taken.*ALMANAC_PORT=" run_trial --detach
    [[ ! -e $trial_home ]]
}

# Runs functions of proxy.sh in an independent script, which does not inherit this script's reserved ports.
in_separate_script() {
    env -u ALMANAC_RESERVED_PORTS bash -euc "source '$checkout/deploy/lib/proxy.sh'; $1"
}

keeps_ports_apart() {
    local mine other
    take_free_port mine $((20000 + RANDOM % 10000))
    ! port_is_taken "$mine" || return 1
    [[ $(in_separate_script "free_port $mine") != "$mine" ]]
    fails_with "port $mine is taken.*ALMANAC_PORT=" env -u ALMANAC_RESERVED_PORTS \
        ALMANAC_HOME="$trial_home" ALMANAC_PORT="$mine" "$checkout/deploy/run" --detach
    [[ ! -e $trial_home ]]
    # Programs started by this script may use the port. After a script has ended, its ports are free.
    bash -euc "source '$checkout/deploy/lib/proxy.sh'; reserve_port $mine"
    other=$(in_separate_script "take_free_port it $mine; echo \$it")
    [[ $other != "$mine" ]]
    in_separate_script "reserve_port $other"
}

says_toolchain_is_missing() {
    rm -rf -- "$results/stand-in"
    mkdir -- "$results/stand-in"
    ln -s /usr/bin/* /usr/sbin/* "$results/stand-in/" 2>/dev/null || true
    rm -f -- "$results/stand-in/swift"
    PATH=$results/stand-in fails_with 'no swift in PATH.*swift\.org' env -u ALMANAC_PROGRAMS \
        ALMANAC_HOME="$trial_home" ALMANAC_PORT="$trial_port" "$checkout/deploy/run" --detach
    [[ ! -e $trial_home ]]
}

says_toolchain_is_old() {
    unset ALMANAC_PROGRAMS
    stand_in swift 'echo "Swift version 5.10.1 (swift-5.10.1-RELEASE)"'
    fails_with 'Swift 5\.10\.1 is too old' with_stand_in --detach
    [[ ! -e $trial_home ]]
}

says_disk_is_full() {
    stand_in df 'echo Avail; echo 17'
    fails_with 'disk is nearly full.* 17 MB' with_stand_in --detach
    [[ ! -e $trial_home ]]
}

says_package_is_unavailable() {
    # shellcheck disable=SC2016 # for the stand-in to expand
    stand_in dpkg-query "exec $(command -v dpkg-query) "'"${@/#multiwatch/no-multiwatch}"'
    printf '#!/bin/bash\nexit 0\n' | tee "$results/stand-in/apt-get" "$results/stand-in/apt-cache" "$results/stand-in/sudo" >/dev/null
    chmod 755 "$results"/stand-in/*
    fails_with 'package not available here: multiwatch' with_stand_in --detach
    [[ ! -e $trial_home ]]
}

says_what_options_there_are() {
    local status=0
    run_trial --nonsense >"$results/output" 2>&1 || status=$?
    [[ $status == 1 ]]
    grep -q -- '--detach' "$results/output"
}

trial_entries() {
    curl -sS --noproxy '*' --cacert "$trial_home/tls/ca.pem" "https://localhost:$trial_port/development/config"
}

# Checks that deploy/run leaves no process with an open pipe: the pipe would not end.
detaches() {
    timeout 900 bash -c '"$@" | cat' detach env ALMANAC_HOME="$trial_home" ALMANAC_PORT="$trial_port" \
        "$checkout/deploy/run" --detach >"$results/output"
    cat -- "$results/output"
    grep -q "https://localhost:$trial_port" "$results/output"
    trial_entries | tee "$results/entries"
    grep -q '"app.background.color"' "$results/entries"
    grep -q '#FFB6C1' "$results/entries"
    grep -q 'Meeeeoowwww! 😸' "$results/entries"
    grep -q '"app.fun_button.url"' "$results/entries"
    # The printed lines must work when pasted.
    grep -E '^  curl ' "$results/output" >"$results/lines"
    [[ $(wc -l <"$results/lines") == 3 ]]
    sed 's/curl /curl -f /' "$results/lines" | bash -e
    trial_entries | grep 'Purrrr'
    run_trial --status
}

# Checks the printed line in a shell without the instance's variables. The home folder's name contains a blank.
has_variables() {
    local line
    line=$(grep -E '^  eval ' "$results/output")
    # shellcheck disable=SC2016 # for that shell to expand
    env -u ALMANAC_URL -u ALMANAC_CA_FILE -u ALMANAC_ENVIRONMENT -u ALMANAC_TOKEN_FILE -u ALMANAC_ENVIRONMENTS \
        -u ALMANAC_PORT bash -euo pipefail -c "$line"'
            [[ $(command -v almanac) == "$1/bin/almanac" ]]
            almanac config get app.background.color
            almanac whoami
            almanac environment list
            almanac config set app.seen true
            almanac config unset app.seen' - "$trial_home" | tee "$results/entries"
    grep -q "^#FFB6C1$" "$results/entries"
    grep -q "^development " "$results/entries"
    fails_with "there is no instance in .*/none" env ALMANAC_HOME="$trial_folder/none" "$checkout/deploy/run" --env
}

finds_itself_running() {
    run_trial --detach | grep "Already running on https://localhost:$trial_port"
    ALMANAC_HOME="$trial_home" env -u ALMANAC_PORT "$checkout/deploy/run" |
        grep "Already running on https://localhost:$trial_port"
}

# Waits until a command succeeds, with a deadline for a busy machine.
await() {
    local deadline=$((SECONDS + 120))
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline))
        sleep 0.1
    done
}

serves_preview() {
    [[ $(curl -sS --noproxy '*' --cacert "$trial_home/tls/ca.pem" -o /dev/null -w '%{http_code}' \
        "https://localhost:$trial_port/preview/config") == 200 ]]
}

reloads() {
    local file=$trial_home/environments.json
    ! serves_preview || return 1
    sed 's/"staging": {/"preview": {/' "$file" >"$file.new"
    chmod 644 "$file.new"
    cp -- "$file" "$file.kept"
    mv -- "$file.new" "$file"
    run_trial --reload
    serves_preview
    mv -- "$file.kept" "$file"
    run_trial --reload
    trial_entries
}

# Checks that no process of the trial remains. A process that ends during the check is ignored.
no_process_left() {
    local left
    left=$(grep -lasF "$(readlink -f -- "$trial_home")/" /proc/[0-9]*/cmdline | xargs -r -n1 dirname |
        xargs -r -I{} sh -c 'tr "\0" " " <{}/cmdline; echo' 2>/dev/null | grep -E 'nginx|postgres|almanac' || true)
    printf '%s\n' "$left"
    [[ -z $left ]]
}

builds_what_changed() {
    unset ALMANAC_PROGRAMS
    newer_checkout
    local checkout=$results/newer logs=$results PATH=$results/stand-in:$PATH
    # shellcheck disable=SC2317 # build_pages calls it
    make_layout() { :; }
    builds programs
    builds
    printf '// New.\n' >"$checkout/Sources/Core/New.swift"
    builds programs
    printf '// Of a page.\n' >>"$checkout/Sources/Web/shared/dom.js"
    builds
    printf '// Newer.\n' >>"$checkout/Package.swift"
    builds programs
    ALMANAC_WARNINGS=others builds programs
    builds programs
    # Touch a program, as a manual build would.
    touch -- "$checkout/.build/release/almanac"
    builds programs
    builds
}

builds() {
    : >"$results/builds"
    build_release
    diff <(printf '%s\n' "$@" | sed '/^$/d') "$results/builds"
}

newer_checkout() {
    rm -rf -- "$results/newer"
    mkdir -p "$results/newer/Sources/Core" "$results/newer/.build/"{release,wasm}
    cp -r "$checkout/Sources/Core/Revisions" "$results/newer/Sources/Core/"
    cp -r "$checkout/deploy" "$checkout/sql" "$checkout/Package.swift" "$results/newer/"
    cp -r "$checkout/Sources/Core/TextMerge" "$results/newer/Sources/Core/"
    cp -r "$checkout/Sources/Web" "$results/newer/Sources/"
    cp -r "$checkout"/.build/codemirror-* "$results/newer/.build/"
    cp "$checkout"/.build/release/textmerge.wasm* "$results/newer/.build/wasm/"
    # shellcheck disable=SC2016 # for the stand-in to expand
    stand_in swift '[[ $1 == build ]] || exec '"$(command -v swift)"' "$@"
        echo programs >>'"$(printf '%q' "$results")"'/builds
        install -D -t "$3/.build/release" -- '"$(printf '%q' "$checkout")"'/.build/release/almanac{,-worker,-events}'
}
