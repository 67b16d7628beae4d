# shellcheck shell=bash
# Clients of all kinds that send requests during restarts and upgrades (see load.py). Their output is in $results/load.

# Starts the clients with the files host.token and user.token in $results/load-clients. Arguments: the URL of an
# environment, the file of its authority, and a command that runs the clients elsewhere.
start_load() {
    : >"$results/load"
    "${@:3}" python3 "$checkout/Tests/Checks/containers/load.py" "$1" "$2" "$results/load-clients" \
        >"$results/load" 2>&1 &
    load=$!
    # End the clients even if the check fails.
    trap 'touch "$results/load-clients/enough"' EXIT
    await_more_load
}

end_load() {
    touch "$results/load-clients/enough"
    wait "$load"
    sort "$results/load" | uniq -c
}

# Prints the number of matching lines in the clients' output.
count_of() {
    grep -c -- "$1" "$results/load" || true
}

answers_to() {
    count_of "^$1\\( kept\\)\\? 20[01]"
}

has_more_answers_than() {
    local kind
    for kind in read note write; do
        (($(answers_to "$kind") >= $1 + 20)) || return 1
        shift
    done
}

# Waits for at least 20 more answers of each kind, so that a restart affects requests.
await_more_load() {
    await has_more_answers_than "$(answers_to read)" "$(answers_to note)" "$(answers_to write)"
}

# Prints the figures of the clients, and checks that each acknowledged write took effect exactly once.
nothing_is_lost_or_doubled() {
    grep '^figures ' "$results/load"
    ! grep -E '^(lost|doubled|missing) ' "$results/load" || return 1
}

# Checks that no line reports a failure, and counts the retries. At each restart, nginx ends each persistent
# connection once. Rarely, it also ends a new connection that a process has accepted during its shutdown (6 of 3,000
# requests of curl in 200 reloads).
no_request_failed() {
    local nginx_restarts=$1 kept=3
    nothing_is_lost_or_doubled
    ! grep -vE -e '^(read|write|note)( kept)? 20[01]$' -e '^(read|write|note) kept 20[01] again$' \
        -e '^read with curl 200 HTTP/2( again)?$' -e '^stream (200|ended with bye|was cut|ended without bye)$' \
        -e '^check 200$' -e '^figures ' "$results/load" || return 1
    (($(count_of ' again$') <= nginx_restarts * kept))
}
