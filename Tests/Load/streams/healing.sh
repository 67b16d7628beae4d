# shellcheck shell=bash
# The delay of a change on a stream after its notification was lost.

goal_seconds=5

run_healing() {
    local change heard
    local -a delays=()
    say
    say "Measuring $rounds changes without a notification."
    find_postgres_programs
    : >"$folder/heard"
    follow_events &
    follower=$!
    await_line hello
    for ((change = 1; change <= rounds; change++)); do
        make_silent_release "$change" >"$folder/sent"
        await_line "refetchEvaluation" "$change"
        heard=$(grep 'refetchEvaluation' "$folder/heard" | sed -n "${change}p" | cut -d' ' -f1)
        delays+=("$(calculate 'a - b' "$heard" "$(<"$folder/sent")" %.3f)")
    done
    end_tree "$follower"
    follower=
    mapfile -t delays < <(printf '%s\n' "${delays[@]}" | sort -g)
    printf '  heard after    %s s (median), %s s (latest); goal: at most %s s\n' \
        "$(printf '%s\n' "${delays[@]}" | median)" "${delays[-1]}" "$goal_seconds"
    is_true 'a <= b' "${delays[-1]}" "$goal_seconds" || missed+="healing: ${delays[-1]} of $goal_seconds s; "
}

# Writes every line of a stream with its arrival time.
follow_events() {
    curl -sSN --cacert "$instance/tls/ca.pem" "https://localhost:$instance_port/$environment/events" |
        while read -r line; do printf '%s %s\n' "$EPOCHREALTIME" "$line"; done >"$folder/heard"
}

# Waits until a number of lines with a word have arrived: word, number (1 by default).
await_line() {
    local word=$1 count=${2:-1} deadline=$((SECONDS + 30))
    until (($(grep -c "$word" "$folder/heard" 2>/dev/null) >= count)); do
        ((SECONDS < deadline)) || fail "a stream did not hear of a change: $word, number $count"
        sleep 0.05
    done
}

# Makes a release like a worker, but without its notification, and prints the time of the commit.
make_silent_release() {
    # Pause at random. A periodic check found the previous change, so this one would come right after that check.
    sleep "$((RANDOM % 2)).$((RANDOM % 10))"
    as_superuser >"$folder/superuser.log" 2>&1 <<END_OF_SCRIPT
\\connect $database
with head as (
    update config_head set revision = revision + 1, patch = patch + 1,
        updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
    returning revision, major, minor, patch, updated_at)
insert into config_releases (revision, major, minor, patch, released_at, kind, author)
select revision, major, minor, patch, updated_at, 'change', 'healing $1' from head;
END_OF_SCRIPT
    printf '%s\n' "$EPOCHREALTIME"
}
