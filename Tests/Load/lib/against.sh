# shellcheck shell=bash
# A comparison with another commit. Each commit is an instance of its own, which its own deploy/run builds and starts.
#
# Prebuilt programs (ALMANAC_PROGRAMS) belong to this checkout.

# Sets former_code to a folder with the code of a commit, which also receives its build, or to an existing checkout.
# Deletes folders of commits that have not been used for a month.
take_former_code() {
    local commit git=(git -c "safe.directory=$checkout" -C "$checkout")
    if [[ -d $1 ]]; then
        former_code=$(cd -- "$1" && pwd -P)
        return
    fi
    commit=$("${git[@]}" rev-parse --verify --quiet "$1^{commit}") || fail "there is no commit $1"
    former_code=$checkout/.build/against/$commit
    [[ -d $former_code ]] || {
        mkdir -p -- "$former_code.new"
        "${git[@]}" archive "$commit" | tar -x -C "$former_code.new"
        mv -- "$former_code.new" "$former_code"
    }
    touch -- "$former_code"
    find "$checkout/.build/against" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf -- {} +
}

code_of() {
    if [[ $1 == worker ]]; then printf '%s\n' "$checkout"; else printf '%s\n' "$former_code"; fi
}

run_of() {
    local side=$1 programs=${ALMANAC_PROGRAMS:-}
    shift
    [[ $side == worker ]] || programs=
    ALMANAC_HOME=$folder/$side ALMANAC_PORT=${tls_ports[$side]} ALMANAC_THREADS=$worker_threads \
        ALMANAC_PROGRAMS=$programs "$(code_of "$side")/deploy/run" "$@"
}

# Measures both commits: the function that fills the instance of a side, given the side's name.
measure_commits() {
    start_commits "$1"
    measure_rates
    print_report
    judge_commits
}

start_commits() {
    local fill=$1 side home
    for side in "${sides[@]}"; do
        home=$folder/$side
        say "Starting $(code_of "$side")."
        run_of "$side" --detach >"$folder/$side.log" 2>&1 || {
            show_tail "$folder/$side.log"
            fail "$(code_of "$side") did not start"
        }
        listen_without_tls "$home/nginx/nginx.conf" "${tls_ports[$side]}" "${plain_ports[$side]}"
        kill -s HUP "$(<"$home/run/nginx.pid")"
        pids["$side"]=$(run_of "$side" --pid worker)
        instance=$home instance_port=${tls_ports[$side]} "$fill" "$side"
        [[ $(ask "$side" unchanged -o /dev/null -w '%{http_code}') == 304 ]] || fail "the $side does not answer 304"
    done
}

stop_commits() {
    local side
    for side in "${sides[@]}"; do
        [[ ! -d $folder/$side/run ]] || run_of "$side" --stop >/dev/null || true
    done
}

# Two equal programs differ by up to 0.04 (--noise).
judge_commits() {
    local name slower=
    for name in "${cases[@]}"; do
        is_true 'a >= b' "${ratios[$name]}" 0.95 || slower+="${titles[$name]} at ${ratios[$name]}; "
    done
    [[ -z $slower ]] || miss_goals "slower than before: ${slower%; }"
    say "Nothing is slower than before."
}
