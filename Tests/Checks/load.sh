# shellcheck shell=bash
# Checks that each measurement of Tests/Load builds and still finishes.

# shellcheck source=/dev/null
source "$checkout/Tests/Load/lib/build.sh"

check_load_builds() {
    local name run
    begin_part "Measurements"
    mkdir -p -- "$results/load"
    for name in "${c_programs[@]}"; do
        check "the C program $name of the measurements builds" build_c_program "$name" "$results/load"
    done
    for run in "$checkout"/Tests/Load/{*,merge/compare}/run; do
        check "${run#"$checkout"/} --help prints its usage" prints_its_usage "$run"
    done
    check "the scripts of the measurements are valid shell" load_scripts_are_valid
    check "the programs of the measurements are valid Python and JavaScript" load_programs_are_valid
}

prints_its_usage() {
    "$1" --help >"$results/load/usage"
    grep -q "^${1#"$checkout"/} " "$results/load/usage"
}

load_scripts_are_valid() {
    find "$checkout/Tests/Load" \( -name run -o -name '*.sh' \) -print0 | xargs -0 -n 1 bash -n
}

load_programs_are_valid() {
    find "$checkout/Tests/Load" -name '*.py' -print0 |
        PYTHONPYCACHEPREFIX=$results/load/python xargs -0 python3 -m py_compile
    find "$checkout/Tests/Load" -name '*.mjs' -print0 | xargs -0 -n 1 node --check
}

# Runs a short round of each measurement. A missed goal is only a warning, because the rounds are too short.
check_load_rounds() {
    local programs=$checkout/.build/release commit
    begin_part "Measurements, a short round of each"
    mkdir -p -- "$results/load"
    install_packages "${failover_packages[@]}" "${browser_packages[@]}"
    check "the Swift programs of the measurements build" load_programs_build
    check_round "SECONDS=1 ROUNDS=1" config/run
    check_round "SECONDS=1 ROUNDS=1" evaluation/run
    check_round "SECONDS=1 ROUNDS=1 CONNECTIONS=4" notes/run
    check_round "STREAMS=1000 STALLED=50 ROUNDS=3 PAIRS=1 SECONDS=1 CONNECTIONS=4" streams/run
    check_round "SECONDS=5 REST=1 SEARCHES=1 BATCHES=2 WAITS=2 BOMBS=1 FLOODS=1 RULES=1 EDITS=1 KEYS=1" fairness/run
    check_round "MEBIBYTES=5 UPLOADS=16 PIECES=1" attachments/run
    check_round "ENTRIES=500 KEYSTROKES=5 ROUNDS=1" console/run
    check_round "NOTES=200 KEYSTROKES=5 ROUNDS=1" notes-app/run
    check_round '' flags/run "$programs/almanac-load-flags"
    check_round "SECONDS=60" rules/run "$programs/almanac-load-rules"
    check "almanac-load-merge runs to its end" runs_to_its_end "$programs/almanac-load-merge" --rows
    commit=$(commit_to_compare_with)
    if [[ -z $commit ]]; then
        warn "nothing is compared with the release before: $checkout has neither a tag nor a commit of last week"
        return 0
    fi
    check_round "SECONDS=1 ROUNDS=3" config/run --against "$commit"
    check_round "SECONDS=1 ROUNDS=3" evaluation/run --against "$commit"
}

# Builds with the options of deploy/run, to reuse its modules.
load_programs_build() {
    local product
    for product in almanac-load-{flags,merge,rules}; do
        swift build --package-path "$checkout" --configuration release --static-swift-stdlib --product "$product"
    done
}

# Runs a measurement of Tests/Load as a test: its settings without the prefix ALMANAC_LOAD_, its script, arguments.
check_round() {
    local setting settings=() script=$2
    for setting in $1; do
        settings+=("ALMANAC_LOAD_$setting")
    done
    shift 2
    rm -f -- "$results/load/missed"
    check "Tests/Load/$script${1:+ $1} runs to its end" \
        runs_to_its_end env "${settings[@]}" "$checkout/Tests/Load/$script" "$@"
    if [[ -s $results/load/missed ]]; then
        warn "in a short round on this machine: $(<"$results/load/missed")"
    fi
}

# Runs a measurement, and records the missed goals (exit status 2, see Tests/Load/README.md).
runs_to_its_end() {
    local status=0
    timeout --kill-after=60 1200 "$@" >"$results/load/round" 2>&1 || status=$?
    cat -- "$results/load/round"
    [[ -s $results/load/round ]]
    if ((status == 2)); then
        grep -aE 'goals? missed|MISSED' "$results/load/round" >"$results/load/missed"
        return 0
    fi
    return "$status"
}

# Prints the newest tag before this commit or else the last commit before this week, whose build is reused.
commit_to_compare_with() {
    local git=(git -c "safe.directory=$checkout" -C "$checkout")
    "${git[@]}" describe --tags --abbrev=0 HEAD^ 2>/dev/null ||
        "${git[@]}" rev-list -1 --before='last monday 00:00' HEAD 2>/dev/null || true
}
