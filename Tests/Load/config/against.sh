# shellcheck shell=bash
# Another commit beside this checkout: each is an instance of its own, as its own deploy/run builds and starts it.

# The code of a commit, in a folder that keeps what is built of it; or a checkout that is there.
take_former_code() {
    local commit
    if [[ -d $1 ]]; then
        former_code=$(cd -- "$1" && pwd -P)
        return
    fi
    commit=$(git -C "$checkout" rev-parse --verify --quiet "$1^{commit}") || fail "there is no commit $1"
    former_code=$checkout/.build/against/$commit
    [[ -d $former_code ]] || {
        mkdir -p -- "$former_code.new"
        git -C "$checkout" archive "$commit" | tar -x -C "$former_code.new"
        mv -- "$former_code.new" "$former_code"
    }
}

# The checkout that a side runs from.
code_of() {
    if [[ $1 == worker ]]; then printf '%s\n' "$checkout"; else printf '%s\n' "$former_code"; fi
}

run_of() {
    local side=$1
    shift
    ALMANAC_HOME=$folder/$side ALMANAC_PORT=${tls_ports[$side]} ALMANAC_THREADS=$worker_threads \
        "$(code_of "$side")/deploy/run" "$@"
}

start_commits() {
    local side home name
    local -A own=()
    for side in "${sides[@]}"; do
        home=$folder/$side
        say "Starting $(code_of "$side")."
        run_of "$side" --detach >"$folder/$side.log" 2>&1 || {
            show_tail "$folder/$side.log"
            fail "$(code_of "$side") does not start"
        }
        listen_without_tls "$home/nginx/nginx.conf" "${tls_ports[$side]}" "${plain_ports[$side]}"
        kill -s HUP "$(<"$home/run/nginx.pid")"
        pids["$side"]=$(run_of "$side" --pid worker)
        instance=$home instance_port=${tls_ports[$side]} fill_config
        own["$side delta"]=${paths[delta]}
        paths[unchanged]=${paths[config]} paths[tls]=${paths[config]}
        await_answer "$side"
        request_headers["$side unchanged"]="If-None-Match: $(ask "$side" config -o /dev/null -D - |
            sed -n 's/^etag: \(.*\)\r$/\1/Ip')"
        [[ $(ask "$side" unchanged -o /dev/null -w '%{http_code}') == 304 ]] || fail "the $side does not answer 304"
    done
    for name in "${!own[@]}"; do paths["$name"]=${own["$name"]}; done
}

stop_commits() {
    local side
    for side in "${sides[@]}"; do
        [[ ! -d $folder/$side/run ]] || run_of "$side" --stop >/dev/null || true
    done
}

# Two equal programs stray by up to 0.04 from each other (--noise).
judge_commits() {
    local name slower=
    for name in "${cases[@]}"; do
        is_true 'a >= b' "${ratios[$name]}" 0.95 || slower+="${titles[$name]} at ${ratios[$name]}; "
    done
    [[ -z $slower ]] || fail "slower than before: ${slower%; }"
    say "Nothing is slower than before."
}
