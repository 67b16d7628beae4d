# shellcheck shell=bash
# deploy/run as a stranger uses it: in a folder that only its owner may enter, with a home and a port of its own.

check_commands() {
    local trial_folder trial_home trial_port
    begin_part "deploy/run"
    trial_folder=$(mktemp -d "$results/trial-XXXXXX")
    trial_home="$trial_folder/a home"
    take_free_port trial_port $((port + 1))
    check "a port that is taken is named in one line, before anything is made" says_port_is_taken
    check "a port is one script's from when it is picked" keeps_ports_apart
    check "a missing toolchain is explained in one line" says_toolchain_is_missing
    check "an old toolchain is explained in one line" says_toolchain_is_old
    check "a full disk is explained in one line" says_disk_is_full
    check "a package that cannot be had is named in one line" says_package_is_unavailable
    check "an unknown option shows the known ones" says_what_options_there_are
    check "--detach returns with an instance that answers" detaches
    check "the lines of --env, which a start shows, make almanac ask the instance" has_variables
    check "a second start finds the first" finds_itself_running
    check "a file of other entries is read on --reload" reloads
    check "a killed worker is back at once" revives_worker
    check "--stop ends every process" stops_everything
    check "--stop with nothing to stop is no error" stops_nothing
    check "another start keeps the data" keeps_data
    check "a start after every process was killed heals what is left" heals_after_kill
    check "in the foreground, SIGTERM stops all of it" foreground_ends_with_signal
    trial --stop >/dev/null 2>&1 || true
    remove_trial
}

# The script under another home and port.
trial() {
    ALMANAC_HOME="$trial_home" ALMANAC_PORT=$trial_port "$checkout/deploy/run" "$@"
}

remove_trial() {
    local real
    real=$(readlink -m -- "$trial_home")
    case $real in
        /var/lib/almanac/?* | "$trial_folder"/?*) rm -rf -- "$real" ;;
    esac
    rm -rf -- "$trial_folder"
}

# Runs a command that must fail with a single line that matches.
fails_with() {
    local pattern=$1 status=0
    shift
    "$@" >"$results/output" 2>"$results/errors" || status=$?
    cat -- "$results/output" "$results/errors"
    [[ $status == 1 ]]
    [[ $(wc -l <"$results/errors") == 1 ]]
    grep -qE "$pattern" "$results/errors"
}

# A folder of programs that stand before all others, or a PATH that lacks one.
stand_in() {
    local name=$1 script=$2
    rm -rf -- "$results/stand-in"
    mkdir -- "$results/stand-in"
    printf '#!/bin/bash\n%s\n' "$script" >"$results/stand-in/$name"
    chmod 755 "$results/stand-in/$name"
}

with_stand_in() {
    PATH=$results/stand-in:$PATH trial "$@"
}

says_port_is_taken() {
    trial_port=$port
    fails_with "port $port is taken.*ALMANAC_PORT=" trial --detach
    [[ ! -e $trial_home ]]
}

# Runs functions of proxy.sh as another of these scripts would, which this one has not started.
apart() {
    env -u ALMANAC_RESERVED_PORTS bash -euc "source '$checkout/deploy/lib/proxy.sh'; $1"
}

keeps_ports_apart() {
    local mine other
    take_free_port mine $((20000 + RANDOM % 10000))
    ! port_is_taken "$mine" || return 1
    [[ $(apart "free_port $mine") != "$mine" ]]
    fails_with "port $mine is taken.*ALMANAC_PORT=" env -u ALMANAC_RESERVED_PORTS \
        ALMANAC_HOME="$trial_home" ALMANAC_PORT="$mine" "$checkout/deploy/run" --detach
    [[ ! -e $trial_home ]]
    # Those that this script starts may have it; when a script has ended, anybody may.
    bash -euc "source '$checkout/deploy/lib/proxy.sh'; reserve_port $mine"
    other=$(apart "take_free_port it $mine; echo \$it")
    [[ $other != "$mine" ]]
    apart "reserve_port $other"
}

says_toolchain_is_missing() {
    rm -rf -- "$results/stand-in"
    mkdir -- "$results/stand-in"
    ln -s /usr/bin/* /usr/sbin/* "$results/stand-in/" 2>/dev/null || true
    rm -f -- "$results/stand-in/swift"
    PATH=$results/stand-in fails_with 'no swift in PATH.*swift\.org' trial --detach
    [[ ! -e $trial_home ]]
}

says_toolchain_is_old() {
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
    stand_in dpkg-query '[[ ${*: -1} != multiwatch ]] && echo -n installed'
    printf '#!/bin/bash\nexit 0\n' | tee "$results/stand-in/apt-get" "$results/stand-in/apt-cache" "$results/stand-in/sudo" >/dev/null
    chmod 755 "$results"/stand-in/*
    fails_with 'package not available here: multiwatch' with_stand_in --detach
    [[ ! -e $trial_home ]]
}

says_what_options_there_are() {
    local status=0
    trial --nonsense >"$results/output" 2>&1 || status=$?
    [[ $status == 1 ]]
    grep -q -- '--detach' "$results/output"
}

trial_entries() {
    curl -sS --noproxy '*' --cacert "$trial_home/tls/ca.pem" "https://localhost:$trial_port/development/config"
}

# A pipe ends only when nobody holds its other end any more.
detaches() {
    timeout 600 bash -c '"$@" | cat' detach env ALMANAC_HOME="$trial_home" ALMANAC_PORT="$trial_port" \
        "$checkout/deploy/run" --detach >"$results/output"
    cat -- "$results/output"
    grep -q "https://localhost:$trial_port" "$results/output"
    trial_entries | tee "$results/entries"
    grep -q '"app.background.color"' "$results/entries"
    grep -q '#FFB6C1' "$results/entries"
    grep -q 'Meeeeoowwww! 😸' "$results/entries"
    grep -q '"app.fun_button.url"' "$results/entries"
    # The lines that are shown work when pasted.
    grep -E '^  curl ' "$results/output" >"$results/lines"
    [[ $(wc -l <"$results/lines") == 3 ]]
    sed 's/curl /curl -f /' "$results/lines" | bash -e
    trial_entries | grep 'Purrrr'
    trial --status
}

# In a shell that knows nothing of any instance, whose home has a blank in its name.
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
    trial --detach | grep "Already running on https://localhost:$trial_port"
    ALMANAC_HOME="$trial_home" env -u ALMANAC_PORT "$checkout/deploy/run" |
        grep "Already running on https://localhost:$trial_port"
    # A port that it would not get is no start.
    fails_with "runs on port $trial_port, and not on the $((trial_port + 1)) of ALMANAC_PORT" \
        env ALMANAC_HOME="$trial_home" ALMANAC_PORT=$((trial_port + 1)) "$checkout/deploy/run" --detach
}

await() {
    local deadline=$((SECONDS + 15))
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
    trial --reload
    await serves_preview
    mv -- "$file.kept" "$file"
    trial --reload
    trial_entries
}

is_another_worker() {
    [[ -n $(trial --pid worker) && $(trial --pid worker) != "$1" ]]
}

revives_worker() {
    local pid
    pid=$(trial --pid worker)
    kill -9 "$pid"
    await is_another_worker "$pid"
    await trial_entries
}

# Those that end while they are looked at fail in between, which says nothing of the others.
no_process_left() {
    local left
    left=$(grep -lasF "$(readlink -f -- "$trial_home")/" /proc/[0-9]*/cmdline | xargs -r -n1 dirname |
        xargs -r -I{} sh -c 'tr "\0" " " <{}/cmdline; echo' 2>/dev/null | grep -E 'nginx|postgres|almanac' || true)
    printf '%s\n' "$left"
    [[ -z $left ]]
}

stops_everything() {
    trial --stop
    await no_process_left
    [[ $(trial --status || true) == *stopped*stopped*stopped* ]]
}

stops_nothing() {
    trial --stop
}

keeps_data() {
    local started=$SECONDS
    trial --detach
    ((SECONDS - started < 60))
    trial_entries | grep 'Purrrr'
    serves_staging_empty
}

serves_staging_empty() {
    [[ $(curl -sS --noproxy '*' --cacert "$trial_home/tls/ca.pem" "https://localhost:$trial_port/staging/config") == '[]' ]]
}

heals_after_kill() {
    local pid
    for pid in $(trial --pid nginx) $(<"$trial_home/run/worker.pid") $(trial --pid postgres); do
        kill -9 "$pid"
    done
    trial --detach
    trial_entries | grep 'Purrrr'
    trial --status
}

foreground_ends_with_signal() {
    local pid
    trial --stop
    trial >"$results/output" 2>&1 &
    pid=$!
    await_long grep -q 'Ctrl-C stops it' "$results/output"
    trial_entries | grep 'Purrrr'
    pid=$(children_of "$pid" | sed -n 1p)
    kill -TERM "${pid:-$!}"
    await no_process_left
    cat -- "$results/output"
    grep -q '^Stopping' "$results/output"
}
